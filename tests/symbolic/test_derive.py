"""What SymPy derives, held against the definitions at random points."""

from __future__ import annotations

import random

import pytest
import sympy
from flint import arb

from tests.prove.examples import changed, simulation
from tests.symbolic.points import IDS, SIMULATIONS, close, random_row, score_at, values
from verifier.prove.balls import Point, ball, boolean, number, precision
from verifier.spec.construction import Construction, Simulation, Tie
from verifier.spec.syntax import Apply, Expr, Selected, rename_position, subexpressions
from verifier.symbolic.derive import MOST_ATOMS, TAU, Region, Side, derive
from verifier.symbolic.sums import key_count, region_sum
from verifier.symbolic.translate import bracket_symbol, from_sympy, symbol

SELECTING = [entry for entry in zip(SIMULATIONS, IDS, strict=True) if entry[0][0].head.select is not None]


def test_the_regions_are_the_sides_with_the_values_of_the_brackets() -> None:
    names = [region.name for region in derive(*first("until")).regions]
    assert names == ["left, selected", "left, not selected", "right, selected", "right, not selected"]
    assert [region.name for region in derive(*first("previous")).regions] == ["left", "right"]
    assert [region.name for region in derive(*first("once")).regions] == ["selected", "not selected"]
    assert derive(*first("once")).regions[0].side is Side.ANY


def first(name: str) -> tuple[Construction, Simulation]:
    construction = changed(name)
    return construction, construction.simulations[0]


def test_brackets_beyond_a_number_are_left_out() -> None:
    score = " + ".join(f"[j = {at}]" for at in range(MOST_ATOMS + 1))
    construction = changed("until", ("c*(2*n*[selected] - j)", score))
    assert len(derive(construction, construction.simulations[0]).regions) == 2


@pytest.mark.parametrize(("entry", "name"), SELECTING, ids=[name for _, name in SELECTING])
def test_an_exponent_of_the_region_is_the_difference_of_the_scores(
    entry: tuple[Construction, Simulation], name: str
) -> None:
    """In random rows: the exponent of the key's region, for the target's own brackets, is what the definition says."""
    construction, one = entry
    rng = random.Random(name)
    regions = derive(construction, one).regions
    compared = 0
    with precision():
        for row in (random_row(construction, rng) for _ in range(25)):
            pairs = [(key, target) for target in row if target.selected for key in row if key is not target]
            for key, target in pairs:
                wanted = score_at(one, target) - score_at(one, key)
                found = exponents(construction, regions, brackets(one), key, target)
                assert any(close(exponent, wanted) for exponent in found), (found, wanted)
                compared += 1
    assert compared > 20


def brackets(one: Simulation) -> dict[str, Expr]:
    """What the symbols of the score's brackets stand for."""
    nodes = [node for node in subexpressions(one.score.expr) if isinstance(node, Apply)]
    return {bracket_symbol(node.operands[0]).name: node for node in nodes if node.operator == "iverson"}


def exponents(
    construction: Construction, regions: tuple[Region, ...], names: dict[str, Expr], key: Point, target: Point
) -> list[arb]:
    """The values of the exponents of the region in which the key lies."""
    j, t = key.variables["j"], target.variables["j"]
    side = Side.ANY if construction.head.tie is Tie.AVERAGE else Side.LEFT if j < t else Side.RIGHT
    region = next(
        region
        for region in regions
        if region.side is side and all(value_of(atom, key) == holds for atom, holds in region.atoms)
    )
    there = {rename_position(leaf, "j", "j*"): value for leaf, value in target.inputs.items()}
    at = Point({**key.variables, "j*": t}, {**there, **key.inputs})  # type: ignore[dict-item]
    names = names | {f"{leaf.name}({', '.join(leaf.positions)})": leaf for leaf in at.inputs}
    return [number(from_sympy(exponent, names), at) for exponent in region.exponents]


def value_of(atom: Expr, key: Point) -> bool:
    return bool(key.selected) if isinstance(atom, Selected) else boolean(atom, key)


@pytest.mark.parametrize("name", ["previous", "next", "previous-lookup"])
def test_the_weights_of_a_row_sum_to_one(name: str) -> None:
    construction, one = first(name)
    weight = derive(construction, one).weight.subs({symbol("c"): 2, TAU: 3, symbol("n"): 6, symbol("i"): 4})
    keys = {"previous": range(1, 4), "next": range(5, 7), "previous-lookup": range(7)}[name]
    total = sum(weight.subs(symbol("j"), j).doit() for j in keys)
    assert abs(float(total) - 1) < 1e-12


def test_the_temperature_has_the_root_of_the_key_dimension_where_that_is_asked_for() -> None:
    asked = changed("until", ('temperature = "1"\n', 'temperature = "1"\ndivide_by_sqrt_key_dimension = true\n'))
    one = simulation(asked, "position-embedding")
    assert derive(asked, one, 2).temperature == sympy.sqrt(2)
    assert derive(changed("until"), simulation(changed("until"), "position-embedding"), 2).temperature == 1
    plain, divided = derive(asked, one, 1).regions[3], derive(asked, one, 4).regions[3]
    assert sympy.simplify(plain.exponents[0] - 2 * divided.exponents[0]) == 0


def test_a_score_error_lowers_the_exponents_twice() -> None:
    construction, one = first("average-attention-perturbed")
    exact = changed("average-attention-perturbed", ('score_error = "delta"\n', ""))
    lowered, plain = (derive(made, made.simulations[0]).regions[1].exponents[0] for made in (construction, exact))
    assert sympy.simplify(plain - lowered - 2 * symbol("delta")) == 0
    assert one.score_error is not None


def test_an_unselected_key_of_an_argmax_lies_the_gap_below() -> None:
    construction, one = first("average-attention")
    selected, other = derive(construction, one).regions
    assert selected.exponents == (0,)
    at = {symbol("c"): 2, symbol("gamma"): 1, symbol("n"): 1}
    assert sympy.simplify(other.exponents[0].subs(at)) == 2


@pytest.mark.parametrize("name", ["until", "previous", "previous-lookup", "once"])
def test_the_sum_of_a_region_is_that_of_its_keys(name: str) -> None:
    """The closed form, or the sum that is left, with every key of the side in the region."""
    construction, one = first(name)
    n, i, t, c = 7, 4, 4, 2
    if name == "previous":
        t = 3
    at = {symbol("n"): n, symbol("i"): i, symbol("j*"): t, symbol("c"): c}
    for region in derive(construction, one).regions:
        count = int(key_count(construction, region).subs(at))
        for exponent in region.exponents:
            found = float(region_sum(construction, region, exponent).subs(at).doit())
            keys = {Side.LEFT: range(t - count, t), Side.RIGHT: range(t + 1, t + count + 1), Side.ANY: [1] * count}
            wanted = sum(
                float((-number(from_sympy(exponent), Point(values(n=n, i=i, j=j, t=t, c=c), {}))).exp())
                for j in keys[region.side]
            )
            assert abs(found - wanted) <= 1e-9 * (1 + wanted), region.name


def test_apply_is_what_brackets_hold() -> None:
    """The atoms of a region are the conditions themselves, so that a solver can be told them."""
    construction = changed("until", ("c*(2*n*[selected] - j)", "c*(2*n*[selected and j < n] - j)"))
    atom = derive(construction, construction.simulations[0]).regions[0].atoms[0][0]
    assert isinstance(atom, Apply) and atom.operator == "and"


def test_balls_are_what_they_are_compared_as() -> None:
    assert close(arb(1), ball(1)) and not close(arb(1), arb("1.0000001"))
