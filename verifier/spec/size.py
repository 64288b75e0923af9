"""How large an expression would become: what is multiplied out, evaluated or handed to a solver stays small.

A file may be hostile, and a short text can stand for something huge: `(1 + i + j)^60` has 1,891 terms, `exp` of
`exp` has more digits than there is memory. The measures are upper bounds, taken operator by operator as the text is
read, so that the operator that goes too far is named.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verifier.spec.syntax import Expr, Number, Pi, Selected, Truth

LARGEST_DEGREE = 64
MOST_TERMS = 200
MOST_BITS = 1_000  # so that every constant is within the range of a double


class SizeFault(ValueError):
    """An expression is too large; the message says by which measure."""


@dataclass(frozen=True, slots=True)
class Size:
    """Upper bounds on an expression.

    Args:
        degree: as a polynomial in its variables and inputs.
        terms: how many terms it has when multiplied out.
        bits: of all its constants together, powers multiplied out.
        grows: whether there is an exponential in it.
    """

    degree: int
    terms: int
    bits: int
    grows: bool = False


def leaf_size(leaf: Expr) -> Size:
    """The size of a leaf."""
    if isinstance(leaf, Number):
        return Size(0, 1, constant_bits(leaf.value))
    return Size(0 if isinstance(leaf, (Pi, Truth, Selected)) else 1, 1, 0)


def constant_bits(value: Fraction) -> int:
    """The number of bits it takes to write a rational number down."""
    below = value.denominator.bit_length() if value.denominator > 1 else 0
    return value.numerator.bit_length() + below


def applied(operator: str, operands: Sequence[Size], exponent: Fraction | None = None) -> Size:
    """The size of an operator applied to operands of these sizes.

    Args:
        operator: one of the operators of `syntax`.
        operands: their sizes.
        exponent: for a power, its exponent where that is a constant.

    Raises:
        SizeFault: a limit is exceeded.
    """
    found = _applied(operator, operands, exponent)
    if found.degree > LARGEST_DEGREE:
        raise SizeFault(f"the degree of an expression must be at most {LARGEST_DEGREE}")
    if found.terms > MOST_TERMS:
        raise SizeFault(f"an expression must have at most {MOST_TERMS} terms when it is multiplied out")
    if found.bits > MOST_BITS:
        raise SizeFault(f"the constants of an expression must have at most {MOST_BITS} bits when multiplied out")
    return found


def _applied(operator: str, operands: Sequence[Size], exponent: Fraction | None) -> Size:
    degree = max(operand.degree for operand in operands)
    terms = sum(operand.terms for operand in operands)
    bits = sum(operand.bits for operand in operands)
    grows = any(operand.grows for operand in operands)
    if operator in ("exp", "sin", "cos") and grows:
        raise SizeFault(f"the argument of '{operator}' must not contain an exponential")
    if operator == "exp":
        return Size(degree, terms, bits, True)
    if operator in ("*", "/"):
        return Size(sum(operand.degree for operand in operands), math.prod(one.terms for one in operands), bits, grows)
    if operator == "^":
        return _power(operands, exponent)
    if operator == "iverson":
        return Size(1, 1, bits)
    if operator in ("neg", "not"):
        return operands[0]
    return Size(degree, terms, bits, grows)


def _power(operands: Sequence[Size], exponent: Fraction | None) -> Size:
    base = operands[0]
    if exponent is None:
        if operands[1].grows:
            raise SizeFault("an exponent must not contain an exponential")
        return Size(operands[1].degree, operands[1].terms, base.bits + operands[1].bits, True)
    times = abs(exponent.numerator)
    # As many terms as there are ways to choose `times` of them with repetition.
    terms = math.comb(base.terms + times - 1, times) if times else 1
    return Size(base.degree * times, terms, base.bits * times, base.grows)
