"""What is wrong with a formula or a string, at which place, in text that can always be printed."""

from __future__ import annotations

import unicodedata

WINDOW = 60


class FormulaError(ValueError):
    """A formula's text cannot be read.

    Args:
        message: what was expected and what was found, one sentence without the place.
        text: the whole text of the formula.
        position: 0-based offset into `text` at which the fault was noticed; `len(text)` at most.
        expected: what could have stood there, in words; empty when the fault is not one of grammar.

    Attributes:
        line, column: the same place, both counted from 1.
    """

    def __init__(self, message: str, text: str, position: int, expected: tuple[str, ...] = ()) -> None:
        # All arguments are passed on, since an exception is pickled by them.
        super().__init__(message, text, position, expected)
        self.message = message
        self.text = text
        self.position = position
        self.expected = expected
        self.line, self.column = line_and_column(text, position)

    def __str__(self) -> str:
        return f"{place(self.text, self.position)}: {self.message}"

    def excerpt(self) -> str:
        """The text around the place, escaped where it is not printable ASCII, and below it a caret."""
        return excerpt(self.text, self.position)


class WordError(ValueError):
    """A string, or a batch of strings, is not one over the alphabet.

    Args:
        message: what is wrong, one sentence that names symbol and place.
        word: the offending string, or None when the fault lies in the alphabet or in the batch.
        position: 0-based offset of the offending symbol, or None when no single symbol is at fault.
    """

    def __init__(self, message: str, word: str | None = None, position: int | None = None) -> None:
        super().__init__(message, word, position)
        self.message = message
        self.word = word
        self.position = position

    def __str__(self) -> str:
        return self.message

    def excerpt(self) -> str | None:
        """The string with a caret below the offending symbol; None when there is no such symbol."""
        return None if self.word is None or self.position is None else excerpt(self.word, self.position)


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """The line and, in it, the column of a 0-based offset, both counted from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)


def place(text: str, position: int) -> str:
    """The place in words; the line is named only if it is not the first."""
    line, column = line_and_column(text, position)
    return f"line {line}, column {column}" if line > 1 else f"column {column}"


def excerpt(text: str, position: int) -> str:
    """A window of the text and, on a second line, a caret below the place.

    Everything but printable ASCII is escaped: the lines can be printed in any encoding, and the caret stands
    where it should whatever the width of the symbols.
    """
    start = max(0, min(position - WINDOW // 2, len(text) - WINDOW))
    end = start + WINDOW
    before = ("..." if start else "") + "".join(map(printable, text[start:position]))
    after = "".join(map(printable, text[position:end])) + ("..." if end < len(text) else "")
    return f"{before}{after}\n{' ' * len(before)}^"


def printable(symbol: str) -> str:
    """The symbol itself if it is printable ASCII, else its escape."""
    return symbol if " " <= symbol <= "~" else ascii(symbol)[1:-1]


def describe(symbol: str) -> str:
    """A symbol as messages show it: quoted if it is printable ASCII, else by its number and name."""
    if " " <= symbol <= "~":
        return repr(symbol)
    return f"U+{ord(symbol):04X} {unicodedata.name(symbol, '')}".rstrip()
