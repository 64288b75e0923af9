"""The weights of a compiled transformer as named arrays, and what else a loader has to know, as texts.

The layout is documented in docs/export.md; `LAYOUT` changes when it does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.compile.scores import Monomial
from verifier.compile.transformer import AttentionLayer, FeedForward, Transformer
from verifier.logic.syntax import is_past_only, to_text
from verifier.spec.construction import Mask

LAYOUT = "1"
MASKS = (Mask.NONE, Mask.CAUSAL, Mask.STRICT_CAUSAL, Mask.PAST, Mask.STRICT_PAST)
FLOATS = ("float64", "float32")
Arrays = dict[str, NDArray[Any]]


def arrays(transformer: Transformer, dtype: str = "float64") -> Arrays:
    """Every array of a transformer, in the order in which it is used.

    Args:
        transformer: as the compiler made it.
        dtype: of the weights, ``float64`` or ``float32``; all weights are exact in either.

    Raises:
        ValueError: a weight is not exact in this type.
    """
    found: Arrays = {"embedding": _exactly(transformer.embedding, dtype)}
    found["features.coordinates"] = np.array([at for at, _ in transformer.features], dtype=np.int64)
    powers = [(one.position, one.length, one.logarithm) for _, one in transformer.features]
    found["features.powers"] = np.array(powers, dtype=np.int64).reshape(len(powers), 3)
    for number, layer in enumerate(transformer.layers):
        part = _attention(layer, dtype) if isinstance(layer, AttentionLayer) else _feed_forward(layer, dtype)
        found |= {f"layers.{number}.{name}": array for name, array in part.items()}
    found["readout.weight"] = _exactly(transformer.readout, dtype)
    found["readout.bias"] = _exactly(np.array([transformer.readout_bias]), dtype)
    return found


def _attention(layer: AttentionLayer, dtype: str) -> Arrays:
    powers, factors = sharpness_table(layer)
    return {
        **{
            name: _exactly(getattr(layer, name), dtype)
            for name in ("query", "query_bias", "key", "key_bias", "value", "value_bias", "output")
        },
        "mask": np.array([MASKS.index(mask) for mask in layer.masks], dtype=np.int64),
        "sharpness.powers": powers,
        "sharpness.factors": _exactly(factors, dtype),
    }


def sharpness_table(layer: AttentionLayer) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """1/τ of all heads: the powers of n and ln n of each term, and each head's factors, of shape [heads, terms]."""
    terms: dict[Monomial, int] = {}
    for inverse in layer.inverse_temperature:
        for monomial, _ in inverse:
            terms.setdefault(monomial, len(terms))
    factors = np.zeros((len(layer.masks), len(terms)))
    for head, inverse in enumerate(layer.inverse_temperature):
        for monomial, factor in inverse:
            factors[head, terms[monomial]] = factor
    return np.array([(one.length, one.logarithm) for one in terms], dtype=np.int64).reshape(-1, 2), factors


def _feed_forward(layer: FeedForward, dtype: str) -> Arrays:
    return {name: _exactly(getattr(layer, name), dtype) for name in ("inner", "inner_bias", "outer")}


def _exactly(array: NDArray[np.float64], dtype: str) -> NDArray[Any]:
    cast = array.astype(dtype)
    if not np.array_equal(cast.astype(np.float64), array):
        raise ValueError(f"expected weights that are exact in {dtype}")
    return np.ascontiguousarray(cast)


def metadata(transformer: Transformer) -> Mapping[str, str]:
    """What the arrays do not say."""
    kinds = ["attention" if isinstance(layer, AttentionLayer) else "feed_forward" for layer in transformer.layers]
    return {
        "layout": LAYOUT,
        "formula": to_text(transformer.formula),
        "route": transformer.route,
        "alphabet": json.dumps(list(transformer.alphabet)),
        "layers": json.dumps(kinds),
        "masks": json.dumps([str(mask) for mask in MASKS]),
        "accepts_at": "last" if is_past_only(transformer.formula) else "first",
        "coordinates": json.dumps([[str(one.kind), one.name] for one in transformer.coordinates]),
    }
