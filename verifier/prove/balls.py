"""Expressions in ball arithmetic: every value is an interval that contains the exact one.

A Boolean is a Python bool; a comparison that the intervals do not settle raises `Unsettled`, never guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx, fmpq

from verifier.spec.syntax import Apply, Expr, InputAt, Leaf, Number, Pi, Selected, Truth, Variable
from verifier.spec.types import constant

PRECISION = 128

BallValue = arb | bool


class Unsettled(Exception):
    """Ball arithmetic does not settle a comparison, or a function has no value on the interval."""


@contextmanager
def precision(bits: int = PRECISION) -> Iterator[None]:
    """Work with this many bits, and restore the precision afterwards."""
    before = ctx.prec
    ctx.prec = bits
    try:
        yield
    finally:
        ctx.prec = before


@dataclass(frozen=True)
class Point:
    """Where an expression is evaluated: variables by name, inputs by name and positions, and `selected`."""

    variables: Mapping[str, arb]
    inputs: Mapping[InputAt, BallValue]
    selected: bool | None = None


def ball(value: int | Fraction) -> arb:
    """The ball of a rational number."""
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


def number(expr: Expr, point: Point) -> arb:
    """The expression as a ball; a Boolean becomes 0 or 1. Raises `Unsettled`."""
    return _number(evaluate(expr, point))


def boolean(expr: Expr, point: Point) -> bool:
    """The expression as a truth value. Raises `Unsettled`."""
    found = evaluate(expr, point)
    if not isinstance(found, bool):
        raise Unsettled("a number where a Boolean is expected")
    return found


def evaluate(expr: Expr, point: Point) -> BallValue:
    """The expression's value at the point. Raises `Unsettled` where it has none or a comparison is not settled."""
    if not isinstance(expr, Apply):
        return _leaf(expr, point)
    operands = tuple(evaluate(operand, point) for operand in expr.operands)
    if expr.operator in _CONNECTIVES:
        return _CONNECTIVES[expr.operator](*operands)
    if expr.operator in ("=", "!=") and all(isinstance(operand, bool) for operand in operands):
        return (operands[0] == operands[1]) == (expr.operator == "=")
    numbers = tuple(_number(operand) for operand in operands)
    if expr.operator in _COMPARE:
        return _COMPARE[expr.operator](*numbers)
    if expr.operator == "^":
        return _power(numbers, constant(expr.operands[1]))
    return _finite(_ARITHMETIC[expr.operator](*numbers))


def _leaf(leaf: Leaf, point: Point) -> BallValue:
    if isinstance(leaf, Number):
        return ball(leaf.value)
    if isinstance(leaf, Truth):
        return leaf.value
    if isinstance(leaf, Pi):
        return arb.pi()
    if isinstance(leaf, Variable):
        return point.variables[leaf.name]
    if isinstance(leaf, Selected):
        if point.selected is None:
            raise Unsettled("'selected' has no value here")
        return point.selected
    return point.inputs[leaf]


def _number(value: BallValue) -> arb:
    return arb(int(value)) if isinstance(value, bool) else value


def _finite(value: arb) -> arb:
    if not value.is_finite():
        raise Unsettled("a value that is not finite, such as a division by an interval that contains zero")
    return value


def _power(operands: tuple[arb, ...], exponent: Fraction | None) -> arb:
    """A whole power by multiplication, since a power of a ball around zero would not be finite otherwise."""
    base = operands[0]
    if exponent is None or exponent.denominator != 1:
        return _finite((operands[1] * base.log()).exp())
    result = arb(1)
    for _ in range(abs(exponent.numerator)):
        result *= base
    return _finite(1 / result if exponent < 0 else result)


def _remainder(dividend: arb, divisor: arb) -> arb:
    whole, modulus = dividend.unique_fmpz(), divisor.unique_fmpz()
    if whole is None or modulus is None or modulus <= 0:
        raise Unsettled("a remainder of numbers that are not known integers, or by a modulus that is not positive")
    return arb(whole % modulus)


def settled(left: arb, right: arb) -> int:
    """The order of two balls, -1, 0 or 1. Raises `Unsettled` where they overlap without being the same number."""
    if left < right:
        return -1
    if left > right:
        return 1
    if left.is_exact() and right.is_exact():
        return 0
    raise Unsettled("a comparison of numbers too close to each other")


_CONNECTIVES: Mapping[str, Callable[..., BallValue]] = {
    "and": lambda left, right: left and right,
    "or": lambda left, right: left or right,
    "not": lambda operand: not operand,
    "iverson": lambda operand: arb(int(operand)),
}
_COMPARE: Mapping[str, Callable[[arb, arb], bool]] = {
    "=": lambda left, right: settled(left, right) == 0,
    "!=": lambda left, right: settled(left, right) != 0,
    "<": lambda left, right: settled(left, right) < 0,
    "<=": lambda left, right: settled(left, right) <= 0,
    ">": lambda left, right: settled(left, right) > 0,
    ">=": lambda left, right: settled(left, right) >= 0,
}
_ARITHMETIC: Mapping[str, Callable[..., arb]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "neg": lambda operand: -operand,
    "mod": _remainder,
    "abs": abs,
    "min": lambda *operands: _extreme(operands, arb.min),
    "max": lambda *operands: _extreme(operands, arb.max),
    "exp": arb.exp,
    "ln": arb.log,
    "sqrt": arb.sqrt,
    "sin": arb.sin,
    "cos": arb.cos,
}


def _extreme(operands: tuple[arb, ...], choose: Callable[[arb, arb], arb]) -> arb:
    result = operands[0]
    for operand in operands[1:]:
        result = choose(result, operand)
    return result


def enclosure(value: arb, *, above: bool, bits: int = 80) -> Fraction:
    """A rational with a denominator of at most 2^bits on the safe side of the ball.

    Args:
        value: a finite ball.
        above: whether the rational is to be at least, or at most, every number of the ball.
        bits: how fine the rational is.
    """
    scale = 1 << bits
    scaled = value * scale
    edge = (scaled.upper().ceil() if above else scaled.lower().floor()).unique_fmpz()
    if edge is None:
        raise Unsettled("a number too large, or too little known, for a rational enclosure")
    return Fraction(int(edge), scale)
