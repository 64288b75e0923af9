"""Why a row goes wrong in a number format: the first step at which it loses what the exact row has."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from verifier.precision.attend import HeadData, Steps, steps
from verifier.precision.formats import Format, Numbers, format_of


class Cause(StrEnum):
    """What was lost."""

    OVERFLOW = "overflow"
    FEATURE = "position feature not representable"
    TIE = "score ties"
    ORDER = "scores out of order"
    GAP = "gap lost in rounding"
    UNDERFLOW = "underflow"
    SUM = "rounding of many weights"


@dataclass(frozen=True)
class Explanation:
    """A cause and a sentence with the numbers."""

    cause: Cause
    detail: str


def explain(format_: Format, data: HeadData, target: int | None, first_key: int) -> Explanation:
    """Why one row of one string is wrong.

    Args:
        format_: the number format.
        data: batch 1, one row.
        target: the index of the key that the hard head attends to, or None where there is none or are several.
        first_key: the position of the key with index 0.
    """
    exact, rounded = steps(format_of("float64"), data), steps(format_, data)
    overflow = _overflow(format_, data, rounded)
    if overflow:
        return Explanation(Cause.OVERFLOW, overflow)
    rival = _rival(data, rounded, target)
    if target is None or rival is None:
        return _sums(exact, rounded)
    return _between(format_, data, (exact, rounded), (target, rival), first_key)


def _overflow(format_: Format, data: HeadData, rounded: Steps) -> str:
    with np.errstate(all="ignore"):
        stages: tuple[tuple[str, Numbers, Numbers], ...] = (
            ("the query entry", data.query, format_.round(data.query)),
            ("the key entry", data.key, format_.round(data.key)),
            ("1/temperature", np.array(data.sharpness), format_.round(np.array(data.sharpness))),
        )
    for name, exact, stored in stages:
        if not np.isfinite(stored).all():
            worst = float(np.abs(exact[~np.isfinite(stored)]).max())
            return f"{name} {worst:g} exceeds the largest number, {format_.largest:g}"
    seen = data.seen[None]
    for name, numbers in (("score", rounded.score), ("exponent", rounded.exponent)):
        if not np.isfinite(numbers[np.broadcast_to(seen, numbers.shape)]).all():
            return f"the {name} exceeds the largest number, {format_.largest:g}"
    return ""


def _rival(data: HeadData, rounded: Steps, target: int | None) -> int | None:
    """The visible key with the largest weight among those whose value differs from the target's."""
    if target is None:
        return None
    differs = data.seen[0] & (data.value[0] != data.value[0, target])
    if not differs.any():
        return None
    return int(np.where(differs, rounded.weight[0, 0], -1.0).argmax())


def _between(
    format_: Format, data: HeadData, found: tuple[Steps, Steps], keys: tuple[int, int], first_key: int
) -> Explanation:
    """What became of the distance between the target and the key that takes its weight."""
    exact, rounded = found
    target, rival = keys
    where = f"keys {target + first_key} (attended) and {rival + first_key}"
    stored = format_.round(data.key)[0]
    differ = [float(one.exponent[0, 0, target] - one.exponent[0, 0, rival]) for one in (exact, rounded)]
    if (stored[target] == stored[rival]).all() and (data.key[0, target] != data.key[0, rival]).any():
        entry = int((data.key[0, target] != data.key[0, rival]).argmax())
        number = f"{data.key[0, target, entry]:.10g} and {data.key[0, rival, entry]:.10g}"
        detail = f"{where} have one and the same stored key: {number} are both {stored[target, entry]:.10g}"
        return Explanation(Cause.FEATURE, detail)
    if differ[1] == 0 != differ[0]:
        return Explanation(Cause.TIE, f"{where}: exponents {differ[0]:.4g} apart are stored as equal")
    if differ[1] < 0 < differ[0]:
        return Explanation(Cause.ORDER, f"{where}: exponents {differ[0]:.4g} apart are stored as {differ[1]:.4g} apart")
    if differ[1] < differ[0] * (1 - 1e-3):
        return Explanation(Cause.GAP, f"{where}: exponents {differ[0]:.4g} apart are stored as {differ[1]:.4g} apart")
    return _sums(exact, rounded)


def _sums(exact: Steps, rounded: Steps) -> Explanation:
    lost = (rounded.normalized == 0) & (exact.normalized > 0)
    weight = float(exact.normalized[lost].sum())
    if weight > 0.05:
        return Explanation(Cause.UNDERFLOW, f"{int(lost.sum())} weights, {weight:.3g} in sum, are stored as 0")
    moved = float(rounded.output[0, 0]) - float(exact.output[0, 0])
    return Explanation(Cause.SUM, f"the rounded weights move the output by {moved:.3g}")
