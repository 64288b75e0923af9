"""A compiled formula's transformer in a number format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from verifier.compile.attention import Head, hard, hard_targets, sharpness, visible
from verifier.compile.compiler import Compiled
from verifier.compile.run import Runner, embed, forward, runner
from verifier.compile.strings import long_strings
from verifier.logic.values import values
from verifier.logic.words import inputs
from verifier.precision.attend import HeadData, outputs
from verifier.precision.formats import Format, Numbers
from verifier.precision.subject import Failure

MOST_SCORES = 1 << 21  # of one head, over all strings of a length


@dataclass(frozen=True)
class HeadRun:
    """One head in the number format: what it read, and its outputs, of shape [batch, n]."""

    head: Head
    data: HeadData
    output: Numbers


class FormulaSubject:
    """A compiled transformer; wrong is any position at which its output is not the formula's value."""

    def __init__(self, compiled: Compiled, seed: int) -> None:
        self.compiled, self.seed = compiled, seed
        self.ready: Runner = runner(compiled.transformer)

    def failure(self, format_: Format, n: int) -> Failure | None:
        """As the protocol says."""
        transformer = self.compiled.transformer
        words = long_strings(transformer.alphabet, n, self.seed)
        words = _spread(words, max(4, MOST_SCORES // (n * n)))
        output, record = self._run(format_, words)
        truth = values(transformer.formula, inputs(words, transformer.alphabet))
        wrong = ~(np.abs(output - truth) <= 0.25)
        if not wrong.any():
            return None
        string, position = (int(at) for at in np.argwhere(wrong)[0])
        row, run, target = _first_off(self.ready, words[string], string, position, record)
        data = HeadData(
            run.data.query[string : string + 1, row : row + 1], run.data.key[string : string + 1],
            run.data.value[string : string + 1], run.data.sharpness, run.data.seen[row : row + 1],
        )  # fmt: skip
        return Failure(
            n=n,
            string=words[string],
            position=position + 1,
            output=float(output[string, position]),
            expected=float(truth[string, position]),
            head=transformer.coordinates[run.head.writes[0][0]].name,
            data=data,
            target=target,
            first_key=1,
        )

    def _run(self, format_: Format, words: Sequence[str]) -> tuple[Numbers, list[HeadRun]]:
        """The output of the whole transformer, of shape [batch, n], and what each head did."""
        record: list[HeadRun] = []

        def rounded(plane: Numbers) -> Numbers:
            return format_.round(plane).astype(np.float64)

        def attend(head: Head, planes: Numbers) -> Numbers:
            data = head_data(head, planes)
            found = outputs(format_, data).astype(np.float64)
            record.append(HeadRun(head, data, found))
            return found

        stream = forward(self.ready, rounded(embed(self.compiled.transformer, words)), attend, rounded)
        return self.ready.readout(stream), record


def _first_off(
    ready: Runner, word: str, string: int, position: int, record: Sequence[HeadRun]
) -> tuple[int, HeadRun, int | None]:
    """The first head that is more than 1/4 off on a string: a row where it is, and the key it should attend to."""
    exact = exact_heads(ready, word)
    for run, (right, targets) in zip(record, exact, strict=True):
        off = ~(np.abs(run.output[string] - right) <= 0.25)
        if off.any():
            row = position if off[position] else int(off.argmax())
            return row, run, None if targets is None or targets[row] < 0 else int(targets[row])
    raise AssertionError("heads within 1/4 are rounded to the right Booleans")


def _spread(words: Sequence[str], most: int) -> list[str]:
    """At most so many of the strings, evenly chosen."""
    step = -(-len(words) // most)
    return list(words[::step])


def head_data(head: Head, stream: Numbers) -> HeadData:
    """What a head of a compiled transformer reads from the residual stream, all rows."""
    n = stream.shape[2]
    return HeadData(
        query=np.stack([query(stream) for query, _ in head.products], axis=2),
        key=np.stack([key(stream) for _, key in head.products], axis=2),
        value=head.value(stream),
        sharpness=sharpness(head, n),
        seen=visible(head.mask, np.arange(n), n),
    )


def exact_heads(ready: Runner, word: str) -> list[tuple[Numbers, Numbers | None]]:
    """Of each head, in order, the exact Boolean at each position, and the index of the key it attends to or -1."""
    found: list[tuple[Numbers, Numbers | None]] = []

    def attend(head: Head, planes: Numbers) -> Numbers:
        right = hard(head, planes)
        targets = hard_targets(head, planes)
        found.append((right[0], None if targets is None else targets[0]))
        return right

    forward(ready, embed(ready.transformer, [word]), attend)
    return found
