"""Batches of strings, and where an expression about them is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from verifier.execute.evaluate import Array, ExecutionError, Place, number
from verifier.spec.construction import Construction, Mask, Simulation
from verifier.spec.syntax import Expr, InputAt, leaves

Floats: TypeAlias = NDArray[np.float64]
Truths: TypeAlias = NDArray[np.bool_]
Positions: TypeAlias = NDArray[np.int64]
KeyDimension: TypeAlias = Callable[[Construction, Simulation], int]


@dataclass(frozen=True)
class Batch:
    """Strings of one length.

    Args:
        n: the length.
        first_key: the position of the first key, 0 with a beginning-of-string token, else 1.
        inputs: by name, an array of shape [batch, keys], bool for a Boolean input and float64 for others; a score
            input has shape [batch, n, keys], one row for each query 1..n.
    """

    n: int
    first_key: int
    inputs: Mapping[str, NDArray[Any]]

    @property
    def size(self) -> int:
        """The number of strings; 1 where there are no inputs, since all strings are alike then."""
        return next((len(values) for values in self.inputs.values()), 1)

    @property
    def keys(self) -> Positions:
        """The key positions."""
        return np.arange(self.first_key, self.n + 1)

    @property
    def queries(self) -> Positions:
        """The query positions."""
        return np.arange(1, self.n + 1)

    @property
    def largest_score(self) -> float:
        """The largest size of a given score; 0 where none is given."""
        given = (values for values in self.inputs.values() if values.ndim == 3)
        return max((float(np.abs(values).max(initial=0.0)) for values in given), default=0.0)

    def part(self, strings: slice) -> Batch:
        """Some of the strings."""
        return Batch(self.n, self.first_key, {name: values[strings] for name, values in self.inputs.items()})


def visible(mask: Mask, queries: Positions, keys: Positions) -> Truths:
    """Which keys each query may see, of shape [query, key]."""
    i, j = queries[:, None], keys[None, :]
    if mask is Mask.CAUSAL:
        return np.asarray(j <= i)
    if mask is Mask.STRICT_CAUSAL:
        return np.asarray(j < i)
    if mask is Mask.PAST:
        return np.asarray(j >= i)
    if mask is Mask.STRICT_PAST:
        return np.asarray(j > i)
    return np.ones((len(queries), len(keys)), dtype=bool)


def place(
    construction: Construction,
    what: str,
    batch: Batch,
    queries: Positions,
    exprs: Iterable[Expr],
    *,
    relevant: Array | None = None,
    selected: Array | None = None,
) -> Place:
    """Where expressions about these strings, queries and all keys are evaluated."""
    inputs: dict[InputAt, Array] = {}
    for leaf in {leaf for expr in exprs for leaf in leaves(expr) if isinstance(leaf, InputAt)}:
        values = batch.inputs[leaf.name]
        if leaf.positions == ("i",):
            inputs[leaf] = values[:, queries - batch.first_key, None]
        elif leaf.positions == ("j",):
            inputs[leaf] = values[:, None, :]
        else:
            inputs[leaf] = values[:, queries - 1, :]
    variables = {
        "n": np.asarray(float(batch.n)),
        "i": queries.astype(np.float64)[None, :, None],
        "j": batch.keys.astype(np.float64)[None, None, :],
    }
    return Place(what, variables, inputs, construction.values, selected, relevant, construction.file)


def scalar(construction: Construction, what: str, expr: Expr, n: int) -> float:
    """An expression in n and the parameters alone. Raises as `evaluate` does."""
    at = Place(what, {"n": np.asarray(float(n))}, {}, construction.values, file=construction.file)
    return float(number(expr, at))


def gap(construction: Construction, n: int) -> float:
    """The gap that an argmax selection promises."""
    assert construction.head.gap is not None
    return scalar(construction, "the gap", construction.head.gap.expr, n)


def required(construction: Construction, n: int) -> bool:
    """Whether the claim is about strings of length n at all."""
    return construction.requires is None or bool(
        scalar(construction, "the field 'requires'", construction.requires.expr, n)
    )


def temperature(
    construction: Construction, simulation: Simulation, n: int, key_dimension: KeyDimension | None = None
) -> float:
    """What scores are divided by, the root of the key dimension included where that is asked for.

    Raises:
        ExecutionError: it is not positive, or the key dimension is not known.
    """
    found = scalar(
        construction, f"the temperature of simulation '{simulation.name}'", simulation.temperature.expr, n
    )
    if found <= 0:
        message = f"the temperature of simulation '{simulation.name}' is not positive at n = {n}"
        raise ExecutionError(message, file=construction.file)
    if not simulation.divide_by_sqrt_key_dimension:
        return found
    if key_dimension is None:
        message = (
            f"simulation '{simulation.name}' divides by the root of a key dimension that is not known here"
        )
        raise ExecutionError(message, file=construction.file)
    return found * float(np.sqrt(key_dimension(construction, simulation)))
