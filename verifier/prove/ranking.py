"""Which template to try first, and whether a second one is worth having: by sampling, so it decides nothing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import reduce

from flint import arb

from verifier.prove.balls import Point, Unsettled, ball, number
from verifier.prove.exponentials import split_logarithms
from verifier.spec.construction import Construction
from verifier.spec.syntax import Apply, Expr, mentions, subexpressions
from verifier.symbolic.templates import Shape, Template, summed

LENGTHS = (2, 8, 64, 1000)
TYPICAL_LENGTH = 64


def ranked(construction: Construction, templates: Iterable[Template]) -> list[Template]:
    """Templates by the logarithm of their sums at a few lengths, those that the budget can handle first; those
    without a finite positive sum are left out."""
    sized = [
        (not tractable(template), _log_size(construction, template), at, template)
        for at, template in enumerate(templates)
    ]
    return [entry[-1] for entry in sorted(sized, key=lambda entry: entry[:3]) if entry[1] < math.inf]


def tractable(template: Template) -> bool:
    """Whether a varying logarithm, if there is one, can be taken out of every exponential of the sum."""
    for exponent in (template.first, template.slope):
        rest, _ = split_logarithms(exponent)
        if any(
            isinstance(node, Apply) and node.operator == "ln" and mentions(node, "n") for node in subexpressions(rest)
        ):
            return False
    return True


def _log_size(construction: Construction, template: Template) -> float:
    total = 0.0
    for n in LENGTHS:
        found = value_at(construction, summed(template), n)
        slope = value_at(construction, template.slope, n)
        if found is None or slope is None or not found > 0 or (template.shape is not Shape.CONSTANT and not slope > 0):
            return math.inf
        total += float(found.log().mid())
    return total


def value_at(construction: Construction, expr: Expr, n: int) -> arb | None:
    """An expression in n and the parameters at n; None where it has no value."""
    variables = {"n": ball(n)} | {name: ball(given) for name, given in construction.values.items()}
    try:
        return number(expr, Point(variables, {}))
    except (Unsettled, KeyError):
        return None


def log_total(construction: Construction, totals: Sequence[Expr]) -> float:
    """The logarithm of a sum at a few lengths, added up; infinite where it has no value."""
    total = 0.0
    for n in LENGTHS:
        parts = [value_at(construction, expr, n) for expr in totals]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return math.inf
        found = sum(known, arb(0))
        total += float(found.log().mid()) if found > 0 else -math.inf
    return total


def improves(construction: Construction, better: Expr, total: Expr, *, last_row: bool) -> bool:
    """Whether a total is smaller than another by more than 2 % at a length of 64; where rows are last rows of
    prefixes, the greatest total up to there counts."""
    lengths = range(1, TYPICAL_LENGTH + 1) if last_row else (TYPICAL_LENGTH,)
    new, old = (_greatest(construction, expr, lengths) for expr in (better, total))
    return new is not None and old is not None and bool(new < arb("0.98") * old)


def _greatest(construction: Construction, expr: Expr, lengths: Iterable[int]) -> arb | None:
    values = [value_at(construction, expr, n) for n in lengths]
    known = [value for value in values if value is not None]
    return reduce(arb.max, known) if known and len(known) == len(values) else None
