"""The command that tries number formats."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli import options, output
from verifier.cli.formula import ROUTES
from verifier.spec import library
from verifier.spec.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from verifier.precision.subject import Subject

FORMATS = ("float16", "bfloat16", "float32", "float64")
ALL_FORMATS = ",".join(FORMATS)
LONGEST_FORMULA = 4096  # its positions all attend to each other
LONGEST = 100_000

Target = Annotated[str, typer.Argument(metavar="NAME|FORMULA", help="A construction of the library, or a formula.")]
Alphabet = Annotated[
    str | None, typer.Option("--alphabet", metavar="SYMBOLS", help="For a formula: the symbols, such as abc.")
]
Dtypes = Annotated[
    str, typer.Option("--dtype", metavar="FORMAT,...", help="float16, bfloat16, float32, float64: one or several.")
]


def precision(
    target: Target,
    *,
    alphabet: Alphabet = None,
    dtype: Dtypes = ALL_FORMATS,
    simulation: options.SimulationName = "all",
    param: options.Params = None,
    max_n: options.MaxN = "1000",
    format_: options.Format = "text",
    seed: options.Seed = "0",
) -> int:
    """Find the first n at which a number format is too coarse.

    Such as `verify precision until --dtype float16,bfloat16`, or `verify precision 'a U b' --alphabet ab`. It tries
    the worst string of exact arithmetic, structured and random ones; a failure is shown with its cause.
    """
    as_json = options.choice("--format", format_, ("text", "json")) == "json"
    formats = _formats(dtype)
    drawn = options.whole_number("--seed", seed, 0, options.LARGEST_SEED)
    is_construction = target in library.names() and alphabet is None
    longest = options.whole_number("--max-n", max_n, 1, LONGEST if is_construction else LONGEST_FORMULA)
    wanted = None if simulation == "all" else simulation
    parameters = options.assignments("--param", param or [])
    if is_construction:
        subjects = _construction(target, parameters, wanted, drawn)
    else:
        subjects = _formula(target, alphabet, parameters, wanted, drawn)
    from verifier.precision.formats import MissingFormatError
    from verifier.precision.search import survivals
    from verifier.report.progress import progress

    try:
        with progress() as shows:
            found = survivals(subjects, formats, longest, shows("precision"))
    except MissingFormatError as error:
        raise SpecError(f"--dtype: {error}") from None
    from verifier.precision.report import precision_document, precision_text

    if as_json:
        from verifier.report.json_report import dumps

        kind = "construction" if is_construction else "formula"
        output.emit(dumps(precision_document(target, kind, longest, found)))
    else:
        from verifier.report.look import look_of

        output.emit(precision_text(look_of(sys.stdout), target, longest, found))
    return 0


def _formats(text: str) -> list[str]:
    given = [part.strip() for part in text.split(",")]
    for part in given:
        options.choice("--dtype", part, FORMATS)
    return list(dict.fromkeys(given))


def _construction(
    name: str, parameters: Mapping[str, str], wanted: str | None, seed: int
) -> Mapping[str, Subject]:
    from verifier.cli.jobs import demand_simulation
    from verifier.precision.of_construction import ConstructionSubject
    from verifier.spec.loader import load_file

    loaded = load_file(library.find(name), parameters, library.shown(name))
    demand_simulation(wanted, [one.name for one in loaded.simulations], f"'{loaded.name}'")
    chosen = [one for one in loaded.simulations if wanted in (None, one.name)]
    return {one.name: ConstructionSubject(loaded, one, seed) for one in chosen}


def _formula(
    text: str, alphabet: str | None, parameters: Mapping[str, str], wanted: str | None, seed: int
) -> Mapping[str, Subject]:
    from verifier.cli.strings import formula_errors
    from verifier.compile.compiler import compile_text
    from verifier.precision.of_formula import FormulaSubject

    if alphabet is None:
        shown = text if len(text) <= 40 else f"{text[:37]}..."
        raise SpecError(f"'{shown}' is no construction of the library; for a formula, give --alphabet SYMBOLS")
    if parameters:
        raise SpecError("--param: a formula has no parameters")
    routes: Sequence[str] = ROUTES if wanted is None else [options.choice("--simulation", wanted, ROUTES)]
    with formula_errors():
        return {route: FormulaSubject(compile_text(text, alphabet, route), seed) for route in routes}
