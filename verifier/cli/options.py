"""The options that commands share, and their values checked with messages of our own."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from verifier.cli.exit_codes import exit_code
from verifier.spec.errors import SpecError
from verifier.verdict import Verdict

LARGEST_N = 1_000_000
LARGEST_SEED = 2**32 - 1

MaxN = Annotated[
    str,
    typer.Option(
        "--max-n", metavar="N", help="Greatest length at which numbers are computed; the proof has none."
    ),
]
SimulationName = Annotated[
    str, typer.Option("--simulation", metavar="NAME", help="One simulation, or all of them.")
]
Params = Annotated[
    list[str] | None,
    typer.Option("--param", metavar="NAME=VALUE", help="Set a parameter, such as c=3 or c=7/5."),
]
Format = Annotated[
    str, typer.Option("--format", metavar="text|json", help="For a reader, or one JSON document.")
]
Accept = Annotated[
    str | None,
    typer.Option("--accept", metavar="bounded", help="Exit with 0 also where the verdict is bounded."),
]
Seed = Annotated[
    str, typer.Option("--seed", metavar="N", help="Seed of the random strings of the cross-check.")
]


Solver = Annotated[
    str, typer.Option("--solver", metavar="z3|cvc5|both", help="Which solvers decide; with both, each alone.")
]


@dataclass(frozen=True)
class Request:
    """What a checking command was asked for; `simulation` is None for all of them."""

    max_n: int
    simulation: str | None
    parameters: Mapping[str, str]
    json: bool
    accept_bounded: bool
    seed: int
    solver: str = "z3"

    def exit_code(self, verdict: Verdict) -> int:
        """The exit code for a verdict, as this request wants it."""
        return exit_code(verdict, accept_bounded=self.accept_bounded)


def request(
    *,
    max_n: str = "1000",
    simulation: str = "all",
    params: Sequence[str] | None = None,
    format_: str = "text",
    accept: str | None = None,
    seed: str = "0",
    solver: str = "z3",
) -> Request:
    """The options of a checking command, checked.

    Raises:
        SpecError: names the option, what it expects, and what was found.
    """
    if accept is not None:
        choice("--accept", accept, ("bounded",))
    return Request(
        max_n=whole_number("--max-n", max_n, 1, LARGEST_N),
        simulation=None if simulation == "all" else simulation,
        parameters=assignments("--param", params or []),
        json=choice("--format", format_, ("text", "json")) == "json",
        accept_bounded=accept is not None,
        seed=whole_number("--seed", seed, 0, LARGEST_SEED),
        solver=choice("--solver", solver, ("z3", "cvc5", "both")),
    )


def whole_number(option: str, text: str, low: int, high: int) -> int:
    """A number written in decimal digits, within its bounds; raises SpecError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 20 and low <= int(text) <= high):
        raise SpecError(f"{option}: expected a whole number from {low} to {high}, found '{text[:40]}'")
    return int(text)


def choice(option: str, text: str, choices: Sequence[str]) -> str:
    """One of the choices; raises SpecError."""
    if text not in choices:
        close = difflib.get_close_matches(text[:80], choices, n=1)
        hint = f"; did you mean '{close[0]}'?" if close and len(choices) > 1 else ""
        raise SpecError(f"{option}: expected {' or '.join(choices)}, found '{text[:40]}'{hint}")
    return text


def assignments(option: str, texts: Sequence[str]) -> dict[str, str]:
    """The values by name of texts such as ``c=3``; raises SpecError."""
    values: dict[str, str] = {}
    for text in texts:
        name, _, value = (part.strip() for part in text.partition("="))
        if not name or not value:
            raise SpecError(f"{option}: expected NAME=VALUE, such as c=3, found '{text[:40]}'")
        if name in values:
            raise SpecError(f"{option}: the parameter '{name[:40]}' is given twice")
        values[name] = value
    return values
