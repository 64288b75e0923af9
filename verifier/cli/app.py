"""The commands of `verify`, put together."""

from __future__ import annotations

from typing import Annotated

import typer

from verifier import __version__
from verifier.cli import (
    certify,
    checking,
    exit_codes,
    export,
    formula,
    library,
    new,
    output,
    precision,
    running,
    tables,
)

app = typer.Typer(
    name="verify",
    help="Check constructions in which softmax attention simulates hard attention, for every length n.",
    epilog=exit_codes.table(),
    # Plain help: the ruled one costs 0.1 s of imports at every start.
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(asked: bool) -> None:
    if asked:
        output.emit(f"verify {__version__}\n")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    pass


app.command("construction", epilog=exit_codes.table())(checking.construction)
app.command("all", epilog=exit_codes.table())(checking.everything)
app.command("audit", epilog=exit_codes.table())(checking.audit)
app.command("new")(new.new)
app.command("list")(library.listing)
app.command("show")(library.show)
app.command("run")(running.run)
app.command("replay", epilog=exit_codes.table())(running.replay)
app.command("table")(tables.table)
app.command("formula", epilog=exit_codes.table())(formula.formula)
app.command("export")(export.export)
app.command("precision")(precision.precision)
app.command("certify", epilog=exit_codes.table())(certify.certify)
app.command("recheck", epilog=exit_codes.table())(certify.recheck)
