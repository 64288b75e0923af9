"""The ONNX graph in onnxruntime, an executor that none of this project's authors wrote, beside our own runner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from verifier.compile.run import Runner, run
from verifier.export.files import load_package

MOST_SCORES = 1 << 24  # that onnxruntime holds at a time


@dataclass(frozen=True)
class Agreement:
    """What running strings through both showed; `example` is a string on which they differ, or empty."""

    strings: int
    positions: int
    differences: int
    example: str = ""


def session(model: bytes, threads: int | None = None) -> Any:
    """An onnxruntime session on the CPU.

    Raises:
        MissingPackageError: the package onnxruntime is not installed.
    """
    runtime = load_package("onnxruntime")
    options = runtime.SessionOptions()
    options.log_severity_level = 3
    if threads is not None:
        options.intra_op_num_threads = threads
    return runtime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def tokens(alphabet: Sequence[str], words: Sequence[str]) -> NDArray[np.int64]:
    """Strings of one length as rows of the embedding, of shape [batch, n]."""
    places = {symbol: row for row, symbol in enumerate(alphabet)}
    return np.array([[places[symbol] for symbol in word] for word in words], dtype=np.int64)


def compare(model: bytes, ready: Runner, batches: Sequence[Sequence[str]]) -> Agreement:
    """Run strings, each batch of one length, through onnxruntime and our runner, and count positions that differ."""
    executor = session(model)
    heads = max((len(layer.masks) for layer in ready.transformer.attention_layers()), default=1)
    strings, positions, differences, example = 0, 0, 0, ""
    for batch in batches:
        n = len(batch[0])
        size = max(1, MOST_SCORES // (heads * n * n))
        for start in range(0, len(batch), size):
            words = batch[start : start + size]
            (theirs,) = executor.run(["value"], {"tokens": tokens(ready.transformer.alphabet, words)})
            differ = theirs != run(ready, words).soft
            strings, positions = strings + len(words), positions + differ.size
            differences += int(differ.sum())
            example = example or next((word for word, row in zip(words, differ, strict=True) if row.any()), "")
    return Agreement(strings, positions, differences, example)
