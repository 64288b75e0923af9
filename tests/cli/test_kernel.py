"""`verify certify --coq` and `verify recheck --coq`."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from verifier.cli.entry import main

needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed (apt-get install coq)")


def certified(tmp_path: Path, *arguments: str) -> Path:
    folder = tmp_path / "certificate"
    assert main(["certify", *arguments, "--coq", "-o", str(folder)]) == 0
    return folder


def test_a_theory_is_written_with_what_it_is_about(tmp_path: Path) -> None:
    folder = certified(tmp_path, "until", "--param", "c=3", "--simulation", "temperature")
    assert "Theorem until_temperature" in (folder / "until.v").read_text(encoding="utf-8")
    assert json.loads((folder / "coq.json").read_text(encoding="utf-8")) == {
        "parameters": {"c": "3"},
        "simulation": "temperature",
    }


@needs_coq
def test_the_kernel_accepts_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = certified(tmp_path, "previous")
    capsys.readouterr()
    assert main(["recheck", "--coq", str(folder), "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "proved"
    assert "previous_temperature" in document["theorems"]


@needs_coq
def test_a_changed_theory_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = certified(tmp_path, "previous")
    theory = folder / "previous.v"
    theory.write_text(theory.read_text(encoding="utf-8").replace("Qed.", "Admitted.", 1), encoding="utf-8")
    assert main(["recheck", "--coq", str(folder)]) == 3
    assert "not what its construction yields" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["G (a ->", "--coq", "--formula"], "expected a formula"),
        (["G a", "--formula"], "--formula: goes with --coq"),
        (
            ["G a", "--coq", "--formula", "--simulation", "x"],
            "--simulation: expected position-embedding, temperature or all",
        ),
    ],
)
def test_usage_errors(arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "certificate"
    assert main(["certify", *arguments, "-o", str(folder)]) == 2
    assert message in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.parametrize("content", ["", "{}", "[", '{"formula": 1, "route": null}'])
def test_what_is_no_theory_is_refused(content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "coq.json").write_text(content, encoding="utf-8")
    assert main(["recheck", "--coq", str(tmp_path)]) == 2
    assert "coq.json" in capsys.readouterr().err
