"""What a certificate contains, and that the two solvers confirm it."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from verifier.certify.recheck import recheck
from verifier.spec import library
from verifier.verdict import Verdict

from .conftest import entries, write_certificate

Written = Callable[[str], Path]
SOME = ("once", "until", "parity", "offset", "average-attention-perturbed")


@pytest.mark.parametrize("name", SOME)
def test_both_solvers_confirm(written: Written, name: str) -> None:
    found = recheck(written(name))
    assert found.verdict == Verdict.PROVED
    assert found.faults == ()
    for report in found.files:
        assert list(report.answers) == ["z3", "cvc5"]
        if report.expected == "unsat":
            assert [answer.answer for answer in report.answers.values()] == ["unsat", "unsat"]
    assert sum(report.expected == "unsat" for report in found.files) >= 10
    assert found.lemmas > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(set(library.names()) - set(SOME)))
def test_both_solvers_confirm_the_library(written: Written, name: str) -> None:
    assert recheck(written(name)).verdict == Verdict.PROVED


def test_two_runs_write_the_same_bytes(written: Written, tmp_path: Path) -> None:
    digest = write_certificate("once", tmp_path / "again")
    assert digest == hashlib.sha256((written("once") / "SHA256SUMS").read_bytes()).hexdigest()


def test_files_speak_for_themselves(written: Written) -> None:
    for file in written("until").glob("obligations/*.smt2"):
        lines = file.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("; ") and lines[1].startswith("; Claim: ")
        assert "(set-info :status unsat)" in lines
        assert [line for line in lines if line.startswith("(set-logic")]
        assert lines[-1] == "(check-sat)" and lines.count("(check-sat)") == 1


@pytest.mark.parametrize("name", SOME)
def test_no_division_by_terms_and_no_function_of_a_theory(written: Written, name: str) -> None:
    for file in written(name).glob("*/*.smt2"):
        code = "\n".join(line for line in file.read_text().splitlines() if not line.startswith(";"))
        assert all(re.match(r"/ [0-9.]+ [0-9.]+\)", code[found.start() :]) for found in re.finditer("/", code))
        declared = re.findall(r"\(declare-fun (\S+)", code)
        assert declared
        assert all("." in symbol or symbol in ("n", "i", "j", "k", "target") for symbol in declared)


def test_the_construction_and_its_digest_are_kept(written: Written) -> None:
    document = json.loads((written("once") / "manifest.json").read_text(encoding="utf-8"))
    source = library.find("once").read_bytes()
    assert (written("once") / "construction.toml").read_bytes() == source
    assert document["construction"]["sha256"] == hashlib.sha256(source).hexdigest()


def test_exponentials_stand_in_the_manifest_with_exact_numbers(written: Written) -> None:
    document = json.loads((written("until") / "manifest.json").read_text(encoding="utf-8"))
    tails = [lemma for entry in entries(document) for lemma in entry["lemmas"] if lemma["kind"] == "exp tail"]
    assert tails
    for tail in tails:
        assert re.fullmatch(r"[0-9]+/[0-9]+", tail["numbers"]["upper"])
        assert tail["conditions"]
    kinds = {entry["role"] for entry in entries(document)}
    assert kinds == {"claim", "side condition"}


def test_rechecking_imports_nothing_that_writes() -> None:
    code = (
        "import sys, verifier.certify.recheck; "
        "print([name for name in sys.modules if name.startswith(('verifier.prove', 'verifier.spec', 'z3', 'sympy'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
