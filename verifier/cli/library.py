"""The commands that show what the library holds."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from verifier.cli import options, output
from verifier.cli.jobs import Job, load
from verifier.spec import library

ShowFormat = Annotated[
    str, typer.Option("--format", metavar="text|latex", help="For a terminal, or for a paper.")
]


def listing(format_: options.Format = "text") -> int:
    """List the constructions of the library, and what they need of a transformer."""
    as_json = options.choice("--format", format_, ("text", "json")) == "json"
    constructions = [load(_job(name)) for name in library.names()]
    from verifier.symbolic.needs import needs

    needed = {(one.name, given.name): needs(one, given) for one in constructions for given in one.simulations}
    if as_json:
        from verifier.report.json_report import dumps, library_document

        output.emit(dumps(library_document(constructions, needed)))
    else:
        from verifier.report.look import look_of
        from verifier.report.summary_text import library_text

        output.emit(library_text(look_of(sys.stdout), constructions, needed))
    return 0


def show(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A construction of the library; `verify list` shows them.")
    ],
    *,
    simulation: options.SimulationName = "all",
    param: options.Params = None,
    format_: ShowFormat = "text",
) -> int:
    """Show the symbolic weights and bounds of a construction."""
    options.choice("--format", format_, ("text", "latex"))
    wanted = None if simulation == "all" else simulation
    parameters = options.assignments("--param", param or [])
    job = _job(name)
    construction = load(replace(job, asked=replace(job.asked, parameters=parameters, simulation=wanted)))
    from verifier.report.look import look_of, words
    from verifier.report.show import show as symbolic

    look = look_of(sys.stdout)
    lines = symbolic(construction, wanted, format_).splitlines()
    output.emit("".join(f"{words(look, line).plain}\n" for line in lines))
    return 0


def _job(name: str) -> Job:
    """The construction of this name with its defaults."""
    return Job(library.find(name), library.shown(name), options.request())
