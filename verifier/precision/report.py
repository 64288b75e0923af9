"""Survival in number formats as JSON and as text, routes side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from verifier.precision.search import Survival
from verifier.report.layout import indented, joined, rendered, table
from verifier.report.look import Look, words
from verifier.report.numbers import decimal

MOST_SHOWN = 60


def precision_document(target: str, kind: str, max_n: int, survivals: Sequence[Survival]) -> dict[str, Any]:
    """The JSON document (docs/precision.md explains the keys)."""
    return {
        "target": target,
        "kind": kind,
        "max_n": max_n,
        "results": [_result(one) for one in survivals],
        "survives_longer": {name: longest(survivals, name) for name in _formats(survivals)},
    }


def _result(one: Survival) -> dict[str, Any]:
    document: dict[str, Any] = {
        "simulation": one.subject, "dtype": one.format, "first_wrong_n": one.first_wrong, "lengths_tried": one.lengths,
        "failure": None,
    }  # fmt: skip
    if one.failure is not None and one.explanation is not None:
        string = one.failure.string
        document["failure"] = {
            "string": string if isinstance(string, str) else {name: list(row) for name, row in string.items()},
            "position": one.failure.position,
            "output": one.failure.output,
            "expected": one.failure.expected,
            "head": one.failure.head,
            "cause": one.explanation.cause.value,
            "detail": one.explanation.detail,
        }
    return document


def _formats(survivals: Sequence[Survival]) -> list[str]:
    return list(dict.fromkeys(one.format for one in survivals))


def longest(survivals: Sequence[Survival], format_: str) -> str | None:
    """Which simulation survives longest in a format; None where no single one does."""
    found = {one.subject: one.first_wrong for one in survivals if one.format == format_}
    unbroken = [name for name, first in found.items() if first is None]
    if len(found) < 2 or len(unbroken) > 1:
        return None
    if unbroken:
        return unbroken[0]
    best = max(first for first in found.values() if first is not None)
    names = [name for name, first in found.items() if first == best]
    return names[0] if len(names) == 1 else None


def precision_text(look: Look, target: str, max_n: int, survivals: Sequence[Survival]) -> str:
    """The report for a reader."""
    return rendered(look, _parts(look, target, max_n, survivals))


def _parts(look: Look, target: str, max_n: int, survivals: Sequence[Survival]) -> Iterator[RenderableType]:
    yield joined(words(look, target, "bold"), words(look, f": the first n, up to {max_n}, at which an output is wrong"))
    yield Text()
    names = list(dict.fromkeys(one.subject for one in survivals))
    by_place = {(one.format, one.subject): one for one in survivals}
    rows = [_row(look, format_, names, by_place, longest(survivals, format_)) for format_ in _formats(survivals)]
    yield from indented(table(look, ["format", *names, "survives longer"], rows, right=names))
    for one in survivals:
        if one.failure is not None:
            yield Text()
            yield from _failure(look, one)


def _row(
    look: Look, format_: str, names: Sequence[str], found: Mapping[tuple[str, str], Survival], best: str | None
) -> list[Text]:
    firsts = [found[format_, name].first_wrong for name in names]
    cells = [words(look, "none" if first is None else str(first)) for first in firsts]
    return [words(look, format_), *cells, words(look, best or "")]


def _failure(look: Look, one: Survival) -> Iterator[RenderableType]:
    assert one.failure is not None and one.explanation is not None
    failure = one.failure
    head = f"{one.format}, {one.subject}: n = {failure.n}, position {failure.position}: {decimal(failure.output)}"
    yield words(look, f"{head} instead of {decimal(failure.expected)}", "bold")
    cause = f"{one.explanation.cause.value}, in {failure.head}: {one.explanation.detail}"
    yield from indented(words(look, cause))
    string = failure.string
    shown = {"string": string} if isinstance(string, str) else {name: _digits(row) for name, row in string.items()}
    for name, text in shown.items():
        cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}... ({len(text)} symbols)"
        yield from indented(words(look, f"{name}  {cut}"))


def _digits(row: tuple[float, ...]) -> str:
    if set(row) <= {0.0, 1.0}:
        return "".join("1" if value else "0" for value in row)
    return " ".join(decimal(value, 4) for value in row)
