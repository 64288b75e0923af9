"""Obligations decided by one solver or by two, and what happens when these differ."""

from __future__ import annotations

from typing import Any

import pytest
import z3

from verifier.prove.sessions import sessions
from verifier.prove.solver import (
    CONTRADICTION,
    Limits,
    Obligation,
    Session,
    decided_by_both,
    discharge,
    discharge_absence,
)
from verifier.solvers.process import Answer
from verifier.verdict import Verdict

N = z3.Real("n")
TRUE = Obligation("true", "n n >= n for n >= 1", (N >= 1,), N * N >= N)
FALSE = Obligation("false", "n >= 2 for n >= 1", (N >= 1,), N >= 2)


class Second:
    """A second solver that says what it is told to."""

    name = "cvc5"

    def __init__(self, answer: str) -> None:
        self.answer = answer

    def ask(self, text: str) -> Answer:
        assert text.endswith("(check-sat)\n")
        return Answer(self.answer)


def session(answer: str, **options: Any) -> Session:
    return Session(second=Second(answer), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("choice", "by"), [("z3", "z3"), ("cvc5", "cvc5"), ("both", "z3 and cvc5")])
def test_who_decided(choice: str, by: str) -> None:
    with sessions(choice) as new:
        one = new()
        result = discharge(TRUE, one)
        assert (result.verdict, result.by, result.detail) == (Verdict.PROVED, by, "")
        assert one.two_solvers == (choice == "both") == decided_by_both([result])
        absent = discharge_absence("absent", "n < n", (N < 0, N > 0), one)
        assert (absent.verdict, absent.by) == (Verdict.PROVED, by)
        assert discharge(FALSE, one).verdict == Verdict.UNDECIDED


@pytest.mark.soundness
def test_solvers_that_contradict_each_other_prove_nothing() -> None:
    for obligation, answer in ((TRUE, "sat"), (FALSE, "unsat")):
        result = discharge(obligation, session(answer))
        assert (result.verdict, result.detail) == (Verdict.UNDECIDED, CONTRADICTION)


@pytest.mark.parametrize("answer", ["unknown", "time-out", "error"])
def test_one_solver_is_one_solver(answer: str) -> None:
    one = session(answer)
    result = discharge(TRUE, one)
    assert (result.verdict, result.by) == (Verdict.PROVED, "z3")
    assert "cvc5 gave no answer" in result.detail
    assert not one.two_solvers and one.single == ["true"]
    assert not decided_by_both([result])


@pytest.mark.soundness
@pytest.mark.parametrize("answer", ["unknown", "time-out", "error", "sat"])
def test_cvc5_alone_that_does_not_decide(answer: str) -> None:
    assert discharge(TRUE, session(answer, z3_decides=False)).verdict == Verdict.UNDECIDED


def test_z3_without_an_answer_leaves_it_to_cvc5() -> None:
    x = z3.Ints("x y z")
    hard = Obligation("hard", "no sum of three cubes", (), x[0] ** 3 + x[1] ** 3 + x[2] ** 3 != 114)
    limits = Limits(resources=20_000, milliseconds=2_000)
    with pytest.raises(ValueError, match="no place in an obligation"):
        discharge(hard, session("unsat", limits=limits))
    cubes = Obligation("hard", "", (), x[0] * x[0] * x[0] + x[1] * x[1] * x[1] + x[2] * x[2] * x[2] != 114)
    result = discharge(cubes, session("unsat", limits=limits))
    assert (result.verdict, result.by) == (Verdict.PROVED, "cvc5")


@pytest.mark.soundness
def test_contradicting_hypotheses_prove_nothing() -> None:
    result = discharge(Obligation("vacuous", "", (N < 0, N > 0), N >= 2), session("unsat"))
    assert result.verdict == Verdict.UNDECIDED
