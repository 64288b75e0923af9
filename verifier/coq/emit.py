"""A construction as a file for Coq: its definitions, and a theorem for each thing it claims."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.coq.expressions import Unwritable
from verifier.coq.names import identifier, module
from verifier.coq.semantics import semantic_proof
from verifier.coq.simulations import rounds, simulation_proof
from verifier.coq.statement import Statement
from verifier.coq.theory import CoqTheorem, CoqTheory, comment
from verifier.spec.construction import Construction, Simulation

_PREAMBLE = """\
From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.
"""


def emit(construction: Construction, simulation: str | None = None) -> CoqTheory:
    """The file of a construction: definitions, and theorems with proofs by template.

    Args:
        construction: from a construction file.
        simulation: the name of the only simulation wanted; all of them by default.

    Raises:
        Unwritable: some expression of the construction has no translation, so that nothing can be stated.
    """
    statement = Statement(construction)
    wanted = [one for one in construction.simulations if simulation in (None, one.name)]
    return CoqTheory(
        name=construction.name,
        module=module(construction.name),
        definitions=_definitions(statement, wanted),
        theorems=tuple(_theorems(statement, wanted)),
    )


def _definitions(statement: Statement, wanted: list[Simulation]) -> str:
    construction = statement.construction
    names = [identifier(given.name) for given in statement.fixed] + ["claimed_error"]
    for one in wanted:
        inexact = ["score_error"] if one.score_error is not None else []
        names += [f"{part}_{module(one.name)}" for part in (*inexact, "score", "temperature")]
    parts = [
        _header(construction),
        _PREAMBLE,
        statement.fixed_parameters(),
        statement.hard_head(),
        statement.claimed_error(),
        *(statement.simulation(one) for one in wanted),
        "#[local] Hint Unfold hard_head : head.\n"
        + "".join(f"#[local] Hint Unfold {name} : scores.\n" for name in names),
    ]
    return "\n".join(part for part in parts if part)


def _header(construction: Construction) -> str:
    return (
        f"(** {construction.name}: {comment(construction.title)}\n\n    {comment(construction.about)}\n\n"
        "    Generated from the construction file; the definitions are its fields. *)\n"
    )


def _theorems(statement: Statement, wanted: list[Simulation]) -> Iterator[CoqTheorem]:
    """What the hard head computes; then for each simulation its error, and its exactness after rounding."""
    name = module(statement.construction.name)
    hypotheses = statement.hypotheses()
    computes = statement.computes()
    hard = None
    if computes is not None:
        conclusion = f"hard {statement.head} n i = {computes}"
        hard = _theorem(f"{name}_hard", statement.binder, hypotheses, conclusion, semantic_proof(statement))
        yield hard
    for one in wanted:
        binder, inexact = statement.computed(one)
        score = "computed" if inexact else statement.score(one)
        conclusion = f"simulates {statement.head} {score}\n      {statement.temperature(one)} n i {statement.error}"
        proof = simulation_proof(statement, one)
        own, binders = f"{name}_{module(one.name)}", statement.binder + binder
        soft = _theorem(own, binders, (*hypotheses, *inexact), conclusion, proof, one.name)
        yield soft
        if hard is not None and rounds(statement):
            yield _rounded(statement, one, hard, soft)


def _rounded(statement: Statement, simulation: Simulation, hard: CoqTheorem, soft: CoqTheorem) -> CoqTheorem:
    """That rounding makes the soft head exact; it follows from the two theorems before it."""
    binder, inexact = statement.computed(simulation)
    score = "computed" if inexact else statement.score(simulation)
    conclusion = (
        f"rho (soft {statement.head} {score}\n"
        f"      {statement.temperature(simulation)} n i)\n    = b2r {statement.boolean_claim()}"
    )
    missing = [theorem.name for theorem in (hard, soft) if theorem.proof is None]
    proof: tuple[str, ...] | str = (
        "intros.",
        "eapply rounded.",
        f"- apply {soft.name}; eassumption.",
        f"- apply {hard.name}; assumption.",
        "- autounfold with scores; lra.",
    )
    if missing:
        proof = f"it would follow from {' and '.join(missing)}"
    name = f"{soft.name}_rounded"
    hypotheses = (*statement.hypotheses(), *inexact)
    return _theorem(name, statement.binder + binder, hypotheses, conclusion, proof, simulation.name)


def _theorem(
    name: str,
    binders: str,
    hypotheses: tuple[str, ...],
    conclusion: str,
    proof: tuple[str, ...] | str,
    simulation: str = "",
) -> CoqTheorem:
    if isinstance(proof, str):
        return CoqTheorem(name, binders, hypotheses, conclusion, None, proof, simulation)
    return CoqTheorem(name, binders, hypotheses, conclusion, proof, "", simulation)


__all__ = ["Unwritable", "emit"]
