"""Re-executing a witness: its construction, parameters and string are in the JSON object itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.prove.witness import confirm
from verifier.spec.construction import Construction, Input, InputKind
from verifier.spec.errors import SpecError
from verifier.spec.loader import construct
from verifier.spec.source import decode
from verifier.symbolic.factor import key_dimension
from verifier.verdict import Witness

LARGEST_FILE = 50_000_000
LARGEST_N = 1_000_000
NEEDED = ("construction_text", "parameters", "simulation", "n", "query", "inputs")


@dataclass(frozen=True)
class Replay:
    """A witness from a file: what it is about, and what re-execution in ball arithmetic gives, None if the claim holds
    at this query after all."""

    construction: Construction
    simulation: str
    n: int
    query: int
    witness: Witness | None


def replays(raw: bytes, file: str) -> list[Replay]:
    """Re-execute every witness in a JSON file: one object, or a whole report.

    Raises:
        SpecError: the file is no such JSON, or a witness in it is malformed.
    """
    if len(raw) > LARGEST_FILE:
        raise SpecError(f"expected at most {LARGEST_FILE} bytes", file=file)
    try:
        document = json.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise SpecError(f"expected JSON: {type(error).__name__}", file=file) from None
    found = list(_witnesses(document))
    if not found:
        raise SpecError(f"expected a witness object with the keys {', '.join(NEEDED)}, found none", file=file)
    return [_replay(one, file) for one in found]


def _witnesses(document: Any) -> Iterator[Mapping[str, Any]]:
    """Every witness in the document, in order; an explicit stack, since nesting is the file's."""
    stack = [document]
    while stack:
        node = stack.pop()
        if isinstance(node, dict) and "construction_text" in node:
            yield node
        elif isinstance(node, dict):
            stack.extend(reversed(list(node.values())))
        elif isinstance(node, list):
            stack.extend(reversed(node))


def _replay(found: Mapping[str, Any], file: str) -> Replay:
    for key in NEEDED:
        if key not in found:
            raise SpecError(f"the witness lacks the key '{key}'", file=file)
    text, parameters = found["construction_text"], found["parameters"]
    if not isinstance(text, str) or not _is_map_of_texts(parameters):
        raise SpecError("expected a text as construction_text and texts as parameters", file=file)
    construction = construct(decode(text.encode("utf-8", "backslashreplace"), file), parameters)
    chosen = [one for one in construction.simulations if one.name == found["simulation"]]
    if not chosen:
        raise SpecError(f"the construction has no simulation {str(found['simulation'])[:40]!r}", file=file)
    n, query = (_whole(found, key, file) for key in ("n", "query"))
    if query > n:
        raise SpecError(f"expected a query of at most n = {n}, found {query}", file=file)
    inputs = {given.name: _values(construction, given, found["inputs"], n, file) for given in construction.inputs}
    dimension = key_dimension(construction, chosen[0])
    return Replay(construction, chosen[0].name, n, query, confirm(construction, chosen[0], n, query, inputs, dimension))


def _is_map_of_texts(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(inner, str) for inner in value.values())


def _whole(found: Mapping[str, Any], key: str, file: str) -> int:
    value = found[key]
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LARGEST_N:
        raise SpecError(f"expected a whole number from 1 to {LARGEST_N} as {key}", file=file)
    return value


def _values(construction: Construction, given: Input, inputs: Any, n: int, file: str) -> list[Any]:
    """The input's values, of the right shape and within its range."""
    keys = n + 1 - construction.first_key
    values = inputs.get(given.name) if isinstance(inputs, dict) else None
    if given.kind is InputKind.SCORE:
        if isinstance(values, list) and len(values) == n and all(_numbers(line, keys) for line in values):
            return values
        raise SpecError(f"expected {n} rows of {keys} numbers as the input {given.name}", file=file)
    if not _numbers(values, keys):
        raise SpecError(f"expected {keys} numbers as the input {given.name}", file=file)
    assert isinstance(values, list)
    own = values[1 - construction.first_key :]
    allowed = {InputKind.BOOLEAN: (0, 1), InputKind.REAL: (0, 1)}.get(given.kind, (-1 * 10**9, 10**9))
    whole = given.kind in (InputKind.BOOLEAN, InputKind.INTEGER)
    if not all(allowed[0] <= value <= allowed[1] and (not whole or value == int(value)) for value in own):
        raise SpecError(f"a value of the input {given.name} is out of its range", file=file)
    return values


def _numbers(values: Any, count: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == count
        and all(isinstance(value, (int, float)) and abs(value) < 10**300 for value in values)
    )
