"""Budgets: how steep the exponents must be for a claimed error, in rational numbers that Coq can check.

Each budget fixes a slope `a` and a rational `q <= exp a`; the slope is the least one, to three digits, that suffices.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from verifier.coq.expressions import rational

STEEPEST = 40
TERMS = 20


@dataclass(frozen=True)
class Budget:
    """Bounds of the exponents left and right of the target, and the proof that they keep the claimed error.

    Args:
        left, right: tails, as the development names them.
        proof: a tactic that proves the error of these tails to be at most the claim.
    """

    left: str
    right: str
    proof: str


def slope_for(factor: Fraction) -> tuple[Fraction, Fraction] | None:
    """A slope a and a rational q with factor <= q <= exp a, both short; None where a would be too steep to check."""
    if factor <= 1:
        factor = Fraction(1001, 1000)
    if factor >= math.exp(STEEPEST):
        return None
    a = Fraction(math.ceil(math.log(factor) * 1000 * (1 + 1e-9)), 1000)
    for candidate in (Fraction(math.ceil(a * 20), 20), a + Fraction(1, 1000)):
        q = Fraction(math.floor(math.exp(candidate) * (1 - 1e-9) * 1000), 1000)
        if q >= factor:
            return candidate, Fraction(math.ceil(factor)) if math.ceil(factor) <= q else q
    return None


def both_sides(error: Fraction) -> Budget | None:
    """A geometric tail on each side: 2 / (q - 1) is the total weight."""
    found = slope_for(1 + 2 * (1 - error) / error)
    if found is None:
        return None
    tail = f"(near {rational(found[0])} 0)"
    return Budget(tail, tail, _applied("budget_near_near", found))


def near_side(error: Fraction, *, leftmost: bool) -> Budget | None:
    """A geometric tail beyond the target and nothing before it: 1 / (q - 1) is the total weight."""
    found = slope_for(1 / error)
    if found is None:
        return None
    near = f"(near {rational(found[0])} 0)"
    if leftmost:
        return Budget("absent", near, _applied("budget_absent_near", found))
    return Budget(near, "absent", _applied("budget_near_absent", found))


def near_and_far(error: Fraction, last: str, *, leftmost: bool) -> Budget | None:
    """A geometric tail on one side of the target; on the other, where nothing is selected, keys that are at least
    a (last + 1) below it, and at most last - 1 of them: 1 / (q^2 a) more."""
    weight = error / (1 - error)
    found = slope_for(1 + 1 / weight)
    while found is not None and 1 / (found[1] - 1) + 1 / (found[1] ** 2 * found[0]) > weight:
        found = slope_for(found[1] * Fraction(101, 100))
    if found is None:
        return None
    a, q = found
    near = f"(near {rational(a)} 0)"
    far = f"(far (IZR {last} - 1) {rational(a)} {rational(2 * a)})"
    bounds = f"{_bound(a, q)} | lra | {_bound(2 * a, q * q)}"
    lemma = "budget_far_near" if leftmost else "budget_near_far"
    numbers = f"(q := {rational(q)}) (r := {rational(q * q)})"
    proof = f"apply {lemma} with {numbers};\n    [lra | lra | {bounds} | lra | lra]."
    return Budget(far, near, proof) if leftmost else Budget(near, far, proof)


def average(error: Fraction) -> tuple[str, str] | None:
    """For averaged targets: the slope, and the proof."""
    found = slope_for((1 - error) / error)
    return None if found is None else (rational(found[0]), _applied("budget_average", found, average=True))


def perturbed(error: Fraction, part: Fraction) -> tuple[str, str] | None:
    """For averages of scores known to within a part of the temperature: slope, part and exp part at most; the proof."""
    most = 1 / (1 - part)
    spread = (most - 1) / (most + 1)
    found = slope_for((1 - (error - spread)) / (error - spread)) if error > spread else None
    if found is None:
        return None
    a, q = found
    proof = f"apply budget_perturbed with (q := {rational(q)}) (part := {rational(spread)})"
    return (
        f"{rational(a)} {rational(part)} {rational(most)}",
        f"{proof};\n    [lra | {_bound(a, q)} | lra | lra | lra | lra].",
    )


def _applied(lemma: str, found: tuple[Fraction, Fraction], *, average: bool = False) -> str:
    a, q = found
    slope = "" if average else "lra | "
    return f"apply {lemma} with {rational(q)}; [{slope}lra | {_bound(a, q)} | lra | lra]."


def _bound(a: Fraction, q: Fraction) -> str:
    """A tactic that proves q <= exp a."""
    return f"exp_bound {terms(a)}%nat ({_literal(q)})%Q ({_literal(a)})%Q"


def terms(a: Fraction) -> int:
    """How many terms of the series give exp a to within a millionth part."""
    return TERMS + math.ceil(4 * a)


def _literal(value: Fraction) -> str:
    return f"{value.numerator} # {value.denominator}"
