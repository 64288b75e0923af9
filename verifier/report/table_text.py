"""The table of what constructions compute, need and achieve, for a reader and as a JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verifier.report.layout import rendered, table
from verifier.report.look import Look, words
from verifier.report.numbers import decimal

if TYPE_CHECKING:
    from verifier.tabulate import TableRow

HEADS = ("construction", "route", "computes", "position features", "d_key", "1/τ", "bound", "supremum", "ratio", "for")


def table_text(look: Look, rows: Sequence[TableRow]) -> str:
    """The rows as a table; a construction's name stands at its first route only."""
    lines = []
    last = ""
    for row in rows:
        needs = row.needs
        features = "; ".join(f"{text} ({growth})" for text, growth in needs.features)
        lines.append(
            [
                words(look, row.construction if row.construction != last else "", "bold"),
                words(look, row.simulation),
                words(look, row.computes if row.construction != last else ""),
                words(look, needs.fault or features or "none"),
                words(look, str(needs.key_dimension) if not needs.fault else "-"),
                words(look, needs.temperature),
                words(look, decimal(row.bound, 5)),
                words(look, decimal(row.supremum, 5)),
                words(look, "-" if row.ratio is None else f"{row.ratio:.4f}"),
                words(look, "every n" if row.every_n else "not proved"),
            ]
        )
        last = row.construction
    return rendered(look, [table(look, HEADS, lines, right=("d_key", "bound", "supremum", "ratio"), light=True)])


def table_document(rows: Sequence[TableRow], n: int) -> dict[str, object]:
    """The rows as a JSON document."""
    return {
        "n": n,
        "rows": [
            {
                "construction": row.construction,
                "simulation": row.simulation,
                "computes": row.computes,
                "key_dimension": row.needs.key_dimension,
                "position_features": [{"feature": text, "growth": growth} for text, growth in row.needs.features],
                "position_embedding_growth": row.needs.embedding,
                "inverse_temperature_growth": row.needs.temperature,
                "realizability_fault": row.needs.fault,
                "scope": "every n" if row.every_n else "",
                "bound": row.bound,
                "supremum": row.supremum,
                "ratio": row.ratio,
            }
            for row in rows
        ],
    }
