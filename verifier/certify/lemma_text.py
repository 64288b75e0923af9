"""The lemmas about exp, ln and the like as SMT-LIB assertions, built from the terms and exact numbers of an instance.

A certificate is written with these texts, and re-checking builds them again from the manifest and compares. So what a
solver is told of an exponential is exactly what the lemma says, with the numbers that ball arithmetic confirms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

ONE, ZERO = "1.0", "0.0"


@dataclass(frozen=True)
class LemmaText:
    """An instance of a lemma.

    Args:
        kind: which lemma.
        symbol: the variable u that stands for the value of a function.
        meaning: what that value is, in words.
        numerator, denominator: a and b of the argument a / b, as SMT-LIB terms; empty where the lemma has none.
        factors: numerator, denominator and power of each f.
        numbers: exact numbers by name.
        conditions: the files of the obligations on which this instance rests.
    """

    kind: str
    symbol: str
    meaning: str
    numerator: str = ""
    denominator: str = ""
    factors: tuple[tuple[str, str, int], ...] = ()
    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    conditions: tuple[str, ...] = ()


def assertions(lemma: LemmaText) -> tuple[str, ...]:
    """What the instance says, as SMT-LIB terms. Raises `KeyError` for an unknown lemma or a missing number."""
    return _STATED[lemma.kind](lemma)


def demands(lemma: LemmaText) -> tuple[str, ...]:
    """What must be proved for the lemma to apply, as SMT-LIB terms: signs of arguments, exponents above offsets."""
    positive = tuple(f"(> {top} {ZERO})" for top, _, _ in lemma.factors)
    if lemma.kind == "exp tail":
        return (f"(>= {lemma.numerator} {ZERO})", *positive)
    return (f"(> {lemma.numerator} {ZERO})",) if lemma.kind in ("ln", "sqrt") else ()


def numeral(value: Fraction) -> str:
    """An exact real number in SMT-LIB."""
    top, bottom = abs(value.numerator), value.denominator
    size = f"{top}.0" if bottom == 1 else f"(/ {top}.0 {bottom}.0)"
    return size if value >= 0 else f"(- {size})"


def product(factors: Sequence[str]) -> str:
    """A product, without factors that are 1."""
    kept = [factor for factor in factors if factor != ONE]
    if not kept:
        return ONE
    return kept[0] if len(kept) == 1 else f"(* {' '.join(kept)})"


def _exp_tail(lemma: LemmaText) -> tuple[str, ...]:
    """u f^r sum_k (K!/k!) a^k b^(K-k) <= U K! b^K g^r, where the factor f is f / g: the lemma, multiplied out."""
    a, b = lemma.numerator, lemma.denominator
    degree = int(lemma.numbers["degree"])
    whole = math.factorial(degree)
    terms = [
        product([numeral(Fraction(whole // math.factorial(power))), *[a] * power, *[b] * (degree - power)])
        for power in range(degree + 1)
    ]
    polynomial = f"(+ {' '.join(terms)})" if len(terms) > 1 else terms[0]
    above = [top for top, _, power in lemma.factors for _ in range(power)]
    below = [bottom for _, bottom, power in lemma.factors for _ in range(power)]
    left = product([lemma.symbol, *above, polynomial])
    right = product([numeral(lemma.numbers["upper"] * whole), *[b] * degree, *below])
    return (f"(<= {left} {right})",)


def _exp_tangent(lemma: LemmaText) -> tuple[str, ...]:
    left = product([lemma.symbol, lemma.denominator])
    return (f"(>= {left} (+ {lemma.denominator} {lemma.numerator}))",)


def _ln(lemma: LemmaText) -> tuple[str, ...]:
    difference = f"(- {lemma.numerator} {lemma.denominator})"
    above, below = product([lemma.symbol, lemma.denominator]), product([lemma.symbol, lemma.numerator])
    return (f"(<= {above} {difference})", f"(>= {below} {difference})")


def _ln_constant(lemma: LemmaText) -> tuple[str, ...]:
    low, high = (numeral(lemma.numbers[name]) for name in ("low", "high"))
    return (f"(>= {lemma.symbol} {low})", f"(<= {lemma.symbol} {high})")


def _sqrt(lemma: LemmaText) -> tuple[str, ...]:
    square = product([lemma.symbol, lemma.symbol, lemma.denominator])
    return (f"(>= {lemma.symbol} {ZERO})", f"(= {square} {lemma.numerator})")


def _positive(lemma: LemmaText) -> tuple[str, ...]:
    return (f"(> {lemma.symbol} {ZERO})",)


def _unit(lemma: LemmaText) -> tuple[str, ...]:
    return (f"(>= {lemma.symbol} (- {ONE}))", f"(<= {lemma.symbol} {ONE})")


def _pi(lemma: LemmaText) -> tuple[str, ...]:
    low, high = numeral(Fraction(333, 106)), numeral(Fraction(355, 113))
    return (f"(> {lemma.symbol} {low})", f"(< {lemma.symbol} {high})")


_STATED: Mapping[str, Callable[[LemmaText], tuple[str, ...]]] = {
    "exp positive": _positive,
    "exp tangent": _exp_tangent,
    "exp tail": _exp_tail,
    "ln": _ln,
    "ln constant": _ln_constant,
    "sqrt": _sqrt,
    "sin or cos": _unit,
    "pi": _pi,
    "power": _positive,
}
KINDS = tuple(_STATED)
