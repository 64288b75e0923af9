"""Which construction of the library computes which temporal operator, and the operators that are short for others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from verifier.compile.errors import CompileError
from verifier.logic.syntax import Atom, Binary, Constant, Formula, Unary
from verifier.spec import library
from verifier.spec.construction import Construction, InputKind, Simulation
from verifier.spec.loader import load_file

CONSTRUCTIONS: Mapping[str, str] = {
    "U": "until", "S": "since", "sU": "strict-until", "sS": "strict-since", "X": "next", "Y": "previous",
    "F": "eventually", "G": "globally", "O": "once", "H": "historically",
}  # fmt: skip
ROUTES = ("temperature", "position-embedding")


def _strict_some(op: str) -> Callable[[Formula], Formula]:
    return lambda operand: Binary(op, Constant(True), operand)


def _strict_all(op: str) -> Callable[[Formula], Formula]:
    return lambda operand: Unary("!", Binary(op, Constant(True), Unary("!", operand)))


SHORT: Mapping[str, Callable[[Formula], Formula]] = {
    "sF": _strict_some("sU"), "sG": _strict_all("sU"), "sO": _strict_some("sS"), "sH": _strict_all("sS"),
}  # fmt: skip
"""Operators without a construction of their own: one strict until or since says the same (`verify` proves it)."""


@cache
def construction_for(op: str) -> Construction:
    """The construction that computes an operator.

    Raises:
        CompileError: it does not claim to compute this operator, or is of a kind that no formula can use.
        SpecError: its file is wrong.
    """
    name = CONSTRUCTIONS[op]
    found = load_file(library.find(name), None, library.shown(name))
    claim = found.claim.computes
    operands = claim.operands if isinstance(claim, Unary | Binary) and claim.op == op else ()
    if not operands or not all(isinstance(operand, Atom) for operand in operands):
        raise CompileError(f"the construction '{name}' claims {found.claim.computes_text!a}, not the operator {op}")
    if found.head.bos or found.requires is not None or found.head.select is None:
        raise CompileError(f"the construction '{name}' needs a beginning-of-string token, a least n or given scores")
    if any(given.kind is not InputKind.BOOLEAN for given in found.inputs):
        raise CompileError(f"the construction '{name}' has an input that is not Boolean")
    return found


def operand_names(construction: Construction) -> tuple[str, ...]:
    """The names of the inputs that stand for the operator's operands, from left to right."""
    claim = construction.claim.computes
    assert isinstance(claim, Unary | Binary)
    return tuple(str(operand.label) for operand in claim.operands)


def simulation_for(construction: Construction, route: str) -> Simulation:
    """The simulation of this route.

    Raises:
        CompileError: there is none, or it asks for what the compiler does not do.
    """
    for simulation in construction.simulations:
        if simulation.name == route:
            if simulation.divide_by_sqrt_key_dimension:
                raise CompileError(f"the construction '{construction.name}' divides by the root of d_key")
            return simulation
    raise CompileError(f"the construction '{construction.name}' has no simulation '{route[:40]}'")
