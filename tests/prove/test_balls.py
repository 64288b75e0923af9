"""Ball arithmetic: enclosures, and the surprises of the library that the translator steps around."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from verifier.prove.balls import Point, Unsettled, ball, boolean, enclosure, number, precision, settled
from verifier.spec.parser import parse
from verifier.spec.types import Scope, Type

SCOPE = Scope({"i": Type.INTEGER, "j": Type.INTEGER, "n": Type.INTEGER, "c": Type.REAL})


def at(text: str, **variables: int | Fraction) -> arb:
    return number(parse(text, SCOPE).expr, Point({name: ball(value) for name, value in variables.items()}, {}))


def test_a_power_of_a_ball_around_zero_is_not_finite_in_the_library() -> None:
    """Pins why whole powers are computed by multiplication."""
    around_zero = arb(0, 1)
    assert not (around_zero**2).is_finite()
    assert (around_zero * around_zero).is_finite()


def test_powers_of_balls_around_zero_are_finite_here() -> None:
    value = number(parse("c^2", SCOPE).expr, Point({"c": arb(0, 1)}, {}))
    assert value.is_finite()
    assert value.contains(0)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*n + 1", 7),
        ("n^3 - j", 26),
        ("-7 mod 3", 2),
        ("min(n, j, 5)", 1),
        ("max(n, j)", 3),
        ("abs(j - n)", 2),
        ("[j < n] + [j = n]", 1),
        ("(n - j)/2", 1),
    ],
)
def test_exact_values(text: str, value: int) -> None:
    assert at(text, n=3, j=1) == value


def test_transcendental_values_enclose_the_truth() -> None:
    with precision(200):
        sharp = at("exp(-c) + ln(n) + sqrt(2) + sin(1) + 2^(-j) + pi", c=Fraction(7, 5), n=3, j=2)
    with precision(60):
        rough = at("exp(-c) + ln(n) + sqrt(2) + sin(1) + 2^(-j) + pi", c=Fraction(7, 5), n=3, j=2)
    assert rough.contains(sharp)
    assert float(sharp.mid()) == pytest.approx(
        0.2465969639 + 1.0986122887 + 1.4142135624 + 0.8414709848 + 0.25 + 3.1415926536
    )


@pytest.mark.parametrize("text", ["1/(n - 3)", "ln(n - 3)", "ln(-n)", "sqrt(-n)", "n mod (n - 3)"])
def test_what_has_no_value_is_unsettled(text: str) -> None:
    with pytest.raises(Unsettled):
        at(text, n=3)


def test_a_comparison_of_overlapping_balls_is_unsettled() -> None:
    with pytest.raises(Unsettled):
        boolean(parse("exp(c) = exp(c)", SCOPE).expr, Point({"c": ball(1)}, {}))
    with pytest.raises(Unsettled):
        settled(arb(1, 0.5), arb(1))


@given(st.fractions(min_value=-50, max_value=50), st.integers(min_value=8, max_value=120))
def test_enclosures_lie_on_the_safe_side(value: Fraction, bits: int) -> None:
    with precision(40):
        around = ball(value) + arb(0, 1e-9)
    low, high = enclosure(around, above=False, bits=bits), enclosure(around, above=True, bits=bits)
    assert low <= value <= high
    assert high.denominator <= 1 << bits
