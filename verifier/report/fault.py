"""What kept something from being checked, as data for every report."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.verdict import Result, Verdict


@dataclass(frozen=True)
class Fault:
    """An error as the user sees it.

    Args:
        verdict: INVALID when the input is at fault, FAILED when the run is.
        message: one sentence without the place.
        summary: the place and the message, on one line.
        excerpt: the faulty text with a caret below the place, or None.
        file, line, field, text, position: the place, as in `SpecError`; each None where it is unknown.
    """

    verdict: Verdict
    message: str
    summary: str
    excerpt: str | None = None
    file: str | None = None
    line: int | None = None
    field: str | None = None
    text: str | None = None
    position: int | None = None


@dataclass(frozen=True)
class Unchecked:
    """A construction that got no result, among several."""

    name: str
    fault: Fault

    @property
    def verdict(self) -> Verdict:
        """INVALID or FAILED."""
        return self.fault.verdict


Entry = Result | Unchecked
