"""Bounds on exp(-x) that hold for every n from some n0 on, as polynomial facts; each rests on a check of its own.

For an exponent x(n) and a rational q with x >= q for every n >= n0, exp(-x) = exp(-q) exp(-(x - q)) and
exp(y) >= sum_{k <= K} y^k / k! for y >= 0, so that u = exp(-x) satisfies

    u * sum_{k <= K} (x - q)^k / k!  <=  U,    U a rational above exp(-q).

x >= q is an obligation for Z3, U an enclosure by ball arithmetic. A logarithm in x, x = y + r ln f with a whole r,
becomes a factor: exp(-x) = f^(-r) exp(-y).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import z3

from verifier.prove.arithmetic import Quotient, Untranslatable, logarithm_factors
from verifier.prove.balls import Point, Unsettled, ball, enclosure, number, precision
from verifier.prove.frame import Frame
from verifier.prove.lemmas import Data, Kind, Lemma
from verifier.prove.solver import Obligation, discharge, holds
from verifier.spec import build
from verifier.spec.construction import Construction
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, Leaf, Number, Variable, mentions, substitute
from verifier.spec.types import constant
from verifier.verdict import ObligationResult, Verdict

FINEST = 128
SMALLEST = -200


@dataclass(frozen=True)
class Instance:
    """One use of the lemma: which exponential, from where on, by which polynomial.

    Args:
        exponent: x, where exp(-x) is bounded.
        offset: q.
        degree: K.
        upper: U >= exp(-q).
        factors: (f, r) for each logarithm taken out of x.
    """

    exponent: Expr
    offset: Fraction
    degree: int
    upper: Fraction
    factors: tuple[tuple[Expr, int], ...]

    def __str__(self) -> str:
        powers = "".join(f" ({to_text(base)})^{power}" for base, power in self.factors)
        return (
            f"exp(-({to_text(self.exponent)})){powers} <= U / P(y), y = exponent - {self.offset}, "
            f"P of degree {self.degree}, U = {self.upper}"
        )


def split_logarithms(exponent: Expr) -> tuple[Expr, tuple[tuple[Expr, int], ...]]:
    """The exponent as a rest plus r ln f for whole r >= 1, read off a sum; other logarithms stay in the rest."""
    rest: list[tuple[Fraction, Expr]] = []
    factors: list[tuple[Expr, int]] = []
    for coefficient, term in _addends(exponent, Fraction(1)):
        whole = coefficient.denominator == 1 and coefficient > 0
        if isinstance(term, Apply) and term.operator == "ln" and whole:
            powers = logarithm_factors(term.operands[0])
            if all(power > 0 for _, power in powers):
                factors += [(base, power * coefficient.numerator) for base, power in powers]
            else:
                factors.append((term.operands[0], coefficient.numerator))
        else:
            rest.append((coefficient, term))
    return _sum(rest), tuple(factors)


def _sum(terms: list[tuple[Fraction, Expr]]) -> Expr:
    total = build.add(*(build.multiply(build.number(part), term) for part, term in terms if part > 0), build.ZERO)
    for part, term in terms:
        if part < 0:
            total = build.subtract(total, build.multiply(build.number(-part), term))
    return total


def _addends(expr: Expr, coefficient: Fraction) -> list[tuple[Fraction, Expr]]:
    """The terms of a sum with their rational coefficients."""
    if isinstance(expr, Number):
        return [(coefficient * expr.value, build.ONE)]
    if isinstance(expr, Apply) and expr.operator in ("+", "-"):
        left, right = expr.operands
        sign = 1 if expr.operator == "+" else -1
        return _addends(left, coefficient) + _addends(right, sign * coefficient)
    if isinstance(expr, Apply) and expr.operator == "neg":
        return _addends(expr.operands[0], -coefficient)
    if isinstance(expr, Apply) and expr.operator in ("*", "/"):
        left, right = expr.operands
        value = constant(right)
        if value:
            return _addends(left, coefficient * value if expr.operator == "*" else coefficient / value)
        value = constant(left)
        if value is not None and expr.operator == "*":
            return _addends(right, coefficient * value)
    return [(coefficient, expr)]


def offsets(construction: Construction, exponent: Expr, lowest: int) -> list[Fraction]:
    """Candidates for q: the exponent at n = lowest, exactly where it is rational, and 0.

    Raises:
        Unsettled: the exponent has no value there.
    """
    given = {**construction.least_values, "n": Fraction(lowest)}
    exact = constant(substitute(exponent, lambda leaf: _known(leaf, given)))
    if exact is None:
        variables = {name: ball(known) for name, known in given.items()}
        with precision(4 * FINEST):
            exact = enclosure(number(exponent, Point(variables, {})), above=False, bits=FINEST)
    return [exact] if exact <= 0 else [exact, Fraction(0)]


def _known(leaf: Leaf, given: Mapping[str, Fraction]) -> Expr:
    return Number(given[leaf.name]) if isinstance(leaf, Variable) and leaf.name in given else leaf


def upper_bound(offset: Fraction) -> Fraction:
    """U: a rational above exp(-q), fine enough for the size of exp(-q)."""
    bits = FINEST + max(0, math.ceil(2 * float(min(offset, Fraction(10_000)))))
    with precision(2 * bits):
        return enclosure((-ball(offset)).exp(), above=True, bits=bits)


@dataclass
class Exponentials:
    """Supplies facts about exp(-x) to a translator, and keeps the instances that were used.

    Args:
        frame: the setting; its `lowest` is n0.
        degree: K for exponents that vary with n; a constant exponent needs none.
        instances: the instances used, in order.
        conditions: the obligations on which they rest.
    """

    frame: Frame
    degree: int
    instances: list[Instance]
    conditions: list[ObligationResult] = field(default_factory=list)

    def __call__(self, argument: Expr, value: Quotient, result: z3.ArithRef) -> list[z3.BoolRef]:
        """Facts about result = exp(argument); none where the lemma does not apply."""
        exponent = build.negate(argument)
        rest, factors = split_logarithms(exponent)
        construction = self.frame.construction
        known = self.frame.facts()
        try:
            bases = [self.frame.number(base) for base, _ in factors]
            if not all(self.frame.positive(base) for base in bases):
                return []
            for offset in offsets(construction, rest, self.frame.lowest):
                shifted = self.frame.number(build.subtract(rest, build.number(offset)))
                if offset >= SMALLEST and self._at_least(rest, offset, known, shifted.numerator >= 0):
                    return [self._instantiate(rest, factors, offset, shifted, bases, result)]
        except (Unsettled, Untranslatable):
            pass
        return []

    def _at_least(self, rest: Expr, offset: Fraction, known: tuple[z3.BoolRef, ...], goal: z3.BoolRef) -> bool:
        """The lemma's hypothesis x >= q, as an obligation of its own where it holds."""
        if not holds(known, goal, self.frame.session):
            return False
        statement = f"{to_text(rest)} >= {offset} for n >= {self.frame.lowest}"
        self.conditions.append(discharge(Obligation("exponent", statement, known, goal), self.frame.session))
        return self.conditions[-1].verdict == Verdict.PROVED

    def _instantiate(
        self,
        rest: Expr,
        factors: tuple[tuple[Expr, int], ...],
        offset: Fraction,
        shifted: Quotient,
        bases: list[Quotient],
        result: z3.ArithRef,
    ) -> z3.BoolRef:
        varies = mentions(rest, "n", *(parameter.name for parameter in self.frame.construction.open_parameters))
        degree = self.degree if varies else 0
        instance = Instance(rest, offset, degree, upper_bound(offset), factors)
        self.instances.append(instance)
        fact = _fact(instance, shifted, bases, result)
        if self.frame.session.learn is not None:
            self.frame.session.learn(_lemma(instance, shifted, bases, result, fact))
        return fact


def _lemma(
    instance: Instance, shifted: Quotient, bases: list[Quotient], result: z3.ArithRef, fact: z3.BoolRef
) -> Lemma:
    """The instance with its terms, for a certificate."""
    named = zip(instance.factors, bases, strict=True)
    factors = tuple((base.numerator, base.denominator, power) for (_, power), base in named)
    data: Data = {"degree": instance.degree, "offset": instance.offset, "upper": instance.upper}
    argument = (shifted.numerator, shifted.denominator)
    return Lemma(Kind.EXP_TAIL, str(instance), result, (fact,), argument, factors, data)


def _fact(instance: Instance, shifted: Quotient, bases: list[Quotient], result: z3.ArithRef) -> z3.BoolRef:
    """u * prod f^r * sum_k y^k / k! <= U, multiplied out: y = a/b becomes sum_k a^k b^(K-k) K!/k!, times K! b^K."""
    a, b, top = shifted.numerator, shifted.denominator, instance.degree
    polynomial = z3.RealVal(0)
    for power in range(top + 1):
        weight = math.factorial(top) // math.factorial(power)
        polynomial = polynomial + weight * _raised(a, power) * _raised(b, top - power)
    left = result * polynomial
    right = z3.Q(instance.upper.numerator, instance.upper.denominator) * math.factorial(top) * _raised(b, top)
    for (_, power), base in zip(instance.factors, bases, strict=True):
        left = left * _raised(base.numerator, power)
        right = right * _raised(base.denominator, power)
    return left <= right


def _raised(base: z3.ArithRef, power: int) -> z3.ArithRef:
    result = z3.RealVal(1)
    for _ in range(power):
        result = result * base
    return result
