"""Heads in time linear in the length, where the score is a function of the query plus one of the key.

A term that depends on the query alone cancels in softmax, so that every row is a running sum over keys: forwards for a
causal mask, backwards for a past mask, one total without a mask. A bracket about the key, such as [selected] in
2*i*[selected] + j, divides the keys into classes in each of which the score is such a sum. Weights are kept relative
to the largest so far, never as their logarithm, so that rounding stays at a few units of the result.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from verifier.execute.batch import Batch, Floats, KeyDimension, Truths, place, scalar, temperature
from verifier.execute.evaluate import Array, evaluate, number
from verifier.execute.heads import BLOCK, key_values, negated
from verifier.spec import build
from verifier.spec.construction import Construction, Mask, Simulation, Tie
from verifier.spec.syntax import Apply, Expr, expand_selected, mentions, subexpressions

MOST_BRACKETS = 3
LOWEST = -1e300  # the exponent of a key that is absent; finite, so that differences of exponents stay numbers


@dataclass(frozen=True)
class Part:
    """The keys at which each condition has the given truth; there the score is `query` plus `key`."""

    conditions: tuple[tuple[Expr, bool], ...]
    query: Expr
    key: Expr


@dataclass(frozen=True)
class Separation:
    """A score as a sum in each of finitely many classes of keys; `whole` if it does not depend on the query at all."""

    parts: tuple[Part, ...]
    whole: bool


class Sums(NamedTuple):
    """Sums over keys, relative to exp(top): of the weights, and of weight times value."""

    top: Floats
    total: Floats
    weighted: Floats


def separate(construction: Construction, simulation: Simulation) -> Separation | None:
    """How the score separates; None where it is not seen to, or where the selection depends on the query."""
    select = construction.head.select
    if select is None or mentions(select.expr, "i"):
        return None
    score = expand_selected(simulation.score.expr, select.expr)
    plain = _split(score)
    if plain is not None:
        return Separation((Part((), *plain),), not mentions(score, "i"))
    brackets = [
        node.operands[0]
        for node in dict.fromkeys(subexpressions(score))
        if isinstance(node, Apply) and node.operator == "iverson" and not mentions(node, "i")
    ]
    if len(brackets) > MOST_BRACKETS:
        return None
    parts = []
    for truths in itertools.product((False, True), repeat=len(brackets)):
        split = _split(_decided(score, dict(zip(brackets, truths, strict=True))))
        if split is None:
            return None
        parts.append(Part(tuple(zip(brackets, truths, strict=True)), *split))
    return Separation(tuple(parts), False)


def _split(expr: Expr) -> tuple[Expr, Expr] | None:
    """The expression as a sum of one about i and one about j, found from its shape alone."""
    if not mentions(expr, "i"):
        return build.ZERO, expr
    if not mentions(expr, "j"):
        return expr, build.ZERO
    if not isinstance(expr, Apply):
        return None
    if expr.operator in ("+", "-", "neg"):
        halves = [_split(operand) for operand in expr.operands]
        known = [half for half in halves if half is not None]
        if len(known) < len(halves):
            return None
        return _again(expr, [half[0] for half in known]), _again(expr, [half[1] for half in known])
    if expr.operator in ("*", "/"):
        for at in (0, 1) if expr.operator == "*" else (0,):
            half = None if mentions(expr.operands[1 - at], "i", "j") else _split(expr.operands[at])
            if half is not None:
                return (
                    Apply(expr.operator, _replaced(expr.operands, at, half[0])),
                    Apply(expr.operator, _replaced(expr.operands, at, half[1])),
                )
    return None


def _again(expr: Apply, operands: list[Expr]) -> Expr:
    return Apply(expr.operator, tuple(operands))


def _replaced(operands: tuple[Expr, ...], at: int, new: Expr) -> tuple[Expr, ...]:
    return (*operands[:at], new, *operands[at + 1 :])


def _decided(expr: Expr, truths: Mapping[Expr, bool]) -> Expr:
    """The expression with each of these brackets replaced by 1 or 0, and products with 0 left out."""
    if not isinstance(expr, Apply):
        return expr
    if expr.operator == "iverson" and expr.operands[0] in truths:
        return build.number(int(truths[expr.operands[0]]))
    operands = tuple(_decided(operand, truths) for operand in expr.operands)
    return build.multiply(*operands) if expr.operator == "*" else Apply(expr.operator, operands)


def soft_outputs(
    construction: Construction,
    simulation: Simulation,
    separation: Separation,
    batch: Batch,
    *,
    key_dimension: KeyDimension | None = None,
) -> Floats:
    """The soft head's outputs at every query, of shape [batch, n]; raises as `heads.soft_outputs` does."""
    tau = temperature(construction, simulation, batch.n, key_dimension)
    return _by_strings(lambda part: _soft(construction, simulation, separation, part, tau), batch)


def hard_outputs(construction: Construction, batch: Batch) -> Floats:
    """The hard head's outputs at every query, of shape [batch, n], where the selection does not depend on the query.

    Raises:
        ExecutionError: an expression has no finite value.
    """
    return _by_strings(lambda part: _hard(construction, part), batch)


def _by_strings(outputs: Callable[[Batch], Floats], batch: Batch) -> Floats:
    """The outputs of so many strings at a time that memory stays bounded."""
    step = max(1, BLOCK // len(batch.keys))
    parts = [outputs(batch.part(slice(first, first + step))) for first in range(0, batch.size, step)]
    return np.concatenate(parts)


def _soft(
    construction: Construction, simulation: Simulation, separation: Separation, batch: Batch, tau: float
) -> Floats:
    worth = key_values(construction, batch, _ever_seen(construction, batch))
    what = f"the score of simulation '{simulation.name}'"
    found: Sums | None = None
    for part in separation.parts:
        present = _present(construction, batch, part)
        top = np.where(present, _at_keys(construction, what, batch, part.key) / tau, LOWEST)
        weights = np.broadcast_to(present, worth.shape).astype(np.float64)
        seen = _over_rows(
            construction, batch, Sums(np.broadcast_to(top, worth.shape), weights, weights * worth)
        )
        here = seen._replace(top=seen.top + _at_queries(construction, what, batch, part.query) / tau)
        found = here if found is None else join(found, here)
    assert found is not None
    outputs = found.weighted / np.where(found.total > 0, found.total, 1.0)
    return negated(construction, np.broadcast_to(outputs, (batch.size, batch.n)))


def _hard(construction: Construction, batch: Batch) -> Floats:
    head = construction.head
    assert head.select is not None
    seen = _ever_seen(construction, batch)
    worth = key_values(construction, batch, seen)
    chosen = np.broadcast_to(
        _at_keys(construction, "the selection of the head", batch, head.select.expr, boolean=True) & seen,
        worth.shape,
    )
    if head.tie is Tie.AVERAGE:
        count, total = (
            _picked(
                construction,
                batch,
                _accumulated(np.add, values.astype(np.float64), 0.0, _backwards(head.mask)),
            )
            for values in (chosen, chosen * worth)
        )
        found, some = total / np.maximum(count, 1), count > 0
    else:
        extreme, nowhere = (np.maximum, -1) if head.tie is Tie.RIGHTMOST else (np.minimum, worth.shape[-1])
        places = np.where(chosen, np.arange(worth.shape[-1]), nowhere)
        at = _picked(construction, batch, _accumulated(extreme, places, nowhere, _backwards(head.mask)))
        some = at != nowhere
        found = np.take_along_axis(worth, np.where(some, at, 0), axis=-1)
    default = scalar(construction, "the default", head.default.expr, batch.n)
    nonempty = _row_sizes(construction, batch) > 0
    return negated(construction, np.where(nonempty, np.where(some, found, default), 0.0))


def join(left: Sums, right: Sums) -> Sums:
    """The sums over the keys of both."""
    fading = np.exp(-np.abs(left.top - right.top))
    lower = left.top < right.top
    of_left, of_right = np.where(lower, fading, 1.0), np.where(lower, 1.0, fading)
    return Sums(
        np.maximum(left.top, right.top),
        left.total * of_left + right.total * of_right,
        left.weighted * of_left + right.weighted * of_right,
    )


def totals(sums: Sums) -> Sums:
    """The sums over all keys, the last axis, which is kept with length 1."""
    top = sums.top.max(axis=-1, keepdims=True)
    fading = np.exp(sums.top - top)
    return Sums(top, *((one * fading).sum(axis=-1, keepdims=True) for one in (sums.total, sums.weighted)))


def partial(sums: Sums, *, backwards: bool = False) -> Sums:
    """Entry c sums up the first c keys (backwards: all keys but the first c), c = 0 .. keys, along the last axis."""
    arrays = [np.moveaxis(one, -1, 0)[:: -1 if backwards else 1] for one in sums]
    running = _running(Sums(*map(np.ascontiguousarray, arrays)))
    padded = []
    for one, absent in zip(running, (LOWEST, 0.0, 0.0), strict=True):
        longer = np.concatenate([np.full_like(one[:1], absent), one])
        padded.append(np.moveaxis(longer[:: -1 if backwards else 1], 0, -1))
    return Sums(*padded)


def _running(sums: Sums) -> Sums:
    """Inclusive running sums along the first axis: pairs first, so that rounding grows with the logarithm."""
    length = len(sums.top)
    if length == 1:
        return sums
    first, second = Sums(*(one[0:-1:2] for one in sums)), Sums(*(one[1::2] for one in sums))
    pairs = _running(join(first, second))
    between = join(Sums(*(one[: (length - 1) // 2] for one in pairs)), Sums(*(one[2::2] for one in sums)))
    result = Sums(*map(np.empty_like, sums))
    for out, own, odd, even in zip(result, sums, pairs, between, strict=True):
        out[0], out[1::2], out[2::2] = own[0], odd, even
    return result


def _over_rows(construction: Construction, batch: Batch, sums: Sums) -> Sums:
    """The sums over the keys that each query sees, [batch, n], or [batch, 1] where all queries see all keys."""
    mask = construction.head.mask
    if mask is Mask.NONE:
        return totals(sums)
    return Sums(*(_picked(construction, batch, one) for one in partial(sums, backwards=_backwards(mask))))


def _accumulated(extreme: np.ufunc, values: Array, absent: float, backwards: bool) -> Array:
    """As `partial`, for another associative operation."""
    step = -1 if backwards else 1
    edge = np.full_like(values[:, :1], absent)
    return np.concatenate([edge, extreme.accumulate(values[:, ::step], axis=-1)], axis=-1)[:, ::step]


def _backwards(mask: Mask) -> bool:
    return mask in (Mask.PAST, Mask.STRICT_PAST)


def _picked(construction: Construction, batch: Batch, partials: Array) -> Array:
    """For each query, the entry of partial sums that covers the keys it sees."""
    mask, at = construction.head.mask, batch.queries - batch.first_key
    entry = {
        Mask.NONE: np.full_like(at, len(batch.keys)),
        Mask.CAUSAL: at + 1,
        Mask.STRICT_CAUSAL: at,
        Mask.PAST: at,
        Mask.STRICT_PAST: at + 1,
    }[mask]
    return np.asarray(partials[:, entry])


def _row_sizes(construction: Construction, batch: Batch) -> Array:
    """How many keys each query sees."""
    ones = np.ones((1, len(batch.keys)))
    return _picked(construction, batch, _accumulated(np.add, ones, 0.0, _backwards(construction.head.mask)))


def _ever_seen(construction: Construction, batch: Batch) -> Truths:
    """The keys that some query sees."""
    mask, keys = construction.head.mask, batch.keys
    least = {Mask.PAST: 1, Mask.STRICT_PAST: 2}.get(mask, batch.first_key)
    return np.asarray((keys >= least) & (keys <= batch.n - (mask is Mask.STRICT_CAUSAL)))


def _present(construction: Construction, batch: Batch, part: Part) -> Truths:
    """The visible keys that belong to the class, of a shape that broadcasts to [batch, key]."""
    present = _ever_seen(construction, batch)[None, :]
    for condition, truth in part.conditions:
        present = present & (_at_keys(construction, "the score", batch, condition, boolean=True) == truth)
    return present


def _at_keys(
    construction: Construction, what: str, batch: Batch, expr: Expr, *, boolean: bool = False
) -> Array:
    """An expression about the key, of a shape that broadcasts to [batch, key]."""
    at = place(construction, what, batch, batch.queries[:1], [expr], relevant=_ever_seen(construction, batch))
    found = evaluate(expr, at) if boolean else number(expr, at)
    return found if found.ndim == 0 else found[:, 0, :]


def _at_queries(construction: Construction, what: str, batch: Batch, expr: Expr) -> Floats:
    """An expression about the query, of a shape that broadcasts to [batch, query]."""
    nonempty = (_row_sizes(construction, batch) > 0)[:, :, None]
    found = number(expr, place(construction, what, batch, batch.queries, [expr], relevant=nonempty))
    return found if found.ndim == 0 else found[:, :, 0]
