"""What each key of a row can be: every assignment to its inputs, with the exponent, the value and the selection it has.

A row is a query together with an assignment to the inputs that the score or the selection reads at the query. Given
the row, keys are independent of each other: an option of one key puts no condition on another, except that the key at
the query's own position shares the query's inputs. A score given as an input is an option of the key, too: at the
maximum, at the gap below it, or so far below that the key has no weight.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from verifier.execute.batch import (
    Floats,
    KeyDimension,
    Positions,
    Truths,
    gap,
    scalar,
    temperature,
    visible,
)
from verifier.execute.evaluate import Array, Place, evaluate, number
from verifier.execute.rounding import enclose, ranges
from verifier.execute.shape import PAIR, Unsupported, expressions, is_given, reads_position, support
from verifier.spec.construction import Construction, Input, InputKind, Mask, Simulation
from verifier.spec.syntax import InputAt, leaves

CELLS = 1 << 18  # options of a block of rows, over all its keys
NO_WEIGHT = 800.0  # exp(-800) is 0 as a float64


@dataclass(frozen=True)
class Space:
    """All rows of length n.

    Args:
        queries: the positions i to consider; one stands for all where rows differ by their inputs only.
        at_query: for each input that matters at the query, the values it takes there.
        at_key: the same for keys; a score input has its levels.
        shared: the inputs that matter at both.
        tau: what scores are divided by.
    """

    construction: Construction
    simulation: Simulation
    n: int
    queries: Positions
    at_query: Mapping[str, Array]
    at_key: Mapping[str, Array]
    shared: tuple[str, ...]
    tau: float

    @property
    def keys(self) -> Positions:
        """The key positions."""
        return np.arange(self.construction.first_key, self.n + 1)

    @property
    def assignments(self) -> int:
        """How many assignments to the query's inputs there are."""
        return math.prod(map(len, self.at_query.values()))

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.queries) * self.assignments

    @property
    def choices(self) -> int:
        """How many options a key has."""
        return math.prod(map(len, self.at_key.values()))


@dataclass(frozen=True)
class Options:
    """The options in some rows; every array broadcasts to [row, option, key].

    Args:
        queries: the rows' query positions, of shape [row].
        seen: which keys are visible, [row, key].
        possible: which options there are.
        exponent: score / temperature.
        value: the key's value.
        selected: whether the hard head selects the key.
    """

    queries: Positions
    seen: Truths
    possible: Truths
    exponent: Floats
    value: Floats
    selected: Truths


def space(
    construction: Construction, simulation: Simulation, n: int, key_dimension: KeyDimension | None = None
) -> Space:
    """The rows of length n.

    Raises:
        Unsupported: the worst string may need more values of an input than are considered.
        ExecutionError: the temperature is not positive, or not known.
    """
    support(construction, simulation)
    at_query, at_key = (_considered(construction, simulation, position, n) for position in PAIR)
    shared = tuple(name for name in at_key if name in at_query)
    alike = (
        construction.head.mask is Mask.NONE and not shared and not reads_position(construction, simulation)
    )
    queries = np.arange(1, 2 if alike else n + 1)
    tau = temperature(construction, simulation, n, key_dimension)
    return Space(construction, simulation, n, queries, at_query, at_key, shared, tau)


def query_free(found: Space) -> bool:
    """Whether rows differ by the keys that are visible, and in nothing else."""
    return not found.at_query and not reads_position(found.construction, found.simulation)


def blocks(found: Space) -> Iterator[tuple[int, Options]]:
    """All rows with their options, block by block, each with the number of its first row."""
    height = max(1, CELLS // (len(found.keys) * found.choices))
    for first in range(0, found.rows, height):
        yield first, options(found, np.arange(first, min(first + height, found.rows)))


def options(found: Space, rows: Positions) -> Options:
    """The options in the rows of these numbers. Raises `ExecutionError` where an expression has no value."""
    head, simulation = found.construction.head, found.simulation
    queries, at_query = assigned(found, rows)
    at_key = key_assignments(found)
    seen = visible(head.mask, queries, found.keys)
    possible = np.tile(seen, (1, found.choices))
    column = np.tile(found.keys, found.choices)
    for name in found.shared:
        possible &= (column != queries[:, None]) | (at_key[name] == at_query[name][:, None])
    at = replace(_place(found, at_key), what="the selection of the head", relevant=possible)
    variables = {**at.variables, "i": queries.astype(np.float64)[None, :, None]}
    inputs = {InputAt(name, ("i",)): values[None, :, None] for name, values in at_query.items()}
    at = replace(at, variables=variables, inputs={**at.inputs, **inputs})
    selected = _scores_apart(found, at) if head.select is None else evaluate(head.select.expr, at)
    named = f"the score of simulation '{simulation.name}'"
    score = number(simulation.score.expr, replace(at, what=named, selected=selected))
    some = np.asarray(possible.any(axis=0))
    value = number(head.value.expr, replace(at, what="the value of the head", relevant=some))

    def shaped(array: Array) -> Array:
        full = np.broadcast_to(array, np.broadcast_shapes(array.shape, (1, 1, len(column))))
        return np.asarray(full[0].reshape(full.shape[1], found.choices, len(found.keys)))

    exponent = shaped(score / found.tau)
    _check_levels(found, exponent)
    return Options(queries, seen, shaped(possible[None]), exponent, shaped(value), shaped(selected))


def _place(found: Space, at_key: Mapping[str, Array]) -> Place:
    """Where expressions about the options of all keys are evaluated."""
    construction = found.construction
    inputs = {}
    for name, values in at_key.items():
        positions = PAIR if construction.input(name).kind is InputKind.SCORE else ("j",)
        inputs[InputAt(name, positions)] = values[None, None, :]
    column = np.tile(found.keys, found.choices).astype(np.float64)
    variables = {"n": np.asarray(float(found.n)), "j": column[None, None, :]}
    return Place("", variables, inputs, construction.values, file=construction.file)


def key_values(found: Space) -> tuple[Floats, Truths]:
    """The value of every option of every key, of shape [option, key], and which keys some query sees."""
    head = found.construction.head
    seen = np.asarray(visible(head.mask, np.array([1, found.n]), found.keys).any(axis=0))
    relevant = np.tile(seen, found.choices)
    at = replace(_place(found, key_assignments(found)), what="the value of the head", relevant=relevant)
    value = np.broadcast_to(number(head.value.expr, at), (1, 1, len(relevant)))
    return value.reshape(found.choices, len(found.keys)), seen


def assigned(found: Space, rows: Positions) -> tuple[Positions, dict[str, Array]]:
    """The query and the query's inputs in the rows of these numbers."""
    query, at = np.divmod(rows, found.assignments)
    return found.queries[query], _digits(found.at_query, at)


def key_assignments(found: Space) -> dict[str, Array]:
    """The inputs in every option of every key, of shape [options * keys]; at position 0 they are false or 0."""
    at_key = _digits(found.at_key, np.repeat(np.arange(found.choices), len(found.keys)))
    at_bos = np.tile(found.keys == 0, found.choices)
    return {
        name: values if found.construction.input(name).kind is InputKind.SCORE
        else np.where(at_bos, np.zeros_like(values), values)
        for name, values in at_key.items()
    }  # fmt: skip


def _check_levels(found: Space, exponent: Floats) -> None:
    """A higher given score must weigh more, and the lowest must weigh nothing. Raises `Unsupported`."""
    for at, name in enumerate(found.at_key):
        if found.construction.input(name).kind is InputKind.SCORE:
            sizes = [len(values) for values in found.at_key.values()]
            levels = exponent.reshape(len(exponent), *sizes, len(found.keys))
            top, below, lowest = np.moveaxis(levels, 1 + at, 0)
            if not (top > below).all() or lowest.max() > top.min() - NO_WEIGHT:
                raise Unsupported(f"a score that does not rise with the given score {name}, or too little")


def _scores_apart(found: Space, at: Place) -> Array:
    """For argmax: whether a given score is at its top level; of computed scores the scores, which `maxima` compares."""
    maximised = (found.construction.head.score or found.simulation.score).expr
    if isinstance(maximised, InputAt) and is_given(maximised):
        return np.asarray(at.inputs[maximised] == 0)
    return number(maximised, replace(at, what="the score of the head"))


def _considered(
    construction: Construction, simulation: Simulation, position: str, n: int
) -> dict[str, Array]:
    """The values to consider of each input that is read at a position; given scores count among the key's."""
    read = {
        leaf.name
        for expr in expressions(construction, simulation)
        for leaf in leaves(expr)
        if isinstance(leaf, InputAt) and position in leaf.positions
    }
    return {
        given.name: _values(construction, given, n)
        for given in construction.inputs
        if given.name in read and (given.kind is not InputKind.SCORE or position == "j")
    }


def _values(construction: Construction, given: Input, n: int) -> Array:
    if given.kind is InputKind.SCORE:
        return _levels(construction, n)
    if given.kind is InputKind.BOOLEAN:
        return np.array([False, True])
    if given.kind is not InputKind.INTEGER:
        return np.array([0.0, 1.0])  # the error is convex in a real input, so that its extremes are the worst
    assert given.low is not None and given.high is not None
    what = f"the range of input {given.name}"
    low, high = (round(scalar(construction, what, bound, n)) for bound in (given.low, given.high))
    return np.arange(low, high + 1, dtype=np.float64)


def _levels(construction: Construction, n: int) -> Floats:
    """The maximum, which may be 0 since only differences count; and what is below it by the gap, and by far more."""
    apart = gap(construction, n)
    assert construction.head.gap is not None
    apart += 2 * enclose(construction.head.gap.expr, ranges(construction, n)).error
    return np.array([0.0, -apart, -1e6 * apart])


def _digits(values: Mapping[str, Array], numbers: Array) -> dict[str, Array]:
    """The assignment of each number, in the mixed radix of the inputs' values; the last input changes fastest."""
    found = {}
    for name in reversed(list(values)):
        numbers, digit = np.divmod(numbers, len(values[name]))
        found[name] = values[name][digit]
    return found
