"""Tables, fields and paragraphs: with lines on a terminal, in plain aligned columns anywhere else."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console, JustifyMethod, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from verifier.report.look import Look, words

# An empty line; a text of no characters would vanish within an indented block.
BLANK = Text(" ")
SHORT = 12


def joined(*parts: Text) -> Text:
    """The texts after one another."""
    return Text().join(parts)


def table(
    look: Look,
    heads: Sequence[str],
    rows: Iterable[Sequence[Text]],
    *,
    right: Iterable[str] = (),
    light: bool = False,
    whole: Iterable[str] = (),
) -> Table:
    """A table; columns named in `right` are right-aligned; a `light` one has a line below its head only.

    A column without any text is left out. Cells of up to `SHORT` characters, and those of columns named in
    `whole`, keep to their lines, so that only prose is wrapped on a narrow terminal.
    """
    filled = list(rows)
    boxed = look.ruled and not light
    frame = box.SIMPLE_HEAD if light else box.ROUNDED
    laid = Table(
        box=(frame if look.symbols else box.ASCII) if look.ruled else None,
        header_style="bold" if look.ruled else "",
        border_style="bright_black",
        pad_edge=boxed,
        padding=(0, 1) if boxed else (0, 1 if look.ruled else 2, 0, 0),
    )
    aligned, unwrapped = set(right), set(whole)
    kept = [at for at in range(len(heads)) if any(row[at].plain for row in filled)]
    for at in kept:
        short = heads[at] in unwrapped or max(len(row[at].plain) for row in filled) <= SHORT
        side: JustifyMethod = "right" if heads[at] in aligned else "left"
        laid.add_column(words(look, heads[at]), justify=side, overflow="fold", no_wrap=short)
    for row in filled:
        laid.add_row(*(row[at] for at in kept))
    return laid


def fields(look: Look, rows: Iterable[tuple[str, Text]]) -> Table:
    """Names and what they stand for, in two columns without lines; rows without text are left out."""
    laid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    laid.add_column(style="bright_black" if look.colour else "", no_wrap=True)
    laid.add_column(overflow="fold")
    for name, text in rows:
        if text.plain:
            laid.add_row(words(look, name), text)
    return laid


def grid(look: Look, rows: Iterable[Sequence[Text]]) -> Table:
    """Rows under one another in right-aligned columns without lines; the first column holds their names."""
    laid = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for at, row in enumerate(rows):
        if not at:
            for column in range(len(row)):
                laid.add_column(justify="right" if column else "left", no_wrap=True)
        laid.add_row(*row)
    return laid


def indented(*parts: RenderableType) -> list[RenderableType]:
    """The parts, two columns further in."""
    return [Padding(part, (0, 0, 0, 2), expand=False) for part in parts]


def rendered(look: Look, parts: Iterable[RenderableType]) -> str:
    """The parts as the text to be written, one below the other, lines without trailing blanks."""
    out = io.StringIO()
    console = Console(
        file=out, width=look.width, force_terminal=look.colour, color_system="auto" if look.colour else None,
        no_color=not look.colour, force_jupyter=False, markup=False, highlight=False, emoji=False,
        legacy_windows=False,
    )  # fmt: skip
    for part in parts:
        console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())
