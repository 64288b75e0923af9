"""Obligations and their discharge by Z3, under a deterministic resource limit with the clock as a backstop."""

from __future__ import annotations

import time
from dataclasses import dataclass

import z3

from verifier.verdict import ObligationResult, Verdict


@dataclass(frozen=True)
class Limits:
    """What one solver call may cost: Z3's resource units, and milliseconds as a backstop."""

    resources: int = 4_000_000
    milliseconds: int = 20_000


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


def satisfiable(formulas: tuple[z3.BoolRef, ...], limits: Limits) -> z3.CheckSatResult:
    """Z3's answer to a conjunction: sat, unsat or unknown; an exception in the solver is unknown."""
    solver = z3.Solver()
    solver.set("rlimit", limits.resources)
    solver.set("timeout", limits.milliseconds)
    try:
        solver.add(*formulas)
        return solver.check()
    except z3.Z3Exception:
        return z3.unknown


def holds(hypotheses: tuple[z3.BoolRef, ...], goal: z3.BoolRef, limits: Limits) -> bool:
    """Whether Z3 proves that the hypotheses imply the goal. False means nothing."""
    return bool(satisfiable((*hypotheses, z3.Not(goal)), limits) == z3.unsat)


def discharge(obligation: Obligation, limits: Limits) -> ObligationResult:
    """Prove an obligation, or say what came instead; `sat` is never more than a candidate, so it is UNDECIDED."""
    started = time.perf_counter()
    possible = satisfiable(obligation.hypotheses, limits)
    if possible != z3.sat:
        found = "contradict each other" if possible == z3.unsat else "are not known to be satisfiable"
        return _result(obligation, Verdict.UNDECIDED, started, f"the hypotheses {found}")
    answer = satisfiable((*obligation.hypotheses, z3.Not(obligation.goal)), limits)
    if answer == z3.unsat:
        return _result(obligation, Verdict.PROVED, started, "")
    detail = "Z3 finds a counterexample candidate" if answer == z3.sat else "Z3 gave no answer within its limit"
    return _result(obligation, Verdict.UNDECIDED, started, detail)


def discharge_absence(obligation: Obligation, limits: Limits) -> ObligationResult:
    """Prove that a case cannot occur: its hypotheses contradict each other, and that is the statement."""
    started = time.perf_counter()
    answer = satisfiable(obligation.hypotheses, limits)
    verdict = Verdict.PROVED if answer == z3.unsat else Verdict.UNDECIDED
    return _result(obligation, verdict, started, "" if answer == z3.unsat else f"Z3 answers {answer}")


def _result(obligation: Obligation, verdict: Verdict, started: float, detail: str) -> ObligationResult:
    return ObligationResult(obligation.name, obligation.statement, verdict, "z3", time.perf_counter() - started, detail)
