"""Templates: their sums really are bounds, whatever the parameters; and the candidates come from the exponents."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from tests.prove.examples import changed
from tests.symbolic.points import values
from verifier.prove.balls import Point, number, precision
from verifier.prove.supremum import visible_keys
from verifier.spec import build
from verifier.spec.construction import Construction, Mask
from verifier.spec.printer import to_text
from verifier.symbolic.derive import Side, derive
from verifier.symbolic.templates import Shape, Template, candidates, distance, lower_bound, summed

MASKED = {mask: changed("until", ('mask   = "j >= i"', f'mask = "{mask.value}"')) for mask in Mask}
WITH_BOS = changed("parity")
SIDED = [Shape.NEAR, Shape.FAR, Shape.SQUARE]

positive = st.fractions(Fraction(1, 100), 8, max_denominator=100)
anything = st.fractions(-4, 8, max_denominator=100)


def keys_beside(construction: Construction, side: Side, i: int, t: int, n: int) -> list[int]:
    """The visible keys on a side of the target."""
    keys = visible_keys(construction, i, n)
    return [j for j in keys if j != t and (side is Side.ANY or (j < t) == (side is Side.LEFT))]


def total(construction: Construction, template: Template, i: int, t: int, n: int) -> arb:
    """The sum of exp(-lower bound) over the keys of the template's side."""
    found = arb(0)
    for j in keys_beside(construction, template.side, i, t, n):
        found += (-number(lower_bound(construction, template), Point(values(i=i, j=j, t=t, n=n), {}))).exp()
    return found


@st.composite
def placed(draw: st.DrawFn) -> tuple[Construction, int, int, int]:
    """A construction with some mask, a query, a target that it sees, and the length."""
    construction = draw(st.sampled_from([*MASKED.values(), WITH_BOS]))
    n = draw(st.integers(1, 12))
    i = draw(st.integers(1, n))
    keys = visible_keys(construction, i, n)
    return construction, i, draw(st.sampled_from(keys)) if keys else 0, n


@given(placed(), st.sampled_from(SIDED), st.sampled_from([Side.LEFT, Side.RIGHT]), positive, anything)
def test_a_sum_by_distance_is_a_bound(
    place: tuple[Construction, int, int, int], shape: Shape, side: Side, slope: Fraction, first: Fraction
) -> None:
    template = Template(side, shape, build.number(slope), build.number(first), build.ZERO)
    with precision():
        assert total(place[0], template, *place[1:]) <= number(summed(template), Point({}, {}))


@given(placed(), st.sampled_from(list(Side)), anything, st.integers(0, 3))
def test_a_sum_by_counting_is_a_bound(
    place: tuple[Construction, int, int, int], side: Side, first: Fraction, spare: int
) -> None:
    construction, i, t, n = place
    count = len(keys_beside(construction, side, i, t, n)) + spare
    template = Template(side, Shape.CONSTANT, build.ZERO, build.number(first), build.number(count))
    with precision():
        assert total(construction, template, i, t, n) <= number(summed(template), Point({}, {})) + arb("1e-30")


@pytest.mark.parametrize("slope", ["1/4", "1/2", "1", "2"])
@pytest.mark.parametrize("shape", SIDED)
def test_a_sum_by_distance_is_a_bound_and_no_generous_one(shape: Shape, slope: str) -> None:
    """Else a template could be replaced by a coarser one without any test noticing."""
    template = Template(Side.RIGHT, shape, build.number(Fraction(slope)), build.number(1), build.ZERO)
    construction = MASKED[Mask.NONE]
    with precision():
        exact, bound = total(construction, template, 1, 1, 16), number(summed(template), Point({}, {}))
        assert exact < bound < exact * arb("1.2")


@given(placed(), st.sampled_from(SIDED), st.sampled_from([Side.LEFT, Side.RIGHT]))
def test_distances_count_from_one_and_never_twice(
    place: tuple[Construction, int, int, int], shape: Shape, side: Side
) -> None:
    construction, i, t, n = place
    template = Template(side, shape, build.ONE, build.ZERO, build.ZERO)
    found = []
    for j in keys_beside(construction, side, i, t, n):
        at = number(distance(construction, template), Point(values(i=i, j=j, t=t, n=n), {})).unique_fmpz()
        assert at is not None
        found.append(int(at))
    assert sorted(found) == list(range(1, len(found) + 1))


@pytest.mark.parametrize(
    ("name", "route", "side", "shape", "slope", "first"),
    [
        ("until", "position-embedding", Side.RIGHT, Shape.NEAR, "c", "c"),
        ("until", "temperature", Side.RIGHT, Shape.NEAR, "c", "c"),
        ("until", "position-embedding", Side.LEFT, Shape.CONSTANT, "0", "c*n + c"),
        ("until", "position-embedding", Side.LEFT, Shape.FAR, "c", "c*n + c"),
        ("previous", "temperature", Side.LEFT, Shape.NEAR, "c", "c"),
        ("previous-lookup", "position-embedding", Side.LEFT, Shape.SQUARE, "c", "c"),
        ("parity", "temperature", Side.RIGHT, Shape.SQUARE, "c", "c"),
        ("average-attention", "temperature", Side.ANY, Shape.CONSTANT, "0", "c + ln(n)"),
        ("once", "temperature", Side.ANY, Shape.CONSTANT, "0", "c + ln(n)"),
    ],
)
def test_the_candidates_have_those_of_the_theory_among_them(
    name: str, route: str, side: Side, shape: Shape, slope: str, first: str
) -> None:
    construction = changed(name)
    one = next(one for one in construction.simulations if one.name == route)
    regions = [region for region in derive(construction, one).regions if region.side is side]
    found = {
        (template.shape, to_text(template.slope), to_text(template.first))
        for region in regions
        for template in candidates(construction, side, [region])
    }
    assert (shape, slope, first) in found, sorted(found)


def test_a_parameter_called_as_a_distance_is_none() -> None:
    """The distance from the target is `d` in what SymPy derives, and so may a parameter be."""
    named = changed("until", ("c = {", "d = {"), ("c*(", "d*("), ("1/(c*n)", "1/(d*n)"), ('"c > 0"', '"d > 0"'))
    regions = [region for region in derive(named, named.simulations[0]).regions if region.side is Side.RIGHT]
    found = {(template.shape, to_text(template.slope)) for template in candidates(named, Side.RIGHT, regions)}
    assert (Shape.NEAR, "d") in found
