"""Quotients lose a factor above and below only where it is known to be positive, and keep their value."""

from __future__ import annotations

from fractions import Fraction

import pytest
import z3

from verifier.prove.arithmetic import Quotient, Translator
from verifier.spec.build import divide, multiply, number, variable

NAMES = ("a", "b", "n")
TERMS = {name: z3.Real(name) for name in NAMES}


def translate(positive: frozenset[str]) -> Quotient:
    """(a b / n) / (2 b) with these variables known to be positive, and 2 b known as a whole."""

    def sign(term: z3.ArithRef, facts: tuple[z3.BoolRef, ...]) -> int:
        return int(str(term) in positive)

    one = z3.RealVal(1)
    values = {name: Quotient(term, one) for name, term in TERMS.items()}
    translator = Translator(values, lambda leaf: values["n"], sign, z3.RealSort())
    a, b, n = (variable(name) for name in NAMES)
    return translator.number(divide(divide(multiply(a, b), n), multiply(number(2), b)))


def value(term: z3.ArithRef) -> Fraction:
    places = [(TERMS["a"], z3.RealVal(3)), (TERMS["b"], z3.RealVal(5)), (TERMS["n"], z3.RealVal(7))]
    known = z3.simplify(z3.substitute(term, *places))
    return Fraction(known.numerator_as_long(), known.denominator_as_long())


@pytest.mark.parametrize(("positive", "kept"), [({"n", "2*b", "b"}, False), ({"n", "2*b"}, True)])
def test_shared_factors(positive: set[str], kept: bool) -> None:
    found = translate(frozenset(positive))
    assert value(found.numerator) / value(found.denominator) == Fraction(3, 14)
    assert ("b" in found.numerator.sexpr()) is kept
    assert ("b" in found.denominator.sexpr()) is kept
