"""Obligations and their discharge by Z3, under a deterministic resource limit with the clock as a backstop."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import z3

from verifier.verdict import ObligationResult, Verdict


@dataclass(frozen=True)
class Limits:
    """What one solver call may cost: Z3's resource units, and milliseconds as a backstop."""

    resources: int = 4_000_000
    milliseconds: int = 20_000


@dataclass(frozen=True)
class Session:
    """How obligations are discharged, and a place to keep them for certificates.

    Args:
        limits: for each solver call.
        record: told of every obligation with its result; nothing is kept otherwise.
    """

    limits: Limits = field(default_factory=Limits)
    record: Callable[[Obligation, ObligationResult], None] | None = None


@dataclass(frozen=True)
class Obligation:
    """A statement to be proved: the hypotheses imply the goal, for all values of the free variables.

    Args:
        name: such as ``gap: right, selected``.
        statement: the same in words, for a reader.
        hypotheses: what may be assumed; shown satisfiable, since contradictory hypotheses prove everything.
        goal: what follows.
    """

    name: str
    statement: str
    hypotheses: tuple[z3.BoolRef, ...]
    goal: z3.BoolRef


def satisfiable(formulas: tuple[z3.BoolRef, ...], session: Session) -> z3.CheckSatResult:
    """Z3's answer to a conjunction: sat, unsat or unknown; an exception in the solver is unknown."""
    solver = z3.Solver()
    solver.set("rlimit", session.limits.resources)
    solver.set("timeout", session.limits.milliseconds)
    try:
        solver.add(*formulas)
        return solver.check()
    except z3.Z3Exception:
        return z3.unknown


def holds(hypotheses: tuple[z3.BoolRef, ...], goal: z3.BoolRef, session: Session) -> bool:
    """Whether Z3 proves that the hypotheses imply the goal. False means nothing."""
    return bool(satisfiable((*hypotheses, z3.Not(goal)), session) == z3.unsat)


def discharge(obligation: Obligation, session: Session) -> ObligationResult:
    """Prove an obligation, or say what came instead; `sat` is never more than a candidate, so it is UNDECIDED."""
    started = time.perf_counter()
    possible = satisfiable(obligation.hypotheses, session)
    if possible != z3.sat:
        found = "contradict each other" if possible == z3.unsat else "are not known to be satisfiable"
        return _result(obligation, Verdict.UNDECIDED, started, session, f"the hypotheses {found}")
    answer = satisfiable((*obligation.hypotheses, z3.Not(obligation.goal)), session)
    if answer == z3.unsat:
        return _result(obligation, Verdict.PROVED, started, session)
    detail = "Z3 finds a counterexample candidate" if answer == z3.sat else "Z3 gave no answer within its limit"
    return _result(obligation, Verdict.UNDECIDED, started, session, detail)


def discharge_absence(
    name: str, statement: str, hypotheses: tuple[z3.BoolRef, ...], session: Session
) -> ObligationResult:
    """Prove that a case cannot occur: its hypotheses contradict each other, and that is the statement."""
    started = time.perf_counter()
    obligation = Obligation(name, statement, hypotheses, z3.BoolVal(False))
    answer = satisfiable(hypotheses, session)
    if answer == z3.unsat:
        return _result(obligation, Verdict.PROVED, started, session)
    return _result(obligation, Verdict.UNDECIDED, started, session, f"Z3 answers {answer}")


def _result(
    obligation: Obligation, verdict: Verdict, started: float, session: Session, detail: str = ""
) -> ObligationResult:
    seconds = time.perf_counter() - started
    result = ObligationResult(obligation.name, obligation.statement, verdict, "z3", seconds, detail)
    if session.record is not None:
        session.record(obligation, result)
    return result
