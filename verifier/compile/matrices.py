"""Obligations that speak of the weight matrices themselves, layer by layer.

The induction over the layers: coordinates of kind token and exact hold the value of the formula they mean, soft ones a
number within 1/4 of it. `Established` keeps the coordinates of which that is shown; a layer may read no others.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
import z3

from verifier.compile.propositions import Propositions
from verifier.compile.transformer import FeedForward, Kind, Transformer, Weights
from verifier.logic.syntax import Formula
from verifier.prove.solver import Obligation, Session, discharge
from verifier.verdict import ObligationResult, Verdict


@dataclass
class Established:
    """The coordinates whose meaning is shown so far."""

    transformer: Transformer
    propositions: Propositions
    session: Session
    coordinates: set[int] = field(default_factory=set)

    def unknown(self, *weights: Weights) -> list[str]:
        """The coordinates that matrices, of shape [width, ...], read though nothing is shown of them."""
        read = np.zeros(self.transformer.width, dtype=np.bool_)
        for matrix in weights:
            read |= (matrix != 0).any(axis=tuple(range(1, matrix.ndim)))
        return [
            self.transformer.coordinates[at].name
            for at in np.flatnonzero(read).tolist()
            if at not in self.coordinates
        ]

    def boolean(self, at: int) -> z3.ArithRef:
        """A coordinate that holds a Boolean, as a number."""
        meaning = self.transformer.coordinates[at].meaning
        assert meaning is not None
        return self.propositions.number(meaning)

    def discharge(self, name: str, statement: str, goals: Sequence[Goal]) -> ObligationResult:
        """Prove several goals at once and, where that fails, one by one, to name the first that does."""
        if not goals:
            return syntactic(name, statement, "")
        facts = tuple(fact for goal in goals for fact in goal.facts)
        result = discharge(Obligation(name, statement, facts, z3.And(*(goal.claim for goal in goals))), self.session)
        if result.verdict == Verdict.PROVED:
            return result
        for goal in goals:
            alone = discharge(Obligation(name, statement, goal.facts, goal.claim), self.session)
            if alone.verdict != Verdict.PROVED:
                detail = f"{goal.about}: {alone.detail}"
                return ObligationResult(name, statement, alone.verdict, alone.by, result.seconds, detail)
        return ObligationResult(name, statement, Verdict.PROVED, result.by, result.seconds, "one by one")


@dataclass(frozen=True)
class Goal:
    """What is claimed of one coordinate or head, and what may be assumed for it."""

    about: str
    facts: tuple[z3.BoolRef, ...]
    claim: z3.BoolRef


def syntactic(name: str, statement: str, fault: str, started: float | None = None) -> ObligationResult:
    """The result of an obligation that is read off the matrices: proved unless there is a fault."""
    verdict = Verdict.UNDECIDED if fault else Verdict.PROVED
    seconds = 0.0 if started is None else time.perf_counter() - started
    return ObligationResult(name, statement, verdict, "syntax", seconds, fault)


def embedding(established: Established) -> ObligationResult:
    """Tokens are embedded as what their coordinates mean, features at their coordinates; all else starts at 0."""
    transformer = established.transformer
    features = {at for at, _ in transformer.features}
    fault = "" if transformer.embedding.shape == (len(transformer.alphabet), transformer.width) else "a wrong shape"
    for at, coordinate in enumerate(transformer.coordinates):
        column = transformer.embedding[:, at]
        if coordinate.kind is Kind.TOKEN:
            assert coordinate.meaning is not None
            wanted = [_holds(established.propositions(coordinate.meaning), symbol) for symbol in transformer.alphabet]
            fault = fault or ("" if column.tolist() == wanted else f"the embedding of {coordinate.name}")
        elif column.any() or (coordinate.kind is Kind.FEATURE) != (at in features):
            fault = fault or f"coordinate {coordinate.name} does not start at 0"
        if coordinate.kind in (Kind.TOKEN, Kind.FEATURE):
            established.coordinates.add(at)
    statement = "each symbol is embedded by the Booleans that hold of it, features stand at coordinates of their own"
    return syntactic("embedding", statement, fault)


def _holds(proposition: z3.BoolRef, symbol: str) -> float:
    """The value of an atom or a constant at a position with this symbol."""
    if z3.is_true(proposition):
        return 1.0
    return 1.0 if proposition.decl().name() == f"atom {symbol}" else 0.0


def feed_forward(established: Established, layer: FeedForward, number: int) -> ObligationResult:
    """What a feed-forward layer writes is the Boolean it means, for all values that its inputs can have."""
    name = f"feed-forward layer {number}"
    transformer = established.transformer
    written = np.flatnonzero((layer.outer != 0).any(axis=0)).tolist()
    statement = f"coordinates that become exact, rounded within 1/4 or gates on 0 and 1: {len(written)}"
    unknown = established.unknown(layer.inner)
    again = [transformer.coordinates[at].name for at in written if at in established.coordinates]
    inexact = [at for at in written if transformer.coordinates[at].kind is not Kind.EXACT]
    if unknown or again or inexact:
        return syntactic(name, statement, _wiring(unknown, again, len(inexact)))
    goals = [_exact(established, layer, at) for at in written]
    established.coordinates.update(written)
    return established.discharge(name, statement, goals)


def _wiring(unknown: Sequence[str], again: Sequence[str], inexact: int) -> str:
    faults = [f"reads {what}, of which nothing is shown" for what in unknown]
    faults += [f"writes {what} a second time" for what in again]
    return "; ".join(faults[:3]) or f"writes {inexact} coordinates of a wrong kind"


def _exact(established: Established, layer: FeedForward, at: int) -> Goal:
    """That the coordinate, 0 so far, gets the value of its meaning."""
    facts: dict[int, z3.BoolRef] = {}
    total: list[z3.ArithRef] = []
    for unit in np.flatnonzero(layer.outer[:, at]).tolist():
        terms = [constant(layer.inner_bias[unit])]
        for source in np.flatnonzero(layer.inner[:, unit]).tolist():
            terms.append(constant(layer.inner[source, unit]) * _number(established, source, facts))
        inside = z3.Sum(terms)
        total.append(constant(layer.outer[unit, at]) * z3.If(inside > 0, inside, z3.RealVal(0)))
    coordinate = established.transformer.coordinates[at]
    return Goal(coordinate.name, tuple(facts.values()), z3.Sum(total) == established.boolean(at))


def _number(established: Established, source: int, facts: dict[int, z3.BoolRef]) -> z3.ArithRef:
    """What is known of a coordinate: it is a Boolean, or a soft value within 1/4 of one."""
    coordinate = established.transformer.coordinates[source]
    if coordinate.kind in (Kind.TOKEN, Kind.EXACT):
        return established.boolean(source)
    value = z3.Real(f"coordinate {source}")
    if coordinate.kind is Kind.SOFT:
        exact, quarter = established.boolean(source), z3.RealVal("1/4")
        facts[source] = z3.And(value - exact <= quarter, exact - value <= quarter)
    return value


def affine(established: Established, weights: Weights, bias: float, facts: dict[int, z3.BoolRef]) -> z3.ArithRef:
    """An affine map of the residual stream, as Z3 sees it."""
    read: Iterable[int] = np.flatnonzero(weights).tolist()
    terms = [constant(weights[at]) * _number(established, at, facts) for at in read]
    return z3.Sum([constant(bias), *terms])


def readout(established: Established, formula: Formula) -> ObligationResult:
    """The output is the value of the formula, in which no operator is short for another."""
    transformer = established.transformer
    statement = "the output is the value of the formula at each position"
    unknown = established.unknown(transformer.readout)
    if unknown:
        return syntactic("readout", statement, _wiring(unknown, (), 0))
    facts: dict[int, z3.BoolRef] = {}
    output = affine(established, transformer.readout, transformer.readout_bias, facts)
    goal = Goal("the output", tuple(facts.values()), output == established.propositions.number(formula))
    return established.discharge("readout", statement, [goal])


def constant(value: float) -> z3.RatNumRef:
    """A weight, exactly."""
    return z3.RealVal(str(Fraction(float(value))))
