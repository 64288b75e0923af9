"""The command that compiles a formula, proves its transformer and runs it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli import options, output

if TYPE_CHECKING:
    from verifier.compile.result import FormulaResult

ROUTES = ("temperature", "position-embedding")

Formula = Annotated[str, typer.Argument(metavar="FORMULA", help="A temporal formula (docs/formulas.md).")]
Alphabet = Annotated[
    str, typer.Option("--alphabet", metavar="SYMBOLS", help="The symbols that strings consist of, such as abc.")
]
Route = Annotated[
    str,
    typer.Option("--route", metavar="|".join(ROUTES), help="Sharp by the temperature, or by position features."),
]
Strings = Annotated[
    list[str] | None, typer.Option("--string", metavar="STRING", help="A string to run; may be repeated.")
]
StringsFile = Annotated[
    str | None,
    typer.Option("--strings", metavar="FILE", help="Strings to run, one a line; - is standard input."),
]


def formula(
    text: Formula,
    *,
    alphabet: Alphabet,
    route: Route = "temperature",
    string: Strings = None,
    strings: StringsFile = None,
    max_n: options.MaxN = "1000",
    format_: options.Format = "text",
    accept: options.Accept = None,
    seed: options.Seed = "0",
) -> int:
    """Compile a formula to a softmax transformer, prove and run it.

    Such as `verify formula 'G (a -> (b U c))' --alphabet abc --string abca`.
    """
    from verifier.cli.strings import formula_errors
    from verifier.cli.strings import strings as read_strings

    asked = options.request(max_n=max_n, format_=format_, accept=accept, seed=seed)
    options.choice("--route", route, ROUTES)
    given = read_strings(string or [], strings, alphabet)
    from verifier.compile.check import check_formula
    from verifier.report.progress import progress

    with progress() as shows, formula_errors():
        result = check_formula(
            text, alphabet, route=route, strings=given, max_n=asked.max_n, seed=asked.seed, progress=shows("formula")
        )
    output.emit(_report(result, as_json=asked.json))
    return asked.exit_code(result.verdict)


def _report(result: FormulaResult, *, as_json: bool) -> str:
    from verifier.compile.report import formula_document, formula_text

    if as_json:
        from verifier.report.json_report import dumps

        return dumps(formula_document(result))
    from verifier.report.look import look_of

    return formula_text(look_of(sys.stdout), result)
