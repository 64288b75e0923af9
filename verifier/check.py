"""From a construction to its verdict: numbers on strings, the proof, and what the two say together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from verifier.execute.cross_check import Counterexample, cross_check
from verifier.execute.supremum import NoSupremum, affordable, supremum
from verifier.prove.balls import Unsettled, precision
from verifier.prove.budget import Bound
from verifier.prove.proof import Proof, hard_head, prove
from verifier.prove.solver import Session
from verifier.prove.witness import confirm
from verifier.spec.construction import Construction, Simulation
from verifier.spec.errors import SpecError
from verifier.spec.printer import to_text
from verifier.symbolic.factor import key_dimension
from verifier.verdict import (
    CrossCheck,
    ObligationResult,
    Result,
    SimulationResult,
    Trust,
    Verdict,
    Witness,
    worst,
)
from verifier.versions import versions

LONGEST_SUPREMUM = 2048

Progress = Callable[[str, int, int], None]


def check(
    construction: Construction,
    *,
    max_n: int,
    simulation: str | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    session: Session | None = None,
) -> Result:
    """Check a construction: cross-check on strings, prove, and join the two into a verdict.

    Args:
        construction: what to check.
        max_n: up to which length the bound is evaluated and strings are run; at least 1.
        simulation: the one to check, or None for all.
        seed: of the random strings.
        progress: told the stage, how much is done, and of how much.
        session: which solvers, with what limits.

    Raises:
        SpecError: there is no such simulation.
    """
    started = time.perf_counter()
    session = session or Session()
    chosen = replace(construction, simulations=_chosen(construction, simulation))
    stage = _stage(progress, "strings")
    numbers, counterexamples = cross_check(chosen, max_n, seed=seed, progress=stage, key_dimension=key_dimension)
    semantics = hard_head(chosen, session)
    results = tuple(
        _simulate(chosen, one, max_n, numbers, counterexamples, semantics, session, progress)
        for one in chosen.simulations
    )
    return Result(
        construction=chosen.name,
        title=chosen.title,
        verdict=worst([result.verdict for result in results]),
        trust=_trust(results, session),
        max_n=max_n,
        parameters={parameter.name: str(parameter.value) for parameter in chosen.parameters},
        claim_error=chosen.claim.error.text,
        claim_computes=chosen.claim.computes_text,
        simulations=results,
        cross_check=numbers,
        seconds=time.perf_counter() - started,
        file=chosen.file,
        digest=chosen.digest,
        text=chosen.text,
        reason=" ".join(f"{result.name}: {result.reason}." for result in results if result.reason),
        versions=versions() | _second_version(session),
    )


def _trust(results: tuple[SimulationResult, ...], session: Session) -> Trust:
    """What the verdict rests on; numbers alone where anything is left open."""
    if any(result.verdict not in (Verdict.PROVED, Verdict.BOUNDED) for result in results):
        return Trust.TESTED
    return Trust.TWO_SOLVERS if session.two_solvers else Trust.SOLVER


def _second_version(session: Session) -> dict[str, str]:
    return {} if session.second is None else {session.second.name: session.second.version}


def _chosen(construction: Construction, name: str | None) -> tuple[Simulation, ...]:
    if name is None or name == "all":
        return construction.simulations
    chosen = tuple(one for one in construction.simulations if one.name == name)
    if not chosen:
        known = ", ".join(one.name for one in construction.simulations)
        raise SpecError(f"--simulation: no simulation '{name[:40]}' in this construction (it has {known})")
    return chosen


def _stage(progress: Progress | None, stage: str) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, total: progress(stage, done, total)


@dataclass(frozen=True)
class _Decision:
    verdict: Verdict
    scope: str
    reason: str


def _simulate(
    construction: Construction,
    simulation: Simulation,
    max_n: int,
    numbers: CrossCheck,
    counterexamples: Iterable[Counterexample],
    semantics: tuple[ObligationResult, ...],
    session: Session,
    progress: Progress | None,
) -> SimulationResult:
    stage = _stage(progress, f"{simulation.name}: bound at each n")
    own = [found for found in counterexamples if found.simulation == simulation.name]
    witness = _witness(construction, simulation, own, key_dimension(construction, simulation))
    proof, ranges = _proof(construction, simulation, max_n, own, semantics, session, stage)
    bound_at_max_n, bound_text = _bound(construction, simulation, proof, max_n)
    supremum_at, supremum_n = _supremum(construction, simulation, max_n)
    decision = _decide(construction, proof, numbers, own, witness, max_n)
    if witness is not None and witness.kind == "error" and supremum_at is not None and supremum_at > witness.error:
        more = f"; the error grows to {supremum_at:.6g} at n = {supremum_n}"
        decision = replace(decision, reason=decision.reason + more)
    return SimulationResult(
        name=simulation.name,
        verdict=decision.verdict,
        scope=decision.scope,
        score=simulation.score.text,
        temperature=simulation.temperature.text,
        bound=bound_text,
        bound_at_max_n=bound_at_max_n,
        supremum_at_max_n=supremum_at,
        supremum_n=supremum_n,
        obligations=proof.obligations,
        witness=witness if decision.verdict == Verdict.REFUTED else None,
        reason=decision.reason,
        parameter_scope=ranges if decision.verdict == Verdict.PROVED else "",
    )


def _proof(
    construction: Construction,
    simulation: Simulation,
    max_n: int,
    counterexamples: list[Counterexample],
    semantics: tuple[ObligationResult, ...],
    session: Session,
    progress: Callable[[int, int], None] | None,
) -> tuple[Proof, str]:
    """The proof for every value of the parameters from their minimum on, with those ranges in words. Where it fails,
    the proof for the given values, with what a `minimum` claims left open."""
    ranged = replace(construction, ranged=True)
    if not ranged.open_parameters or counterexamples:
        return prove(construction, simulation, max_n, session=session, semantics=semantics, progress=progress), ""
    proof = prove(ranged, simulation, max_n, session=session, progress=progress)
    ranges = ", ".join(f"every {one.name} >= {one.minimum}" for one in ranged.open_parameters)
    if proof.every_n:
        return proof, ranges
    given = prove(construction, simulation, max_n, session=session, semantics=semantics, progress=progress)
    return (_range_open(given, proof, ranges), "") if given.every_n else (given, "")


def _range_open(given: Proof, ranged: Proof, ranges: str) -> Proof:
    """A proof for the given values, where the one for every value that the file claims it for has failed."""
    failed = next(one for one in ranged.obligations if one.verdict != Verdict.PROVED)
    detail = f"proved for every n at the given values only; over the range '{failed.name}' stays open: {failed.detail}"
    open_ = ObligationResult("parameters", f"the claim holds for {ranges}", Verdict.UNDECIDED, failed.by, 0.0, detail)
    return replace(given, obligations=(*given.obligations, open_), every_n=False, holds_to=0)


def _witness(
    construction: Construction, simulation: Simulation, found: list[Counterexample], key_dimension: int
) -> Witness | None:
    """The shortest counterexample that ball arithmetic confirms."""
    for candidate in sorted(found, key=lambda one: one.n):
        inputs = {name: values[0].tolist() for name, values in candidate.batch.inputs.items()}
        witness = confirm(construction, simulation, candidate.n, candidate.query, inputs, key_dimension)
        if witness is not None:
            return witness
    return None


def _decide(
    construction: Construction,
    proof: Proof,
    numbers: CrossCheck,
    found: list[Counterexample],
    witness: Witness | None,
    max_n: int,
) -> _Decision:
    """The verdict. Where numbers and proof contradict each other it is UNDECIDED, whatever either says alone."""
    if proof.every_n and (found or numbers.disagreements):
        return _Decision(Verdict.UNDECIDED, "", "THE PROOF AND THE NUMBERS CONTRADICT EACH OTHER; please report this")
    if witness is not None:
        return _Decision(Verdict.REFUTED, "", f"refuted by a string of length {witness.n}")
    if numbers.disagreements:
        reason = f"the executor and the exact supremum disagree {numbers.disagreements} times; please report this"
        return _Decision(Verdict.UNDECIDED, "", reason)
    if proof.every_n:
        return _Decision(Verdict.PROVED, f"every n{_condition(construction)}", "")
    open_ = next(one for one in proof.obligations if one.verdict != Verdict.PROVED)
    keeps = f"'{open_.name}'" + (f" ({open_.detail})" if open_.detail else "")
    if found:
        return _Decision(
            Verdict.UNDECIDED, "", "a counterexample in floating point is not confirmed by ball arithmetic"
        )
    if proof.holds_to >= max_n:
        return _Decision(
            Verdict.BOUNDED, f"n <= {max_n}{_condition(construction)}", f"what keeps it from every n is {keeps}"
        )
    reached = f"; proved for n <= {proof.holds_to}" if proof.holds_to else ""
    return _Decision(Verdict.UNDECIDED, "", f"not discharged: {keeps}{reached}")


def _condition(construction: Construction) -> str:
    """The condition on n under which the construction claims anything, for the scope."""
    return "" if construction.requires is None else f" with {construction.requires.text}"


def _bound(construction: Construction, simulation: Simulation, proof: Proof, max_n: int) -> tuple[float | None, str]:
    if proof.total is None:
        return None, ""
    text = f"R/(1 + R), R = {to_text(proof.total)}"
    bound = Bound(construction, simulation, proof.total, proof.factorization.key_dimension)
    with precision():
        try:
            return float(bound.greatest(max_n).mid()), text
        except Unsettled:
            return None, text


def _supremum(construction: Construction, simulation: Simulation, max_n: int) -> tuple[float | None, int | None]:
    """The exact supremum at max_n, or at the longest length at which it is affordable."""
    for n in (max_n, LONGEST_SUPREMUM, 512, 128, 32):
        if n <= max_n and affordable(construction, simulation, n):
            found = supremum(construction, simulation, n, key_dimension=key_dimension)
            return (None, None) if isinstance(found, NoSupremum) else (found.error, n)
    return None, None
