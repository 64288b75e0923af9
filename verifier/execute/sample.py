"""Which strings are run: lengths, how many strings of each, and how far all of them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from verifier.execute import strings
from verifier.execute.batch import Batch, required
from verifier.spec.construction import Construction

EXHAUSTIVE_TO = 8
MOST_EXHAUSTIVE = 70_000
EVERY_LENGTH_TO = 64
GROWTH = 1.3
MOST_STRINGS = 200
KEYS = 1 << 18  # strings times keys of one length, beyond the exhaustive part
SCORES = 1 << 19  # given scores of one length, if those are two strings at least
LARGEST_SCORES = 1 << 21  # given scores of one string


@dataclass
class Extent:
    """Which strings have been run."""

    strings: int = 0
    exhaustive_to: int = 0
    longest: int = 0
    notes: list[str] = field(default_factory=list)


def ladder(max_n: int) -> list[int]:
    """The lengths that are run: all short ones, then growing by a constant factor, and the greatest."""
    lengths = list(range(1, min(max_n, EVERY_LENGTH_TO) + 1))
    while lengths[-1] < max_n:
        lengths.append(min(max_n, int(lengths[-1] * GROWTH)))
    return lengths


def chosen_strings(
    construction: Construction, n: int, extent: Extent, generator: np.random.Generator
) -> Batch | None:
    """The strings of length n to run, other than the worst; None where there are none, or too large ones."""
    total = strings.count(construction, n) if required(construction, n) else 0
    few = total is not None and total <= MOST_EXHAUSTIVE and n <= EXHAUSTIVE_TO
    if few and extent.exhaustive_to == n - 1:
        extent.exhaustive_to = n
        return strings.all_strings(construction, n) if total else None
    if total == 0:
        return None
    if total is None and n * (n + 1) > LARGEST_SCORES:
        note = "lengths at which given scores are more than two million numbers are left out"
        extent.notes += [note] if note not in extent.notes else []
        return None
    size = max(2, min(MOST_STRINGS, SCORES // (n * n) if total is None else KEYS // n))
    structured = strings.structured_strings(construction, n, max(1, size // 4))
    if structured is None:
        return strings.random_strings(construction, n, size, generator)
    drawn = strings.random_strings(construction, n, size - structured.size, generator)
    return strings.concatenated([structured, drawn])
