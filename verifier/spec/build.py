"""Building expressions in code, with the trivial simplifications that keep what is built readable."""

from __future__ import annotations

from fractions import Fraction

from verifier.spec.syntax import Apply, Expr, Number, Variable

ZERO = Number(Fraction(0))
ONE = Number(Fraction(1))


def number(value: int | Fraction) -> Number:
    """A rational constant."""
    return Number(Fraction(value))


def variable(name: str) -> Variable:
    """A variable of this name."""
    return Variable(name)


def add(*terms: Expr) -> Expr:
    """The sum; zeros are left out and rational constants added up."""
    total = sum((term.value for term in terms if isinstance(term, Number)), Fraction(0))
    rest: list[Expr] = [term for term in terms if not isinstance(term, Number)]
    if total or not rest:
        rest.append(Number(total))
    result = rest[0]
    for term in rest[1:]:
        result = Apply("+", (result, term))
    return result


def subtract(left: Expr, right: Expr) -> Expr:
    """The difference."""
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(left.value - right.value)
    return left if right == ZERO else Apply("-", (left, right))


def multiply(*factors: Expr) -> Expr:
    """The product; ones are left out, a zero wins, and rational constants are multiplied."""
    total = Fraction(1)
    rest = []
    for factor in factors:
        if isinstance(factor, Number):
            total *= factor.value
        else:
            rest.append(factor)
    if not total or not rest:
        return Number(total)
    result: Expr = rest[0] if total == 1 else Apply("*", (Number(total), rest[0]))
    for factor in rest[1:]:
        result = Apply("*", (result, factor))
    return result


def divide(left: Expr, right: Expr) -> Expr:
    """The quotient."""
    return left if right == ONE else Apply("/", (left, right))


def negate(operand: Expr) -> Expr:
    """The negative."""
    if isinstance(operand, Apply) and operand.operator == "neg":
        return operand.operands[0]
    return Number(-operand.value) if isinstance(operand, Number) else Apply("neg", (operand,))


def power(base: Expr, exponent: int) -> Expr:
    """The base raised to a whole number."""
    return base if exponent == 1 else Apply("^", (base, number(exponent)))


def exp(argument: Expr) -> Expr:
    """The exponential."""
    return ONE if argument == ZERO else Apply("exp", (argument,))


def conjunction(*parts: Expr) -> Expr:
    """All of the parts; there must be at least one."""
    result = parts[0]
    for part in parts[1:]:
        result = Apply("and", (result, part))
    return result


def compare(operator: str, left: Expr, right: Expr) -> Expr:
    """A comparison."""
    return Apply(operator, (left, right))
