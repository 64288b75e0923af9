"""Expressions on NumPy arrays, broadcast over [batch, query, key].

A Boolean is a bool array, a number a float64 array. What has no value at a place that matters, such as a division by
zero, is an error that names the place. Comparisons of rational numbers are exact as long as the integers in them
fit a float64, so that rounding does not move a selection.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.spec.errors import SpecError
from verifier.spec.syntax import Apply, Expr, InputAt, Leaf, Number, Pi, Selected, Truth, Variable
from verifier.spec.types import constant

Array = NDArray[Any]
LARGEST_EXACT = 2.0**53


class ExecutionError(SpecError):
    """A construction cannot be run in floating point; the message names what has no value, and where."""


@dataclass(frozen=True)
class Place:
    """Where an expression is evaluated.

    Args:
        what: what it is, for messages, such as ``the score of simulation 'temperature'``.
        variables: i of shape [1, query, 1], j of shape [1, 1, key], and n; as many of them as the expression may use.
        inputs: inputs at i of shape [batch, query, 1], at j [batch, 1, key], at both [batch, query, key].
        parameters: the parameters' exact values.
        selected: whether the hard head selects the key, of a shape that broadcasts to [batch, query, key].
        relevant: where the value matters, of such a shape; elsewhere it may be undefined. None means everywhere.
        file: the construction file, for messages.
    """

    what: str
    variables: Mapping[str, Array]
    inputs: Mapping[InputAt, Array] = field(default_factory=dict)
    parameters: Mapping[str, Fraction] = field(default_factory=dict)
    selected: Array | None = None
    relevant: Array | None = None
    file: str | None = None


def evaluate(expr: Expr, place: Place) -> Array:
    """The expression's value: bool or float64, of a shape that broadcasts to [batch, query, key].

    Raises:
        ExecutionError: it has no finite value at some place that matters.
    """
    with np.errstate(all="ignore"):
        found = _evaluate(expr, place)
        if found.dtype != np.bool_:
            _refuse(place, "is not a finite number", ~np.isfinite(found))
        return found


def number(expr: Expr, place: Place) -> Array:
    """The expression as float64, a Boolean as 0 or 1. Raises as `evaluate` does."""
    return np.asarray(evaluate(expr, place), dtype=np.float64)


def to_float(value: Fraction) -> float:
    """The nearest float64; infinite where the number is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _evaluate(expr: Expr, place: Place) -> Array:
    if not isinstance(expr, Apply):
        return _leaf(expr, place)
    if expr.operator in _COMPARE:
        return _compare(expr, place)
    operands = tuple(_evaluate(operand, place) for operand in expr.operands)
    if expr.operator == "^":
        return _power(operands, constant(expr.operands[1]), place)
    if expr.operator in _UNDEFINED:
        reason, undefined = _UNDEFINED[expr.operator]
        _refuse(place, reason, undefined(*operands))
    return np.asarray(_OPERATORS[expr.operator](*operands))


def _leaf(leaf: Leaf, place: Place) -> Array:
    if isinstance(leaf, Number):
        return np.asarray(to_float(leaf.value))
    if isinstance(leaf, Truth):
        return np.asarray(leaf.value)
    if isinstance(leaf, Pi):
        return np.asarray(np.pi)
    if isinstance(leaf, Variable):
        if leaf.name in place.parameters:
            return np.asarray(to_float(place.parameters[leaf.name]))
        return np.asarray(place.variables[leaf.name])
    if isinstance(leaf, Selected):
        assert place.selected is not None
        return place.selected
    return np.asarray(place.inputs[leaf])


def _power(operands: tuple[Array, ...], exponent: Fraction | None, place: Place) -> Array:
    """A whole power by multiplication, exact for integers of moderate size; else a positive constant's power."""
    base = operands[0]
    if exponent is None:
        return np.asarray(np.power(base, operands[1]))
    result = np.ones_like(base)
    for _ in range(abs(exponent.numerator)):
        result = result * base
    if exponent >= 0:
        return result
    _refuse(place, *_undefined_quotient(np.asarray(1.0), result))
    return np.asarray(1 / result)


def _refuse(place: Place, reason: str, undefined: Array) -> None:
    """Raise if a value that matters is undefined."""
    if not undefined.any():
        return
    if place.relevant is not None:
        undefined = undefined & place.relevant
        if not undefined.any():
            return
    shown = [place.variables[name] for name in ("i", "j") if name in place.variables]
    shape = np.broadcast_shapes(undefined.shape, *(positions.shape for positions in shown))
    first = np.unravel_index(int(np.argmax(np.broadcast_to(undefined, shape))), shape)
    at = [
        f"{name} = {np.broadcast_to(place.variables[name], shape)[first]:.0f}"
        for name in ("i", "j", "n")
        if name in place.variables
    ]
    raise ExecutionError(f"{place.what} {reason} at {', '.join(at)}", file=place.file)


def _undefined_quotient(left: Array, right: Array) -> tuple[str, Array]:
    reason, undefined = _UNDEFINED["/"]
    return reason, undefined(left, right)


def _compare(expr: Apply, place: Place) -> Array:
    """A comparison: of Booleans, of exact fractions by cross-multiplication, or of floats."""
    left, right = (_ratio(operand, place) for operand in expr.operands)
    if left is not None and right is not None:
        crossed = left[0] * right[1], right[0] * left[1]
        if all(_exact(one) for one in crossed):
            return np.asarray(_COMPARE[expr.operator](*crossed))
    operands = tuple(_evaluate(operand, place) for operand in expr.operands)
    for operand in operands:
        if operand.dtype != np.bool_:
            _refuse(place, "compares numbers that are not finite", np.isnan(operand))
    return np.asarray(_COMPARE[expr.operator](*operands))


def _exact(integers: Array) -> bool:
    return bool(np.all(np.abs(integers) < LARGEST_EXACT))


Ratio = tuple[Array, Array]  # numerator and positive denominator, both integers


def _ratio(expr: Expr, place: Place) -> Ratio | None:
    """The expression as a fraction of integers, or None where it is not one or would not be exact."""
    if not isinstance(expr, Apply):
        return _leaf_ratio(expr, place)
    if expr.operator == "iverson":
        return np.asarray(_evaluate(expr, place)), np.asarray(1.0)
    if expr.operator not in _RATIOS and expr.operator != "^":
        return None
    found = [_ratio(operand, place) for operand in expr.operands]
    operands = [one for one in found if one is not None]
    if len(operands) < len(found):
        return None
    if expr.operator == "^":
        exponent = constant(expr.operands[1])
        if exponent is None or exponent < 0:
            return None
        one = np.asarray(1.0)
        ratio: Ratio | None = functools.reduce(_product, [operands[0]] * exponent.numerator, (one, one))
    else:
        ratio = _RATIOS[expr.operator](*operands)
    return ratio if ratio is not None and _exact(ratio[0]) and _exact(ratio[1]) else None


def _leaf_ratio(leaf: Leaf, place: Place) -> Ratio | None:
    if isinstance(leaf, Variable) and leaf.name in place.parameters:
        return _rational(place.parameters[leaf.name])
    if isinstance(leaf, Number):
        return _rational(leaf.value)
    if isinstance(leaf, Variable):
        return place.variables[leaf.name], np.asarray(1.0)
    if isinstance(leaf, InputAt):
        values = place.inputs[leaf]
        if values.dtype != np.bool_ and np.all(values == np.floor(values)):
            return values, np.asarray(1.0)
    return None


def _rational(value: Fraction) -> Ratio | None:
    parts = np.asarray(to_float(Fraction(value.numerator))), np.asarray(to_float(Fraction(value.denominator)))
    return parts if all(_exact(part) for part in parts) else None


def _sum(left: Ratio, right: Ratio) -> Ratio | None:
    terms = left[0] * right[1], right[0] * left[1]
    return (terms[0] + terms[1], left[1] * right[1]) if all(_exact(term) for term in terms) else None


def _negative(operand: Ratio) -> Ratio:
    return -operand[0], operand[1]


def _product(left: Ratio, right: Ratio) -> Ratio:
    return left[0] * right[0], left[1] * right[1]


def _quotient(left: Ratio, right: Ratio) -> Ratio | None:
    if not np.all(right[0]):
        return None
    return left[0] * right[1] * np.sign(right[0]), left[1] * np.abs(right[0])


def _remainder(left: Ratio, right: Ratio) -> Ratio | None:
    whole = all(np.all(below == 1) for _, below in (left, right))
    return (np.mod(left[0], right[0]), np.asarray(1.0)) if whole and np.all(right[0] > 0) else None


_RATIOS: Mapping[str, Callable[..., Ratio | None]] = {
    "+": _sum,
    "-": lambda left, right: _sum(left, _negative(right)),
    "*": _product,
    "/": _quotient,
    "mod": _remainder,
    "neg": _negative,
    "abs": lambda operand: (np.abs(operand[0]), operand[1]),
}
_COMPARE: Mapping[str, Callable[..., Any]] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}
_UNDEFINED: Mapping[str, tuple[str, Callable[..., Array]]] = {
    "/": ("divides by zero", lambda left, right: right == 0),
    "mod": ("takes a remainder by a number that is not positive", lambda left, right: right <= 0),
    "ln": ("takes the logarithm of a number that is not positive", lambda operand: operand <= 0),
    "sqrt": ("takes the square root of a negative number", lambda operand: operand < 0),
}
_OPERATORS: Mapping[str, Callable[..., Any]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "neg": np.negative,
    "mod": np.mod,
    "abs": np.abs,
    "min": lambda *operands: functools.reduce(np.minimum, operands),
    "max": lambda *operands: functools.reduce(np.maximum, operands),
    "exp": np.exp,
    "ln": np.log,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
    "iverson": lambda operand: operand.astype(np.float64),
    "and": np.logical_and,
    "or": np.logical_or,
    "not": np.logical_not,
}
