"""A construction file becomes a `Construction`: field by field, in the order of the file format (docs/format.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from verifier.logic.errors import FormulaError
from verifier.logic.parser import parse as parse_formula
from verifier.logic.syntax import Formula
from verifier.spec import build
from verifier.spec.construction import (
    Claim,
    Construction,
    Head,
    Input,
    InputKind,
    Mask,
    Parameter,
    Simulation,
    Text,
    Tie,
)  # fmt: skip
from verifier.spec.errors import SpecError
from verifier.spec.fields import Table
from verifier.spec.parameters import checked_parameters, rational
from verifier.spec.parser import parse
from verifier.spec.source import Source, read
from verifier.spec.types import RESERVED, Scope, Type, described, size_of

NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z")
LONGEST_NAME = 60
MOST_ENTRIES = 12
BITS_ALONE = 20
BITS_BESIDE_N = 10

TOP = (
    "name",
    "title",
    "about",
    "source",
    "requires",
    "inputs",
    "parameters",
    "head",
    "simulations",
    "claim",
)
HEAD = ("mask", "select", "score", "gap", "tie", "value", "default", "output", "bos")
SIMULATION = ("score", "temperature", "divide_by_sqrt_key_dimension", "score_error")
CLAIM = ("error", "computes")
PARAMETER = ("about", "default", "domain", "minimum", "type")
_VALUE_TYPES = {
    InputKind.BOOLEAN: Type.BOOLEAN, InputKind.INTEGER: Type.INTEGER,
    InputKind.REAL: Type.REAL, InputKind.SCORE: Type.REAL,
}  # fmt: skip
E_ = TypeVar("E_", bound=StrEnum)


def load_file(path: Path, overrides: Mapping[str, str] | None = None, shown: str | None = None) -> Construction:
    """Load a construction file.

    Args:
        path: the file.
        overrides: values for parameters, as texts, instead of their defaults.
        shown: how to call the file in messages, if not by its path.

    Raises:
        SpecError: with file, line, field, and what was expected.
    """
    return construct(read(path, shown), overrides)


def construct(source: Source, overrides: Mapping[str, str] | None = None) -> Construction:
    """The construction that a file describes; raises as `load_file` does."""
    top = Table(source, "", source.data)
    top.only(TOP)
    name = top.text("name")
    if not NAME.match(name) or len(name) > LONGEST_NAME:
        raise top.error("expected a name of lower-case letters, digits and hyphens, such as 'strict-until'", "name")
    inputs = _inputs(top.table("inputs", optional=True))
    parameters = _parameters(top.table("parameters", optional=True), {given.name for given in inputs}, overrides or {})
    scopes = _Scopes.of(inputs, parameters)
    requires = _expression(top, "requires", scopes.length, Type.BOOLEAN) if "requires" in top.data else None
    head = _head(top.table("head"), scopes)
    return Construction(
        name=name,
        title=top.prose("title", name),
        about=top.prose("about", ""),
        source=top.prose("source", ""),
        inputs=inputs,
        parameters=parameters,
        requires=requires,
        head=head,
        simulations=_simulations(top.table("simulations"), head, scopes),
        claim=_claim(top.table("claim"), inputs, scopes),
        file=source.file,
        digest=source.digest,
        text=source.text,
    )


class _Scopes:
    """What may be named where: `length` n and parameters, `key` also j and inputs at j, `pair` also i."""

    def __init__(self, length: Scope, query: Scope, key: Scope, pair: Scope, scored: Scope) -> None:
        self.length, self.query, self.key, self.pair, self.scored = length, query, key, pair, scored

    @classmethod
    def of(cls, inputs: tuple[Input, ...], parameters: tuple[Parameter, ...]) -> _Scopes:
        constants = {"n": Type.INTEGER} | {parameter.name: parameter.type for parameter in parameters}
        given = {one.name: (_VALUE_TYPES[one.kind], 2 if one.kind is InputKind.SCORE else 1) for one in inputs}
        local = {name: kind for name, kind in given.items() if kind[1] == 1}
        i, j = {"i": Type.INTEGER}, {"j": Type.INTEGER}
        return cls(
            length=Scope(constants, given),
            query=Scope(constants | i, local, ("i",)),
            key=Scope(constants | j, local, ("j",)),
            pair=Scope(constants | i | j, given, ("i", "j")),
            scored=Scope(constants | i | j, given, ("i", "j"), selected=True),
        )


def _inputs(table: Table) -> tuple[Input, ...]:
    _bounded(table)
    return tuple(_input(table, name) for name in table.data)


def _input(table: Table, name: str) -> Input:
    _identifier(table, name)
    text = " ".join(table.text(name).split())
    if text in ("boolean", "score"):
        return Input(name, InputKind(text))
    if text == "real in 0..1":
        return Input(name, InputKind.REAL)
    parts = re.fullmatch(r"integer in (.+?)\.\.(.+)", text)
    if parts is None:
        raise table.error(
            f'expected "boolean", "integer in 0..n", "real in 0..1" or "score", found "{text[:60]}"', name
        )
    low, high = (_parsed(table, name, part, Scope({"n": Type.INTEGER}), Type.INTEGER) for part in parts.groups())
    for bound in (low, high):
        size = size_of(bound.expr)
        if size.degree > 1 or size.bits > (BITS_BESIDE_N if size.degree else BITS_ALONE):
            expected = f"{BITS_ALONE} bits, or linear in n with constants of at most {BITS_BESIDE_N} bits"
            raise table.error(f"expected bounds of at most {expected}, so that the values can be listed", name)
    return Input(name, InputKind.INTEGER, low.expr, high.expr)


def _parameters(table: Table, taken: set[str], overrides: Mapping[str, str]) -> tuple[Parameter, ...]:
    _bounded(table)
    unset = {name: _parameter(table, name, taken) for name in table.data}
    domains = Scope({name: parameter.type for name, parameter in unset.items()})
    declared = []
    for name, parameter in unset.items():
        inner = table.table(name)
        domain = _expression(inner, "domain", domains, Type.BOOLEAN) if "domain" in inner.data else None
        declared.append(
            Parameter(
                name,
                parameter.about,
                parameter.type,
                parameter.value,
                parameter.default,
                domain.expr if domain else None,
                domain.text if domain else "",
                parameter.minimum,
            )
        )
    return checked_parameters(tuple(declared), overrides, table)


def _parameter(table: Table, name: str, taken: set[str]) -> Parameter:
    _identifier(table, name)
    if name in taken:
        raise table.error(f"the name '{name}' is already that of an input", name)
    inner = table.table(name)
    inner.only(PARAMETER)
    type_text = inner.text("type", "real")
    if type_text not in ("real", "integer"):
        raise inner.error(f'expected "real" or "integer", found "{type_text[:40]}"', "type")
    kind = Type.INTEGER if type_text == "integer" else Type.REAL
    default = rational(inner.text("default"), kind, lambda message: inner.error(message, "default"))
    minimum = None
    if "minimum" in inner.data:
        minimum = rational(inner.text("minimum"), kind, lambda message: inner.error(message, "minimum"))
    return Parameter(name, inner.prose("about", ""), kind, default, default, minimum=minimum)


def _head(table: Table, scopes: _Scopes) -> Head:
    table.only(HEAD)
    argmax = table.text("select").strip() == "argmax"
    if argmax and "gap" not in table.data:
        raise table.error("an argmax selection needs a field 'gap': the least difference to the other scores")
    for key in ("gap", "score"):
        if not argmax and key in table.data:
            raise table.error(f"'{key}' goes with select = \"argmax\" only", key)
    output = table.text("output", "value").strip()
    if output not in ("value", "not value"):
        raise table.error(f'expected "value" or "not value", found "{output[:40]}"', "output")
    return Head(
        mask=_choice(table, "mask", Mask),
        tie=_choice(table, "tie", Tie),
        select=None if argmax else _expression(table, "select", scopes.pair, Type.BOOLEAN),
        score=_expression(table, "score", scopes.pair, Type.REAL) if "score" in table.data else None,
        gap=_expression(table, "gap", scopes.length, Type.REAL) if argmax else None,
        value=_expression(table, "value", scopes.key, None),
        default=(
            _expression(table, "default", scopes.length, None)
            if "default" in table.data
            else Text(build.ZERO, Type.INTEGER, "0")
        ),
        negated=output == "not value",
        bos=table.flag("bos"),
    )


def _simulations(table: Table, head: Head, scopes: _Scopes) -> tuple[Simulation, ...]:
    _bounded(table)
    if not table.data:
        raise table.error("expected at least one table [simulations.NAME]")
    scope = scopes.scored if head.select is not None else scopes.pair
    found = []
    for name in table.data:
        if not NAME.match(name) or len(name) > LONGEST_NAME:
            raise table.error("expected a name of lower-case letters, digits and hyphens", name[:80])
        if name == "all":
            raise table.error("the name 'all' means every simulation; choose another", name)
        inner = table.table(name)
        inner.only(SIMULATION)
        found.append(
            Simulation(
                name,
                _expression(inner, "score", scope, Type.REAL),
                _expression(inner, "temperature", scopes.length, Type.REAL),
                inner.flag("divide_by_sqrt_key_dimension"),
                _expression(inner, "score_error", scopes.length, Type.REAL) if "score_error" in inner.data else None,
            )
        )
    return tuple(found)


def _claim(table: Table, inputs: tuple[Input, ...], scopes: _Scopes) -> Claim:
    table.only(CLAIM)
    error = _expression(table, "error", scopes.length, Type.REAL)
    if "computes" not in table.data:
        return Claim(error, None)
    text = table.text("computes")
    return Claim(error, _computes(table, text, inputs, scopes), " ".join(text.split()))


def _computes(table: Table, text: str, inputs: tuple[Input, ...], scopes: _Scopes) -> Formula | Text:
    """A formula of temporal logic, or an expression at the query; the text that gets further tells which was meant."""
    booleans = [given.name for given in inputs if given.kind is InputKind.BOOLEAN]
    try:
        return parse_formula(text, booleans)
    except FormulaError as formula_error:
        try:
            return _expression(table, "computes", scopes.query, None)
        except SpecError as expression_error:
            if (expression_error.position or 0) > formula_error.position:
                raise
            raise SpecError(
                formula_error.message, file=table.source.file, line=table.source.line(table.field("computes")),
                field=table.field("computes"), text=text, position=formula_error.position,
            ) from None  # fmt: skip


def _expression(table: Table, key: str, scope: Scope, wanted: Type | None) -> Text:
    return _parsed(table, key, table.text(key), scope, wanted)


def _parsed(table: Table, key: str, text: str, scope: Scope, wanted: Type | None) -> Text:
    """Parse an expression and demand a type: a Boolean, an integer, any number (REAL) or anything (None)."""
    place = {
        "file": table.source.file,
        "line": table.source.line(table.field(key)),
        "field": table.field(key),
    }
    try:
        typed = parse(text, scope)
    except SpecError as error:
        raise error.located(**place) from None  # type: ignore[arg-type]
    if wanted is not None and typed.type != wanted and (wanted, typed.type) != (Type.REAL, Type.INTEGER):
        hint = " (write [P] for the number 1 if P, else 0)" if typed.type is Type.BOOLEAN else ""
        raise SpecError(
            f"expected {described(wanted)}, found {described(typed.type)}{hint}",
            text=text,
            position=0,
            **place,  # type: ignore[arg-type]
        )
    return Text(typed.expr, typed.type, " ".join(text.split()))


def _choice(table: Table, key: str, kind: type[E_]) -> E_:
    text = " ".join(table.text(key).split())
    try:
        return kind(text)
    except ValueError:
        choices = ", ".join(f'"{choice.value}"' for choice in kind)
        raise table.error(f'expected one of {choices}, found "{text[:40]}"', key) from None


def _identifier(table: Table, name: str) -> None:
    if not IDENTIFIER.match(name) or len(name) > 40:
        raise table.error("expected a name made of letters, digits and underscores", name[:80])
    if name in RESERVED:
        raise table.error(f"the name '{name}' is reserved; choose another", name)


def _bounded(table: Table) -> None:
    if len(table.data) > MOST_ENTRIES:
        raise table.error(f"expected at most {MOST_ENTRIES} entries, found {len(table.data)}")
