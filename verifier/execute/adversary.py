"""The worst that keys can do to a row: for every target the options of the other keys that err most.

The argument stands in `supremum`. Values are 0 and 1 here; a row is one of `Options`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from verifier.execute.batch import Floats, Positions, Truths
from verifier.execute.options import Options
from verifier.execute.scan import LOWEST, Sums, join, partial, totals
from verifier.execute.shape import Unsupported
from verifier.spec.construction import Mask, Tie


@dataclass(frozen=True)
class Rules:
    """What the head says of ties and of nothing selected.

    Args:
        tie: the head's tie.
        argmax: whether it selects by argmax, so that a row always has a maximum, with a `unique` tie one only.
        default: the output where nothing is selected, on the scale on which values are 0 and 1.
    """

    tie: Tie
    argmax: bool
    default: float

    @property
    def before_is_free(self) -> bool:
        """Whether keys before the target may be selected, too."""
        return self.tie is Tie.RIGHTMOST

    @property
    def after_is_free(self) -> bool:
        """Whether keys after the target may be selected, too; a `unique` tie counts as leftmost."""
        return self.tie is Tie.LEFTMOST or (self.tie is Tie.UNIQUE and not self.argmax)


@dataclass(frozen=True)
class Worst:
    """The greatest error of some rows, where it is met, and what the keys do there.

    Args:
        error: |soft - hard|, of values 0 and 1.
        row: the number of the row.
        target: the index of the target key; None where nothing, or a fixed set of keys, is selected.
        value: the target's value, from which other keys differ if they can.
        selects: whether anything is selected.
    """

    error: float
    row: int
    target: int | None
    value: int
    selects: bool


@dataclass(frozen=True)
class Extremes:
    """The largest and smallest exponents of each key's options, by whether it is selected and by its value.

    Arrays of shape [row, key]; where there is no such option, the largest is -inf and the smallest +inf.
    """

    seen: Truths
    largest: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]
    smallest: tuple[tuple[Floats, Floats], tuple[Floats, Floats]]

    def can(self, selected: int, value: int) -> Truths:
        """Which keys have such an option."""
        return np.asarray(self.largest[selected][value] > -np.inf)


def extremes(given: Options) -> Extremes:
    """The extreme exponents in each row."""
    shape = given.possible.shape
    exponent = np.broadcast_to(given.exponent, shape)
    found = []
    for selected in (False, True):
        for value in (0, 1):
            chosen = given.possible & (given.selected == selected) & (given.value == value)
            found.append(
                (
                    np.where(chosen, exponent, -np.inf).max(axis=1),
                    np.where(chosen, exponent, np.inf).min(axis=1),
                )
            )
    (no0, no1, yes0, yes1) = found
    return Extremes(
        given.seen, ((no0[0], no1[0]), (yes0[0], yes1[0])), ((no0[1], no1[1]), (yes0[1], yes1[1]))
    )


def worst(given: Extremes, rules: Rules) -> Iterator[Worst]:
    """The worst of all rows, for each value of the target and for nothing selected.

    Raises:
        Unsupported: for averages, a single target is not known to be the worst.
    """
    for value in (0, 1):
        errors = errors_of(given, rules, value)
        row, at = np.unravel_index(int(errors.argmax()), errors.shape)
        if errors[row, at] >= 0:
            fixed = rules.tie is Tie.AVERAGE and bool(_forced(given)[row].any())
            yield Worst(float(errors[row, at]), int(row), None if fixed else int(at), value, True)
        if not rules.argmax:
            missed = unselected(given, value, rules.default)
            row = missed.argmax()
            if missed[row] >= 0:
                yield Worst(float(missed[row]), int(row), None, value, False)


def errors_of(given: Extremes, rules: Rules, value: int) -> Floats:
    """The worst error for each row and target key, if the target has this value; -1 where it cannot be the target."""
    return averaged(given, value) if rules.tie is Tie.AVERAGE else targeted(given, rules, value)


def field(given: Extremes, value: int, *, free: bool) -> tuple[Sums, Truths]:
    """What every key does beside a target of this value: its weight as a sum of one, and whether it has an option.

    A key that errs counts as weighted. Keys that are not `free` must not be selected.
    """
    erring, agreeing = given.largest[0][1 - value], given.smallest[0][value]
    if free:
        erring = np.maximum(erring, given.largest[1][1 - value])
        agreeing = np.minimum(agreeing, given.smallest[1][value])
    errs, agrees = erring > -np.inf, agreeing < np.inf
    top = np.where(errs, erring, np.where(agrees, agreeing, LOWEST))
    possible = errs | agrees
    return Sums(top, possible.astype(np.float64), errs.astype(np.float64)), np.asarray(possible | ~given.seen)


def targeted(given: Extremes, rules: Rules, value: int) -> Floats:
    """As `errors_of`, for a single target."""
    before, before_blocked = earlier(*field(given, value, free=rules.before_is_free))
    after, after_blocked = later(*field(given, value, free=rules.after_is_free))
    return np.where(before_blocked | after_blocked, -1.0, beside(given, join(before, after), value))


def earlier(sums: Sums, possible: Truths) -> tuple[Sums, Truths]:
    """For each key, the sums over the keys before it, and whether one of them has no option."""
    blocked = np.cumsum(~possible, axis=1) > ~possible
    return Sums(*(one[:, :-1] for one in partial(sums))), blocked


def later(sums: Sums, possible: Truths) -> tuple[Sums, Truths]:
    """For each key, the sums over the keys after it, and whether one of them has no option."""
    blocked = np.cumsum(~possible[:, ::-1], axis=1)[:, ::-1] > ~possible
    return Sums(*(one[:, 1:] for one in partial(sums, backwards=True))), blocked


def beside(given: Extremes, others: Sums, value: int) -> Floats:
    """The error of each key as the target, given the sums over the others; -1 where it cannot be selected."""
    exponent = given.smallest[1][value]
    can = exponent < np.inf
    own = Sums(np.where(can, exponent, LOWEST), can.astype(np.float64), np.zeros_like(exponent))
    both = join(others, own)
    return np.where(can, both.weighted / np.where(can, both.total, 1.0), -1.0)


def averaged(given: Extremes, value: int) -> Floats:
    """The worst error for each row and single averaged target; where the selected set is fixed, in its first column.

    Raises:
        Unsupported: a single target is not known to be the worst.
    """
    _equal_weights(given)
    forced = _forced(given)
    optional = (given.can(1, 0) | given.can(1, 1)) & ~forced
    if (forced.any(axis=1) & optional.any(axis=1)).any():
        raise Unsupported("averaging where some keys are always selected and others may be")
    own = np.minimum(given.smallest[1][0], given.smallest[1][1]).min(axis=1, keepdims=True)
    stuck = optional & ~given.can(0, 1 - value)
    if (stuck & (given.smallest[0][value] > own)).any():
        raise Unsupported(
            "averaging where a key that is not selected outweighs those that are, and cannot err"
        )
    outside, possible = field(given, value, free=False)
    errors = beside(given, join(earlier(outside, possible)[0], later(outside, possible)[0]), value)
    fixed = forced.any(axis=1)
    errors[fixed] = -1.0
    errors[fixed, 0] = _fixed(given, forced, outside, own[:, 0], value)[fixed]
    # For argmax a key may have no option that keeps the promise of the gap.
    errors[(given.seen & ~possible & ~forced).any(axis=1)] = -1.0
    return errors


def _equal_weights(given: Extremes) -> None:
    largest = np.maximum(*given.largest[1]).max(axis=1)
    smallest = np.minimum(*given.smallest[1]).min(axis=1)
    if (largest > smallest).any():
        raise Unsupported("averaging over keys whose scores differ")


def _forced(given: Extremes) -> Truths:
    """The visible keys that are selected whatever their inputs."""
    return (given.can(1, 0) | given.can(1, 1)) & ~given.can(0, 0) & ~given.can(0, 1)


def _fixed(given: Extremes, forced: Truths, outside: Sums, own: Floats, value: int) -> Floats:
    """The worst error of each row if the keys selected are always the same ones; as many as can take the value."""
    count = np.maximum(forced.sum(axis=1), 1)
    unlike = (forced & ~given.can(1, value)).sum(axis=1) / count
    rest = Sums(*(one[:, 0] for one in totals(outside)))
    own = np.where(np.isfinite(own), own, LOWEST)
    both = join(rest, Sums(own, count.astype(np.float64), np.zeros_like(own)))
    ratio = both.weighted / both.total
    agreeing = rest.total - rest.weighted
    fading = np.exp(rest.top - both.top)
    return np.asarray(ratio * (1 - unlike) - unlike * agreeing * fading / both.total)


def unselected(given: Extremes, value: int, default: float) -> Floats:
    """The worst error of each row in which nothing is selected, the soft output being farthest from `value`."""
    sums, possible = field(given, value, free=False)
    all_ = Sums(*(one[:, 0] for one in totals(sums)))
    able = possible.all(axis=1) & given.seen.any(axis=1)
    return np.where(able, away(all_, value, default), -1.0)


def away(sums: Sums, value: int, default: float) -> Floats:
    """How far a mean that avoids `value` is from the default, on the other side of it."""
    away_from = default if value == 0 else 1 - default
    return sums.weighted / np.where(sums.total > 0, sums.total, 1.0) - away_from


def nested(given: Extremes, rules: Rules, mask: Mask, keys: Positions, n: int) -> list[Worst] | None:
    """The worst over all queries of rows that differ by what is visible alone, from the row that sees most.

    Args:
        given: that one row.
        rules, mask: the head's.
        keys: the key positions.
        n: the length.

    Returns:
        Rows are numbered by their query, less one. None where the worst row is not known.
    """
    forwards = mask in (Mask.CAUSAL, Mask.STRICT_CAUSAL)
    ends = keys + {Mask.STRICT_CAUSAL: 1, Mask.STRICT_PAST: -1}.get(
        mask, 0
    )  # the query whose row ends with the key
    found: list[Worst] = []
    for value in (0, 1):
        grows = _grows(given, rules, value, forwards=forwards)
        if grows is None and given.can(1, value).any():
            return None
        if grows:
            errors, queries = errors_of(given, rules, value), np.full(len(keys), n if forwards else 1)
        else:
            errors, queries = _shortest(given, rules, value, forwards=forwards), ends
            if (errors[0, (queries < 1) | (queries > n)] >= 0).any():
                return None
        at = int(errors[0].argmax())
        if errors[0, at] >= 0:
            fixed = rules.tie is Tie.AVERAGE and bool(_forced(given).any())
            found.append(
                Worst(float(errors[0, at]), int(queries[at]) - 1, None if fixed else at, value, True)
            )
        if not rules.argmax:
            missed = _nested_unselected(given, value, rules.default, forwards=forwards)
            missed[(ends < 1) | (ends > n)] = -1.0
            at = int(missed.argmax())
            if missed[at] >= 0:
                found.append(Worst(float(missed[at]), int(ends[at]) - 1, None, value, False))
    return found


def _grows(given: Extremes, rules: Rules, value: int, *, forwards: bool) -> bool | None:
    """Whether a longer row is worse for a target of this value, or a shorter one; None where it depends.

    Rows have one end in common; at the other all keys err in a longer row, or none does.
    """
    seen = np.flatnonzero(given.seen[0])
    further = seen[1:] if forwards else seen[:-1]
    if rules.tie is Tie.AVERAGE:
        errs = field(given, value, free=False)[0].weighted[0, further] > 0
        return True if errs.all() or _forced(given)[0, seen].all() else None
    free = rules.after_is_free if forwards else rules.before_is_free
    errs = field(given, value, free=free)[0].weighted[0, further] > 0
    return True if errs.all() else False if not errs.any() else None


def _shortest(given: Extremes, rules: Rules, value: int, *, forwards: bool) -> Floats:
    """As `errors_of`, in rows that end with the target."""
    free = rules.before_is_free if forwards else rules.after_is_free
    others, blocked = (earlier if forwards else later)(*field(given, value, free=free))
    return np.where(blocked, -1.0, beside(given, others, value))


def _nested_unselected(given: Extremes, value: int, default: float, *, forwards: bool) -> Floats:
    """The worst error, for each key, of the row that ends with it, where nothing is selected."""
    sums, possible = field(given, value, free=False)
    running = partial(sums, backwards=not forwards)
    row = Sums(*(one[0, 1:] if forwards else one[0, :-1] for one in running))
    step = 1 if forwards else -1
    blocked = np.cumsum(~possible[0, ::step])[::step] > 0
    return np.where(blocked | ~given.seen[0], -1.0, away(row, value, default))
