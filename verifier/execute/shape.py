"""What a construction's expressions read, and whether the extreme values of an input are then its worst."""

from __future__ import annotations

from verifier.spec.construction import Construction, InputKind, Simulation
from verifier.spec.syntax import Apply, Expr, InputAt, Variable, expand_selected, leaves, mentions

PAIR = ("i", "j")


class Unsupported(Exception):
    """The worst string of this construction is not known to be among those considered here; the message says why."""


def support(construction: Construction, simulation: Simulation) -> None:
    """Refuse constructions in which an input's extreme values may not be the worst. Raises `Unsupported`."""
    head = construction.head
    if simulation.score_error is not None:
        raise Unsupported("scores that are known only to within an error")
    deciding = [expr for expr in expressions(construction, simulation) if expr is not head.value.expr]
    for given in construction.inputs:
        if given.kind is InputKind.REAL:
            if any(reads(expr, given.name) for expr in deciding):
                raise Unsupported(f"the real input {given.name} in a score or a selection")
            if not is_affine(head.value.expr, given.name):
                raise Unsupported(f"a value that is not affine in the real input {given.name}")
    given_scores = [given.name for given in construction.inputs if given.kind is InputKind.SCORE]
    used = [name for name in given_scores if any(reads(expr, name) for expr in deciding)]
    if not used:
        return
    if (
        head.select is not None
        or (head.score or simulation.score).expr != InputAt(used[0], PAIR)
        or len(used) > 1
    ):
        raise Unsupported("given scores that are not themselves what the hard head maximises")
    if not is_affine(simulation.score.expr, used[0], constant=True):
        raise Unsupported(f"a score that is not the given score {used[0]} times a constant, plus other terms")


def expressions(construction: Construction, simulation: Simulation) -> list[Expr]:
    """The score with `selected` written out, what decides the selection, and the value."""
    head = construction.head
    select = [head.select.expr] if head.select is not None else [(head.score or simulation.score).expr]
    score = simulation.score.expr
    return [expand_selected(score, select[0]) if head.select is not None else score, *select, head.value.expr]


def is_given(score: Expr) -> bool:
    """Whether a score is an input, and nothing computed from one."""
    return isinstance(score, InputAt) and score.positions == PAIR


def reads_position(construction: Construction, simulation: Simulation) -> bool:
    """Whether the query's position itself is read, rather than inputs there."""
    return any(
        leaf == Variable("i") for expr in expressions(construction, simulation) for leaf in leaves(expr)
    )


def reads(expr: Expr, name: str) -> bool:
    """Whether the expression reads an input."""
    return any(isinstance(leaf, InputAt) and leaf.name == name for leaf in leaves(expr))


def is_affine(expr: Expr, name: str, *, constant: bool = False) -> bool:
    """Whether the expression is seen to be affine in an input; if `constant`, with a slope that is alike everywhere."""
    if not reads(expr, name) or isinstance(expr, InputAt):
        return True
    if not isinstance(expr, Apply):
        return False
    if expr.operator in ("+", "-", "neg"):
        return all(is_affine(operand, name, constant=constant) for operand in expr.operands)
    if expr.operator in ("*", "/"):
        slopes = [operand for operand in expr.operands if not reads(operand, name)]
        if len(slopes) != 1 or (expr.operator == "/" and reads(expr.operands[1], name)):
            return False
        varies = mentions(slopes[0], *PAIR)
        return not (constant and varies) and all(
            is_affine(one, name, constant=constant) for one in expr.operands
        )
    return False
