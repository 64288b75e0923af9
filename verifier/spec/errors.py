"""Errors in a construction file: where the fault is, what was expected, and the text itself."""

from __future__ import annotations

WINDOW = 72


class SpecError(ValueError):
    """A construction file, a parameter or an expression is wrong.

    Args:
        message: what is wrong and what was expected, one sentence without the place.
        file: the file's name as the user gave it, or None when the text came from elsewhere.
        line: the line in that file, counted from 1, or None.
        field: the dotted name of the field, such as ``head.mask``, or None.
        text: the text of the field, or None.
        position: 0-based offset into ``text`` at which the fault was noticed, or None.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | None = None,
        line: int | None = None,
        field: str | None = None,
        text: str | None = None,
        position: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.field = field
        self.text = text
        self.position = position

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line) if part is not None)
        column = "" if self.position is None else f", column {self.position + 1}"
        where = f"{self.field}{column}" if self.field is not None else column.removeprefix(", ")
        return ": ".join(part for part in (place, where, self.message) if part)

    def located(self, *, file: str | None = None, line: int | None = None, field: str | None = None) -> SpecError:
        """The same error with the places that are still unknown filled in."""
        return SpecError(
            self.message,
            file=self.file or file,
            line=self.line or line,
            field=self.field or field,
            text=self.text,
            position=self.position,
        )

    def excerpt(self) -> str | None:
        """The faulty text with a caret below the place, at most one window wide; None without a text."""
        if self.text is None or self.position is None:
            return None
        start = max(0, min(self.position - WINDOW // 2, len(self.text) - WINDOW))
        shown = [printable(symbol) for symbol in self.text[start : start + WINDOW]]
        before = "".join(shown[: self.position - start])
        return f"    {''.join(shown)}\n    {' ' * len(before)}^"


def printable(symbol: str) -> str:
    """The symbol itself, or its escape when printing it could fail or disturb a terminal."""
    return symbol if symbol.isprintable() and not "\ud800" <= symbol <= "\udfff" else ascii(symbol)[1:-1]
