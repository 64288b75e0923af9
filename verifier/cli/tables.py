"""The command that tabulates what constructions compute, need and achieve."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli import options, output
from verifier.cli.jobs import Job, load
from verifier.spec import library

if TYPE_CHECKING:
    from collections.abc import Callable

    from verifier.report.progress import Callback
    from verifier.tabulate import TableRow

LARGEST_TABLE_N = 100_000

AtN = Annotated[str, typer.Option("--n", metavar="N", help="Length at which bound and exact supremum are compared.")]


def table(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Constructions; without any, the whole library.")
    ] = None,
    *,
    n: AtN = "64",
    format_: options.Format = "text",
) -> int:
    """Tabulate position embedding, temperature, proved bound and exact supremum of each route."""
    as_json = options.choice("--format", format_, ("text", "json")) == "json"
    length = options.whole_number("--n", n, 1, LARGEST_TABLE_N)
    jobs = [Job(library.find(name), library.shown(name), options.request()) for name in names or library.names()]
    from verifier.report.progress import progress

    with progress() as shows:
        rows = _rows(jobs, length, shows)
    from verifier.report.json_report import dumps
    from verifier.report.look import look_of
    from verifier.report.table_text import table_document, table_text

    output.emit(dumps(table_document(rows, length)) if as_json else table_text(look_of(sys.stdout), rows))
    return 0


def _rows(jobs: list[Job], n: int, shows: Callable[[str], Callback | None]) -> list[TableRow]:
    from verifier.tabulate import table_row

    rows = []
    for at, job in enumerate(jobs):
        construction = load(job)
        tell = shows(construction.name)
        if tell is not None:
            tell("table", at, len(jobs))
        rows += [table_row(construction, one, n) for one in construction.simulations]
    return rows
