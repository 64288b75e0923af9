"""The obligations on which a verdict rests, gathered while they are proved once more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from verifier.prove.lemmas import Lemma
from verifier.prove.proof import Proof, prove
from verifier.prove.solver import Obligation, Session
from verifier.spec.construction import Construction, Simulation
from verifier.verdict import ObligationResult, Verdict

SIDE_CONDITIONS = ("sign", "exponent", "sum")
MAX_N = 1


class NotProved(Exception):
    """The proof did not succeed a second time; the message says where."""


@dataclass(frozen=True)
class Gathered:
    """What the proof of one simulation rests on.

    Args:
        simulation: the simulation.
        parameter_scope: such as ``every c >= 2``, empty where parameters have their given values.
        proof: the proof.
        solved: the obligations that a solver decided, in the order of the proof, each once.
        others: the results that rest on ball arithmetic or syntax.
        lemmas: every instance of a lemma that some obligation uses.
    """

    simulation: Simulation
    parameter_scope: str
    proof: Proof
    solved: tuple[tuple[Obligation, ObligationResult], ...]
    others: tuple[ObligationResult, ...]
    lemmas: tuple[Lemma, ...]


def gather(construction: Construction, simulation: Simulation, session: Session) -> Gathered:
    """Prove the simulation for every value of its parameters, else for the given ones, and keep what that rests on.

    Raises:
        NotProved: neither is proved for every n.
    """
    ranged = replace(construction, ranged=True)
    if ranged.open_parameters:
        found = _attempt(ranged, simulation, session)
        if found.proof.every_n:
            scope = ", ".join(f"every {one.name} >= {one.minimum}" for one in ranged.open_parameters)
            return replace(found, parameter_scope=scope)
    found = _attempt(construction, simulation, session)
    if not found.proof.every_n:
        raise NotProved(f"{simulation.name} is not proved for every n")
    return found


def _attempt(construction: Construction, simulation: Simulation, session: Session) -> Gathered:
    recorded: list[tuple[Obligation, ObligationResult]] = []
    lemmas: list[Lemma] = []
    listening = replace(
        session, record=lambda *one: recorded.append(one), learn=lemmas.append, single=session.single
    )
    # The numbers for each n up to a limit are no part of a proof for every n.
    proof = prove(construction, simulation, MAX_N, session=listening)
    needed = {(result.name, result.statement) for result in proof.obligations}
    kept = [
        (obligation, result)
        for obligation, result in recorded
        if result.verdict == Verdict.PROVED
        and (obligation.name == "sign" or (obligation.name, obligation.statement) in needed)
    ]
    found = {(obligation.name, obligation.statement) for obligation, _ in kept}
    if proof.every_n:
        _demand_complete(proof.obligations, found)
    others = [result for result in proof.obligations if (result.name, result.statement) not in found]
    return Gathered(simulation, "", proof, tuple(_distinct(kept)), tuple(others), tuple(lemmas))


def _demand_complete(results: Iterable[ObligationResult], found: set[tuple[str, str]]) -> None:
    """Every result that a solver decided has its obligation."""
    for result in results:
        if result.by not in ("balls", "syntax") and (result.name, result.statement) not in found:
            raise NotProved(f"the obligation '{result.name}' was not recorded")


def _distinct(
    recorded: Sequence[tuple[Obligation, ObligationResult]],
) -> list[tuple[Obligation, ObligationResult]]:
    """Without repetitions: the same formulas under the same name."""
    seen: dict[tuple[object, ...], tuple[Obligation, ObligationResult]] = {}
    for obligation, result in recorded:
        formulas = tuple(formula.get_id() for formula in obligation.refutation)
        seen.setdefault((obligation.name, obligation.statement, formulas), (obligation, result))
    return list(seen.values())
