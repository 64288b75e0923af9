"""Values of parameters: exact rationals, overridden from the command line and held against their domains."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from verifier.spec.construction import Parameter
from verifier.spec.errors import SpecError
from verifier.spec.fields import Table
from verifier.spec.parser import parse
from verifier.spec.syntax import Apply, Expr, Leaf, Number, Truth, Variable, substitute
from verifier.spec.types import Scope, Type, constant

_COMPARE: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def rational(text: str, kind: Type, error: Callable[[str], SpecError]) -> Fraction:
    """The exact value of a constant such as ``2``, ``1.4`` or ``7/5``; `error` turns a message into an exception."""
    expected = f"expected {'an integer' if kind is Type.INTEGER else 'a rational number such as 2, 1.4 or 7/5'}"
    try:
        value = constant(parse(text, Scope()).expr)
    except SpecError:
        value = None
    if value is None or (kind is Type.INTEGER and value.denominator != 1):
        raise error(f"{expected}, found '{text[:40]}'")
    return value


def checked_parameters(
    declared: tuple[Parameter, ...], overrides: Mapping[str, str], table: Table
) -> tuple[Parameter, ...]:
    """The declared parameters with their overridden values, each within its domain.

    Raises:
        SpecError: an override names no parameter or is no rational, or a value lies outside its domain.
    """
    names = [parameter.name for parameter in declared]
    for name in overrides:
        if name not in names:
            close = difflib.get_close_matches(name, names, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            known = f"it has {', '.join(names)}" if names else "it has none"
            raise SpecError(f"--param: no parameter '{name[:40]}' in this construction ({known}){hint}")
    chosen = tuple(
        replace(parameter, value=_override(parameter, overrides[parameter.name]))
        if parameter.name in overrides
        else parameter
        for parameter in declared
    )
    values = {parameter.name: parameter.value for parameter in chosen}
    for parameter in chosen:
        if parameter.domain is not None and not _holds(parameter.domain, values, table, parameter.name):
            message = f"{parameter.name} = {parameter.value} is outside its domain: expected {parameter.domain_text}"
            raise (
                SpecError(f"--param: {message}")
                if parameter.name in overrides
                else table.error(message, parameter.name)
            )
    return chosen


def _override(parameter: Parameter, text: str) -> Fraction:
    return rational(text, parameter.type, lambda message: SpecError(f"--param {parameter.name}: {message}"))


def _holds(domain: Expr, values: Mapping[str, Fraction], table: Table, name: str) -> bool:
    def value(leaf: Leaf) -> Expr:
        return Number(values[leaf.name]) if isinstance(leaf, Variable) else leaf

    verdict = _decide(substitute(domain, value))
    if verdict is None:
        raise table.error("expected a domain of comparisons between rational expressions", f"{name}.domain")
    return verdict


def _decide(condition: Expr) -> bool | None:
    """The truth of a condition without variables, or None where it is not made of rational comparisons."""
    if isinstance(condition, Truth):
        return condition.value
    if not isinstance(condition, Apply):
        return None
    if condition.operator in _COMPARE:
        left, right = (constant(operand) for operand in condition.operands)
        return None if left is None or right is None else _COMPARE[condition.operator](left, right)
    parts = [_decide(operand) for operand in condition.operands]
    if condition.operator not in ("and", "or", "not") or None in parts:
        return None
    known = [bool(part) for part in parts]
    return {"and": all(known), "or": any(known), "not": not known[0]}[condition.operator]
