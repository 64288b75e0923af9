"""Obligations and their discharge by Z3, cvc5 or both, under deterministic limits with the clock as a backstop."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import z3

from verifier.prove.lemmas import Lemma
from verifier.prove.smtlib import refutation
from verifier.solvers.process import SolverProcess
from verifier.verdict import ObligationResult, Verdict

BOTH = "z3 and cvc5"


@dataclass(frozen=True)
class Limits:
    """What one solver call may cost: Z3's resource units, and milliseconds as a backstop."""

    resources: int = 4_000_000
    milliseconds: int = 20_000


TOTAL_SECONDS = 40.0
"""Processor time of all of a session's questions to Z3 together; past it every answer is unknown."""


@dataclass(frozen=True)
class Session:
    """How obligations are discharged, and a place to keep them for certificates.

    Z3 guides every search, since what a search finds is discharged as an obligation afterwards.

    Args:
        limits: for each call of Z3 that discharges an obligation.
        trial: for each question that a search asks on the way.
        record: told of every obligation with its result; nothing is kept otherwise.
        learn: told of every instance of a lemma about exp, ln and the like that obligations use.
        second: cvc5 in a process of its own, asked about every obligation too.
        z3_decides: whether Z3's answer counts; without it obligations are left to cvc5.
        spent: the processor time that Z3 has had, in seconds, as the one entry.
        single: with two solvers, the names of proved obligations that only one of them decided.
    """

    limits: Limits = field(default_factory=Limits)
    trial: Limits = Limits(400_000, 4_000)
    record: Callable[[Obligation, ObligationResult], None] | None = None
    learn: Callable[[Lemma], None] | None = None
    second: SolverProcess | None = None
    z3_decides: bool = True
    single: list[str] = field(default_factory=list)
    spent: list[float] = field(default_factory=lambda: [0.0])

    @property
    def two_solvers(self) -> bool:
        """Whether everything proved so far was decided by two solvers, each alone."""
        return self.second is not None and self.z3_decides and not self.single


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

    @property
    def refutation(self) -> tuple[z3.BoolRef, ...]:
        """What is shown to be unsatisfiable; for a case that cannot occur, whose goal is `false`, the hypotheses."""
        return self.hypotheses if z3.is_false(self.goal) else (*self.hypotheses, z3.Not(self.goal))


def satisfiable(formulas: tuple[z3.BoolRef, ...], session: Session, *, trial: bool = False) -> z3.CheckSatResult:
    """Z3's answer to a conjunction: sat, unsat or unknown; an exception in the solver is unknown."""
    limits = session.trial if trial else session.limits
    if session.spent[0] > TOTAL_SECONDS:
        return z3.unknown
    started = time.process_time()
    solver = z3.Solver()
    solver.set("rlimit", limits.resources)
    solver.set("timeout", limits.milliseconds)
    try:
        solver.add(*formulas)
        return solver.check()
    except z3.Z3Exception:
        return z3.unknown
    finally:
        session.spent[0] += time.process_time() - started


def holds(hypotheses: tuple[z3.BoolRef, ...], goal: z3.BoolRef, session: Session) -> bool:
    """Whether Z3 proves within the limits of a trial that the hypotheses imply the goal. False means nothing."""
    return bool(satisfiable((*hypotheses, z3.Not(goal)), session, trial=True) == z3.unsat)


def discharge(obligation: Obligation, session: Session) -> ObligationResult:
    """Prove an obligation, or say what came instead; `sat` is never more than a candidate, so it is UNDECIDED."""
    started = time.perf_counter()
    possible = satisfiable(obligation.hypotheses, session)
    if possible != z3.sat:
        found = "contradict each other" if possible == z3.unsat else "are not known to be satisfiable"
        return _result(obligation, Verdict.UNDECIDED, "z3", started, session, f"the hypotheses {found}")
    return _decided(obligation, started, session)


def discharge_absence(
    name: str, statement: str, hypotheses: tuple[z3.BoolRef, ...], session: Session
) -> ObligationResult:
    """Prove that a case cannot occur: its hypotheses contradict each other, and that is the statement."""
    return _decided(Obligation(name, statement, hypotheses, z3.BoolVal(False)), time.perf_counter(), session)


def _decided(obligation: Obligation, started: float, session: Session) -> ObligationResult:
    """PROVED where some solver refutes the negation and none contradicts it."""
    answers: dict[str, str] = {}
    if session.z3_decides:
        answers["z3"] = str(satisfiable(obligation.refutation, session))
    if session.second is not None:
        answers[session.second.name] = session.second.ask(refutation(obligation.refutation)).answer
    proved = [name for name, answer in answers.items() if answer == "unsat"]
    others = [_words(name, answer) for name, answer in answers.items() if answer != "unsat"]
    if proved and "sat" in answers.values():
        return _result(obligation, Verdict.UNDECIDED, "", started, session, CONTRADICTION)
    if not proved:
        by = " and ".join(answers)
        return _result(obligation, Verdict.UNDECIDED, by, started, session, "; ".join(others))
    if others and session.z3_decides:
        session.single.append(obligation.name)
    return _result(obligation, Verdict.PROVED, " and ".join(proved), started, session, "; ".join(others))


CONTRADICTION = "THE TWO SOLVERS CONTRADICT EACH OTHER; please report this"


def _words(name: str, answer: str) -> str:
    solver = "Z3" if name == "z3" else name
    if answer == "sat":
        return f"{solver} finds a counterexample candidate"
    reason = "" if answer == "unknown" else f" ({answer})"
    return f"{solver} gave no answer within its limit{reason}"


def decided_by_both(results: Iterable[ObligationResult]) -> bool:
    """Whether each of the results that a solver decided was decided by both of them."""
    return all(result.by == BOTH for result in results if result.by in ("z3", "cvc5", BOTH))


def _result(
    obligation: Obligation, verdict: Verdict, by: str, started: float, session: Session, detail: str = ""
) -> ObligationResult:
    seconds = time.perf_counter() - started
    result = ObligationResult(obligation.name, obligation.statement, verdict, by, seconds, detail)
    if session.record is not None:
        session.record(obligation, result)
    return result
