"""Hard and soft heads on batches of strings, straight from the definitions, in blocks of bounded memory.

Source: docs/theory.md, section on definitions. The time grows with strings * queries * keys; `scan` computes the same
in linear time where the score allows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from verifier.execute.batch import (
    Batch,
    Floats,
    KeyDimension,
    Positions,
    Truths,
    gap,
    place,
    scalar,
    temperature,
    visible,
)
from verifier.execute.evaluate import Array, evaluate, number
from verifier.execute.rounding import enclose, ranges
from verifier.logic.values import values as formula_values
from verifier.spec.construction import Construction, InputKind, Simulation, Text, Tie
from verifier.spec.syntax import Expr

BLOCK = 1 << 20  # entries of a block: 8 MB as float64, and some six such arrays are alive at once


@dataclass(frozen=True)
class Row:
    """One attention row: the visible keys, their soft and hard weights, and their values."""

    keys: Positions
    soft: Floats
    hard: Floats
    values: Floats


def hard_outputs(
    construction: Construction, simulation: Simulation, batch: Batch, queries: Positions | None = None
) -> Floats:
    """The hard head's outputs.

    Where a `unique` tie selects several keys after all, the leftmost counts.

    Args:
        construction: whose head it is.
        simulation: whose score is maximised, if the head selects by argmax and names no score of its own.
        batch: the strings.
        queries: positions in 1..n, or None for all.

    Returns:
        Shape [batch, queries].

    Raises:
        ExecutionError: an expression has no finite value.
    """

    def block(part: Batch, rows: Positions) -> Floats:
        seen = visible(construction.head.mask, rows, part.keys)
        selected = selection(construction, simulation, part, rows) & seen
        return hard_means(
            construction, selected, key_values(construction, part, _seen_at_all(seen)), seen, part.n
        )

    return _by_blocks(block, batch, queries)


def soft_outputs(
    construction: Construction,
    simulation: Simulation,
    batch: Batch,
    queries: Positions | None = None,
    *,
    key_dimension: KeyDimension | None = None,
) -> Floats:
    """A soft head's outputs; arguments and result as for `hard_outputs`.

    Args:
        key_dimension: gives d_key, where the simulation divides its scores by the root of it.
    """

    def block(part: Batch, rows: Positions) -> Floats:
        seen = visible(construction.head.mask, rows, part.keys)
        weights = soft_weights(exponents(construction, simulation, part, rows, key_dimension), seen)
        worth = key_values(construction, part, _seen_at_all(seen))
        return negated(construction, np.matmul(weights, worth[..., None])[..., 0])

    return _by_blocks(block, batch, queries)


def claimed_outputs(construction: Construction, batch: Batch) -> Floats | None:
    """What the claim says the hard head outputs, of shape [batch, n]; None where it says nothing."""
    claim = construction.claim.computes
    if claim is None:
        return None
    if isinstance(claim, Text):
        at = place(construction, "the claim", batch, batch.queries, [claim.expr])
        return np.broadcast_to(number(claim.expr, at)[..., 0], (batch.size, batch.n))
    own = slice(1 - batch.first_key, None)
    planes = {
        given.name: batch.inputs[given.name][:, own]
        for given in construction.inputs
        if given.kind is InputKind.BOOLEAN
    }
    # A formula without atoms still needs to be told the shape.
    return formula_values(claim, planes or {"": np.zeros((batch.size, batch.n), dtype=bool)}).astype(
        np.float64
    )


def attention_rows(
    construction: Construction,
    simulation: Simulation,
    batch: Batch,
    query: int,
    *,
    key_dimension: KeyDimension | None = None,
) -> Row:
    """The weights of one row of the first string; hard weights are all 0 where nothing is selected."""
    one, rows = batch.part(slice(1)), np.array([query])
    seen = visible(construction.head.mask, rows, one.keys)
    soft = soft_weights(exponents(construction, simulation, one, rows, key_dimension), seen)[0, 0]
    selected = np.broadcast_to(selection(construction, simulation, one, rows) & seen, (1, 1, len(one.keys)))[
        0, 0
    ]
    hard = selected / max(1, selected.sum())
    if selected.any() and construction.head.tie is not Tie.AVERAGE:
        chosen = np.flatnonzero(selected)[-1 if construction.head.tie is Tie.RIGHTMOST else 0]
        hard = (np.arange(len(one.keys)) == chosen).astype(np.float64)
    shown = seen[0]
    return Row(one.keys[shown], soft[shown], hard[shown], key_values(construction, one, shown)[0, shown])


def admissible(
    construction: Construction, simulation: Simulation, batch: Batch, queries: Positions | None = None
) -> Truths:
    """Which rows the claim is about, of shape [batch, queries].

    All, unless the head selects by argmax: then every score must be the maximum or at least the gap below it, and
    with a `unique` tie there must be one maximum.
    """
    if construction.head.select is not None:
        count = batch.n if queries is None else len(queries)
        return np.ones((batch.size, count), dtype=bool)

    def block(part: Batch, rows: Positions) -> Truths:
        seen = visible(construction.head.mask, rows, part.keys)
        below = _below_maximum(construction, simulation, part, rows)
        slack = (
            2
            * enclose(
                _maximised(construction, simulation), ranges(construction, part.n, part.largest_score)
            ).error
        )
        kept = ~seen | (below <= slack) | (below >= gap(construction, part.n) - slack)
        single = construction.head.tie is not Tie.UNIQUE or (seen & (below <= slack)).sum(axis=-1) <= 1
        return np.asarray(kept.all(axis=-1) & single)

    return _by_blocks(block, batch, queries)


def selected_counts(
    construction: Construction, simulation: Simulation, batch: Batch, queries: Positions | None = None
) -> Positions:
    """How many keys each query selects, of shape [batch, queries]."""

    def block(part: Batch, rows: Positions) -> Positions:
        seen = visible(construction.head.mask, rows, part.keys)
        return np.asarray((selection(construction, simulation, part, rows) & seen).sum(axis=-1))

    return _by_blocks(block, batch, queries)


def exponents(
    construction: Construction,
    simulation: Simulation,
    batch: Batch,
    queries: Positions,
    key_dimension: KeyDimension | None = None,
) -> Floats:
    """Scores divided by the temperature, of a shape that broadcasts to [batch, query, key]."""
    seen = visible(construction.head.mask, queries, batch.keys)
    chosen = None if construction.head.select is None else selection(construction, simulation, batch, queries)
    what, expr = f"the score of simulation '{simulation.name}'", simulation.score.expr
    at = place(construction, what, batch, queries, [expr], relevant=seen, selected=chosen)
    return number(expr, at) / temperature(construction, simulation, batch.n, key_dimension)


def selection(construction: Construction, simulation: Simulation, batch: Batch, queries: Positions) -> Truths:
    """Whether each key would be selected if it is visible, of a shape that broadcasts to [batch, query, key].

    For argmax these are the keys less than half the gap below the maximum: where the promise of the gap holds, those
    are the maxima exactly, and rounding cannot split a tie.
    """
    select = construction.head.select
    if select is None:
        below = _below_maximum(construction, simulation, batch, queries)
        return np.asarray(below <= max(0.0, gap(construction, batch.n)) / 2)
    seen = visible(construction.head.mask, queries, batch.keys)
    what = "the selection of the head"
    return evaluate(select.expr, place(construction, what, batch, queries, [select.expr], relevant=seen))


def _maximised(construction: Construction, simulation: Simulation) -> Expr:
    return (construction.head.score or simulation.score).expr


def _below_maximum(
    construction: Construction, simulation: Simulation, batch: Batch, queries: Positions
) -> Floats:
    """How far each key's score lies below the largest visible one; infinitely far if it is not visible."""
    seen = visible(construction.head.mask, queries, batch.keys)
    expr = _maximised(construction, simulation)
    scores = number(expr, place(construction, "the score of the head", batch, queries, [expr], relevant=seen))
    scores = np.where(seen, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    return np.where(np.isfinite(top), top, 0.0) - scores


def key_values(construction: Construction, batch: Batch, relevant: Truths) -> Floats:
    """The keys' values, of shape [batch, key]; 0 where no query sees the key."""
    value = construction.head.value.expr
    at = place(construction, "the value of the head", batch, batch.queries[:1], [value], relevant=relevant)
    found = np.broadcast_to(number(value, at), (batch.size, 1, len(batch.keys)))[:, 0, :]
    return np.where(relevant, found, 0.0)


def _seen_at_all(seen: Truths) -> Truths:
    return np.asarray(seen.any(axis=0))


def soft_weights(exponent: Floats, seen: Truths) -> Floats:
    """Softmax over the visible keys, all 0 in an empty row; the largest exponent is subtracted first."""
    exponent = np.where(seen[None, :, :], exponent, -np.inf)
    top = exponent.max(axis=-1, keepdims=True)
    weights = np.exp(exponent - np.where(np.isfinite(top), top, 0.0))
    total = weights.sum(axis=-1, keepdims=True)
    return np.asarray(weights / np.where(total > 0, total, 1.0))


def hard_means(construction: Construction, selected: Truths, worth: Floats, seen: Truths, n: int) -> Floats:
    """The hard head's outputs from what is selected, [batch, query, key], and the values, [batch, key]."""
    count = selected.sum(axis=-1)
    if construction.head.tie is Tie.AVERAGE:
        found = np.matmul(selected.astype(np.float64), worth[..., None])[..., 0] / np.maximum(count, 1)
    else:
        last = construction.head.tie is Tie.RIGHTMOST
        at = (
            selected.shape[-1] - 1 - selected[..., ::-1].argmax(axis=-1) if last else selected.argmax(axis=-1)
        )
        found = np.take_along_axis(worth, np.broadcast_to(at, (len(worth), at.shape[-1])), axis=-1)
    found = np.where(count > 0, found, scalar(construction, "the default", construction.head.default.expr, n))
    return negated(construction, np.where(seen.any(axis=-1), found, 0.0))


def negated(construction: Construction, outputs: Floats) -> Floats:
    """The outputs as the head uses them: x, or 1 - x."""
    return 1 - outputs if construction.head.negated else outputs


def _by_blocks(block: Callable[[Batch, Positions], Array], batch: Batch, queries: Positions | None) -> Array:
    """Compute [batch, queries] block by block, so that [batch, query, key] never has more than `BLOCK` entries."""
    queries = batch.queries if queries is None else queries
    found: Array | None = None
    for strings, rows in _blocks(batch, len(queries)):
        part = block(batch.part(strings), queries[rows])
        if found is None:
            found = np.empty((batch.size, len(queries)), dtype=part.dtype)
        found[strings, rows] = part
    assert found is not None
    return found


def _blocks(batch: Batch, count: int) -> Iterator[tuple[slice, slice]]:
    keys = len(batch.keys)
    rows = max(1, min(count, BLOCK // keys))
    strings = max(1, BLOCK // (keys * rows))
    for first in range(0, batch.size, strings):
        for row in range(0, count, rows):
            yield slice(first, first + strings), slice(row, row + rows)
