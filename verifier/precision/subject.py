"""What is tried in a number format, and what a failure is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from verifier.precision.attend import HeadData
from verifier.precision.formats import Format


@dataclass(frozen=True)
class Failure:
    """An output that is wrong.

    Args:
        string: what the string is, for a reader: a text, or input values by name.
        position: the query, counted from 1.
        output, expected: what came out and what should have, at most the claimed error apart.
        head: what the head is; `data` its one row, `target` the index of the key it should attend to.
    """

    n: int
    string: str | Mapping[str, tuple[float, ...]]
    position: int
    output: float
    expected: float
    head: str
    data: HeadData
    target: int | None
    first_key: int


class Subject(Protocol):
    """Anything that can be tried at a length."""

    def failure(self, format_: Format, n: int) -> Failure | None:
        """The first failure among the strings of this length, or None."""
