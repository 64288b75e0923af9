"""Typed access to the fields of a TOML table; what is missing, unknown or of the wrong type is named with its place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from verifier.spec.errors import SpecError
from verifier.spec.source import Source

LONGEST_PROSE = 500


@dataclass(frozen=True)
class Table:
    """One table of a file, with its dotted name; the document itself has the name ''."""

    source: Source
    name: str
    data: Mapping[str, Any]

    def field(self, key: str) -> str:
        """The dotted name of a key of this table."""
        return f"{self.name}.{key}" if self.name else key

    def error(self, message: str, key: str | None = None) -> SpecError:
        """An error at a key of this table, or at the table."""
        field = self.field(key) if key is not None else self.name
        return SpecError(message, file=self.source.file, line=self.source.line(field), field=field or None)

    def only(self, allowed: Iterable[str]) -> None:
        """Refuse keys that are not among the allowed ones."""
        known = list(allowed)
        for key in self.data:
            if key not in known:
                close = difflib.get_close_matches(key, known, n=1)
                hint = f"; did you mean '{close[0]}'?" if close else ""
                raise self.error(f"unknown field '{key[:40]}'; expected one of {', '.join(known)}{hint}", key[:80])

    def text(self, key: str, default: str | None = None) -> str:
        """A text field; without a default it must be there."""
        found = self._get(key, default, "a text in quotes")
        if not isinstance(found, str):
            raise self.error(f"expected a text in quotes, found {_shown(found)}", key)
        return found

    def prose(self, key: str, default: str) -> str:
        """A text for readers, on one line: blanks and line breaks become single blanks."""
        found = " ".join(self.text(key, default).split())
        if len(found) > LONGEST_PROSE:
            raise self.error(f"expected at most {LONGEST_PROSE} characters, found {len(found)}", key)
        for symbol in found:
            if not symbol.isprintable():
                raise self.error(f"expected printable text, found the character U+{ord(symbol):04X}", key)
        return found

    def flag(self, key: str) -> bool:
        """A field that is true or false; false where it is missing."""
        found = self.data.get(key, False)
        if not isinstance(found, bool):
            raise self.error(f"expected true or false, found {_shown(found)}", key)
        return found

    def table(self, key: str, *, optional: bool = False) -> Table:
        """A table within this one; an empty one where it is missing and optional."""
        found = self._get(key, {} if optional else None, f"a table [{self.field(key)}]")
        if not isinstance(found, dict):
            raise self.error(f"expected a table [{self.field(key)}], found {_shown(found)}", key)
        return Table(self.source, self.field(key), found)

    def _get(self, key: str, default: Any, expected: str) -> Any:
        if key in self.data:
            return self.data[key]
        if default is None:
            raise self.error(f"missing field '{key}'; expected {expected}")
        return default


def _shown(found: object) -> str:
    kinds = {
        bool: "a Boolean",
        int: "an integer",
        float: "a float",
        list: "an array",
        dict: "a table",
        str: "a text",
    }
    return kinds.get(type(found), f"a {type(found).__name__}")
