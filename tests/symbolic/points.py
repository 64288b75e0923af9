"""Expressions at random points, evaluated by ball arithmetic, which knows nothing of SymPy."""

from __future__ import annotations

import random
from fractions import Fraction

from flint import arb

from tests.prove.examples import LIBRARY, changed
from verifier.prove.balls import BallValue, Point, ball, boolean, number
from verifier.prove.supremum import visible_keys
from verifier.spec.construction import Construction, Input, InputKind, Simulation
from verifier.spec.syntax import Expr, InputAt

SIMULATIONS = [
    (construction, simulation) for construction in map(changed, LIBRARY) for simulation in construction.simulations
]
IDS = [f"{construction.name}-{simulation.name}" for construction, simulation in SIMULATIONS]


def values(**given: int | str | Fraction) -> dict[str, arb]:
    """Variables by name; `t` is the target j*."""
    return {("j*" if name == "t" else name): ball(Fraction(value)) for name, value in given.items()}


def random_row(construction: Construction, rng: random.Random) -> list[Point]:
    """A query and each key that it sees, with inputs; whether a key is selected follows from them, or is tossed for
    argmax."""
    n = rng.randint(1, 9)
    i = rng.randint(1, n)
    constants = {name: ball(value) for name, value in construction.values.items()}
    query = {InputAt(given.name, ("i",)): _drawn(given, i, n, rng) for given in construction.inputs if not _pair(given)}
    row = []
    for j in visible_keys(construction, i, n):
        inputs = dict(query)
        for given in construction.inputs:
            leaf = InputAt(given.name, ("i", "j") if _pair(given) else ("j",))
            inputs[leaf] = (
                query[InputAt(given.name, ("i",))] if i == j and not _pair(given) else _drawn(given, j, n, rng)
            )
        variables = constants | values(n=n, i=i, j=j)
        select = construction.head.select
        chosen = rng.random() < 0.5 if select is None else boolean(select.expr, Point(variables, inputs))
        row.append(Point(variables, inputs, chosen))
    return row


def _pair(given: Input) -> bool:
    return given.kind is InputKind.SCORE


def _drawn(given: Input, at: int, n: int, rng: random.Random) -> BallValue:
    """A value of the input at a position."""
    if _pair(given):
        return ball(Fraction(rng.randint(-8, 8), 4))
    if given.kind is InputKind.BOOLEAN:
        return at > 0 and rng.random() < 0.5
    return ball(rng.randint(1, n) if at else 0)


def same(left: Expr, right: Expr, point: Point) -> bool:
    """Whether two expressions have the same value at the point, to 30 digits."""
    return close(number(left, point), number(right, point))


def close(left: arb, right: arb) -> bool:
    return bool(abs(left - right) <= arb("1e-30") * (1 + abs(left)))


def score_at(simulation: Simulation, point: Point) -> arb:
    """The score divided by the temperature."""
    return number(simulation.score.expr, point) / number(simulation.temperature.expr, point)
