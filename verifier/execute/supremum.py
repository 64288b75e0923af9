"""The exact supremum of the error at one length, and a string that attains it.

Given a row, the target and its value, the other keys are independent adversaries. Let the values be 0 and 1 (two
different numbers are so by an affine map), w the weight of the target, E that of the keys whose value differs from the
target's, A that of the others. The error is E/(w + E + A). It grows with every weight in E, falls with every weight
in A, and grows when a key moves from A to E, whatever its weights. So each key takes, among the options that keep the
target the target, one that errs with the largest weight, or else one that agrees with the smallest: exact, since
every combination of options is a string. What a tie leaves to the other keys:

* leftmost: keys before the target are not selected, keys after it may be; rightmost is mirrored. `unique` counts as
  leftmost, as the hard head does, except for argmax, where a single maximum is part of the claim.
* average: the selected keys M have equal weights w (checked). Let m be their number and h the mean of their values.
  Then soft - h = (E(1 - h) - Ah)/(mw + E + A), with E and A the erring and agreeing weight outside of M. If every key
  outside can err, or agrees with a weight of at most w (checked), then one target with h = 0 is the worst: a further
  key in M takes its weight from E, or raises the denominator. Mirrored for soft < h.
* nothing selected: no target; the soft output is compared with the default.

Where every key has but one option, each row is simply computed.

Cost: for n queries with q assignments, n keys with p options, n^2 q p options, by running sums over keys. If rows
differ by what is visible alone, then n p: a row with more keys on one side is worse if all of those can err, and
better if none can, so that for each target one row is the worst.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from verifier.execute.adversary import Rules, Worst, extremes, nested, worst
from verifier.execute.argmax import highest, maxima, tried_maxima
from verifier.execute.attain import attaining_string, chosen_options, targets
from verifier.execute.batch import Batch, Floats, KeyDimension, Truths, required, scalar, visible
from verifier.execute.options import (
    Options,
    Space,
    blocks,
    key_values,
    options,
    query_free,
    space,
)
from verifier.execute.scan import LOWEST, Sums, totals
from verifier.execute.shape import Unsupported
from verifier.spec.construction import Construction, InputKind, Mask, Simulation, Tie

LARGEST_COST = 1 << 24


@dataclass(frozen=True)
class Supremum:
    """The greatest error over all strings of length n and all queries.

    Args:
        n: the length.
        error: the greatest |soft - hard|.
        query: the position at which it is met.
        targets: the positions that the hard head attends to there; empty where it selects nothing.
        batch: one string that attains it.
    """

    n: int
    error: float
    query: int
    targets: tuple[int, ...]
    batch: Batch


@dataclass(frozen=True)
class NoSupremum:
    """The exact supremum is not known, and why."""

    reason: str


@dataclass(frozen=True)
class Scaled:
    """A space whose values are low and low + scale, taken as 0 and 1."""

    space: Space
    low: float
    scale: float

    @property
    def default(self) -> float:
        """The output where nothing is selected, on the same scale."""
        head = self.space.construction.head
        return (
            scalar(self.space.construction, "the default", head.default.expr, self.space.n) - self.low
        ) / self.scale

    def cases(self, given: Options) -> Iterator[Options]:
        """The options for every maximum that an argmax can have, with values 0 and 1."""
        for case in maxima(self.space, given):
            yield replace(case, value=(case.value - self.low) / self.scale)

    @property
    def rules(self) -> Rules:
        """What the head says of ties and of nothing selected."""
        head = self.space.construction.head
        return Rules(head.tie, head.select is None, self.default)


def supremum(
    construction: Construction,
    simulation: Simulation,
    n: int,
    *,
    key_dimension: KeyDimension | None = None,
) -> Supremum | NoSupremum:
    """The exact supremum of |soft - hard| at length n, up to the rounding of float64, and where it is attained.

    Args:
        construction: the head.
        simulation: the soft head.
        n: the length; see `affordable` for the cost.
        key_dimension: gives d_key, where the simulation divides its scores by the root of it.

    Raises:
        ExecutionError: an expression has no finite value.
    """
    if not required(construction, n):
        return NoSupremum(f"the claim is not about strings of length {n}")
    try:
        found = space(construction, simulation, n, key_dimension)
        if found.rows == 0 or found.choices == 0:
            return NoSupremum(f"there is no string of length {n}")
        return _single(found) if found.choices == 1 else _adversarial(found)
    except Unsupported as unsupported:
        return NoSupremum(str(unsupported))


def affordable(construction: Construction, simulation: Simulation, n: int) -> bool:
    """Whether `supremum` answers at length n, within about a second."""
    found = cost(construction, simulation, n)
    return found is not None and found <= LARGEST_COST


def cost(construction: Construction, simulation: Simulation, n: int) -> int | None:
    """To what the time of `supremum` at length n is proportional; None where it does not answer at all.

    The options of all keys in all rows to be considered, and a few passes over the keys for running sums.
    """
    if not required(construction, n):
        return None
    try:
        found = space(construction, simulation, n, lambda *_: 1)
    except Unsupported:
        return None
    given_scores = any(one.kind is InputKind.SCORE for one in construction.inputs)
    # A string with given scores has n^2 numbers, however few rows are considered.
    string = n * len(found.keys) if given_scores else 0
    return string + _cells(found) // (len(found.queries) if query_free(found) else 1)


def _cells(found: Space) -> int:
    return found.rows * len(found.keys) * (found.choices + 4) * tried_maxima(found)


def _adversarial(found: Space) -> Supremum | NoSupremum:
    """The supremum where keys have a choice between at most two values. Raises `Unsupported`."""
    values, seen = key_values(found)
    different = np.unique(values[:, seen])
    if len(different) > 2:
        raise Unsupported("more than two values, with inputs at the key that decide among them")
    low = float(different[0]) if len(different) else 0.0
    scale = float(different[1]) - low if len(different) == 2 else 1.0
    scaled = Scaled(found, low, scale)
    row = _worst_row(scaled)
    best = None if row is None else max(_ways(scaled, row), key=lambda way: way[0].error)
    if row is None or best is None:
        if visible(found.construction.head.mask, found.queries, found.keys).any():
            return NoSupremum(f"no string of length {found.n} keeps the promises of the head")
        return Supremum(
            found.n, 0.0, 1, (), attaining_string(found, 0, np.zeros(len(found.keys), dtype=np.int64))
        )
    way, given = best
    chosen = chosen_options(given, way, scaled.rules)
    return Supremum(
        found.n,
        way.error * scale,
        int(given.queries[0]),
        targets(found, given, chosen, way),
        attaining_string(found, row, chosen),
    )


def _ways(scaled: Scaled, row: int) -> Iterator[tuple[Worst, Options]]:
    """The worst that can be done in one row, with the options that it is done with."""
    for case in scaled.cases(options(scaled.space, np.array([row]))):
        for way in worst(extremes(case), scaled.rules):
            yield way, case


def _worst_row(scaled: Scaled) -> int | None:
    """The number of the worst row; None where no row has a key that could err."""
    found = scaled.space
    mask = found.construction.head.mask
    if query_free(found) and mask is not Mask.NONE:
        widest = found.rows - 1 if mask in (Mask.CAUSAL, Mask.STRICT_CAUSAL) else 0
        cases = scaled.cases(options(found, np.array([widest])))
        known = [nested(extremes(case), scaled.rules, mask, found.keys, found.n) for case in cases]
        ways = [way for some in known if some is not None for way in some]
        if None not in known:
            return max(ways, key=lambda way: way.error).row if ways else None
    if _cells(found) > LARGEST_COST:
        raise Unsupported("too many rows to try all of them, and none known to be the worst")
    best: tuple[float, int] | None = None
    for first, given in blocks(found):
        for case in scaled.cases(given):
            for way in worst(extremes(case), scaled.rules):
                if best is None or way.error > best[0]:
                    best = way.error, first + way.row
    return None if best is None else best[1]


def _single(found: Space) -> Supremum | NoSupremum:
    """The supremum where a row leaves keys no choice: the worst of all rows."""
    if _cells(found) > LARGEST_COST:
        raise Unsupported("too many rows to try all of them")
    best: tuple[float, int] | None = None
    for first, given in blocks(found):
        errors, _ = _computed(found, given)
        at = int(errors.argmax())
        if errors[at] >= 0 and (best is None or errors[at] > best[0]):
            best = float(errors[at]), first + at
    if best is None:
        return NoSupremum(f"no string of length {found.n} keeps the promises of the head")
    given = options(found, np.array([best[1]]))
    _, attended = _computed(found, given)
    string = attaining_string(found, best[1], np.zeros(len(found.keys), dtype=np.int64))
    reached = tuple(int(key) for key in found.keys[attended[0]])
    return Supremum(found.n, best[0], int(given.queries[0]), reached, string)


def _computed(found: Space, given: Options) -> tuple[Floats, Truths]:
    """The error of each row, -1 where it does not keep the head's promises, and the keys the hard head attends to."""
    head, seen = found.construction.head, given.seen
    exponent, value = (np.broadcast_to(one[:, 0, :], seen.shape) for one in (given.exponent, given.value))
    selected = np.broadcast_to(given.selected[:, 0, :], seen.shape)
    kept = np.ones(len(seen), dtype=bool)
    if head.select is None:
        selected, kept = highest(found, selected, seen)
    attended = selected & seen
    if head.tie is not Tie.AVERAGE:
        order = attended[:, ::-1] if head.tie is Tie.RIGHTMOST else attended
        first = order & (np.cumsum(order, axis=1) == 1)
        attended = first[:, ::-1] if head.tie is Tie.RIGHTMOST else first
    worth = np.where(seen, value, 0.0)
    sums = totals(Sums(np.where(seen, exponent, LOWEST), seen.astype(np.float64), worth))
    soft = sums.weighted[:, 0] / np.maximum(sums.total[:, 0], 1e-300)
    count = attended.sum(axis=1)
    default = scalar(found.construction, "the default", head.default.expr, found.n)
    hard = np.where(count > 0, (attended * worth).sum(axis=1) / np.maximum(count, 1), default)
    errors = np.where(seen.any(axis=1), np.abs(soft - hard), 0.0)
    return np.where(kept, errors, -1.0), attended
