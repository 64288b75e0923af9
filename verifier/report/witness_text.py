"""A witness drawn for a reader: the string, the query, its attention row, and what was claimed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import RenderableType
from rich.text import Text

from verifier.report.layout import BLANK, fields, grid, indented, joined, table
from verifier.report.look import Look, words
from verifier.report.numbers import apart, decimal, weight
from verifier.verdict import Cell, Witness

BAR = 20
MOST_KEYS = 14
PIPE_WIDTH = 96


def witness_parts(look: Look, witness: Witness, computes: str) -> list[RenderableType]:
    """The drawing.

    Args:
        look: what the output can show.
        witness: what is drawn.
        computes: the claimed value as the file writes it; empty where nothing is claimed.
    """
    return [
        _headline(look, witness),
        *indented(BLANK, *_string(look, witness), BLANK),
        *indented(
            words(look, f"attention row of query i = {witness.query}", "bold"), _row(look, witness), BLANK
        ),
        *indented(fields(look, _outcome(look, witness, computes))),
    ]


def _headline(look: Look, witness: Witness) -> Text:
    where = f" at query i = {witness.query} of this string of length n = {witness.n}"
    return joined(
        words(look, "witness: ", "bold"), words(look, _fault(witness), "bold red"), words(look, where)
    )


def _fault(witness: Witness) -> str:
    if witness.kind == "error":
        return "|soft − hard| = {} > {}".format(*apart(witness.error, witness.claim))
    if witness.kind == "unique":
        return f"{decimal(witness.error)} keys are selected"
    return f"|hard − claimed| = {decimal(witness.error)}"


def _outcome(look: Look, witness: Witness, computes: str) -> Iterator[tuple[str, Text]]:
    soft, hard = apart(witness.soft, witness.hard)
    yield "soft output", words(look, soft)
    yield "hard output", words(look, hard)
    if witness.computes is not None:
        formula = f", of {computes}" if computes else ""
        yield "claimed value", words(look, f"{decimal(witness.computes)}{formula}")
    meaning = {
        "error": ", the claimed error",
        "semantics": ": the hard head does not compute what is claimed",
        "unique": ", where the tie is said to be unique",
    }[witness.kind]
    yield "error", joined(words(look, _fault(witness), "bold red"), words(look, meaning))
    shown = witness.kind != "unique" and witness.enclosure
    yield "rigorous", words(look, f"the error lies in {witness.enclosure}" if shown else "")


def _string(look: Look, witness: Witness) -> list[RenderableType]:
    """The inputs as rows over the key positions; of a score input, the scores that the query sees."""
    lines = {_label(witness, name): _line(witness, values) for name, values in witness.inputs.items()}
    keys = range(witness.first_key, witness.n + 1)
    shown = _abridged(witness, keys, _room(look, witness, lines))
    rows = [
        [words(look, name, "bold"), *(words(look, _at(line, witness, run)) for run in shown)]
        for name, line in lines.items()
    ]
    heads = [words(look, "j"), *(words(look, str(run[0]) if len(run) == 1 else "…") for run in shown)]
    mark = [words(look, "query"), *(words(look, "▲" if run == [witness.query] else "") for run in shown)]
    return [words(look, "string", "bold"), grid(look, [heads, *rows, mark])]


def _label(witness: Witness, name: str) -> str:
    return f"{name}({witness.query},j)" if _is_score(witness.inputs[name]) else name


def _is_score(values: Sequence[object]) -> bool:
    return bool(values) and isinstance(values[0], tuple)


def _line(witness: Witness, values: Sequence[float | tuple[float, ...]]) -> Sequence[float]:
    line = values[witness.query - 1] if _is_score(values) else values
    return [value for value in line if isinstance(value, (int, float))]  # type: ignore[union-attr]


def _at(line: Sequence[float], witness: Witness, run: Sequence[int]) -> str:
    at = run[0] - witness.first_key
    return "…" if len(run) > 1 else decimal(line[at], 4) if 0 <= at < len(line) else "?"


def _room(look: Look, witness: Witness, lines: dict[str, Sequence[float]]) -> int:
    """How many columns fit."""
    widest = max(
        [len(str(witness.n)), *(len(decimal(value, 4)) for line in lines.values() for value in line[:999])]
    )
    label = max([len("query"), *map(len, lines)]) + 8
    return max(7, (min(look.width, PIPE_WIDTH) - label) // (widest + 2))


def _row(look: Look, witness: Witness) -> RenderableType:
    if not witness.row:
        return words(look, "no key is visible to this query")
    cells = {cell.key: cell for cell in witness.row}
    inputs = list(witness.row[0].inputs)
    heads = ["key", *inputs, "soft weight", " ", "hard weight", "value"]
    rows = [
        _cell(look, cells[run[0]], inputs)
        if len(run) == 1
        else _omitted(look, [cells[key] for key in run], inputs)
        for run in _abridged(witness, sorted(cells), MOST_KEYS)
    ]
    return table(look, heads, rows, right=[head for head in heads if head != " "])


def _cell(look: Look, cell: Cell, inputs: Iterable[str]) -> list[Text]:
    style = "bold" if cell.hard > 0 else ""
    known = [str(cell.key), *(decimal(cell.inputs[name], 4) for name in inputs), weight(cell.soft)]
    return [
        *(words(look, text, style) for text in known),
        _bar(look, cell.soft),
        words(look, decimal(cell.hard, 4), style),
        words(look, decimal(cell.value, 4), style),
    ]


def _bar(look: Look, share: float) -> Text:
    return words(look, "█" * round(BAR * min(1.0, max(0.0, share))), "cyan")


def _omitted(look: Look, cells: Sequence[Cell], inputs: Sequence[str]) -> list[Text]:
    """One row for a run of keys, with the weights that they have together."""
    blank = words(look, "")
    soft, hard = sum(cell.soft for cell in cells), sum(cell.hard for cell in cells)
    note = words(look, f"{len(cells)} keys together")
    return [
        words(look, "…"),
        *[blank] * len(inputs),
        words(look, weight(soft)),
        note,
        words(look, decimal(hard, 4)),
        blank,
    ]


def _abridged(witness: Witness, keys: Sequence[int], room: int) -> list[list[int]]:
    """The keys in order, each on its own; where there is no room, runs of dull ones are put together."""
    if len(keys) <= room:
        return [[key] for key in keys]
    telling = _telling(witness, keys, room)
    runs: list[list[int]] = []
    for told, group in groupby(keys, key=telling.__contains__):
        run = list(group)
        runs.extend([[key] for key in run] if told else [run])
    return runs


def _telling(witness: Witness, keys: Sequence[int], room: int) -> set[int]:
    """The ends, the query and its neighbours, and the keys of the largest weights."""
    present = set(keys)
    by_weight = sorted(witness.row, key=lambda cell: (-max(cell.soft, cell.hard), cell.key))
    heaviest = [cell.key for cell in by_weight[:room]]
    wanted = [
        keys[0],
        keys[-1],
        witness.query,
        *heaviest[: room // 3],
        witness.query - 1,
        witness.query + 1,
        *heaviest,
    ]
    # A third of the room is kept for the signs that stand for the runs between them.
    return set([key for key in dict.fromkeys(wanted) if key in present][: room * 2 // 3])
