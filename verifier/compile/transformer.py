"""A transformer as data: explicit weight matrices, and what each coordinate of the residual stream is for.

The matrices alone say what is computed. The annotations (`Coordinate.meaning`, `HeadNote`) are claims about them, for
the proof, for the hard transformer and for reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from verifier.compile.scores import Monomial
from verifier.logic.syntax import Formula
from verifier.spec.construction import Mask, Tie

Weights = NDArray[np.float64]


class Kind(StrEnum):
    """What a coordinate of the residual stream holds."""

    TOKEN = "token"
    FEATURE = "feature"
    SOFT = "soft"  # a head's output, within 1/4 of a Boolean
    EXACT = "exact"  # a Boolean


@dataclass(frozen=True)
class Coordinate:
    """One coordinate: `meaning` is the formula whose value it holds, for a feature it is None."""

    kind: Kind
    name: str
    meaning: Formula | None = None


@dataclass(frozen=True)
class HeadNote:
    """What a head is meant to be.

    Args:
        construction: its name in the library.
        select: the coordinate that holds where the hard head selects, or None for everywhere or nowhere.
        select_negated: whether it is the negation; with None, whether it is nowhere.
        tie: of the hard head.
        brackets: the coordinates that the score reads, whether negated, and the text of the condition it is.
    """

    construction: str
    select: int | None
    select_negated: bool
    tie: Tie
    brackets: tuple[tuple[int, bool, str], ...]


@dataclass(frozen=True, eq=False)
class AttentionLayer:
    """Heads side by side: x(i) += Σ_h output_h · Σ_j α_h(i,j) · (value_h · x(j) + value_bias_h).

    α_h(i,j) = softmax over the visible keys j of (q·k)·s_h(n) with q = x(i)·query_h + query_bias_h,
    k = x(j)·key_h + key_bias_h and s_h(n) = 1/τ_h(n) = Σ coefficient · monomial; a row without keys gives 0.

    Args:
        query, key: of shape [heads, width, d_key]; with biases of shape [heads, d_key].
        value: of shape [heads, width], the value dimension is 1; `value_bias` of shape [heads].
        output: of shape [heads, width].
        inverse_temperature: s_h, for each head.
        masks, notes: one for each head.
    """

    query: Weights
    query_bias: Weights
    key: Weights
    key_bias: Weights
    value: Weights
    value_bias: Weights
    output: Weights
    inverse_temperature: tuple[tuple[tuple[Monomial, float], ...], ...]
    masks: tuple[Mask, ...]
    notes: tuple[HeadNote, ...]


@dataclass(frozen=True, eq=False)
class FeedForward:
    """x += ReLU(x · inner + inner_bias) · outer, of shapes [width, hidden], [hidden], [hidden, width]."""

    inner: Weights
    inner_bias: Weights
    outer: Weights


Layer = AttentionLayer | FeedForward


@dataclass(frozen=True, eq=False)
class Transformer:
    """x(i) = embedding[token at i], plus the position features; then the layers; output x · readout + readout_bias.

    Args:
        formula: what it computes, as it was given.
        route: the name of the simulation that each head is.
        alphabet: the symbols, in the order of the rows of `embedding`, which has shape [symbols, width].
        features: coordinate and monomial of each position feature; the embedding is 0 there.
        readout: of shape [width].
    """

    formula: Formula
    route: str
    alphabet: tuple[str, ...]
    coordinates: tuple[Coordinate, ...]
    embedding: Weights
    features: tuple[tuple[int, Monomial], ...]
    layers: tuple[Layer, ...]
    readout: Weights
    readout_bias: float

    @property
    def width(self) -> int:
        """The dimension of the residual stream."""
        return len(self.coordinates)

    def attention_layers(self) -> Iterator[AttentionLayer]:
        """The attention layers, first to last."""
        return (layer for layer in self.layers if isinstance(layer, AttentionLayer))

    @property
    def depth(self) -> int:
        """The number of attention layers."""
        return sum(1 for _ in self.attention_layers())

    @property
    def heads(self) -> int:
        """The number of heads of all layers."""
        return sum(len(layer.masks) for layer in self.attention_layers())

    @property
    def d_key(self) -> int:
        """The largest dimension of queries and keys; 0 without attention."""
        return max((layer.query.shape[2] for layer in self.attention_layers()), default=0)
