"""Mutants: every construction with one thing changed. Some claims stay true, most become false; none may be believed.

One family for each thing an author gets wrong: mask, tie, a constant or threshold, a comparison, n for i, the
selection, the value, the default, the beginning of string, the negated output, the temperature, the claimed error, and
what is said to be computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.logic.syntax import Binary, Formula, Unary
from verifier.logic.syntax import to_text as formula_text
from verifier.spec.construction import Claim, Construction, Head, Mask, Simulation, Text, Tie
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, Number, Variable
from verifier.spec.types import Type


@dataclass(frozen=True)
class Mutant:
    """A changed construction, with what was changed."""

    change: str
    construction: Construction


def mutants(construction: Construction) -> Iterator[Mutant]:
    """Every mutant of a construction, in a fixed order, each with one simulation."""
    for one in construction.simulations:
        alone = replace(construction, simulations=(one,), ranged=False)
        yield from _heads(alone)
        yield from _claims(alone)
        yield from _simulations(alone, one)


def _heads(construction: Construction) -> Iterator[Mutant]:
    head = construction.head
    for mask in Mask:
        if mask is not head.mask:
            yield Mutant(f"mask {mask.value}", replace(construction, head=replace(head, mask=mask)))
    for tie in Tie:
        if tie is not head.tie:
            yield Mutant(f"tie {tie.value}", replace(construction, head=replace(head, tie=tie)))
    if head.select is not None:
        for change, expr in changes(head.select.expr):
            yield Mutant(f"select {change}", _with_head(construction, head, select=_text(expr, head.select.type)))
    for change, expr in changes(head.value.expr):
        yield Mutant(f"value {change}", _with_head(construction, head, value=_text(expr, head.value.type)))
    yield Mutant("default 1", _with_head(construction, head, default=Text(Number(Fraction(1)), Type.INTEGER, "1")))
    yield Mutant("bos flipped", _with_head(construction, head, bos=not head.bos))
    yield Mutant("output negated", _with_head(construction, head, negated=not head.negated))


def _with_head(construction: Construction, head: Head, **fields: object) -> Construction:
    return replace(construction, head=replace(head, **fields))  # type: ignore[arg-type]


def _claims(construction: Construction) -> Iterator[Mutant]:
    claim = construction.claim
    for factor in ("1/2", "1/4", "1/100"):
        smaller = Apply("*", (Number(Fraction(factor)), claim.error.expr))
        yield Mutant(f"error * {factor}", replace(construction, claim=replace(claim, error=_text(smaller, Type.REAL))))
    if isinstance(claim.computes, Text):
        for change, expr in changes(claim.computes.expr):
            said = _text(expr, claim.computes.type)
            yield Mutant(f"computes {change}", _claiming(construction, claim, said, said.text))
    elif claim.computes is not None:
        for formula in _formulas(claim.computes):
            yield Mutant(
                f"computes {formula_text(formula)}", _claiming(construction, claim, formula, formula_text(formula))
            )


def _claiming(construction: Construction, claim: Claim, computes: Formula | Text, text: str) -> Construction:
    return replace(construction, claim=replace(claim, computes=computes, computes_text=text))


def _formulas(formula: Formula) -> Iterator[Formula]:
    """The formula with another operator of its kind, its operands exchanged, or negated."""
    yield Unary("!", formula)
    if isinstance(formula, Binary):
        yield Binary(formula.op, formula.right, formula.left)
        for operator in ("U", "S", "sU", "sS", "&", "|"):
            if operator != formula.op:
                yield Binary(operator, formula.left, formula.right)
    elif isinstance(formula, Unary):
        for operator in ("X", "Y", "F", "G", "O", "H", "sF", "sO"):
            if operator != formula.op:
                yield Unary(operator, formula.operand)
        yield Unary(formula.op, Unary("!", formula.operand))


def _simulations(construction: Construction, one: Simulation) -> Iterator[Mutant]:
    for change, expr in changes(one.score.expr):
        changed = replace(one, score=_text(expr, Type.REAL))
        yield Mutant(f"{one.name}: score {change}", replace(construction, simulations=(changed,)))
    for change, expr in changes(one.temperature.expr):
        changed = replace(one, temperature=_text(expr, Type.REAL))
        yield Mutant(f"{one.name}: temperature {change}", replace(construction, simulations=(changed,)))


def changes(expr: Expr) -> Iterator[tuple[str, Expr]]:
    """The expression with one node changed, for every node and every change that fits it."""
    for at, changed in _changed_nodes(expr):
        if changed != expr:
            yield at, changed


def _changed_nodes(expr: Expr) -> Iterator[tuple[str, Expr]]:
    for changed in _node(expr):
        yield f"{to_text(expr)} -> {to_text(changed)}", changed
    if isinstance(expr, Apply):
        for place, operand in enumerate(expr.operands):
            for change, changed in _changed_nodes(operand):
                operands = (*expr.operands[:place], changed, *expr.operands[place + 1 :])
                yield change, Apply(expr.operator, operands)


_SWAPPED: dict[str, tuple[str, ...]] = {
    "<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "=": ("<=", "!="), "+": ("-",), "-": ("+",),
    "and": ("or",), "or": ("and",), "max": ("min",), "min": ("max",),
}  # fmt: skip


def _node(expr: Expr) -> Iterator[Expr]:
    if isinstance(expr, Number):
        yield Number(expr.value + 1)
        yield Number(expr.value / 2 if expr.value.numerator % 2 == 0 or expr.value.denominator > 1 else expr.value - 1)
    if expr == Variable("n"):
        yield Number(Fraction(1))
    if expr == Variable("i"):
        yield Variable("n")
    if isinstance(expr, Apply):
        for operator in _SWAPPED.get(expr.operator, ()):
            yield Apply(operator, expr.operands)
        if expr.operator in ("or", "and"):
            yield from expr.operands
        if expr.operator == "not":
            yield expr.operands[0]


def _text(expr: Expr, kind: Type) -> Text:
    return Text(expr, kind, to_text(expr))
