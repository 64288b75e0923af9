"""The exact supremum in ball arithmetic against enumeration of all strings in plain Python floats."""

from __future__ import annotations

import itertools
import math

import pytest

from tests.prove.examples import changed
from verifier.prove.balls import precision
from verifier.prove.supremum import Unsupported, supremum

C = 2.0


def until_error(n: int, phi: tuple[bool, ...], psi: tuple[bool, ...], i: int) -> float:
    """|soft - hard| of until at the query i, written out by hand for the position-embedding score."""
    keys = range(i, n + 1)
    chosen = {j: psi[j - 1] or not phi[j - 1] for j in keys}
    scores = {j: C * (2 * n * chosen[j] - j) for j in keys}
    top = max(scores.values())
    weights = {j: math.exp(score - top) for j, score in scores.items()}
    soft = sum(weights[j] * psi[j - 1] for j in keys) / sum(weights.values())
    target = next((j for j in keys if chosen[j]), None)
    return abs(soft - (psi[target - 1] if target is not None else False))


def parity_error(n: int, i: int, k: int) -> float:
    """|soft - hard| of parity where the count at the query is k."""
    weights = {j: math.exp(C * (2 * k * j - j * j - k * k)) for j in range(n + 1)}
    soft = sum(weight * (j % 2) for j, weight in weights.items()) / sum(weights.values())
    return abs(soft - k % 2)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_until_equals_enumeration(n: int) -> None:
    construction = changed("until")
    strings = list(itertools.product([False, True], repeat=n))
    greatest = max(until_error(n, phi, psi, i) for phi in strings for psi in strings for i in range(1, n + 1))
    for one in construction.simulations:
        assert float(supremum(construction, one, n, 1).mid()) == pytest.approx(greatest, abs=1e-14)


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_parity_equals_enumeration(n: int) -> None:
    construction = changed("parity")
    greatest = max(parity_error(n, i, k) for i in range(1, n + 1) for k in range(n + 1))
    for one in construction.simulations:
        assert float(supremum(construction, one, n, 2).mid()) == pytest.approx(greatest, abs=1e-14)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_once_is_the_closed_form(n: int) -> None:
    """All other n - 1 keys err with weight exp(-c)/n: R = (n-1)/n exp(-c)."""
    construction = changed("once")
    total = (n - 1) / n * math.exp(-C)
    found = supremum(construction, construction.simulations[0], n, 1)
    assert float(found.mid()) == pytest.approx(total / (1 + total), abs=1e-14)


def test_once_with_a_constant_temperature_errs_by_more_than_half_at_n_9() -> None:
    construction = changed("once", ("(c + ln(n))*", "c*"))
    assert float(supremum(construction, construction.simulations[0], 9, 1).mid()) == pytest.approx(0.519, abs=1e-3)


def test_the_ball_is_tight() -> None:
    construction = changed("until")
    with precision():
        assert float(supremum(construction, construction.simulations[0], 12, 1).rad()) < 1e-25


@pytest.mark.parametrize("name", ["leftmost-attention", "average-attention-perturbed"])
def test_unsupported_shapes_say_so(name: str) -> None:
    construction = changed(name)
    with pytest.raises(Unsupported):
        supremum(construction, construction.simulations[0], 3, 1)


def test_averaging_keys_that_are_always_selected_is_unsupported() -> None:
    construction = changed("once", ('select = "phi(j)"', 'select = "true"'))
    with pytest.raises(Unsupported):
        supremum(construction, construction.simulations[0], 3, 1)
