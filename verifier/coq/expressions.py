"""Expressions of construction files in Coq: Booleans as `bool`, integers as `Z`, everything else as `R`.

An integer expression within a real one is pushed down to its leaves as far as + - * ^ go, and injected by `IZR` there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from verifier.coq.names import identifier
from verifier.spec.syntax import Apply, Expr, InputAt, Leaf, Number, Pi, Selected, Truth, Variable
from verifier.spec.types import Type, constant, result_type

ATOM, APPLICATION, POWER, MINUS, TIMES, PLUS, COMPARISON, CONJUNCTION, DISJUNCTION, LOOSE = (
    0, 10, 30, 35, 40, 50, 70, 80, 85, 100,
)  # fmt: skip


class Unwritable(Exception):
    """An expression has a part that is not translated; the message names it."""


class Piece(NamedTuple):
    """Text and how loosely its outermost operator binds."""

    text: str
    level: int

    def within(self, level: int) -> str:
        """The text where an operand of this level may stand."""
        return self.text if self.level <= level else f"({self.text})"


def binary(operator: str, left: Piece, right: Piece, level: int) -> Piece:
    """A left-associative operator between two pieces."""
    return Piece(f"{left.within(level)} {operator} {right.within(level - 1)}", level)


def call(function: str, *arguments: Piece) -> Piece:
    """A function applied to pieces."""
    return Piece(" ".join([function, *(argument.within(ATOM) for argument in arguments)]), APPLICATION)


@dataclass(frozen=True)
class Writer:
    """Writes expressions in Coq.

    Args:
        types: the types of variables and inputs by name.
        selected: what `selected` stands for, a Boolean expression in Coq.
        renamed: what variables are called, where that differs.
    """

    types: Mapping[str, Type]
    selected: str = ""
    renamed: Mapping[str, str] | None = None

    def type_of(self, expr: Expr) -> Type:
        """The type of an expression."""
        if isinstance(expr, Apply):
            return result_type(expr.operator, expr.operands, tuple(self.type_of(part) for part in expr.operands))
        if isinstance(expr, Number):
            return Type.INTEGER if expr.value.denominator == 1 else Type.REAL
        if isinstance(expr, (Truth, Selected)):
            return Type.BOOLEAN
        return Type.REAL if isinstance(expr, Pi) else self.types[expr.name]

    def boolean(self, expr: Expr) -> Piece:
        """A Boolean expression as a `bool`."""
        if isinstance(expr, Truth):
            return Piece(str(expr.value).lower(), ATOM)
        if isinstance(expr, Selected):
            return Piece(self.selected, APPLICATION)
        if isinstance(expr, Apply):
            return self._connective(expr) if expr.operator in ("and", "or", "not") else self._comparison(expr)
        return self._leaf(expr)

    def propositions(self, expr: Expr) -> list[str]:
        """A Boolean expression as propositions: the parts of a conjunction, comparisons as such."""
        if isinstance(expr, Apply) and expr.operator == "and":
            return [text for part in expr.operands for text in self.propositions(part)]
        if isinstance(expr, Apply) and expr.operator in _RELATIONS:
            left, right = expr.operands
            kinds = {self.type_of(left), self.type_of(right)}
            relation = _RELATIONS[expr.operator]
            if kinds == {Type.INTEGER}:
                return [f"({binary(relation, self.integer(left), self.integer(right), COMPARISON).text})%Z"]
            if Type.BOOLEAN not in kinds:
                return [binary(relation, self.real(left), self.real(right), COMPARISON).text]
        return [f"{self.boolean(expr).within(APPLICATION)} = true"]

    def _connective(self, expr: Apply) -> Piece:
        parts = [self.boolean(part) for part in expr.operands]
        if expr.operator == "not":
            return call("negb", *parts)
        sign, level = ("&&", CONJUNCTION) if expr.operator == "and" else ("||", DISJUNCTION)
        return binary(sign, parts[0], parts[1], level)

    def _comparison(self, expr: Apply) -> Piece:
        left, right = expr.operands
        if expr.operator not in _INTEGER_COMPARISON:
            raise Unwritable(f"the operator '{expr.operator}' as a Boolean")
        kinds = {self.type_of(left), self.type_of(right)}
        if kinds == {Type.BOOLEAN}:
            equal = call("Bool.eqb", self.boolean(left), self.boolean(right))
            return equal if expr.operator == "=" else call("negb", equal)
        negative = expr.operator == "!="
        if kinds == {Type.INTEGER}:
            sign = _INTEGER_COMPARISON[expr.operator]
            plain = binary(sign, self.integer(left), self.integer(right), COMPARISON)
            text = Piece(f"({plain.text})%Z", ATOM)
        else:
            function, swapped = _REAL_COMPARISON[expr.operator]
            first, second = (right, left) if swapped else (left, right)
            text = call(function, self.real(first), self.real(second))
        return call("negb", text) if negative else text

    def integer(self, expr: Expr) -> Piece:
        """An integer expression as a term of `Z`, written in the scope of integers."""
        if isinstance(expr, Apply):
            return self._integer_operator(expr)
        if isinstance(expr, Number):
            return _integer(expr.value)
        return self._leaf(expr)

    def _integer_operator(self, expr: Apply) -> Piece:
        if expr.operator == "iverson":
            return call("Z.b2z", self.boolean(expr.operands[0]))
        if expr.operator == "^":
            exponent = _whole(expr.operands[1])
            return Piece(f"{self.integer(expr.operands[0]).within(POWER - 1)} ^ {exponent}", POWER)
        parts = [self.integer(part) for part in expr.operands]
        if expr.operator == "neg":
            return Piece(f"- {parts[0].within(MINUS)}", MINUS)
        if expr.operator in ("min", "max"):
            return _nested(f"Z.{expr.operator}", parts)
        if expr.operator == "abs":
            return call("Z.abs", *parts)
        if expr.operator == "mod":
            return binary("mod", parts[0], parts[1], TIMES)
        if expr.operator in _ARITHMETIC:
            return binary(expr.operator, parts[0], parts[1], _ARITHMETIC[expr.operator])
        raise Unwritable(f"the operator '{expr.operator}' among integers")

    def real(self, expr: Expr) -> Piece:
        """A numeric expression as a term of `R`; a Boolean one as 1 or 0."""
        kind = self.type_of(expr)
        if kind is Type.BOOLEAN:
            return call("b2r", self.boolean(expr))
        if isinstance(expr, Apply):
            return self._real_operator(expr, kind)
        if isinstance(expr, Number):
            return _rational(expr.value)
        if isinstance(expr, Pi):
            return Piece("PI", ATOM)
        return call("IZR", self._leaf(expr)) if kind is Type.INTEGER else self._leaf(expr)

    def _real_operator(self, expr: Apply, kind: Type) -> Piece:
        operator = expr.operator
        if operator == "iverson":
            return call("b2r", self.boolean(expr.operands[0]))
        if operator == "^":
            return self._power(*expr.operands)
        if kind is Type.INTEGER and operator not in (*_ARITHMETIC, "neg"):
            return Piece(f"IZR {self._scoped(self.integer(expr))}", APPLICATION)
        parts = [self.real(part) for part in expr.operands]
        if operator == "neg":
            return Piece(f"- {parts[0].within(MINUS)}", MINUS)
        if operator in _ARITHMETIC or operator == "/":
            return binary(operator, parts[0], parts[1], _ARITHMETIC.get(operator, TIMES))
        if operator in ("min", "max"):
            return _nested(f"R{operator}", parts)
        if operator in _FUNCTIONS:
            return call(_FUNCTIONS[operator], *parts)
        raise Unwritable(f"the operator '{operator}'")

    def _power(self, base: Expr, exponent: Expr) -> Piece:
        below = self.real(base)
        if constant(exponent) is None:
            return call("Rpower", below, self.real(exponent))
        power = _whole(exponent)
        raised = Piece(f"{below.within(POWER - 1)} ^ {abs(power)}", POWER)
        return raised if power >= 0 else Piece(f"/ {raised.within(MINUS)}", MINUS)

    def _leaf(self, leaf: Leaf) -> Piece:
        if isinstance(leaf, Variable):
            return Piece(self._name(leaf.name), ATOM)
        if isinstance(leaf, InputAt):
            return Piece(" ".join([identifier(leaf.name), *map(self._name, leaf.positions)]), APPLICATION)
        raise Unwritable("a constant of another type")

    def _name(self, name: str) -> str:
        if name in ("i", "j", "n"):
            return (self.renamed or {}).get(name, name)
        return identifier(name)

    @staticmethod
    def _scoped(piece: Piece) -> str:
        return piece.text if piece.level == ATOM else f"({piece.text})%Z"


_ARITHMETIC: Mapping[str, int] = {"+": PLUS, "-": PLUS, "*": TIMES}
_INTEGER_COMPARISON: Mapping[str, str] = {"=": "=?", "!=": "=?", "<": "<?", "<=": "<=?", ">": ">?", ">=": ">=?"}
_RELATIONS: Mapping[str, str] = {"=": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_REAL_COMPARISON: Mapping[str, tuple[str, bool]] = {
    "=": ("Reqb", False), "!=": ("Reqb", False), "<": ("Rltb", False), "<=": ("Rleb", False),
    ">": ("Rltb", True), ">=": ("Rleb", True),
}  # fmt: skip
_FUNCTIONS: Mapping[str, str] = {
    "exp": "exp", "ln": "ln", "sqrt": "sqrt", "sin": "sin", "cos": "cos", "abs": "Rabs",
}  # fmt: skip


def rational(value: Fraction) -> str:
    """A rational number in the scope of reals, in parentheses where that may be needed."""
    return _rational(value).within(ATOM)


def _integer(value: Fraction) -> Piece:
    return Piece(str(value.numerator), ATOM) if value >= 0 else Piece(f"- {-value.numerator}", MINUS)


def _rational(value: Fraction) -> Piece:
    if value.denominator == 1:
        return _integer(value)
    return Piece(f"{_integer(Fraction(value.numerator)).text} / {value.denominator}", TIMES)


def _whole(exponent: Expr) -> int:
    value = constant(exponent)
    if value is None or value.denominator != 1:
        raise Unwritable("an exponent that is not a whole number")
    return value.numerator


def _nested(function: str, parts: list[Piece]) -> Piece:
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = call(function, part, result)
    return result
