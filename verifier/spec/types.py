"""Types of expressions, and which names an expression may use where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from verifier.spec.size import MOST_BITS, Size, applied, leaf_size
from verifier.spec.syntax import COMPARISONS, CONNECTIVES, Apply, Expr, Number, fold

FUNCTIONS: Mapping[str, int | None] = {
    "exp": 1, "ln": 1, "sqrt": 1, "sin": 1, "cos": 1, "abs": 1, "min": None, "max": None,
}  # fmt: skip
"""Each function's number of arguments; None means two or more."""

RESERVED = frozenset((*FUNCTIONS, "and", "or", "not", "mod", "true", "false", "selected", "pi", "i", "j", "n", "value"))
LARGEST_EXPONENT = 64


class Type(StrEnum):
    """What an expression's value is. An integer may stand wherever a real number may."""

    BOOLEAN = "Boolean"
    INTEGER = "integer"
    REAL = "real number"


@dataclass(frozen=True)
class Scope:
    """The names an expression may use.

    Args:
        variables: positions, the length and parameters, with their types.
        inputs: the inputs, with the type of a value and the number of positions each is applied to.
        positions: the positions an input may be applied to.
        selected: whether `selected` may be used.
    """

    variables: Mapping[str, Type] = field(default_factory=dict)
    inputs: Mapping[str, tuple[Type, int]] = field(default_factory=dict)
    positions: tuple[str, ...] = ()
    selected: bool = False

    def names(self) -> list[str]:
        """Every name of this scope as a reader would write it, for error messages."""
        shown = [
            f"{name}({','.join(self.positions[-1:] if arity == 1 else self.positions)})"
            for name, (_, arity) in self.inputs.items()
        ]
        return [*self.variables, *(shown if self.positions else []), *(["selected"] if self.selected else [])]


class TypeFault(ValueError):
    """An operator does not fit its operands; the message says what it expects."""


def result_type(operator: str, operands: tuple[Expr, ...], types: tuple[Type, ...]) -> Type:
    """The type of an operator applied to operands of the given types.

    Raises:
        TypeFault: an operand has the wrong type, or an exponent, a divisor or another argument is not of the
            permitted kind.
    """
    if operator in CONNECTIVES or operator == "iverson":
        shown = "[...]" if operator == "iverson" else f"'{operator}'"
        _demand(types, Type.BOOLEAN, f"{shown} expects Booleans (a comparison, or a Boolean input such as phi(j))")
        return Type.INTEGER if operator == "iverson" else Type.BOOLEAN
    if operator in COMPARISONS:
        if operator in ("=", "!=") and set(types) == {Type.BOOLEAN}:
            return Type.BOOLEAN
        _numbers(types, operator)
        return Type.BOOLEAN
    _numbers(types, operator)
    _demand_defined(operator, operands)
    if operator == "^":
        return _power_type(operands, types)
    if operator == "mod":
        if set(types) != {Type.INTEGER}:
            raise TypeFault("'mod' expects two integers")
        return Type.INTEGER
    if operator in ("+", "-", "*", "neg", "abs", "min", "max"):
        return Type.INTEGER if set(types) == {Type.INTEGER} else Type.REAL
    return Type.REAL


def _demand(types: tuple[Type, ...], wanted: Type, message: str) -> None:
    for found in types:
        if found != wanted:
            raise TypeFault(f"{message}, found {described(found)}")


def _numbers(types: tuple[Type, ...], operator: str) -> None:
    if Type.BOOLEAN in types:
        shown = "'-'" if operator == "neg" else f"'{operator}'"
        raise TypeFault(f"{shown} expects numbers, found a Boolean (write [P] for the number 1 if P, else 0)")


def described(found: Type) -> str:
    """The type with its article, for messages."""
    return f"an {found}" if found is Type.INTEGER else f"a {found}"


def _power_type(operands: tuple[Expr, ...], types: tuple[Type, ...]) -> Type:
    base, exponent = (constant(operand) for operand in operands)
    if exponent is not None and (exponent.denominator != 1 or abs(exponent) > LARGEST_EXPONENT):
        raise TypeFault(f"an exponent must be a whole number from -{LARGEST_EXPONENT} to {LARGEST_EXPONENT}")
    if exponent is not None:
        if base == 0 and exponent < 0:
            raise TypeFault("0 has no negative power")
        return types[0] if exponent >= 0 else Type.REAL
    if base is None or base <= 0:
        raise TypeFault("an exponent that is not a constant needs a positive constant as its base, such as 2^(-j)")
    return Type.REAL


def _demand_defined(operator: str, operands: tuple[Expr, ...]) -> None:
    """Refuse what can have no value: a division by the constant zero, the logarithm of a negative constant."""
    if operator not in ("/", "mod", "ln", "sqrt"):
        return
    last = constant(operands[-1])
    if last is None:
        return
    if operator == "/" and last == 0:
        raise TypeFault("division by zero")
    if operator == "mod" and last <= 0:
        raise TypeFault(f"'mod' expects a positive modulus, found {last}")
    if (operator == "ln" and last <= 0) or (operator == "sqrt" and last < 0):
        wanted = "a positive number" if operator == "ln" else "a number that is not negative"
        raise TypeFault(f"'{operator}' expects {wanted}, found {last}")


def constant(expr: Expr) -> Fraction | None:
    """The value of an expression made of rational constants and + - * / ^ alone, else None.

    Exponents are bounded before anything is raised to them, so the value stays small.
    """
    if isinstance(expr, Number):
        return expr.value
    if not isinstance(expr, Apply) or expr.operator not in _RATIONAL:
        return None

    def apply(operator: str, operands: tuple[Fraction | None, ...]) -> Fraction | None:
        if operator not in _RATIONAL:
            return None
        known = tuple(value for value in operands if value is not None)
        return _RATIONAL[operator](*known) if len(known) == len(operands) else None

    return fold(expr, lambda leaf: leaf.value if isinstance(leaf, Number) else None, apply)


def _quotient(numerator: Fraction, denominator: Fraction) -> Fraction | None:
    return numerator / denominator if denominator else None


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator != 1 or abs(exponent) > LARGEST_EXPONENT or (base == 0 and exponent < 0):
        return None
    if max(base.numerator.bit_length(), base.denominator.bit_length()) * abs(exponent) > MOST_BITS:
        return None
    return base**exponent.numerator


_RATIONAL: Mapping[str, Callable[..., Fraction | None]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _quotient,
    "^": _power,
    "neg": lambda operand: -operand,
}


def size_of(expr: Expr) -> Size:
    """The size of a whole expression; raises `SizeFault` where a limit is exceeded."""
    if not isinstance(expr, Apply):
        return leaf_size(expr)
    exponent = constant(expr.operands[1]) if expr.operator == "^" else None
    return applied(expr.operator, [size_of(operand) for operand in expr.operands], exponent)
