"""Proofs beside obligations, and ethos where it is there: a script of ours stands in for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from verifier.certify.collect import gather
from verifier.certify.proofs import check_proof, plain
from verifier.certify.recheck import Tampered, recheck
from verifier.certify.write import certificate, with_proofs, write
from verifier.prove.solver import Session
from verifier.spec import library
from verifier.spec.loader import load_file
from verifier.verdict import Verdict

from .conftest import change_manifest, entries, find, seal


@pytest.fixture
def proved(tmp_path: Path) -> Path:
    path = library.find("previous")
    construction = load_file(path)
    gathered = [gather(construction, one, Session()) for one in construction.simulations]
    files, missing = with_proofs(certificate(construction, path.read_bytes(), gathered, {}))
    assert missing == []
    write(tmp_path / "certificate", files)
    return tmp_path / "certificate"


def ethos(folder: Path, monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    folder.mkdir()
    script = folder / "ethos"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(0o755)
    (folder / "Cpc.eo").write_text("")
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setenv("ETHOS_CPC", str(folder / "Cpc.eo"))


def test_proofs_have_no_trusted_steps(proved: Path) -> None:
    found = recheck(proved, ("z3",))
    assert found.verdict == Verdict.PROVED
    count, trusted, accepted = found.proofs
    assert count == len(list(proved.glob("obligations/*")))
    assert trusted == 0 and accepted is None


def test_a_proof_of_ones_own_making(proved: Path) -> None:
    name = find(proved, "proofs/*")
    (proved / name).write_text("(step @p1 :rule trust :args (false))\n")
    with pytest.raises(Tampered):
        recheck(proved, ("z3",))
    seal(proved)
    assert any("trusted steps" in fault for fault in recheck(proved, ("z3",)).faults)
    change_manifest(
        proved, lambda document: [entry.update(trusted_steps=0) for entry in entries(document) if entry["proof"]]
    )
    assert recheck(proved, ("z3",)).verdict == Verdict.INVALID


@pytest.mark.parametrize(
    ("body", "accepted"),
    [
        ("grep -q include $1 && echo correct", True), ("echo incorrect", False), ("echo correct; exit 1", False),
        ("exit 0", False), ("echo incomplete", False),
    ],
)  # fmt: skip
def test_what_ethos_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, accepted: bool) -> None:
    ethos(tmp_path / "bin", monkeypatch, body)
    assert check_proof("(step @p1 :rule refl :args (0))\n") is accepted


def test_a_rejected_proof_is_a_fault(proved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ethos(tmp_path / "bin", monkeypatch, "echo incorrect")
    found = recheck(proved, ("z3",))
    assert found.verdict == Verdict.INVALID
    assert any("ethos rejects" in fault for fault in found.faults)


def test_without_ethos(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert check_proof("(step @p1 :rule refl :args (0))\n") is None


def test_the_parentheses_around_the_whole() -> None:
    assert plain("(\n(assume @p1 x)\n)\n") == "(assume @p1 x)\n"
    assert plain("(assume @p1 x)\n") == "(assume @p1 x)\n"
