"""The commands `certify` and `recheck`: what they write and print, and how they exit."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from verifier.cli import main

from .conftest import change_manifest, deny_claim, find


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


Verify = Callable[..., Run]


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Verify:
    monkeypatch.delenv("VERIFY_DEBUG", raising=False)

    def run(*arguments: str) -> Run:
        code = main(arguments)
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return run


def test_certify_and_recheck(verify: Verify, tmp_path: Path) -> None:
    target = tmp_path / "once"
    ran = verify("certify", "once", "-o", str(target), "--max-n", "20", "--proofs", "--solver", "both")
    assert (ran.code, ran.err) == (0, "")
    digest = next(line.removeprefix("digest ") for line in ran.out.splitlines() if line.startswith("digest "))
    again = verify("recheck", str(target), "--digest", digest)
    assert (again.code, again.err) == (0, "")
    assert again.out.splitlines()[-1] == "proved"
    assert "0 trusted steps" in again.out
    manifest = json.loads((target / "manifest.json").read_text(encoding="utf-8"))
    by = {entry["by"] for one in manifest["simulations"] for entry in one["obligations"] if entry["file"]}
    assert by == {"z3 and cvc5"}
    assert {"z3", "cvc5", "python", "sympy", "python-flint"} <= set(manifest["versions"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["once"]


def test_json(verify: Verify, tmp_path: Path) -> None:
    target = tmp_path / "previous"
    ran = verify("certify", "previous", "-o", str(target), "--max-n", "10", "--format", "json")
    assert json.loads(ran.out)["construction"] == "previous"
    again = verify("recheck", str(target), "--format", "json", "--solver", "z3")
    document = json.loads(again.out)
    assert (again.code, document["verdict"], document["faults"]) == (0, "proved", [])
    assert document["digest"] == json.loads(ran.out)["digest"]


def test_what_is_not_proved_is_not_written(verify: Verify, tmp_path: Path) -> None:
    ran = verify("certify", "until", "-o", str(tmp_path / "x"), "--max-n", "10", "--param", "c=1")
    assert ran.code == 1
    assert "nothing was written" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_ones_own(verify: Verify, tmp_path: Path) -> None:
    from verifier.spec import library

    own = tmp_path / "own.toml"
    own.write_bytes(library.find("previous").read_bytes())
    assert verify("certify", str(own), "-o", str(tmp_path / "x"), "--max-n", "5").code == 0
    assert verify("recheck", str(tmp_path / "x"), "--solver", "z3").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("certify", "once"),
        ("certify", "once", "-o", ""),
        ("certify", "once", "-o", "."),
        ("certify", "once", "-o", "there/is/no/folder"),
        ("certify", "once", "-o", "a\0b"),
        ("certify", "once", "-o", "x" * 300),
        ("certify", "nothing", "-o", "x"),
        ("certify", "missing.toml", "-o", "x"),
        ("certify", "once", "-o", "x", "--solver", "yices"),
        ("certify", "once", "-o", "x", "--max-n", "0"),
        ("certify", "once", "-o", "x", "--simulation", "nothing"),
        ("recheck",),
        ("recheck", "missing"),
        ("recheck", ""),
        ("recheck", "a\0b"),
        ("recheck", ".", "--solver", "none"),
        ("recheck", ".", "--seconds", "-1"),
        ("recheck", "."),
    ],
)
def test_usage_errors(verify: Verify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str]) -> None:
    monkeypatch.chdir(tmp_path)
    ran = verify(*arguments)
    assert ran.code == 2
    assert ran.err.startswith("verify: ") and ran.err.count("\n") == 1 and "Traceback" not in ran.err
    assert ran.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(verify: Verify, tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        assert verify("certify", "previous", "-o", str(tmp_path / "x"), "--max-n", "5").code == 2
    finally:
        tmp_path.chmod(0o755)


def test_a_failed_write_leaves_nothing(verify: Verify, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "rename", full)
    ran = verify("certify", "previous", "-o", str(tmp_path / "x"), "--max-n", "5")
    assert ran.code == 4 and "No space left" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_tampering_is_a_clear_message(verify: Verify, copy: Path) -> None:
    name = find(copy, "obligations/*budget*")
    (copy / name).write_text("(check-sat)\n")
    ran = verify("recheck", str(copy))
    assert (ran.code, ran.out) == (2, "")
    assert name in ran.err and "SHA-256" in ran.err


def test_another_digest(verify: Verify, copy: Path) -> None:
    ran = verify("recheck", str(copy), "--solver", "z3", "--digest", "00")
    assert ran.code == 2 and "--digest" in ran.err


def test_exit_codes_of_false_certificates(verify: Verify, copy: Path) -> None:
    deny_claim(copy, find(copy, "obligations/*gap*"))
    ran = verify("recheck", str(copy), "--solver", "z3")
    assert ran.code == 3 and "NOT CONFIRMED" in ran.out
    change_manifest(copy, lambda document: document["simulations"][0]["obligations"].pop(0))
    assert verify("recheck", str(copy), "--solver", "z3").code == 2


def test_a_missing_cvc5_is_a_clear_message(
    verify: Verify, copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "fake"
    fake.mkdir()
    (fake / "cvc5.py").write_text("raise ImportError('not here')")
    before = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(part for part in (str(fake), before) if part))
    target = str(tmp_path / "x")
    for arguments in (
        ("recheck", str(copy)),
        ("certify", "previous", "-o", target, "--solver", "both", "--max-n", "5"),
        ("certify", "previous", "-o", target, "--proofs", "--max-n", "5"),
    ):
        ran = verify(*arguments)
        assert ran.code == 2
        assert "cvc5 is not installed" in ran.err and "pip install" in ran.err
    assert not Path(target).exists()
    assert verify("recheck", str(copy), "--solver", "z3").code == 0
