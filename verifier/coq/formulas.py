"""Temporal formulas in Coq: predicates on positions, built from the operators of the development."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.coq.names import identifier
from verifier.logic.syntax import Atom, Binary, Constant, Formula, Unary

UNARY: Mapping[str, str] = {
    "X": "next", "Y": "previous", "F": "eventually", "G": "globally", "O": "once", "H": "historically",
    "sF": "strict_eventually", "sG": "strict_globally", "sO": "strict_once", "sH": "strict_historically",
}  # fmt: skip
BINARY: Mapping[str, str] = {"U": "until", "S": "since", "sU": "strict_until", "sS": "strict_since"}
_CONNECTIVES: Mapping[str, str] = {"&": "{} && {}", "|": "{} || {}", "->": "implb {} {}", "<->": "Bool.eqb {} {}"}


def predicate(formula: Formula) -> str:
    """The formula as a function from positions to `bool`, in a place where an argument may stand."""
    if isinstance(formula, Atom):
        return identifier(formula.name)
    if isinstance(formula, (Unary, Binary)) and formula.op in (*UNARY, *BINARY):
        return f"({_temporal(formula)})"
    return f"(fun i => {truth(formula, 'i')})"


def truth(formula: Formula, position: str) -> str:
    """The formula's value at a position, a `bool`, in parentheses where that may be needed."""
    if isinstance(formula, Constant):
        return str(formula.value).lower()
    if isinstance(formula, Atom):
        return f"({identifier(formula.name)} {position})"
    if formula.op == "!":
        return f"(negb {truth(formula.operands[0], position)})"
    if formula.op in _CONNECTIVES:
        left, right = (truth(operand, position) for operand in formula.operands)
        return f"({_CONNECTIVES[formula.op].format(left, right)})%bool"
    return f"({_temporal(formula)} {position})"


def _temporal(formula: Unary | Binary) -> str:
    names = {**UNARY, **BINARY}
    return " ".join([names[formula.op], "n", *(predicate(operand) for operand in formula.operands)])
