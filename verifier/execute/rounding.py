"""How far rounding can move a computed number: an explicit bound, so that noise is never taken for a violation.

Every expression gets an interval about its exact value and a bound on the difference between the value that
`evaluate` computes and the exact one, by the standard model of floating point: each operation is off by at most half a
unit in the last place, elementary functions by at most four units. Comparisons are taken to be decided rightly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from verifier.execute.evaluate import LARGEST_EXACT, to_float
from verifier.spec.construction import Construction, InputKind, Simulation, Text
from verifier.spec.syntax import Apply, Expr, InputAt, Leaf, Number, Pi, Selected, Truth, Variable
from verifier.spec.types import constant

HALF_UNIT = 2.0**-53
FUNCTION = 8 * HALF_UNIT  # four units in the last place, what NumPy states for its elementary functions
UNKNOWN = math.inf


@dataclass(frozen=True)
class Enclosure:
    """The exact value lies within `error` of low..high, and the computed one within `error` of the exact one.

    `whole` says that the exact value is an integer.
    """

    low: float
    high: float
    error: float = 0.0
    whole: bool = False

    @property
    def size(self) -> float:
        """The largest absolute value, the computed one included."""
        return max(abs(self.low), abs(self.high)) + self.error

    @property
    def distance(self) -> float:
        """A positive lower bound on the absolute value of a denominator, or 0 where none is known."""
        apart = max(self.low, -self.high)
        if self.whole:
            return max(apart, 1.0)  # zero itself is refused by `evaluate`
        return max(0.0, apart - self.error)


@dataclass(frozen=True)
class Ranges:
    """The ranges of variables, by name, and of inputs, by the input's name."""

    variables: Mapping[str, Enclosure]
    inputs: Mapping[str, Enclosure]


def ranges(construction: Construction, n: int, largest_score: float = 0.0) -> Ranges:
    """The ranges in strings of length n; given scores are at most `largest_score` in size."""
    variables = {name: _constant(value) for name, value in construction.values.items()}
    variables["n"] = Enclosure(n, n, whole=True)
    variables["i"] = Enclosure(1, n, whole=True)
    variables["j"] = Enclosure(construction.first_key, n, whole=True)
    inputs = {}
    lengths = Ranges(variables, {})
    for given in construction.inputs:
        if given.kind is InputKind.SCORE:
            inputs[given.name] = Enclosure(-largest_score, largest_score)
        elif given.kind is InputKind.INTEGER:
            assert given.low is not None and given.high is not None
            low, high = (enclose(bound, lengths) for bound in (given.low, given.high))
            inputs[given.name] = Enclosure(min(low.low, 0), max(high.high, 0), whole=True)
        else:
            inputs[given.name] = Enclosure(0, 1)
    return Ranges(variables, inputs)


def enclose(expr: Expr, given: Ranges) -> Enclosure:
    """Enclose an expression; a Boolean as 0 or 1, exactly. The error is infinite where no bound is known."""
    if not isinstance(expr, Apply):
        return _leaf(expr, given)
    if expr.operator not in _OPERATORS and expr.operator != "^":
        return Enclosure(0, 1, whole=True)
    operands = tuple(enclose(operand, given) for operand in expr.operands)
    if expr.operator == "^":
        found = _power(operands, constant(expr.operands[1]))
    else:
        found = _OPERATORS[expr.operator](*operands)
    if any(map(math.isnan, (found.low, found.high, found.error))):
        return Enclosure(-math.inf, math.inf, UNKNOWN)
    return found


def output_error(
    construction: Construction,
    simulation: Simulation,
    n: int,
    key_dimension: int = 1,
    largest_score: float = 0.0,
) -> float:
    """A bound on how far a computed difference of soft and hard output is from the exact one, at length n.

    Exponents off by at most d multiply each weight by a factor within exp(-d)..exp(d), which moves the mean of values
    by at most their range times (exp(2d) - 1)/2. Sums of k positive terms and the tree of running sums add the rest.
    """
    given = ranges(construction, n, largest_score)
    exponent = _quotient(enclose(simulation.score.expr, given), temperature(simulation, given, key_dimension))
    worth = enclose(construction.head.value.expr, given)
    default = enclose(construction.head.default.expr, given)
    try:
        moved = math.expm1(2 * exponent.error) / 2
    except OverflowError:
        return UNKNOWN
    keys = n + 1
    summed = (4 * keys + 60 * keys.bit_length() + 100) * HALF_UNIT
    total = (worth.high - worth.low) * moved + worth.size * summed + 2 * (worth.error + default.error)
    return UNKNOWN if math.isnan(total) else total


def semantic_error(construction: Construction, n: int) -> float:
    """A bound on how far a computed difference of hard output and claimed output is from the exact one."""
    given = ranges(construction, n)
    worth = enclose(construction.head.value.expr, given)
    default = enclose(construction.head.default.expr, given)
    claim = construction.claim.computes
    claimed = enclose(claim.expr, given).error if isinstance(claim, Text) else 0.0
    return worth.size * (n + 4) * HALF_UNIT + worth.error + default.error + claimed


def temperature(simulation: Simulation, given: Ranges, key_dimension: int) -> Enclosure:
    """Enclose what scores are divided by."""
    plain = enclose(simulation.temperature.expr, given)
    if not simulation.divide_by_sqrt_key_dimension:
        return plain
    return _product(plain, _square_root(Enclosure(key_dimension, key_dimension, whole=True)))


def _leaf(leaf: Leaf, given: Ranges) -> Enclosure:
    if isinstance(leaf, Number):
        return _constant(leaf.value)
    if isinstance(leaf, Pi):
        return Enclosure(math.pi, math.pi, 2 * HALF_UNIT * math.pi)
    if isinstance(leaf, Variable):
        return given.variables[leaf.name]
    if isinstance(leaf, InputAt):
        return given.inputs[leaf.name]
    assert isinstance(leaf, Truth | Selected)
    return Enclosure(0, 1, whole=True)


def _constant(value: Fraction) -> Enclosure:
    nearest = to_float(value)
    if not math.isfinite(nearest):
        return Enclosure(-math.inf, math.inf, UNKNOWN)
    error = float(abs(value - Fraction(nearest)))
    return Enclosure(nearest, nearest, 2 * error, value.denominator == 1 and error == 0)


def _rounded(found: Enclosure) -> Enclosure:
    """With the rounding of the operation itself added, unless the result is an integer that a float64 holds."""
    if found.whole and found.error == 0 and found.size < LARGEST_EXACT:
        return found
    return replace(found, error=found.error + found.size * HALF_UNIT)


def _sum(left: Enclosure, right: Enclosure) -> Enclosure:
    return _rounded(
        Enclosure(
            left.low + right.low,
            left.high + right.high,
            left.error + right.error,
            left.whole and right.whole,
        )
    )


def _negative(operand: Enclosure) -> Enclosure:
    return Enclosure(-operand.high, -operand.low, operand.error, operand.whole)


def _product(left: Enclosure, right: Enclosure) -> Enclosure:
    corners = [one * other for one in (left.low, left.high) for other in (right.low, right.high)]
    error = left.size * right.error + right.size * left.error
    return _rounded(Enclosure(min(corners), max(corners), error, left.whole and right.whole))


def _quotient(left: Enclosure, right: Enclosure) -> Enclosure:
    if right == Enclosure(1, 1, whole=True):
        return left
    below = right.distance
    if below <= 0:
        return Enclosure(-math.inf, math.inf, UNKNOWN)
    largest = left.size / below
    error = (left.error + largest * right.error) / below
    if right.low > 0 or right.high < 0:
        corners = [one / other for one in (left.low, left.high) for other in (right.low, right.high)]
        return _rounded(Enclosure(min(corners), max(corners), error))
    return _rounded(Enclosure(-largest, largest, error))


def _power(operands: tuple[Enclosure, ...], exponent: Fraction | None) -> Enclosure:
    base = operands[0]
    if exponent is None:  # a positive constant to a varying power
        logarithm = _logarithm(base)
        return _exponential(_product(logarithm, operands[1]))
    result = Enclosure(1, 1, whole=True)
    for _ in range(abs(exponent.numerator)):
        result = _product(result, base)
    return result if exponent >= 0 else _quotient(Enclosure(1, 1, whole=True), result)


def _absolute(operand: Enclosure) -> Enclosure:
    largest = max(abs(operand.low), abs(operand.high))
    return Enclosure(max(0.0, operand.low, -operand.high), largest, operand.error, operand.whole)


def _extreme(choose: Callable[..., float]) -> Callable[..., Enclosure]:
    return lambda *operands: Enclosure(
        choose(one.low for one in operands),
        choose(one.high for one in operands),
        max(one.error for one in operands),
        all(one.whole for one in operands),
    )


def _remainder(left: Enclosure, right: Enclosure) -> Enclosure:
    exact = left.error == right.error == 0 and max(left.size, right.size) < LARGEST_EXACT
    return Enclosure(0, right.high, 0.0 if exact else UNKNOWN, whole=True)


def _exponential(operand: Enclosure) -> Enclosure:
    try:
        low, high = math.exp(operand.low), math.exp(operand.high)
        return Enclosure(low, high, high * (math.expm1(operand.error) * 2 + 2 * FUNCTION))
    except OverflowError:
        return Enclosure(0, math.inf, UNKNOWN)


def _logarithm(operand: Enclosure) -> Enclosure:
    if operand.distance <= 0 or operand.high <= 0:
        return Enclosure(-math.inf, math.inf, UNKNOWN)
    low, high = math.log(operand.distance), math.log(operand.size)
    largest = max(abs(low), abs(high))
    return Enclosure(low, high, operand.error / operand.distance + FUNCTION * (1 + largest))


def _square_root(operand: Enclosure) -> Enclosure:
    low, high = math.sqrt(max(0.0, operand.low)), math.sqrt(max(0.0, operand.high))
    below = math.sqrt(operand.distance)
    error = operand.error / below if below > 0 else math.sqrt(operand.error)
    return _rounded(Enclosure(low, high, error))


def _circular(operand: Enclosure) -> Enclosure:
    return Enclosure(-1, 1, operand.error + FUNCTION)


_OPERATORS: Mapping[str, Callable[..., Enclosure]] = {
    "+": _sum,
    "-": lambda left, right: _sum(left, _negative(right)),
    "*": _product,
    "/": _quotient,
    "neg": _negative,
    "mod": _remainder,
    "abs": _absolute,
    "min": _extreme(min),
    "max": _extreme(max),
    "exp": _exponential,
    "ln": _logarithm,
    "sqrt": _square_root,
    "sin": _circular,
    "cos": _circular,
}
