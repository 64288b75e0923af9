"""Several results as one table, after the full report of each that is not proved; the library as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from verifier.report.fault import Entry, Unchecked
from verifier.report.layout import joined, rendered, table
from verifier.report.look import Look, verdict_words, words
from verifier.report.numbers import decimal, duration
from verifier.report.text_report import text_report
from verifier.verdict import Result, Verdict, worst

if TYPE_CHECKING:
    from verifier.spec.construction import Construction
    from verifier.symbolic.needs import Needs

HEADS = ("construction", "simulation", "verdict", "for", "supremum", "bound", "claim", "time")
# What a narrow terminal does without: proved means for every n, and the bound is above the supremum.
DISPENSABLE = ("for", "supremum")
WIDE = 100
NARROWEST = 76


def summary_text(look: Look, entries: Sequence[Entry], skipped: Sequence[str] = ()) -> str:
    """The report on several constructions.

    Args:
        look: what the output can show.
        entries: the results, and the faults of what could not be checked.
        skipped: the names of constructions that were left out since they lack what was asked for.
    """
    details = [
        f"{text_report(look, one)}\n"
        for one in entries
        if isinstance(one, Result) and one.verdict is not Verdict.PROVED
    ]
    return "".join([*details, rendered(look, _summary(look, entries, skipped))])


def _summary(look: Look, entries: Sequence[Entry], skipped: Sequence[str]) -> Iterator[RenderableType]:
    rows = [row for entry in entries for row in _rows(look, entry)]
    kept = [at for at, head in enumerate(HEADS) if look.width >= WIDE or head not in DISPENSABLE]
    yield table(
        look,
        [HEADS[at] for at in kept],
        [[row[at] for at in kept] for row in rows],
        right=["supremum", "bound", "claim", "time"],
        light=True,
    )
    for entry in entries:
        if isinstance(entry, Unchecked):
            yield Text()
            yield joined(words(look, f"{entry.name}: ", "bold"), words(look, entry.fault.message))
    if skipped:
        yield Text()
        yield words(look, f"left out, without the simulation asked for: {', '.join(skipped)}")
    yield Text()
    counts = Counter(entry.verdict for entry in entries)
    tally = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    total = f"{len(entries)} construction{'' if len(entries) == 1 else 's'}: {tally}"
    yield joined(verdict_words(look, worst([entry.verdict for entry in entries])), words(look, f"  {total}"))


def _rows(look: Look, entry: Entry) -> Iterator[list[Text]]:
    blank = words(look, "")
    if isinstance(entry, Unchecked) or not entry.simulations:
        name = entry.name if isinstance(entry, Unchecked) else entry.construction
        yield [words(look, name), blank, verdict_words(look, entry.verdict), *[blank] * 5]
        return
    for at, one in enumerate(entry.simulations):
        first = at == 0
        yield [
            words(look, entry.construction if first else "", "bold"),
            words(look, one.name),
            verdict_words(look, one.verdict),
            words(look, one.scope),
            words(look, decimal(one.supremum_at_max_n, 4)),
            words(look, decimal(one.bound_at_max_n, 4)),
            words(look, entry.claim_error if first else ""),
            words(look, duration(entry.seconds) if first else ""),
        ]


def library_text(look: Look, constructions: Sequence[Construction], needs: Mapping[tuple[str, str], Needs]) -> str:
    """The constructions there are, and what each simulation needs of a transformer.

    Args:
        look: what the output can show.
        constructions: in the order in which they are listed.
        needs: by the names of construction and simulation.
    """
    wide = look.width >= WIDE
    rows = []
    for one in constructions:
        for at, simulation in enumerate(one.simulations):
            found = needs[one.name, simulation.name]
            features = ", ".join(text for text, _ in found.features)
            rows.append(
                [
                    words(look, one.name if not at else "", "bold"),
                    words(look, one.title if not at else ""),
                    words(look, simulation.name),
                    words(look, found.fault or (f"{found.embedding}: {features}" if features else "none")),
                    words(look, "-" if found.fault else str(found.key_dimension)),
                    words(look, found.temperature),
                    words(look, f"≤ {one.claim.error.text}" if not at else ""),
                ]
            )
    heads = ["name", "computes", "simulation", "position embedding", "d_key", "1/τ", "error"]
    kept = [at for at, head in enumerate(heads) if wide or head not in ("computes", "error")]
    shown = [[row[at] for at in kept] for row in rows]
    whole = ["name", "simulation"] if look.width >= NARROWEST else []
    return rendered(look, [table(look, [heads[at] for at in kept], shown, light=True, whole=whole)])
