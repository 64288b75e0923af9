"""Selection by argmax over computed scores, among the options of keys.

Given the maximum, keys are independent again: a key is selected if its score is the maximum, and may not have a score
between the maximum and the gap below it. Scores are compared up to what rounding can do to equal ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from verifier.execute.batch import Truths, gap
from verifier.execute.evaluate import Array
from verifier.execute.options import Options, Space
from verifier.execute.rounding import enclose, ranges
from verifier.execute.shape import Unsupported, is_given
from verifier.spec.construction import Tie

MOST_MAXIMA = 16


def tried_maxima(found: Space) -> int:
    """How many maxima of an argmax over computed scores are tried at most; 1 where none need be."""
    head = found.construction.head
    computed = head.select is None and not is_given((head.score or found.simulation.score).expr)
    return MOST_MAXIMA if computed else 1


def maxima(found: Space, given: Options) -> Iterator[Options]:
    """The options again for each maximum that an argmax over computed scores can have, the selection made of it.

    Otherwise the options as they are.
    """
    head = found.construction.head
    if head.select is not None or given.selected.dtype == np.bool_:
        yield given
        return
    scores = np.broadcast_to(given.selected, given.possible.shape)
    apart, slack = _gap_and_slack(found)
    values = np.unique(scores[given.possible])
    heads = values[np.diff(values, prepend=-np.inf) > 2 * slack]
    if len(heads) > MOST_MAXIMA:
        raise Unsupported("argmax over a score that takes many values")
    for top in heads:
        below = top - scores
        selected = np.abs(below) <= slack
        yield replace(
            given, selected=selected, possible=given.possible & (selected | (below >= apart - slack))
        )


def highest(found: Space, scores: Array, seen: Truths) -> tuple[Truths, Truths]:
    """For argmax over single options, [row, key]: the maxima of each row, and which rows keep the head's promises."""
    apart, slack = _gap_and_slack(found)
    top = np.where(seen, scores, -np.inf).max(axis=1, keepdims=True)
    below = np.where(np.isfinite(top), top, 0.0) - scores
    maximal = seen & (below <= slack)
    kept = (~seen | maximal | (below >= apart - slack)).all(axis=1)
    if found.construction.head.tie is Tie.UNIQUE:
        kept &= maximal.sum(axis=1) <= 1
    return maximal, np.asarray(kept)


def _gap_and_slack(found: Space) -> tuple[float, float]:
    """The gap, and how far rounding may separate scores that are equal."""
    maximised = (found.construction.head.score or found.simulation.score).expr
    slack = 2 * enclose(maximised, ranges(found.construction, found.n)).error
    return gap(found.construction, found.n), slack
