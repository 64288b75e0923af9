"""The commands that run heads on strings: a string of the user's, and witnesses that were reported."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli import options, output
from verifier.cli.jobs import Job, load
from verifier.spec import library
from verifier.spec.errors import SpecError
from verifier.verdict import Verdict

if TYPE_CHECKING:
    from verifier.replay import Replay

GivenString = Annotated[
    str,
    typer.Option(
        "--string",
        metavar="'phi=0110 psi=1010'",
        help="Each input's values: digits for Booleans, numbers between commas, rows of scores between semicolons.",
    ),
]


def run(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="A construction of the library, or a .toml file.")],
    *,
    string: GivenString,
    simulation: options.SimulationName = "all",
    param: options.Params = None,
    query: Annotated[str | None, typer.Option("--query", metavar="I", help="Show this attention row only.")] = None,
    png: Annotated[str | None, typer.Option("--png", metavar="FILE", help="Draw the attention as a picture.")] = None,
    format_: options.Format = "text",
) -> int:
    """Run one string through hard and soft attention, side by side."""
    asked = options.request(simulation=simulation, params=param, format_=format_)
    is_file = name.endswith(".toml") or "/" in name
    job = Job(Path(name) if is_file else library.find(name), name if is_file else library.shown(name), asked)
    construction = load(job)
    from verifier.report.heat_map import run_document, run_text, write_png
    from verifier.report.json_report import dumps
    from verifier.report.look import look_of
    from verifier.running import parse_string, run_string

    batch = parse_string(construction, string)
    row = None if query is None else options.whole_number("--query", query, 1, batch.n)
    chosen = [one for one in construction.simulations if asked.simulation in (None, one.name)]
    if png is not None and len(chosen) > 1:
        raise SpecError("--png: draws one simulation; name it with --simulation")
    runs = [run_string(construction, one, batch) for one in chosen]
    if png is not None:
        write_png(runs[0], Path(png))
    if asked.json:
        output.emit(dumps({"runs": [run_document(one) for one in runs]}))
    else:
        output.emit("\n".join(run_text(look_of(sys.stdout), one, row) for one in runs))
    return 0


def replay(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="JSON with a witness: the object, or a whole report; - is standard input."),
    ],
    *,
    format_: options.Format = "text",
) -> int:
    """Re-execute witnesses in ball arithmetic, from the JSON alone.

    Exits with 1 if every witness is confirmed, with 3 if the claim holds at one of them after all.
    """
    as_json = options.choice("--format", format_, ("text", "json")) == "json"
    raw = read_bytes(file)
    from verifier.replay import replays
    from verifier.report.json_report import dumps

    found = replays(raw, "standard input" if file == "-" else file)
    confirmed = all(one.witness is not None for one in found)
    output.emit(dumps({"replays": [_document(one) for one in found]}) if as_json else "\n".join(map(_text, found)))
    from verifier.cli.exit_codes import exit_code

    return exit_code(Verdict.REFUTED if confirmed else Verdict.UNDECIDED)


def read_bytes(file: str) -> bytes:
    """The bytes of a file or of standard input, bounded; raises SpecError."""
    from verifier.replay import LARGEST_FILE

    if file == "-":
        return sys.stdin.buffer.read(LARGEST_FILE + 1)
    try:
        with Path(file).open("rb") as stream:
            return stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise SpecError(f"cannot be read: {reason}", file=file[:200]) from None


def _text(one: Replay) -> str:
    from verifier.report.layout import rendered
    from verifier.report.look import look_of, words
    from verifier.report.witness_text import witness_parts

    look = look_of(sys.stdout)
    title = words(look, f"{one.construction.name}, {one.simulation}", "bold")
    if one.witness is None:
        message = f"the claim holds at query {one.query} of this string of length {one.n}: no witness"
        return rendered(look, [title, words(look, message)])
    return rendered(look, [title, *witness_parts(look, one.witness, one.construction.claim.computes_text)])


def _document(one: Replay) -> dict[str, object]:
    found = one.witness
    return {
        "construction": one.construction.name,
        "simulation": one.simulation,
        "n": one.n,
        "query": one.query,
        "confirmed": found is not None,
        "kind": None if found is None else found.kind,
        "error": None if found is None else found.error,
        "claim": None if found is None else found.claim,
        "enclosure": None if found is None else found.enclosure,
    }
