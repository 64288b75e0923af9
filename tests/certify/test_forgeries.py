"""Certificates that are consistent in themselves and false: their content gives them away."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from verifier.certify.lemma_text import numeral
from verifier.certify.manifest import Malformed
from verifier.certify.recheck import Tampered, recheck
from verifier.verdict import Verdict

from .conftest import change_file, change_manifest, deny_claim, entries, find, seal

Z3 = ("z3",)


def of_kind(document: Any, kind: str) -> list[Any]:
    return [lemma for entry in entries(document) for lemma in entry["lemmas"] if lemma["kind"] == kind]


def test_sealing_alone_changes_nothing(copy: Path) -> None:
    seal(copy)
    assert recheck(copy, Z3).verdict == Verdict.PROVED


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_a_false_claim(copy: Path, solver: str) -> None:
    name = find(copy, "obligations/*gap*")
    deny_claim(copy, name)
    found = recheck(copy, (solver,))
    report = next(report for report in found.files if report.file == name)
    assert not report.fine and report.answers[solver].answer != "unsat"
    assert found.verdict == Verdict.UNDECIDED


def tail(document: Any) -> Any:
    return of_kind(document, "exp tail")[0]


@pytest.mark.soundness
def test_an_upper_bound_below_the_exponential(copy: Path) -> None:
    """The number is changed alike in the manifest and in the file, where a solver still says unsat."""
    upper = Fraction(tail(json.loads((copy / "manifest.json").read_text()))["numbers"]["upper"])
    lower = upper - Fraction(1, 10**30)

    def change(document: Any) -> None:
        for lemma in of_kind(document, "exp tail"):
            if Fraction(lemma["numbers"]["upper"]) == upper:
                lemma["numbers"]["upper"] = str(lower)

    change_manifest(copy, change)
    for path in (copy / "obligations").iterdir():
        text = path.read_text()
        path.write_text(text.replace(numeral(upper), numeral(lower)))
    seal(copy)
    found = recheck(copy, Z3)
    assert all(report.fine for report in found.files)
    assert found.verdict == Verdict.INVALID
    assert any("ball arithmetic does not show" in fault for fault in found.faults)


@pytest.mark.soundness
@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("numbers", {"degree": "1", "offset": "2", "upper": "1"}, "is not asserted"),
        ("numbers", {"degree": "1", "offset": "2"}, "incomplete"),
        ("numbers", {"degree": "1/2", "offset": "2", "upper": "1"}, "incomplete"),
        ("numbers", {"degree": "1000000", "offset": "2", "upper": "1"}, "incomplete"),
        ("conditions", [], "nothing shows"),
        ("symbol", "exp.77", "is not declared"),
        ("numerator", "n", "is not asserted"),
    ],
)
def test_a_lemma_that_is_not_the_one_in_the_file(copy: Path, field: str, value: Any, fault: str) -> None:
    change_manifest(copy, lambda document: tail(document).__setitem__(field, value))
    found = recheck(copy, Z3)
    assert found.verdict == Verdict.INVALID
    assert any(fault in one for one in found.faults)


@pytest.mark.soundness
def test_a_condition_that_assumes_more(copy: Path) -> None:
    name = tail(json.loads((copy / "manifest.json").read_text()))["conditions"][0]
    change_file(copy, name, "(assert ", "(assert (>= n 5.0))\n(assert ")
    assert any("nothing shows" in fault for fault in recheck(copy, Z3).faults)


@pytest.mark.soundness
def test_assumptions_that_contradict_each_other(copy: Path) -> None:
    name = find(copy, "obligations/*gap*")
    document = json.loads((copy / "manifest.json").read_text())
    other = next(entry["assumptions"] for entry in entries(document) if entry["file"] == name)
    for file in (name, other):
        change_file(copy, file, "(assert ", "(assert (< n 0.0))\n(assert ")
    found = recheck(copy, Z3)
    assert found.verdict != Verdict.PROVED
    assert [report.file for report in found.files if not report.fine] == [other]


@pytest.mark.soundness
def test_assumptions_other_than_those_used(copy: Path) -> None:
    change_file(copy, find(copy, "obligations/*gap*"), "(assert ", "(assert (< n 0.0))\n(assert ")
    found = recheck(copy, Z3)
    assert found.verdict == Verdict.INVALID
    assert any("does not show its assumptions satisfiable" in fault for fault in found.faults)


@pytest.mark.parametrize("part", ["values", "realizability", "defined", "coverage", "budget"])
def test_a_part_of_the_proof_left_out(copy: Path, part: str) -> None:
    def change(document: Any) -> None:
        for one in document["simulations"]:
            one["obligations"] = [entry for entry in one["obligations"] if not entry["name"].startswith(part)]

    change_manifest(copy, change)
    document = json.loads((copy / "manifest.json").read_text())
    named = {entry[key] for entry in entries(document) for key in ("file", "assumptions")}
    for path in [*copy.glob("obligations/*"), *copy.glob("assumptions/*")]:
        if path.relative_to(copy).as_posix() not in named:
            path.unlink()
    seal(copy)
    found = recheck(copy, Z3)
    assert found.verdict == Verdict.INVALID
    assert any(f"no obligation '{part}'" in fault for fault in found.faults)


@pytest.mark.parametrize(
    "smuggled",
    [
        '(echo "unsat")', "(reset)", "(check-sat)", "(push 1)", "(set-option :timeout 1)", "(assert (exp 1.0))",
        "(assert (> (/ 1.0 n) 0.0))", "(define-fun f () Bool false)", "(assert true) (assert false)",
        "(assert true", "(declare-fun exp (Real) Real)", "(assert (and n) (or n))", "(assert ())x",
    ],
)  # fmt: skip
def test_a_file_of_another_form(copy: Path, smuggled: str) -> None:
    name = find(copy, "obligations/*gap*")
    change_file(copy, name, "(assert ", f"{smuggled}\n(assert ")
    with pytest.raises(Malformed, match=name):
        recheck(copy, Z3)


def replaced(place: tuple[str | int, ...], value: Any) -> Callable[[Any], None]:
    def change(document: Any) -> None:
        for step in place[:-1]:
            document = document[step]
        document[place[-1]] = value

    return change


FIRST = ("simulations", 0, "obligations", 0)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("format",), "another"),
        (("claim",), []),
        (("simulations",), []),
        (("simulations",), {}),
        (("simulations", 0, "obligations"), []),
        ((*FIRST, "file"), "../obligations/001-values.smt2"),
        ((*FIRST, "file"), "/etc/passwd"),
        ((*FIRST, "file"), "manifest.json"),
        ((*FIRST, "file"), "obligations/none.smt2"),
        ((*FIRST, "trusted_steps"), -1),
        ((*FIRST, "lemmas"), [{"kind": "magic"}]),
        (("construction", "sha256"), "00"),
        (("versions",), {"z3": 5}),
    ],
)
def test_a_manifest_of_another_form(copy: Path, place: tuple[str | int, ...], value: Any) -> None:
    change_manifest(copy, replaced(place, value))
    with pytest.raises((Malformed, Tampered)):
        recheck(copy, Z3)


@pytest.mark.parametrize("text", ["", "[", "[]", "null", "{}", "[" * 100_000, '{"format": 1}', "\ufeff{}"])
def test_a_manifest_that_is_none(copy: Path, text: str) -> None:
    (copy / "manifest.json").write_text(text, encoding="utf-8")
    seal(copy)
    with pytest.raises(Malformed):
        recheck(copy, Z3)
