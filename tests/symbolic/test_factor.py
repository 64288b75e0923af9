"""Factoring a score: the products equal it, and what is no dot product is told with its reason."""

from __future__ import annotations

import random

import pytest
import sympy

from tests.prove.examples import changed, simulation
from tests.symbolic.points import IDS, SIMULATIONS, random_row, same
from verifier.prove.balls import precision
from verifier.spec import build
from verifier.spec.construction import Construction, Simulation
from verifier.spec.printer import to_text
from verifier.spec.syntax import mentions
from verifier.symbolic.factor import Factorization, factor, growth, inverse_temperature_growth
from verifier.symbolic.translate import symbol

n, i, j, c = map(symbol, "nijc")


def factored(score: str, name: str = "until") -> Factorization:
    """The factorization of another score for a construction of the library."""
    old = simulation(changed(name), "position-embedding").score.text
    construction = changed(name, (f'"{old}"', f'"{score}"'))
    return factor(construction, simulation(construction, "position-embedding"))


@pytest.mark.parametrize(("construction", "one"), SIMULATIONS, ids=IDS)
def test_the_products_of_the_library_sum_to_the_score(construction: Construction, one: Simulation) -> None:
    found = factor(construction, one)
    assert found.fault == "" and found.key_dimension == len(found.products) > 0
    total = build.add(*(build.multiply(*product) for product in found.products))
    rng = random.Random(one.name)
    points = [point for _ in range(8) for point in random_row(construction, rng)]
    assert points
    with precision(200):
        for point in points:
            assert same(one.score.expr, total, point), to_text(total)


@pytest.mark.parametrize(("construction", "one"), SIMULATIONS, ids=IDS)
def test_queries_know_no_key_and_keys_no_query(construction: Construction, one: Simulation) -> None:
    for query, key in factor(construction, one).products:
        if to_text(key) == "s(i,j)":
            continue
        assert not mentions(query, "j")
        assert not mentions(key, "i")


@pytest.mark.parametrize(
    ("score", "products"),
    [
        ("i*j", 1), ("2*i*j - j^2", 2), ("(i - j)^2", 3), ("exp(i + j)", 1), ("[phi(i)]*[psi(j)]", 1), ("0", 1),
        ("i*[selected] + j", 2), ("n*j + [phi(j)] + j^2", 1), ("2^(-j)*i", 1), ("max(i - 3, 0)*j", 1),
    ],
)  # fmt: skip
def test_a_dot_product_has_as_few_products_as_queries_or_keys(score: str, products: int) -> None:
    found = factored(score)
    assert found.fault == ""
    assert found.key_dimension == products


@pytest.mark.parametrize(
    ("score", "fault"),
    [
        ("-abs(i - j)", "is no product of a query feature and a key feature: Abs(i - j) depends on both"),
        ("min(i, j)", "depends on both"),
        ("[i = j]", "depends on both"),
        ("1/(i + j)", "depends on both"),
        ("exp(i*j)", "depends on both"),
        ("(i + j) mod 2", "depends on both"),
        ("j*[selected]", "multiplies a position and an input of the key, which no affine map does"),
        ("j^2*[psi(j)] + i", "multiplies a position and an input of the key"),
        ("i*[phi(i)]*j", "multiplies a position and an input of the query"),
    ],
)
def test_what_is_no_dot_product_of_permitted_features_is_told_with_its_term(score: str, fault: str) -> None:
    found = factored(score)
    assert fault in found.fault
    assert found.products == () and found.key_dimension == 1
    assert len(found.fault) < 300


def test_a_given_score_is_taken_as_it_is() -> None:
    found = factored("c*s(i,j) - j", "leftmost-attention")
    assert [(to_text(query), to_text(key)) for query, key in found.products] == [("c", "s(i,j)"), ("1", "-j")]


@pytest.mark.parametrize("score", ["s(i,j)^2", "j*s(i,j)", "i*s(i,j)"])
def test_a_given_score_is_only_scaled(score: str) -> None:
    assert "is not added as it is" in factored(score, "leftmost-attention").fault


def test_a_long_term_is_shortened_in_the_fault() -> None:
    fault = factored("[" + " and ".join(["i = j"] * 60) + "]").fault
    assert "..." in fault and len(fault) < 300


@pytest.mark.parametrize(
    ("expr", "name"),
    [
        (sympy.Integer(3), "bounded"), (i / n, "bounded"), (sympy.cos(i), "bounded"),
        (n * sympy.sin(n), "linear"), (1 / n, "bounded"), (sympy.sin(n), "bounded"), (c, "bounded"),
        (sympy.log(n), "logarithmic"), (j, "linear"), (2 * n + 5, "linear"), (c * i, "linear"), (i * j, "quadratic"),
        (n**2 - n, "quadratic"), (j**3, "cubic"), (n**4, "n^4"), (sympy.sqrt(n), "n^0.5"), (i * j / n, "linear"),
        (sympy.exp(n), "unknown"), (2 ** (-n), "unknown"), (sympy.zoo * n, "unknown"), (1 / (n - 10**6), "unknown"),
    ],
)  # fmt: skip
def test_growths_have_names(expr: sympy.Expr, name: str) -> None:
    assert growth(expr) == name


@pytest.mark.parametrize(
    ("construction", "route", "name"),
    [
        ("until", "position-embedding", "bounded"), ("until", "temperature", "linear"),
        ("parity", "temperature", "quadratic"), ("once", "temperature", "logarithmic"),
    ],
)  # fmt: skip
def test_the_growth_of_the_inverse_temperature(construction: str, route: str, name: str) -> None:
    assert inverse_temperature_growth(simulation(changed(construction), route)) == name


def test_the_features_tell_the_two_routes_apart() -> None:
    growths = {
        route: {feature.growth for feature in factor(changed("until"), simulation(changed("until"), route)).features}
        for route in ("position-embedding", "temperature")
    }
    assert growths["position-embedding"] == {"linear"}
    assert growths["temperature"] == {"bounded"}
