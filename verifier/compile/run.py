"""Running a compiled transformer on strings: with softmax attention, with hard attention, and by the semantics.

Both transformers use the same matrices and differ in their attention alone. Strings are run in batches of one length,
as many at a time as a fixed amount of memory holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from verifier.compile.attention import Affine, Head, Plane, affine, evaluate, hard, heads, soft
from verifier.compile.transformer import AttentionLayer, FeedForward, Kind, Transformer
from verifier.logic.syntax import is_past_only
from verifier.logic.values import values
from verifier.logic.words import inputs

CHUNK_ELEMENTS = 1 << 22  # of the residual stream that is held at a time, 32 MiB
Truths = NDArray[np.bool_]
HeadFunction = Callable[[Head, Plane], Plane]


@dataclass(frozen=True)
class Unit:
    """A ReLU: what it reads, and where it is added with which weight."""

    inside: Affine
    writes: tuple[tuple[int, float], ...]


@dataclass(frozen=True)
class Runner:
    """A transformer, ready to run: each layer as a list of heads or of units, without the matrices' zeros."""

    transformer: Transformer
    layers: tuple[tuple[Head, ...] | tuple[Unit, ...], ...]
    readout: Affine


@dataclass(frozen=True)
class Outcome:
    """What became of strings of one length, each array of shape [batch, n].

    Args:
        soft, hard: the rounded output of the softmax transformer and that of the hard one.
        values: the semantics.
        largest_error: the largest |soft - hard| of any head before rounding.
    """

    soft: Truths
    hard: Truths
    values: Truths
    largest_error: float

    @property
    def differences(self) -> int:
        """At how many positions the three are not all the same."""
        return int(((self.soft != self.values) | (self.hard != self.values)).sum())


def runner(transformer: Transformer) -> Runner:
    """Prepare a transformer for running."""
    return Runner(
        transformer,
        tuple(
            heads(transformer, layer) if isinstance(layer, AttentionLayer) else _units(layer)
            for layer in transformer.layers
        ),
        affine(transformer.readout, transformer.readout_bias),
    )


def _units(layer: FeedForward) -> tuple[Unit, ...]:
    return tuple(
        Unit(
            affine(layer.inner[:, at], layer.inner_bias[at]),
            tuple((to, float(layer.outer[at, to])) for to in np.flatnonzero(layer.outer[at]).tolist()),
        )
        for at in range(layer.inner.shape[1])
    )


def embed(transformer: Transformer, words: Sequence[str]) -> Plane:
    """The residual stream before the first layer, of shape [width, batch, n].

    Raises:
        WordError: a string is empty or has a symbol outside the alphabet, or lengths differ.
    """
    symbols = inputs(words, transformer.alphabet)
    n = len(words[0])
    stream = np.zeros((transformer.width, len(words), n))
    for row, symbol in zip(transformer.embedding, transformer.alphabet, strict=True):
        for at in np.flatnonzero(row).tolist():
            stream[at] += row[at] * symbols[symbol]
    positions = np.arange(1, n + 1, dtype=np.float64)
    for at, feature in transformer.features:
        stream[at] = evaluate(feature, positions, n)
    return stream


def forward(
    ready: Runner, stream: Plane, attend: HeadFunction, rounded: Callable[[Plane], Plane] | None = None
) -> Plane:
    """Run all layers in place and return the residual stream after the last.

    Args:
        ready: the transformer.
        stream: the residual stream before the first layer; it is overwritten.
        attend: soft or hard attention.
        rounded: rounds every ReLU and every coordinate that is written to a number format; None for float64.
    """
    for layer in ready.layers:
        parts: tuple[Head | Unit, ...] = layer
        # All parts of a layer read the stream as it was before the layer.
        outputs = [
            attend(part, stream) if isinstance(part, Head) else np.maximum(part.inside(stream), 0.0)
            for part in parts
        ]
        if rounded is not None:
            outputs = [rounded(output) for output in outputs]
        for part, output in zip(parts, outputs, strict=True):
            for to, weight in part.writes:
                total = stream[to] + weight * output
                stream[to] = total if rounded is None else rounded(total)
    return stream


def output(ready: Runner, words: Sequence[str], attend: HeadFunction = soft) -> tuple[Plane, Plane]:
    """The transformer's output, of shape [batch, n], and its soft coordinates, [heads, batch, n]."""
    stream = forward(ready, embed(ready.transformer, words), attend)
    between = [at for at, one in enumerate(ready.transformer.coordinates) if one.kind is Kind.SOFT]
    return ready.readout(stream), stream[between]


def run(ready: Runner, words: Sequence[str]) -> Outcome:
    """Run strings of one length through both transformers, and evaluate the formula on them.

    Raises:
        WordError: as `embed`.
    """
    parts = [_run(ready, chunk) for chunk in _chunks(ready.transformer, words)]
    return Outcome(
        np.concatenate([part.soft for part in parts]),
        np.concatenate([part.hard for part in parts]),
        np.concatenate([part.values for part in parts]),
        max(part.largest_error for part in parts),
    )


def _run(ready: Runner, words: Sequence[str]) -> Outcome:
    softly, soft_heads = output(ready, words, soft)
    hardly, hard_heads = output(ready, words, hard)
    error = float(np.abs(soft_heads - hard_heads).max()) if soft_heads.size else 0.0
    truth = values(ready.transformer.formula, inputs(words, ready.transformer.alphabet))
    return Outcome(softly > 0.5, hardly > 0.5, truth, error)


def _chunks(transformer: Transformer, words: Sequence[str]) -> Iterable[Sequence[str]]:
    """The strings, as many at a time as `CHUNK_ELEMENTS` allows; one list of none for a fault to be found in."""
    n = len(words[0]) if words else 1
    size = max(1, CHUNK_ELEMENTS // max(1, n * (transformer.width + 8)))
    return (words[start : start + size] for start in range(0, max(1, len(words)), size))


def accepted(ready: Runner, row: Truths) -> bool:
    """Whether the values at the positions of one string mean that it is accepted."""
    return bool(row[-1 if is_past_only(ready.transformer.formula) else 0])
