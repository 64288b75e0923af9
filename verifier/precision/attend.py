"""Softmax attention in a number format, step by step, and the same steps without rounding."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from verifier.precision.formats import Format, Numbers

ROW_ELEMENTS = 1 << 21


@dataclass(frozen=True)
class HeadData:
    """What a head needs to know of some rows of some strings, not rounded yet.

    Args:
        query: of shape [batch or 1, rows, d_key].
        key: of shape [batch or 1, keys, d_key].
        value: of shape [batch or 1, keys].
        sharpness: 1/temperature, a number.
        seen: which keys each query sees, of shape [rows, keys].
    """

    query: Numbers
    key: Numbers
    value: Numbers
    sharpness: float
    seen: NDArray[np.bool_]


@dataclass(frozen=True)
class Steps:
    """The intermediate results of rows, each of shape [batch, rows, keys], and the output, [batch, rows]."""

    score: Numbers
    exponent: Numbers
    weight: Numbers
    normalized: Numbers
    output: Numbers


def steps(format_: Format, data: HeadData) -> Steps:
    """All steps of all rows, rounded to the format after each."""
    rounded = format_.round
    with np.errstate(all="ignore"):
        query, key = rounded(data.query), rounded(data.key)
        score = rounded(np.matmul(query, np.swapaxes(key, 1, 2)))
        exponent = rounded(score * rounded(np.array(data.sharpness)))
        masked = np.where(data.seen, exponent, -np.inf).astype(format_.compute)
        top = masked.max(axis=2, keepdims=True)
        distance = rounded(masked - np.where(np.isneginf(top), 0, top).astype(format_.compute))
        weight = np.where(data.seen, rounded(np.exp(distance)), 0).astype(format_.compute)
        total = weight.sum(axis=2, keepdims=True)
        normalized = rounded(weight / np.where(total == 0, 1, total).astype(format_.compute))
        value = rounded(data.value)
        output = rounded(np.matmul(normalized, value[:, :, None])[:, :, 0])
    return Steps(score, exponent, weight, normalized, output)


def outputs(format_: Format, data: HeadData) -> Numbers:
    """The head's outputs, of shape [batch, rows], some rows at a time."""
    keys = data.key.shape[1]
    batch = max(len(data.query), len(data.key), len(data.value))
    size = max(1, ROW_ELEMENTS // max(1, batch * keys))
    parts = []
    for start in range(0, data.seen.shape[0], size):
        rows = slice(start, start + size)
        part = HeadData(data.query[:, rows], data.key, data.value, data.sharpness, data.seen[rows])
        found = steps(format_, part).output
        parts.append(np.broadcast_to(found, (batch, found.shape[1])))
    return np.concatenate(parts, axis=1)
