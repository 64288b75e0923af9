"""Budgets: the rational numbers they rest on are right."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from verifier.coq.budgets import average, both_sides, perturbed, slope_for, terms


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(3), Fraction(7), Fraction(1000), Fraction(10) ** 15])
def test_the_slope_suffices_and_the_series_reaches_it(factor: Fraction) -> None:
    found = slope_for(factor)
    assert found is not None
    a, q = found
    assert factor <= q
    series = sum(a**k / math.factorial(k) for k in range(terms(a) + 1))
    assert q <= series


def test_a_hopeless_budget_is_refused() -> None:
    assert slope_for(Fraction(10) ** 20) is None
    assert both_sides(Fraction(1, 10**20)) is None
    assert average(Fraction(1, 10**20)) is None
    assert perturbed(Fraction(1, 20), Fraction(1, 2)) is None
