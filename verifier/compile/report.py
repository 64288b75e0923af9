"""A formula's result as JSON and as text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from verifier.compile.result import FormulaResult, StringResult
from verifier.report.layout import fields, indented, joined, rendered, table
from verifier.report.look import Look, verdict_words, words
from verifier.report.numbers import counted, decimal, duration
from verifier.report.text_report import phrase
from verifier.verdict import ObligationResult, Verdict

MOST_SHOWN = 64  # positions of a string in the text report


def formula_document(result: FormulaResult) -> dict[str, Any]:
    """The JSON document of one formula (docs/formulas.md explains the keys)."""
    size = asdict(result.size)
    size["position_features"] = [{"name": name, "growth": rate} for name, rate in result.size.position_features]
    return {
        "formula": result.formula,
        "alphabet": result.alphabet,
        "route": result.route,
        "verdict": result.verdict.value,
        "reason": result.reason,
        "scope": result.scope,
        "trust": result.trust.value,
        **size,
        "constructions": [
            {
                "construction": head.construction,
                "operator": head.operator,
                "simulation": head.simulation,
                "temperature": head.temperature,
                "verdict": (Verdict.PROVED if head.every_n else Verdict.UNDECIDED).value,
                "holds_to": head.holds_to,
                "obligations": [_obligation(one) for one in head.obligations],
                "seconds": head.seconds,
            }
            for head in result.heads
        ],
        "obligations": [_obligation(one) for one in result.obligations],
        "cross_check": asdict(result.check),
        "strings": [_string(one) for one in result.strings],
        "accepts_at": result.accepts_at,
        "max_n": result.max_n,
        "seconds": result.seconds,
        "versions": dict(result.versions),
    }


def _obligation(one: ObligationResult) -> dict[str, Any]:
    return {
        "name": one.name, "statement": one.statement, "verdict": one.verdict.value, "by": one.by,
        "seconds": one.seconds, "detail": one.detail,
    }  # fmt: skip


def _string(one: StringResult) -> dict[str, Any]:
    return {
        "string": one.string, "soft": list(one.soft), "hard": list(one.hard), "values": list(one.values),
        "accepted": one.accepted, "differences": list(one.differences),
    }  # fmt: skip


def formula_text(look: Look, result: FormulaResult) -> str:
    """The report for a reader."""
    return rendered(look, _parts(look, result))


def _parts(look: Look, result: FormulaResult) -> Iterator[RenderableType]:
    yield joined(words(look, result.formula, "bold"), words(look, ": "), phrase(look, result.verdict, [result.scope]))
    if result.reason:
        yield words(look, result.reason)
    yield Text()
    yield from indented(fields(look, _size(look, result)))
    yield Text()
    yield from indented(_obligations(look, result))
    for one in result.strings:
        yield Text()
        yield from indented(*_shown(look, one))
    yield Text()
    yield fields(look, _foundation(look, result))


def _size(look: Look, result: FormulaResult) -> Iterator[tuple[str, Text]]:
    size = result.size
    layers = f"{counted(size.depth, 'attention layer', 'attention layers')}, {size.feed_forward_layers} feed-forward"
    yield "route", words(look, result.route)
    yield "depth", words(look, layers)
    yield "width", words(look, str(size.width))
    yield "heads", words(look, f"{size.heads}, d_key {size.d_key}" if size.heads else "0")
    features = ", ".join(f"{name} ({rate})" for name, rate in size.position_features)
    yield "position features", words(look, features or "none")
    yield "temperature", words(look, ", ".join(size.temperatures) or "none")
    yield "parameters", words(look, f"{size.parameters:,}")


def _obligations(look: Look, result: FormulaResult) -> RenderableType:
    rows = [
        [
            words(look, f"head: {head.construction}"),
            verdict_words(look, Verdict.PROVED if head.every_n else Verdict.UNDECIDED),
            words(look, ", ".join(dict.fromkeys(one.by for one in head.obligations if one.by))),
            words(look, duration(head.seconds)),
            words(look, f"{len(head.obligations)} obligations, error at most 1/4"),
        ]
        for head in result.heads
    ]
    rows += [
        [
            words(look, one.name), verdict_words(look, one.verdict), words(look, one.by),
            words(look, duration(one.seconds)), words(look, one.detail or one.statement),
        ]
        for one in result.obligations
    ]  # fmt: skip
    return table(look, ["obligation", "verdict", "by", "time", "detail"], rows, right=["time"])


def _shown(look: Look, one: StringResult) -> Iterator[RenderableType]:
    """The string above its values, one column per position; of a long string the beginning."""
    cut = "" if len(one.string) <= MOST_SHOWN else f" ... ({len(one.string)} positions)"
    rows = [("string", one.string[:MOST_SHOWN])]
    rows += [(name, _bits(row)) for name, row in (("soft", one.soft), ("hard", one.hard), ("semantics", one.values))]
    yield fields(look, [(name, words(look, text + cut)) for name, text in rows])
    yield words(look, "accepted" if one.accepted else "not accepted")
    if one.differences:
        places = ", ".join(map(str, one.differences[:10]))
        count = counted(len(one.differences), "position", "positions")
        yield words(look, f"THEY DIFFER at {count}: {places}", "bold red")


def _bits(row: tuple[bool, ...]) -> str:
    return "".join("1" if value else "0" for value in row[:MOST_SHOWN])


def _foundation(look: Look, result: FormulaResult) -> Iterator[tuple[str, Text]]:
    check = result.check
    every = f"every one up to n = {check.exhaustive_to}, " if check.exhaustive_to else ""
    yield "cross-check", words(
        look, f"{counted(check.strings, 'string', 'strings')}: {every}the longest n = {check.longest}"
    )
    yield "", words(look, f"largest error of a head {decimal(check.largest_error)}, {check.differences} differences")
    versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    yield "trust", words(look, f"{result.trust.value} ({versions})")
    yield "time", words(look, duration(result.seconds))
