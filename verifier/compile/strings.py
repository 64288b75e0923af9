"""Strings on which a compiled transformer is held against the semantics: all short ones, then extreme and random ones.

For a head the worst strings have their target at one end and nothing else selected, or one decisive symbol far away;
long runs of one symbol with another at an end, and runs of growing length, are of that kind for some operator.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

MOST_EXHAUSTIVE = 2000
RANDOM_STRINGS = 6
MOST_SYMBOLS = 4  # of which runs are made
DENSITIES = (0.5, 0.05)


def short_strings(alphabet: Sequence[str], longest: int) -> tuple[list[list[str]], int]:
    """All strings of each length 1, 2, ... while they are not too many, and the greatest such length."""
    batches: list[list[str]] = []
    total = 0
    for n in range(1, longest + 1):
        total += len(alphabet) ** n
        if total > MOST_EXHAUSTIVE:
            break
        batches.append(["".join(symbols) for symbols in product(alphabet, repeat=n)])
    return batches, len(batches)


def long_strings(symbols: Sequence[str], n: int, seed: int) -> list[str]:
    """Extreme and random strings of one length over some symbols, the same for the same seed."""
    found = dict.fromkeys(_extreme(symbols[:MOST_SYMBOLS], n))
    random = np.random.default_rng((seed, n))
    for at in range(RANDOM_STRINGS):
        found[_random(symbols, n, random, DENSITIES[at % len(DENSITIES)])] = None
    return list(found)


def _extreme(symbols: Sequence[str], n: int) -> Iterator[str]:
    for one in symbols:
        yield one * n
        for other in symbols:
            if other != one:
                yield one * (n - 1) + other
                yield other + one * (n - 1)
                yield (one * (n // 2) + other + one * n)[:n]
                yield ((one + other) * n)[:n]


def _random(symbols: Sequence[str], n: int, random: np.random.Generator, density: float) -> str:
    """Runs of random symbols; `density` is the chance that a run ends at a position."""
    drawn = random.integers(0, len(symbols), n)
    starts = random.random(n) < density
    starts[0] = True
    places = np.maximum.accumulate(np.where(starts, np.arange(n), 0))
    return "".join(symbols[at] for at in drawn[places].tolist())


def lengths(shortest: int, longest: int) -> list[int]:
    """Lengths from the shortest to the longest, each about twice the one before."""
    found = []
    n = max(1, shortest)
    while n < longest:
        found.append(n)
        n *= 2
    return [*found, longest] if longest >= shortest else found
