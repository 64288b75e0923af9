"""Expressions and heads as the definitions say, one number at a time; shares no code with `verifier.execute`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from verifier.execute.batch import Batch
from verifier.spec.construction import Construction, InputKind, Simulation, Tie
from verifier.spec.syntax import Apply, Expr, InputAt, Number, Pi, Selected, Truth, Variable

Value = Any  # bool, Fraction, or float where a function is not rational


def exactly(value: Value) -> Value:
    return Fraction(value) if isinstance(value, bool | int) else value


def evaluate(
    expr: Expr, variables: Mapping[str, Value], inputs: Callable[[InputAt], Value], selected: Value
) -> Value:
    """The value, a Fraction as long as all of it is rational."""
    if isinstance(expr, Apply):
        operands = [evaluate(operand, variables, inputs, selected) for operand in expr.operands]
        return _OPERATORS[expr.operator](*operands)
    match expr:
        case Number(value) | Truth(value):
            return value
        case Pi():
            return math.pi
        case Variable(name):
            return exactly(variables[name])
        case Selected():
            return selected
        case InputAt():
            return inputs(expr)


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, Fraction) and exponent.denominator == 1:
        return base**exponent.numerator
    return float(base) ** float(exponent)


_OPERATORS: Mapping[str, Callable[..., Value]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": _power,
    "neg": lambda a: -a,
    "mod": lambda a, b: a % b,
    "abs": abs,
    "min": min,
    "max": max,
    "exp": math.exp,
    "ln": math.log,
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "iverson": lambda a: Fraction(int(a)),
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "not": lambda a: not a,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class Row:
    """The row of one query on one string of a batch."""

    def __init__(
        self, construction: Construction, simulation: Simulation, batch: Batch, string: int, i: int
    ) -> None:
        self.construction, self.simulation = construction, simulation
        self.batch, self.string, self.i = batch, string, i
        sees = {
            "none": lambda j: True, "j <= i": lambda j: j <= i, "j < i": lambda j: j < i,
            "j >= i": lambda j: j >= i, "j > i": lambda j: j > i,
        }[construction.head.mask.value]  # fmt: skip
        self.keys = [j for j in range(construction.first_key, batch.n + 1) if sees(j)]

    def value_of(self, expr: Expr, j: int, selected: Value = None) -> Value:
        where = {"i": self.i, "j": j}

        def given(leaf: InputAt) -> Value:
            values = self.batch.inputs[leaf.name][self.string]
            first = self.construction.first_key
            if self.construction.input(leaf.name).kind is InputKind.SCORE:
                return Fraction(float(values[self.i - 1][j - first]))
            found = values[where[leaf.positions[0]] - first]
            return bool(found) if values.dtype == bool else Fraction(float(found))

        variables = {**self.construction.values, **where, "n": self.batch.n}
        return evaluate(expr, variables, given, selected)

    def selected(self) -> dict[int, bool]:
        head = self.construction.head
        if head.select is not None:
            return {j: self.value_of(head.select.expr, j) for j in self.keys}
        scores = {j: self.value_of((head.score or self.simulation.score).expr, j) for j in self.keys}
        return {j: score == max(scores.values()) for j, score in scores.items()}

    def keeps_gap(self) -> bool:
        """Whether the scores of an argmax head keep its promises; with exact scores only."""
        head = self.construction.head
        if head.select is not None or not self.keys:
            return True
        assert head.gap is not None
        gap = self.value_of(head.gap.expr, 0)
        scores = [self.value_of((head.score or self.simulation.score).expr, j) for j in self.keys]
        top = max(scores)
        single = head.tie is not Tie.UNIQUE or scores.count(top) == 1
        return single and all(score == top or score <= top - gap for score in scores)

    def worth(self, j: int) -> float:
        return float(self.value_of(self.construction.head.value.expr, j))

    def weights(self) -> list[float]:
        selected = self.selected()
        tau = float(self.value_of(self.simulation.temperature.expr, 0))
        exponents = [
            float(self.value_of(self.simulation.score.expr, j, selected[j])) / tau for j in self.keys
        ]
        weights = [math.exp(exponent - max(exponents)) for exponent in exponents]
        return [weight / math.fsum(weights) for weight in weights]

    def soft(self) -> float:
        mean = math.fsum(weight * self.worth(j) for weight, j in zip(self.weights(), self.keys, strict=True))
        return 1 - mean if self.construction.head.negated else mean

    def targets(self) -> list[int]:
        chosen = [j for j, selected in self.selected().items() if selected]
        if self.construction.head.tie is Tie.AVERAGE or not chosen:
            return chosen
        return [chosen[-1 if self.construction.head.tie is Tie.RIGHTMOST else 0]]

    def hard(self) -> float:
        head, targets = self.construction.head, self.targets()
        if not self.keys:
            found = 0.0
        elif not targets:
            found = float(self.value_of(head.default.expr, 0))
        else:
            found = math.fsum(self.worth(j) for j in targets) / len(targets)
        return 1 - found if head.negated else found
