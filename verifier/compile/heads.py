"""Obligations about attention layers: the weights of each head are those of its construction's simulation.

Then what is proved of the construction, for all inputs and every n, holds of the head: its output is within 1/4 of the
operator's value wherever the operands are exact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import z3

from verifier.compile.matrices import Established, Goal, affine, syntactic
from verifier.compile.operators import CONSTRUCTIONS, construction_for, simulation_for
from verifier.compile.propositions import instance
from verifier.compile.scores import Monomial
from verifier.compile.transformer import AttentionLayer, Kind, Weights
from verifier.logic.syntax import Binary, Formula, Unary
from verifier.prove.arithmetic import Untranslatable, equal
from verifier.prove.frame import Frame
from verifier.prove.realizability import realizability
from verifier.prove.solver import Obligation, discharge
from verifier.spec import build
from verifier.spec.construction import Construction, Simulation
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, Selected, subexpressions
from verifier.symbolic.factor import Factorization
from verifier.verdict import ObligationResult, Verdict

Products = tuple[tuple[Expr, Expr], ...]
Inverse = tuple[tuple[Monomial, float], ...]


@dataclass
class Scores:
    """Whether products of features and an inverse temperature are those of a simulation; each proved once."""

    established: Established
    _results: list[ObligationResult] = field(default_factory=list)
    _scores: dict[tuple[str, Products], bool] = field(default_factory=dict)
    _temperatures: dict[tuple[str, Inverse], bool] = field(default_factory=dict)

    def take(self) -> list[ObligationResult]:
        """The obligations discharged since this was last asked."""
        taken = list(self._results)
        self._results.clear()
        return taken

    def score_agrees(self, construction: Construction, simulation: Simulation, products: Products) -> bool:
        """Whether the weights' score is the simulation's."""
        key = (construction.name, products)
        if key not in self._scores:
            frame = Frame(construction, self.established.session)
            found = realizability(frame, simulation, Factorization(products, ()))
            self._results.append(_renamed(found, f"weights of {construction.name}: score"))
            self._scores[key] = found.verdict == Verdict.PROVED
        return self._scores[key]

    def temperature_agrees(self, construction: Construction, simulation: Simulation, inverse: Inverse) -> bool:
        """Whether the weights' inverse temperature is that of the simulation."""
        key = (construction.name, inverse)
        if key not in self._temperatures:
            found = self._temperature(construction, simulation, inverse)
            self._results.append(found)
            self._temperatures[key] = found.verdict == Verdict.PROVED
        return self._temperatures[key]

    def _temperature(self, construction: Construction, simulation: Simulation, inverse: Inverse) -> ObligationResult:
        name = f"weights of {construction.name}: temperature"
        terms = [build.multiply(build.number(Fraction(factor)), one.expr("i")) for one, factor in inverse]
        total = build.add(build.ZERO, *terms)
        statement = f"{to_text(total)} is 1/temperature, the temperature {simulation.temperature.text}"
        try:
            frame = Frame(construction, self.established.session)
            product = frame.number(build.multiply(simulation.temperature.expr, total))
            goal = equal(product, frame.number(build.ONE))
        except Untranslatable as error:
            return ObligationResult(name, statement, Verdict.UNDECIDED, "", 0.0, str(error))
        return discharge(Obligation(name, statement, frame.facts(), goal), self.established.session)


def _renamed(found: ObligationResult, name: str) -> ObligationResult:
    detail = "" if found.verdict == Verdict.PROVED else found.detail
    return ObligationResult(name, found.statement, found.verdict, found.by, found.seconds, detail)


def attention(established: Established, scores: Scores, layer: AttentionLayer, number: int) -> ObligationResult:
    """Each head of a layer is the head of its construction, applied to operands that are exact already."""
    name = f"attention layer {number}"
    statement = f"heads that are their constructions': mask, score, temperature, selection, value: {len(layer.masks)}"
    goals: list[Goal] = []
    faults: list[str] = []
    for head in range(len(layer.masks)):
        try:
            goals += _head(established, scores, layer, head)
        except _Fault as fault:
            faults.append(f"{layer.notes[head].construction}: {fault}")
    if faults:
        return syntactic(name, statement, "; ".join(faults[:3]))
    written = [int(np.flatnonzero(layer.output[head])[0]) for head in range(len(layer.masks))]
    if len(set(written)) < len(written):
        return syntactic(name, statement, "two heads write one coordinate")
    established.coordinates.update(written)
    return established.discharge(name, statement, goals)


class _Fault(Exception):
    pass


def operator_of(meaning: Formula, construction: Construction) -> Formula:
    """The temporal formula of a soft coordinate's meaning, which is its negation where the head is used negated."""
    return meaning.operand if construction.head.negated and isinstance(meaning, Unary) else meaning


def _head(established: Established, scores: Scores, layer: AttentionLayer, head: int) -> list[Goal]:
    note = layer.notes[head]
    formula, construction = _claimed(established, layer, head)
    simulation = simulation_for(construction, established.transformer.route)
    unknown = established.unknown(layer.query[head], layer.key[head], layer.value[head])
    if unknown:
        raise _Fault(f"it reads {unknown[0]}, of which nothing is shown")
    if layer.masks[head] is not construction.head.mask or note.tie is not construction.head.tie:
        raise _Fault("another mask or tie")
    conditions, goals = _brackets(established, layer, head, formula, simulation)
    products = tuple(
        tuple(
            _expression(established, weights[head, :, r], bias[head, r], position, conditions)
            for weights, bias, position in (
                (layer.query, layer.query_bias, "i"),
                (layer.key, layer.key_bias, "j"),
            )
        )
        for r in range(layer.query.shape[2])
    )
    if not scores.score_agrees(construction, simulation, tuple((one, two) for one, two in products)):
        raise _Fault("its score is not shown to be the simulation's")
    if not scores.temperature_agrees(construction, simulation, layer.inverse_temperature[head]):
        raise _Fault("its temperature is not shown to be the simulation's")
    facts: dict[int, z3.BoolRef] = {}
    value = affine(established, layer.value[head], float(layer.value_bias[head]), facts)
    read = established.propositions.number(instance(formula, construction.head.value.expr))
    return [*goals, Goal("the value", tuple(facts.values()), value == read)]


def _claimed(established: Established, layer: AttentionLayer, head: int) -> tuple[Formula, Construction]:
    """The temporal formula that the head is to compute, and the construction for it."""
    targets = np.flatnonzero(layer.output[head]).tolist()
    if len(targets) != 1 or layer.output[head, targets[0]] != 1 or targets[0] in established.coordinates:
        raise _Fault("it does not write one coordinate of its own")
    coordinate = established.transformer.coordinates[targets[0]]
    operators = {name: op for op, name in CONSTRUCTIONS.items()}
    construction = construction_for(operators[layer.notes[head].construction])
    if coordinate.kind is not Kind.SOFT or coordinate.meaning is None:
        raise _Fault("its output is not a soft coordinate")
    formula = operator_of(coordinate.meaning, construction)
    if not isinstance(formula, Unary | Binary) or CONSTRUCTIONS.get(formula.op) != construction.name:
        raise _Fault(f"its output means {coordinate.name}")
    return formula, construction


def _brackets(
    established: Established, layer: AttentionLayer, head: int, formula: Formula, simulation: Simulation
) -> tuple[dict[int, Expr], list[Goal]]:
    """What each Boolean coordinate stands for in the score, and the claims that it does."""
    note = layer.notes[head]
    construction = construction_for(formula.op) if isinstance(formula, Unary | Binary) else None
    assert construction is not None and construction.head.select is not None
    written = {
        to_text(part.operands[0]): part.operands[0]
        for part in subexpressions(simulation.score.expr)
        if isinstance(part, Apply) and part.operator == "iverson"
    }
    conditions: dict[int, Expr] = {}
    goals = []
    for at, negated, text in note.brackets:
        condition = construction.head.select.expr if isinstance(written[text], Selected) else written[text]
        bracket: Expr = Apply("iverson", (written[text],))
        conditions[at] = build.subtract(build.ONE, bracket) if negated else bracket
        truth = established.propositions(instance(formula, condition))
        holds = established.boolean(at) == z3.RealVal(0 if negated else 1)
        goals.append(Goal(f"[{text}]", (), holds == truth))
    return conditions, [*goals, *_selection(established, layer, head, formula, construction)]


def _selection(
    established: Established, layer: AttentionLayer, head: int, formula: Formula, construction: Construction
) -> list[Goal]:
    """That the note says where the hard head selects; the hard transformer goes by it."""
    note = layer.notes[head]
    assert construction.head.select is not None
    truth = established.propositions(instance(formula, construction.head.select.expr))
    if note.select is None:
        return [Goal("the selection", (), truth != z3.BoolVal(note.select_negated))]
    if note.select not in established.coordinates:
        raise _Fault("it selects by a coordinate of which nothing is shown")
    chosen = established.boolean(note.select) == z3.RealVal(0 if note.select_negated else 1)
    return [Goal("the selection", (), chosen == truth)]


def _expression(
    established: Established, weights: Weights, bias: float, position: str, conditions: dict[int, Expr]
) -> Expr:
    """A query or key feature, read off the weights, as an expression of the construction."""
    features = dict(established.transformer.features)
    terms: list[Expr] = [build.number(Fraction(float(bias)))]
    for at in np.flatnonzero(weights).tolist():
        factor = build.number(Fraction(float(weights[at])))
        if at in features:
            terms.append(build.multiply(factor, features[at].expr(position)))
        elif at in conditions:
            terms.append(build.multiply(factor, conditions[at]))
        else:
            raise _Fault(f"its score reads {established.transformer.coordinates[at].name}")
    return build.add(*terms)
