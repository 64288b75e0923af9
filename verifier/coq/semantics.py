"""Proofs of what a hard head computes: one tactic for each temporal operator, and one for lookups."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.coq.formulas import BINARY, UNARY
from verifier.coq.shapes import lookup_position
from verifier.coq.statement import Statement
from verifier.logic.syntax import Binary, Formula, Unary, temporal_depth
from verifier.spec.construction import Construction, Text

_NEIGHBOURS: Mapping[str, str] = {"X": "(i + 1)%Z", "Y": "(i - 1)%Z"}
_DUALS = ("G", "H", "sG", "sH")


def semantic_proof(statement: Statement) -> tuple[str, ...] | str:
    """The proof that the hard head computes the claim, or the reason why there is none."""
    construction = statement.construction
    claim = construction.claim.computes
    if construction.head.select is None:
        return "what an argmax head computes has no template"
    looked_up = lookup_position(construction)
    if looked_up is not None:
        return ("intros.", f"computes_lookup {statement.writer.integer(looked_up).within(0)}%Z.")
    if claim is None or isinstance(claim, Text):
        return "an arithmetic claim has a template for lookups only, where the selection is j = a position"
    return _temporal(construction, claim)


def _temporal(construction: Construction, claim: Formula) -> tuple[str, ...] | str:
    if not isinstance(claim, (Unary, Binary)) or any(temporal_depth(part) for part in claim.operands):
        return "a formula has a template only where it is one temporal operator on formulas without any"
    if claim.op in BINARY:
        name = BINARY[claim.op]
        return ("intros.", f"computes_search {name}_target {name}_none.")
    if claim.op in _NEIGHBOURS:
        return ("intros.", f"computes_neighbour {UNARY[claim.op]} {_NEIGHBOURS[claim.op]}.")
    if claim.op in UNARY:
        quantifier = "forall" if claim.op in _DUALS else "exists"
        return ("intros.", f"unfold {UNARY[claim.op]}.", f"computes_quantifier {quantifier}_target {quantifier}_none.")
    return f"the connective '{claim.op}' at the top of a formula has no template"
