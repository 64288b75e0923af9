"""One head on a batch of strings: softmax attention, as a scan where the score separates, and hard attention.

The residual stream is an array of planes, of shape [width, batch, n]. A scan of log-sum-exp over the keys takes time
linear in n. It applies when every product of the score has either a query feature that is the same at all positions,
or a key feature that is a function of Booleans: then the keys fall into a few classes, in each of which the score is
a term of the query plus a term of the key. Otherwise all n² scores are computed, some rows at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from verifier.compile.scores import Monomial
from verifier.compile.transformer import AttentionLayer, Transformer
from verifier.spec.construction import Mask, Tie

Plane = NDArray[np.float64]
MOST_CLASSES = 8
ROW_ELEMENTS = 1 << 21  # of the scores that the dense form holds at a time
_FORWARD = (Mask.CAUSAL, Mask.STRICT_CAUSAL)
_STRICT = (Mask.STRICT_CAUSAL, Mask.STRICT_PAST)


@dataclass(frozen=True)
class Affine:
    """An affine map of the residual stream, without its zeros."""

    coordinates: tuple[int, ...]
    weights: tuple[float, ...]
    bias: float

    def __call__(self, stream: Plane) -> Plane:
        """Its value at each position, of shape [batch, n]."""
        total = np.full(stream.shape[1:], self.bias)
        for at, weight in zip(self.coordinates, self.weights, strict=True):
            total += stream[at] if weight == 1.0 else weight * stream[at]
        return total


def affine(weights: NDArray[np.float64], bias: float) -> Affine:
    """The affine map of a column of weights."""
    coordinates = np.flatnonzero(weights).tolist()
    return Affine(tuple(coordinates), tuple(float(weights[at]) for at in coordinates), float(bias))


@dataclass(frozen=True)
class Head:
    """A head, ready to run.

    Args:
        products: pairs of a query and a key feature.
        uniform: for each of them, whether the query feature is the same at all positions.
        inverse_temperature: s(n), by which the products' sum is multiplied.
        target: the coordinate that it writes; `write` is the weight.
    """

    products: tuple[tuple[Affine, Affine], ...]
    uniform: tuple[bool, ...]
    value: Affine
    inverse_temperature: tuple[tuple[Monomial, float], ...]
    mask: Mask
    tie: Tie
    select: Affine
    writes: tuple[tuple[int, float], ...]


def heads(transformer: Transformer, layer: AttentionLayer) -> tuple[Head, ...]:
    """The heads of a layer."""
    constant = {at for at, feature in transformer.features if not feature.position}
    return tuple(_head(transformer.width, constant, layer, at) for at in range(len(layer.masks)))


def _head(width: int, constant: set[int], layer: AttentionLayer, at: int) -> Head:
    pairs = tuple(
        (
            affine(layer.query[at, :, r], layer.query_bias[at, r]),
            affine(layer.key[at, :, r], layer.key_bias[at, r]),
        )
        for r in range(layer.query.shape[2])
    )
    used = tuple(pair for pair in pairs if all(one.coordinates or one.bias for one in pair))
    note = layer.notes[at]
    sign = -1.0 if note.select_negated else 1.0
    chosen = Affine((), (), 1.0) if note.select is None else Affine((note.select,), (sign,), (1.0 - sign) / 2)
    return Head(
        products=used,
        uniform=tuple(constant.issuperset(query.coordinates) for query, _ in used),
        value=affine(layer.value[at], layer.value_bias[at]),
        inverse_temperature=layer.inverse_temperature[at],
        mask=layer.masks[at],
        tie=note.tie,
        select=Affine((), (), 0.0) if note.select is None and note.select_negated else chosen,
        writes=tuple((to, float(layer.output[at, to])) for to in np.flatnonzero(layer.output[at]).tolist()),
    )


def evaluate(monomial: Monomial, positions: Plane, n: int) -> Plane:
    """A position feature at each position."""
    logarithm = np.log(float(n)) ** monomial.logarithm if monomial.logarithm else 1.0
    power = positions**monomial.position if monomial.position else np.ones_like(positions)
    scaled = power * float(n) ** monomial.length if monomial.length >= 0 else power / float(n) ** -monomial.length
    return np.asarray(scaled * logarithm, dtype=np.float64)


def sharpness(head: Head, n: int) -> float:
    """1/τ(n)."""
    here = np.ones(1)
    return float(sum(factor * evaluate(one, here, n)[0] for one, factor in head.inverse_temperature))


def soft(head: Head, stream: Plane) -> Plane:
    """The softmax head's output at each query, of shape [batch, n]; 0 in a row without keys."""
    classes = _classes(head, stream)
    value = head.value(stream)
    if classes is None or (value < 0).any():
        return dense(head, stream)
    n = stream.shape[2]
    scale = sharpness(head, n)
    base = _sum(stream, [pair for pair, same in zip(head.products, head.uniform, strict=True) if same]) * scale
    with np.errstate(divide="ignore"):
        weighted = np.log(value)
    numerator = denominator = np.full(value.shape, -np.inf)
    for members, query_term in classes:
        keys = base if members is None else np.where(members, base, -np.inf)
        shift = 0.0 if query_term is None else query_term * scale
        denominator = np.logaddexp(denominator, _running(np.logaddexp, keys, head.mask, -np.inf) + shift)
        numerator = np.logaddexp(numerator, _running(np.logaddexp, keys + weighted, head.mask, -np.inf) + shift)
    empty = np.isneginf(denominator)
    return np.exp(np.where(empty, -np.inf, numerator - np.where(empty, 0.0, denominator)))


def _sum(stream: Plane, pairs: list[tuple[Affine, Affine]]) -> Plane:
    total = np.zeros(stream.shape[1:])
    for query, key in pairs:
        total += query(stream) * key(stream)
    return total


def _classes(head: Head, stream: Plane) -> list[tuple[NDArray[np.bool_] | None, Plane | None]] | None:
    """The classes of keys, each with the query's term of the score; None where the keys are not so few.

    A member array of None means all keys.
    """
    varying = [pair for pair, same in zip(head.products, head.uniform, strict=True) if not same]
    if not varying:
        return [(None, None)]
    read = list(dict.fromkeys(at for _, key in varying for at in key.coordinates))
    planes = stream[read]
    if 2 ** len(read) > MOST_CLASSES or not ((planes == 0) | (planes == 1)).all():
        return None
    classes: list[tuple[NDArray[np.bool_] | None, Plane | None]] = []
    for bits in product((0.0, 1.0), repeat=len(read)):
        members = np.ones(stream.shape[1:], dtype=np.bool_)
        for plane, bit in zip(planes, bits, strict=True):
            members &= plane == bit
        here = dict(zip(read, bits, strict=True))
        term = np.zeros(stream.shape[1:])
        for query, key in varying:
            weights = zip(key.coordinates, key.weights, strict=True)
            term += query(stream) * (key.bias + sum(weight * here[at] for at, weight in weights))
        classes.append((members, term))
    return classes


def _running(operation: np.ufunc, keys: Plane, mask: Mask, nothing: float) -> Plane:
    """An operation over the keys that each query sees, `nothing` where it sees none."""
    if mask is Mask.NONE:
        return np.broadcast_to(operation.reduce(keys, axis=1, keepdims=True), keys.shape)
    ordered = keys if mask in _FORWARD else keys[:, ::-1]
    running = operation.accumulate(ordered, axis=1)
    if mask in _STRICT:
        shifted = np.full_like(running, nothing)
        shifted[:, 1:] = running[:, :-1]
        running = shifted
    return running if mask in _FORWARD else running[:, ::-1]


def dense(head: Head, stream: Plane) -> Plane:
    """The softmax head by all n² scores, some rows at a time; slower than the scan, and no less exact."""
    batch, n = stream.shape[1:]
    scale = sharpness(head, n)
    queries = [query(stream) for query, _ in head.products]
    keys = [key(stream) for _, key in head.products]
    value = head.value(stream)
    output = np.zeros((batch, n))
    rows = max(1, ROW_ELEMENTS // max(1, batch * n))
    for start in range(0, n, rows):
        here = slice(start, min(n, start + rows))
        scores = np.zeros((batch, here.stop - start, n))
        for query, key in zip(queries, keys, strict=True):
            scores += query[:, here, None] * key[:, None, :]
        seen = visible(head.mask, np.arange(start, here.stop), n)
        scores = np.where(seen, scores * scale, -np.inf)
        largest = scores.max(axis=2, keepdims=True)
        weights = np.exp(scores - np.where(np.isneginf(largest), 0.0, largest))
        total = weights.sum(axis=2)
        output[:, here] = (weights @ value[:, :, None])[:, :, 0] / np.where(total == 0, 1.0, total)
    return output


def visible(mask: Mask, queries: NDArray[np.int64], n: int) -> NDArray[np.bool_]:
    """Which keys the queries see, of shape [queries, n]."""
    i, j = queries[:, None], np.arange(n)[None, :]
    if mask is Mask.NONE:
        return np.ones((len(queries), n), dtype=np.bool_)
    compare = {Mask.CAUSAL: np.less_equal, Mask.STRICT_CAUSAL: np.less, Mask.PAST: np.greater_equal}
    return np.asarray(compare.get(mask, np.greater)(j, i), dtype=np.bool_)


def hard(head: Head, stream: Plane) -> Plane:
    """The hard head's output at each query: the value of the key it selects, or the mean of several; 0 of none."""
    chosen = head.select(stream) == 1
    value = head.value(stream)
    if head.tie is Tie.AVERAGE:
        count = _running(np.add, chosen.astype(np.float64), head.mask, 0.0)
        total = _running(np.add, np.where(chosen, value, 0.0), head.mask, 0.0)
        return total / np.where(count == 0, 1.0, count)
    found = _extreme(head, chosen)
    return np.where(found >= 0, np.take_along_axis(value, np.maximum(found, 0), axis=1), 0.0)


def hard_targets(head: Head, stream: Plane) -> NDArray[np.intp] | None:
    """The index of the key that each query's hard head attends to, -1 for none; None where it takes a mean."""
    return None if head.tie is Tie.AVERAGE else _extreme(head, head.select(stream) == 1)


def _extreme(head: Head, chosen: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The index of the leftmost or rightmost key that each query sees and selects; -1 for none."""
    n = chosen.shape[1]
    places = np.arange(n, dtype=np.float64)
    if head.tie is Tie.RIGHTMOST:
        found = _running(np.maximum, np.where(chosen, places, -1.0), head.mask, -1.0)
    else:
        found = _running(np.minimum, np.where(chosen, places, float(n)), head.mask, float(n))
    return np.where(found < n, found, -1.0).astype(np.intp)
