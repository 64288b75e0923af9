"""What the output can show: colour and lines on a terminal only, symbols where the encoding has them.

Everything a file says (titles, names, expressions) passes through `words`, which escapes what could disturb a
terminal and spells out what the encoding lacks.
"""

from __future__ import annotations

import os
import shutil
import unicodedata
from dataclasses import dataclass
from typing import TextIO

from rich.text import Text

from verifier.spec.errors import printable
from verifier.verdict import Verdict

# Wide enough that nothing is ever wrapped: what a pipe receives does not depend on any width.
UNBOUNDED = 1_000_000
NEEDED = "φ−≤…·─█✓✗"
SPELLED = {
    "−": "-", "–": "-", "—": "-", "…": "...", "·": "*", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->",
    "∞": "infinity", "∧": "and", "∨": "or", "¬": "not ", "∀": "for all ", "∃": "exists ", "∈": "in",
    "█": "#", "▲": "^", "✓": "+", "✗": "x",
}  # fmt: skip
STYLES = {
    Verdict.PROVED: "bold green", Verdict.BOUNDED: "bold yellow", Verdict.UNDECIDED: "bold yellow",
    Verdict.REFUTED: "bold red", Verdict.INVALID: "bold red", Verdict.FAILED: "bold red",
}  # fmt: skip
SIGNS = {Verdict.PROVED: "✓", Verdict.REFUTED: "✗", Verdict.INVALID: "✗", Verdict.FAILED: "✗"}


@dataclass(frozen=True)
class Look:
    """What the output stream can show.

    Args:
        ruled: whether tables get lines and verdicts signs, and long lines are wrapped at `width`.
        colour: whether colours and bold type are used.
        symbols: whether the encoding has mathematical symbols.
        width: of the terminal, in columns.
    """

    ruled: bool = False
    colour: bool = False
    symbols: bool = True
    width: int = UNBOUNDED


def look_of(stream: TextIO | None) -> Look:
    """The look for a stream; without a terminal it depends on the encoding alone."""
    encoding = getattr(stream, "encoding", None) or "ascii"
    try:
        NEEDED.encode(encoding)
        symbols = True
    except (UnicodeEncodeError, LookupError):
        symbols = False
    if stream is None or not stream.isatty():
        return Look(symbols=symbols)
    colour = not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    return Look(ruled=True, colour=colour, symbols=symbols, width=max(40, shutil.get_terminal_size().columns))


def words(look: Look, text: str, style: str = "") -> Text:
    """A text that is safe to print: one line, nothing that acts on a terminal, nothing the encoding lacks."""
    safe = "".join(printable(symbol) for symbol in text)
    return Text(safe if look.symbols else "".join(_spelled(symbol) for symbol in safe), style)


def _spelled(symbol: str) -> str:
    if symbol.isascii():
        return symbol
    name = unicodedata.name(symbol, "")
    if name.startswith("GREEK SMALL LETTER ") and name.count(" ") == 3:
        return name.rpartition(" ")[2].lower()
    return SPELLED.get(symbol) or symbol.encode("ascii", "backslashreplace").decode()


def verdict_words(look: Look, verdict: Verdict) -> Text:
    """A verdict in its colour, with a sign before it on a terminal."""
    sign = f"{SIGNS.get(verdict, '?')} " if look.ruled else ""
    return words(look, f"{sign}{verdict.value}", STYLES[verdict])
