"""Strings to run heads on: all of a length, seeded random ones, and ones with a plain structure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable

import numpy as np

from verifier.execute.batch import Batch, Floats, gap, scalar, visible
from verifier.execute.evaluate import Array
from verifier.execute.rounding import enclose, ranges
from verifier.spec.construction import Construction, Input, InputKind, Tie

REAL_VALUES = (0.0, 0.5, 1.0)
MOST_COMBINED = 10_000
UNCOUNTED = 1 << 40


def count(construction: Construction, n: int) -> int | None:
    """How many strings `all_strings` has, 0 if there is none; None if they cannot be listed, since scores are given.

    No more than `UNCOUNTED`, which stands for anything from there on.
    """
    sizes = [
        len(_choices(construction, given, n))
        for given in construction.inputs
        if given.kind is not InputKind.SCORE
    ]
    if 0 not in sizes and len(sizes) < len(construction.inputs):
        return None
    each = math.prod(sizes)  # the strings of length 1
    if each < 2:
        return each
    return UNCOUNTED if n * each.bit_length() > 100 else min(UNCOUNTED, each**n)


def all_strings(construction: Construction, n: int) -> Batch:
    """Every string of length n, a real input taking the values 0, 1/2 and 1 only; there must be one at least."""
    total = count(construction, n)
    assert total
    numbers = np.arange(total)
    inputs = {}
    for given in construction.inputs:
        values = _choices(construction, given, n)
        own = np.empty((total, n), dtype=values.dtype)
        for place in range(n):
            numbers, digit = np.divmod(numbers, len(values))
            own[:, place] = values[digit]
        inputs[given.name] = _from_first_key(construction, own)
    return Batch(n, construction.first_key, inputs)


def random_strings(construction: Construction, n: int, size: int, generator: np.random.Generator) -> Batch:
    """Random strings of length n: sparse and dense ones, runs, constant numbers and numbers all over their range.

    Args:
        construction: whose inputs are drawn. Given scores keep the promise of an argmax selection.
        n: the length.
        size: how many strings.
        generator: the source of randomness.
    """
    inputs = {}
    for given in construction.inputs:
        if given.kind is InputKind.SCORE:
            inputs[given.name] = _random_scores(construction, n, size, generator)
        else:
            own = _random_values(_choices(construction, given, n), given.kind, n, size, generator)
            inputs[given.name] = _from_first_key(construction, own)
    return Batch(n, construction.first_key, inputs)


def structured_strings(construction: Construction, n: int, most: int) -> Batch | None:
    """Strings whose inputs are constant, alternate, change once or stand out at one place, in all combinations.

    At most `most` of them, evenly chosen; None where scores are given.
    """
    if any(given.kind is InputKind.SCORE for given in construction.inputs):
        return None
    patterns = [
        [pattern(_choices(construction, given, n), n) for pattern in _PATTERNS]
        for given in construction.inputs
    ]
    combined = list(itertools.islice(itertools.product(*patterns), MOST_COMBINED))
    combined = combined[:: math.ceil(len(combined) / most)]
    inputs = {
        given.name: _from_first_key(construction, np.array([one[at] for one in combined]))
        for at, given in enumerate(construction.inputs)
    }
    return Batch(n, construction.first_key, inputs)


def concatenated(batches: Iterable[Batch]) -> Batch:
    """The strings of several batches of one length."""
    parts = list(batches)
    first = parts[0]
    return Batch(
        first.n,
        first.first_key,
        {name: np.concatenate([part.inputs[name] for part in parts]) for name in first.inputs},
    )


def _choices(construction: Construction, given: Input, n: int) -> Array:
    """The values of an input at one position; empty where its range is."""
    if given.kind is InputKind.BOOLEAN:
        return np.array([False, True])
    if given.kind is not InputKind.INTEGER:
        return np.array(REAL_VALUES)
    assert given.low is not None and given.high is not None
    what = f"the range of input {given.name}"
    low, high = (round(scalar(construction, what, bound, n)) for bound in (given.low, given.high))
    return np.arange(low, high + 1, dtype=np.float64)


def _from_first_key(construction: Construction, own: Array) -> Array:
    """Values at positions 1..n with what stands at position 0 put before them, if there is one: false or 0."""
    if not construction.head.bos:
        return own
    return np.concatenate([np.zeros_like(own[:, :1]), own], axis=1)


def _random_values(
    values: Array, kind: InputKind, n: int, size: int, generator: np.random.Generator
) -> Array:
    """Each string has a density of its own, and every third one comes in runs."""
    if kind is InputKind.BOOLEAN:
        density = generator.choice([1 / n, 0.05, 0.2, 0.5, 0.8, 0.95, 1 - 1 / n], size=(size, 1))
        drawn: Array = generator.random((size, n)) < density
    elif kind is InputKind.REAL:
        drawn = generator.random((size, n))
        drawn[::2] = np.round(drawn[::2])
    else:
        drawn = values[generator.integers(len(values), size=(size, n))]
        drawn[::4] = drawn[::4, :1]
    run = np.maximum.accumulate(np.where(generator.random((size, n)) < 0.2, np.arange(n), 0), axis=1)
    drawn[::3] = np.take_along_axis(drawn, run, axis=1)[::3]
    return drawn


def _random_scores(construction: Construction, n: int, size: int, generator: np.random.Generator) -> Floats:
    """Scores whose row maximum is 0, reached once, here and there or often, the others at the gap below or farther."""
    keys = n + 1 - construction.first_key
    apart = 1.0
    if construction.head.gap is not None:
        # Rounded away from the maximum, so that the promise is kept exactly.
        rounding = enclose(construction.head.gap.expr, ranges(construction, n)).error
        apart = gap(construction, n) + 2 * rounding
    drawn = generator.random((size, n, keys))
    scores = -apart * np.maximum(1.0, 4 * drawn - 1)
    if construction.head.tie is not Tie.UNIQUE:
        often = generator.choice([0.0, 0.1, 0.6], size=(size, 1, 1))
        scores[generator.random((size, n, keys)) < often] = 0.0
    seen = visible(construction.head.mask, np.arange(1, n + 1), np.arange(construction.first_key, n + 1))
    maximum = np.where(seen, drawn, -1.0).argmax(axis=2)
    np.put_along_axis(scores, maximum[..., None], 0.0, axis=2)
    return scores


def _stands_out(at: int) -> Callable[[Array, int], Array]:
    def pattern(values: Array, n: int) -> Array:
        found = np.full(n, values[0])
        found[at] = values[-1]
        return found

    return pattern


_PATTERNS: tuple[Callable[[Array, int], Array], ...] = (
    lambda values, n: np.full(n, values[0]),
    lambda values, n: np.full(n, values[-1]),
    _stands_out(0),
    _stands_out(-1),
    lambda values, n: values[np.arange(n) % len(values)],
    lambda values, n: values[np.minimum(np.arange(n), len(values) - 1)][::-1],
    lambda values, n: values[np.where(np.arange(n) < n // 2, 0, len(values) - 1)],
)
