"""Confirming a counterexample: the row of one query on one string, recomputed in ball arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from flint import arb

from verifier.logic.values import values as formula_values
from verifier.prove.balls import (
    BallValue,
    Point,
    Unsettled,
    ball,
    boolean,
    evaluate,
    number,
    precision,
    settled,
)
from verifier.prove.regions import temperature
from verifier.prove.supremum import visible_keys
from verifier.spec.construction import Construction, InputKind, Simulation, Tie
from verifier.spec.syntax import InputAt, rename_position
from verifier.verdict import Cell, Witness

Given = Mapping[str, Sequence[float] | Sequence[Sequence[float]]]


def confirm(
    construction: Construction, simulation: Simulation, n: int, query: int, inputs: Given, key_dimension: int
) -> Witness | None:
    """A witness, if ball arithmetic shows that the claim fails at the query of this string; else None.

    Args:
        construction: the construction.
        simulation: one of its simulations.
        n: the length.
        query: the position i in 1..n.
        inputs: each input's values from the first key on; for a score input one row for each query 1..n.
        key_dimension: d_key.
    """
    with precision():
        try:
            return _confirm(construction, simulation, n, query, inputs, key_dimension)
        except Unsettled:
            return None


def _confirm(
    construction: Construction, simulation: Simulation, n: int, query: int, inputs: Given, key_dimension: int
) -> Witness | None:
    string = _String(construction, n, query, inputs)
    keys = list(visible_keys(construction, query, n))
    chosen = string.chosen(simulation, keys)
    weights = string.soft_weights(simulation, keys, chosen, key_dimension)
    worth = [string.value(key) for key in keys]
    soft = _sum(weight * value for weight, value in zip(weights, worth, strict=True))
    hard = string.hard(keys, chosen, worth)
    if construction.head.negated:
        soft, hard = 1 - soft, 1 - hard
    claim, computes = string.claim(), string.computes()
    fault = _fault(construction.head.tie, soft, hard, claim, computes, sum(chosen))
    if fault is None:
        return None
    kind, shown = fault
    return Witness(
        kind=kind,
        n=n,
        query=query,
        first_key=construction.first_key,
        inputs=_plain(inputs),
        row=string.cells(keys, chosen, weights, worth),
        soft=float(soft.mid()),
        hard=float(hard.mid()),
        computes=None if computes is None else float(computes.mid()),
        error=float(shown.mid()),
        claim=float(claim.mid()),
        enclosure=shown.str(20),
    )


def _fault(tie: Tie, soft: arb, hard: arb, claim: arb, computes: arb | None, selected: int) -> tuple[str, arb] | None:
    """Which claim fails for certain, and by how much."""
    error = abs(soft - hard)
    if tie is Tie.UNIQUE and selected > 1:
        return "unique", arb(selected)
    if error > claim:
        return "error", error
    apart = arb(0) if computes is None else abs(hard - computes)
    return ("semantics", apart) if apart > 0 else None


class _String:
    """One string and query, evaluated in balls."""

    def __init__(self, construction: Construction, n: int, query: int, inputs: Given) -> None:
        self._construction = construction
        self._n, self._query = n, query
        self._inputs = inputs
        self._constants = {name: ball(value) for name, value in construction.values.items()} | {"n": arb(n)}

    def _input(self, name: str, *positions: int) -> BallValue:
        first = self._construction.first_key
        row = self._inputs[name]
        given = self._construction.input(name)
        if given.kind is InputKind.SCORE:
            return ball(Fraction(row[positions[0] - 1][positions[1] - first]))  # type: ignore[index]
        found = row[positions[0] - first]
        return bool(found) if given.kind is InputKind.BOOLEAN else ball(Fraction(found))  # type: ignore[arg-type]

    def _point(self, key: int, selected: bool | None = None) -> Point:
        inputs: dict[InputAt, BallValue] = {}
        for given in self._construction.inputs:
            if given.kind is InputKind.SCORE:
                inputs[InputAt(given.name, ("i", "j"))] = self._input(given.name, self._query, key)
                continue
            inputs[InputAt(given.name, ("i",))] = self._input(given.name, self._query)
            inputs[InputAt(given.name, ("j",))] = self._input(given.name, key)
        return Point({**self._constants, "i": arb(self._query), "j": arb(key)}, inputs, selected)

    def chosen(self, simulation: Simulation, keys: list[int]) -> list[bool]:
        """Which keys are selected."""
        head = self._construction.head
        if head.select is not None:
            return [boolean(head.select.expr, self._point(key)) for key in keys]
        maximised = (head.score or simulation.score).expr
        scores = [number(maximised, self._point(key)) for key in keys]
        return [all(settled(other, score) <= 0 for other in scores) for score in scores]

    def soft_weights(
        self, simulation: Simulation, keys: list[int], chosen: list[bool], key_dimension: int
    ) -> list[arb]:
        """The softmax weights of the keys."""
        tau = number(temperature(simulation, key_dimension), Point(self._constants, {}))
        if not tau > 0:
            raise Unsettled("a temperature that is not positive")
        scores = [
            number(simulation.score.expr, self._point(key, selected)) / tau
            for key, selected in zip(keys, chosen, strict=True)
        ]
        top = max((float(score.mid()) for score in scores), default=0.0)
        weights = [(score - ball(Fraction(top))).exp() for score in scores]
        total = _sum(weights)
        return [weight / total for weight in weights]

    def value(self, key: int) -> arb:
        """The value of a key."""
        found = evaluate(self._construction.head.value.expr, self._point(key))
        return arb(int(found)) if isinstance(found, bool) else found

    def hard(self, keys: list[int], chosen: list[bool], worth: list[arb]) -> arb:
        """The hard head's output, before a negation."""
        head = self._construction.head
        if not keys:
            return arb(0)
        picked = [value for value, selected in zip(worth, chosen, strict=True) if selected]
        if not picked:
            found = evaluate(head.default.expr, Point(self._constants, {}))
            return arb(int(found)) if isinstance(found, bool) else found
        if head.tie is Tie.AVERAGE:
            return _sum(picked) / len(picked)
        return picked[-1 if head.tie is Tie.RIGHTMOST else 0]

    def hard_weights(self, chosen: list[bool]) -> list[float]:
        """The hard head's weights of the keys."""
        at = [place for place, selected in enumerate(chosen) if selected]
        if self._construction.head.tie is Tie.AVERAGE:
            return [1 / len(at) if selected else 0.0 for selected in chosen]
        target = None if not at else at[-1 if self._construction.head.tie is Tie.RIGHTMOST else 0]
        return [float(place == target) for place in range(len(chosen))]

    def claim(self) -> arb:
        """The claimed error at this length."""
        return number(self._construction.claim.error.expr, Point(self._constants, {}))

    def computes(self) -> arb | None:
        """What the claim says that the head computes at the query."""
        construction = self._construction
        claim = construction.claim.computes
        if claim is None:
            return None
        if hasattr(claim, "expr"):
            found = evaluate(rename_position(claim.expr, "j", "i"), self._point(self._query))
            return arb(int(found)) if isinstance(found, bool) else found
        booleans = {
            given.name: np.array([self._inputs[given.name][-self._n :]], dtype=bool)
            for given in construction.inputs
            if given.kind is InputKind.BOOLEAN
        }
        return arb(int(formula_values(claim, booleans)[0, self._query - 1]))

    def cells(self, keys: list[int], chosen: list[bool], weights: list[arb], worth: list[arb]) -> tuple[Cell, ...]:
        """The attention row."""
        hard = self.hard_weights(chosen)
        named = [given.name for given in self._construction.inputs if given.kind is not InputKind.SCORE]
        first = self._construction.first_key
        return tuple(
            Cell(
                key, float(weights[at].mid()), hard[at], float(worth[at].mid()),
                {name: float(self._inputs[name][key - first]) for name in named},  # type: ignore[arg-type]
            )
            for at, key in enumerate(keys)
        )  # fmt: skip


def _sum(terms: object) -> arb:
    total = arb(0)
    for term in terms:  # type: ignore[attr-defined]
        total += term
    return total


def _plain(inputs: Given) -> dict[str, tuple[float, ...] | tuple[tuple[float, ...], ...]]:
    plain: dict[str, tuple[float, ...] | tuple[tuple[float, ...], ...]] = {}
    for name, row in inputs.items():
        if len(row) and isinstance(row[0], Sequence):
            plain[name] = tuple(tuple(float(entry) for entry in line) for line in row)  # type: ignore[union-attr]
        else:
            plain[name] = tuple(float(entry) for entry in row)  # type: ignore[arg-type]
    return plain
