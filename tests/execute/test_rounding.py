from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from hypothesis import assume, given, settings

from tests.execute.examples import from_library, library_simulations
from tests.execute.test_evaluate import SCOPE, N, at, expressions
from verifier.execute import heads, rounding
from verifier.execute.batch import Batch
from verifier.execute.evaluate import ExecutionError, evaluate
from verifier.execute.rounding import Enclosure, Ranges, enclose
from verifier.prove.balls import Point, Unsettled, ball, number, precision
from verifier.spec.parser import parse
from verifier.spec.syntax import Expr, InputAt

RANGES = Ranges(
    {
        "n": Enclosure(N, N, whole=True),
        "i": Enclosure(1, N, whole=True),
        "j": Enclosure(1, N, whole=True),
        "c": rounding._constant(Fraction(7, 5)),
    },
    {"phi": Enclosure(0, 1, whole=True), "v": Enclosure(0, 1), "s": Enclosure(0, 1)},
)


def exact(expr: Expr, string: int, i: int, j: int) -> arb:
    place = at()
    inputs = {}
    for leaf, values in place.inputs.items():
        where = (string, i - 1 if values.shape[1] > 1 else 0, j - 1 if values.shape[2] > 1 else 0)
        inputs[leaf] = bool(values[where]) if values.dtype == bool else ball(Fraction(float(values[where])))
    variables = {"n": arb(N), "i": arb(i), "j": arb(j), "c": ball(Fraction(7, 5))}
    return number(expr, Point(variables, inputs))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(expressions)
def test_computed_values_lie_within_the_bound(expr: Expr) -> None:
    try:
        found = np.broadcast_to(np.asarray(evaluate(expr, at()), dtype=float), (3, N, N))
    except ExecutionError:
        assume(False)
    bound = enclose(expr, RANGES)
    with precision():
        for string, i, j in ((0, 1, 1), (1, 3, 2), (2, 5, 4), (0, 5, 5)):
            try:
                true = exact(expr, string, i, j)
            except Unsettled:
                continue
            assert bound.low - bound.error <= true <= bound.high + bound.error
            assert abs(true - ball(Fraction(float(found[string, i - 1, j - 1])))) <= bound.error


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("2*n*[selected] - j", 0.0),
        ("(n - j)^3 + i mod n", 0.0),
        ("max(i - 2, 0)*j - min(j, n)", 0.0),
        ("j/n", 2.0**-53),
        ("v(j)", 0.0),
        ("1/(2*j - 3)", 2.0**-53),
        ("1/(v(j) - 1/2)", rounding.UNKNOWN),
        ("ln(v(j))", rounding.UNKNOWN),
        ("exp(800*n)", rounding.UNKNOWN),
    ],
)
def test_bounds_by_hand(text: str, error: float) -> None:
    assert enclose(parse(text, SCOPE).expr, RANGES).error == error


@pytest.mark.parametrize(("name", "construction", "simulation"), library_simulations())
def test_output_errors_are_finite_and_small(name, construction, simulation) -> None:  # type: ignore[no-untyped-def]
    for n, largest in ((1, 1e-12), (64, 1e-11), (1000, 1e-8)):
        assert 0 < rounding.output_error(construction, simulation, n, 1, 1.0) < largest


def test_outputs_lie_within_their_bound() -> None:
    """Against rows in ball arithmetic, at a length at which the temperature magnifies rounding."""
    for name in ("previous-lookup", "until"):
        construction = from_library(name, c="7/5")
        one = next(each for each in construction.simulations if each.name == "temperature")
        n, query = 3000, 2900
        keys = np.arange(construction.first_key, n + 1)
        inputs = {"phi": keys[None, :] % 2 == 1, "psi": keys[None, :] == query}
        batch = Batch(
            n, construction.first_key, {given.name: inputs[given.name] for given in construction.inputs}
        )
        soft = float(heads.soft_outputs(construction, one, batch, np.array([query]))[0, 0])
        with precision():
            total, weighted = arb(0), arb(0)
            for key in map(int, batch.keys):
                if construction.head.mask.value == "j >= i" and key < query:
                    continue
                point = _point(construction, batch, query, key)
                select = construction.head.select
                assert select is not None
                selected = bool(number(select.expr, point) == 1)
                tau = number(one.temperature.expr, point)
                weight = (number(one.score.expr, replace(point, selected=selected)) / tau).exp()
                total += weight
                weighted += weight * number(construction.head.value.expr, point)
            distance = abs(weighted / total - ball(Fraction(soft)))
            assert distance <= rounding.output_error(construction, one, n)


def _point(construction, batch, query: int, key: int) -> Point:  # type: ignore[no-untyped-def]
    variables = {name: ball(value) for name, value in construction.values.items()}
    variables |= {"n": arb(batch.n), "i": arb(query), "j": arb(key)}
    inputs = {
        InputAt(name, ("j",)): bool(values[0, key - batch.first_key]) for name, values in batch.inputs.items()
    }
    return Point(variables, inputs)
