"""Layers to weight matrices: every coordinate of the residual stream is written once, and gates are exact on 0 and 1.

* rounding, ρ(x) = ReLU(2x − 1/2) − ReLU(2x − 3/2): 0 on [−1/4, 1/4] and 1 on [3/4, 5/4]. It is exact in binary
  floating point, too: both differences are, and so is that of their ReLUs.
* conjunction of k literals: ReLU(sum − (k − 1)); a negated literal is 1 − x.
* difference: ReLU(x − y) + ReLU(y − x).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

import numpy as np

from verifier.compile.circuit import TRUE, Attention, Circuit, Conjunction, Difference, Literal, Token, Truth
from verifier.compile.errors import CompileError
from verifier.compile.operators import simulation_for
from verifier.compile.schedule import Stage
from verifier.compile.scores import ONE, Affine, Bilinear, Monomial, bilinear
from verifier.compile.transformer import (
    AttentionLayer,
    Coordinate,
    FeedForward,
    HeadNote,
    Kind,
    Layer,
    Transformer,
    Weights,
)
from verifier.logic.syntax import Formula, to_text
from verifier.spec.construction import Construction
from verifier.spec.printer import to_text as expr_text
from verifier.spec.syntax import Expr

WIDEST = 4096
_Unit = tuple[dict[int, float], float]  # of a ReLU: the weights by coordinate, and the bias


def emit(
    formula: Formula,
    circuit: Circuit,
    stages: tuple[Stage, ...],
    route: str,
    alphabet: tuple[str, ...],
    constructions: Mapping[str, Construction],
) -> Transformer:
    """The transformer of a scheduled circuit.

    Args:
        formula: as it was given.
        constructions: by name, those that occur in the circuit.

    Raises:
        CompileError: more than `WIDEST` coordinates, or a coefficient that is no binary floating-point number.
    """
    return _Emitter(circuit, route, constructions).transformer(formula, stages, alphabet)


class _Emitter:
    """Where each node, each head's soft value and each position feature has its coordinate."""

    def __init__(self, circuit: Circuit, route: str, constructions: Mapping[str, Construction]) -> None:
        self.circuit = circuit
        self.route = route
        self.constructions = constructions
        self.coordinates: list[Coordinate] = []
        self.exact: dict[int, int] = {}
        self.soft: dict[int, int] = {}
        self.features: dict[Monomial, int] = {}
        self.scores: dict[str, Bilinear] = {}

    def transformer(self, formula: Formula, stages: tuple[Stage, ...], alphabet: tuple[str, ...]) -> Transformer:
        self._lay_out(stages)
        layers: list[Layer] = []
        for stage in stages:
            if stage.heads:
                layers.append(self._attention(stage.heads))
            for step, gates in enumerate(stage.gates):
                layers.append(self._feed_forward(stage.heads if step == 0 else (), gates))
        readout, bias = self._affine({}, 0.0, self.circuit.root, 1.0)
        return Transformer(
            formula=formula,
            route=self.route,
            alphabet=alphabet,
            coordinates=tuple(self.coordinates),
            embedding=self._embedding(alphabet),
            features=tuple((at, feature) for feature, at in self.features.items()),
            layers=tuple(layers),
            readout=frozen(self._column(readout)),
            readout_bias=bias,
        )

    def _lay_out(self, stages: tuple[Stage, ...]) -> None:
        needed = self.circuit.reachable()
        for index in needed:
            node = self.circuit.nodes[index]
            if isinstance(node, Token):
                self._exact(index, Kind.TOKEN)
            if isinstance(node, Attention):
                self._score(node.construction)
                if any(literal.node == TRUE.node for _, literal in node.booleans) and 0 not in self.exact:
                    self._exact(0, Kind.TOKEN)
        for score in self.scores.values():
            for product in score.products:
                for leaf, _ in (*product[0], *product[1]):
                    if isinstance(leaf, Monomial) and leaf != ONE and leaf not in self.features:
                        self.features[leaf] = self._add(Coordinate(Kind.FEATURE, feature_name(leaf)))
        for stage in stages:
            for index in stage.heads:
                meaning = self.circuit.meanings[index]
                self.soft[index] = self._add(Coordinate(Kind.SOFT, _name(meaning), meaning))
            for index in (*stage.heads, *(gate for gates in stage.gates for gate in gates)):
                self._exact(index, Kind.EXACT)
        if len(self.coordinates) > WIDEST:
            found = len(self.coordinates)
            raise CompileError(f"the formula needs a transformer of width {found}; expected at most {WIDEST}")

    def _score(self, name: str) -> Bilinear:
        if name not in self.scores:
            construction = self.constructions[name]
            self.scores[name] = bilinear(construction, simulation_for(construction, self.route))
        return self.scores[name]

    def _add(self, coordinate: Coordinate) -> int:
        self.coordinates.append(coordinate)
        return len(self.coordinates) - 1

    def _exact(self, index: int, kind: Kind) -> None:
        meaning = self.circuit.meanings[index]
        self.exact[index] = self._add(Coordinate(kind, _name(meaning), meaning))

    def _embedding(self, alphabet: tuple[str, ...]) -> Weights:
        table = np.zeros((len(alphabet), len(self.coordinates)))
        for index, at in self.exact.items():
            node = self.circuit.nodes[index]
            if isinstance(node, Token):
                table[alphabet.index(node.symbol), at] = 1.0
            if isinstance(node, Truth):
                table[:, at] = 1.0
        return frozen(table)

    def _affine(
        self, weights: dict[int, float], bias: float, literal: Literal, factor: float
    ) -> tuple[dict[int, float], float]:
        """Add factor · literal to an affine map."""
        if literal.node not in self.exact:
            assert literal.node == TRUE.node
            return weights, bias + (0.0 if literal.negated else factor)
        at = self.exact[literal.node]
        weights[at] = weights.get(at, 0.0) + (-factor if literal.negated else factor)
        return weights, bias + (factor if literal.negated else 0.0)

    def _column(self, weights: Mapping[int, float]) -> Weights:
        column = np.zeros(len(self.coordinates))
        for at, weight in weights.items():
            column[at] = weight
        return column

    def _attention(self, heads: tuple[int, ...]) -> AttentionLayer:
        nodes = [node for index in heads if isinstance(node := self.circuit.nodes[index], Attention)]
        scores = [self._score(node.construction) for node in nodes]
        d_key = max(len(score.products) for score in scores)
        width = len(self.coordinates)
        query, key = np.zeros((len(heads), width, d_key)), np.zeros((len(heads), width, d_key))
        query_bias, key_bias = np.zeros((len(heads), d_key)), np.zeros((len(heads), d_key))
        value, value_bias = np.zeros((len(heads), width)), np.zeros(len(heads))
        output = np.zeros((len(heads), width))
        for at, (node, score) in enumerate(zip(nodes, scores, strict=True)):
            for r, (queries, keys) in enumerate(score.products):
                for side, bias, form in ((query, query_bias, queries), (key, key_bias, keys)):
                    weights, constant = self._form(form, dict(node.booleans))
                    side[at, :, r], bias[at, r] = self._column(weights), constant
            weights, value_bias[at] = self._affine({}, 0.0, node.value, 1.0)
            value[at] = self._column(weights)
            output[at, self.soft[heads[at]]] = 1.0
        return AttentionLayer(
            query=frozen(query), query_bias=frozen(query_bias), key=frozen(key), key_bias=frozen(key_bias),
            value=frozen(value), value_bias=frozen(value_bias), output=frozen(output),
            inverse_temperature=tuple(
                tuple((monomial, exact(factor)) for monomial, factor in score.inverse_temperature)
                for score in scores
            ),
            masks=tuple(self.constructions[node.construction].head.mask for node in nodes),
            notes=tuple(self._note(node) for node in nodes),
        )  # fmt: skip

    def _form(self, form: Affine, booleans: Mapping[Expr, Literal]) -> tuple[dict[int, float], float]:
        weights: dict[int, float] = {}
        bias = 0.0
        for leaf, factor in form:
            if not isinstance(leaf, Monomial):
                weights, bias = self._affine(weights, bias, booleans[leaf], exact(factor))
            elif leaf == ONE:
                bias += exact(factor)
            else:
                weights[self.features[leaf]] = weights.get(self.features[leaf], 0.0) + exact(factor)
        return weights, bias

    def _note(self, node: Attention) -> HeadNote:
        return HeadNote(
            construction=node.construction,
            select=self.exact.get(node.select.node),
            select_negated=node.select.negated,
            tie=self.constructions[node.construction].head.tie,
            brackets=tuple(
                (self.exact[literal.node], literal.negated, expr_text(condition))
                for condition, literal in node.booleans
            ),
        )

    def _feed_forward(self, rounded: Iterable[int], gates: Iterable[int]) -> FeedForward:
        units: list[_Unit] = []
        outputs: list[tuple[int, int, float]] = []

        def unit(weights: dict[int, float], bias: float, to: int, sign: float) -> None:
            outputs.append((len(units), to, sign))
            units.append((weights, bias))

        for index in rounded:
            unit({self.soft[index]: 2.0}, -0.5, self.exact[index], 1.0)
            unit({self.soft[index]: 2.0}, -1.5, self.exact[index], -1.0)
        for index in gates:
            match self.circuit.nodes[index]:
                case Conjunction(literals):
                    weights: dict[int, float] = {}
                    bias = 1.0 - len(literals)
                    for literal in literals:
                        weights, bias = self._affine(weights, bias, literal, 1.0)
                    unit(weights, bias, self.exact[index], 1.0)
                case Difference(left, right):
                    one, two = self.exact[left], self.exact[right]
                    unit({one: 1.0, two: -1.0}, 0.0, self.exact[index], 1.0)
                    unit({two: 1.0, one: -1.0}, 0.0, self.exact[index], 1.0)
        inner, outer = np.zeros((len(self.coordinates), len(units))), np.zeros((len(units), len(self.coordinates)))
        for at, (weights, _) in enumerate(units):
            inner[:, at] = self._column(weights)
        for at, to, sign in outputs:
            outer[at, to] = sign
        return FeedForward(frozen(inner), frozen(np.array([bias for _, bias in units])), frozen(outer))


def frozen(array: Weights) -> Weights:
    """The array, made read-only."""
    array.setflags(write=False)
    return array


def exact(value: Fraction) -> float:
    """A coefficient as a floating-point number that is equal to it; raises CompileError where there is none."""
    found = float(value)
    if Fraction(found) != value:
        raise CompileError(f"the coefficient {value} is no floating-point number")
    return found


def feature_name(feature: Monomial) -> str:
    """A position feature as text, with p for the position."""
    return expr_text(feature.expr("p"))


def _name(meaning: Formula, most: int = 60) -> str:
    text = to_text(meaning)
    return text if len(text) <= most else f"{text[: most - 3]}..."
