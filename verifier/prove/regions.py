"""Obligations about where keys stand: the head is well defined, and the regions cover every key that can err."""

from __future__ import annotations

from dataclasses import dataclass

import z3

from verifier.prove.arithmetic import Untranslatable, at_most, below, equal, unequal
from verifier.prove.frame import TARGET, Frame, selected, value, visible, written_out
from verifier.prove.solver import Obligation, discharge, discharge_absence, satisfiable
from verifier.spec import build
from verifier.spec.construction import Construction, Simulation, Tie
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, InputAt, leaves, rename_position
from verifier.symbolic.derive import Region, Side
from verifier.verdict import ObligationResult, Verdict


@dataclass(frozen=True)
class Row:
    """One simulation in a frame: a target key and another key, with everything that may be assumed of the two.

    Args:
        frame: the Z3 terms.
        simulation: whose scores these are.
        exponent: (s(i, j*) - s(i, j)) / tau as an expression over n, i, j, j*, less 2 kappa / tau where scores are
            known only to within kappa.
        hypotheses: the target is selected, the key is visible, is not the target (for averages: is not selected),
            respects the tie, and has another value than the target (except for averages).
    """

    frame: Frame
    simulation: Simulation
    exponent: Expr
    hypotheses: tuple[z3.BoolRef, ...]


def row(frame: Frame, simulation: Simulation, key_dimension: int) -> Row:
    """Set up a row. Raises `Untranslatable` where an expression has no sound translation."""
    construction = frame.construction
    head = construction.head
    scores = [written_out(construction, simulation.score.expr, key) for key in (TARGET, "j")]
    difference = build.subtract(*scores)
    if simulation.score_error is not None:
        difference = build.subtract(difference, build.multiply(build.number(2), simulation.score_error.expr))
    exponent = build.divide(difference, temperature(simulation, key_dimension))
    hypotheses = [frame.boolean(visible(construction, key)) for key in (TARGET, "j")]
    hypotheses.append(frame.boolean(selected(head, TARGET)))
    hypotheses.extend(_argmax(frame, simulation))
    hypotheses.append(_tie(frame))
    if head.tie is Tie.AVERAGE:
        hypotheses.append(frame.boolean(Apply("not", (selected(head, "j"),))))
    else:
        hypotheses.append(frame.boolean(build.compare("!=", build.variable("j"), build.variable(TARGET))))
        hypotheses.append(_values_differ(frame))
    frame.number(exponent)  # translate now, so that its facts are among the frame's
    return Row(frame, simulation, exponent, tuple(hypotheses))


def spread(construction: Construction, simulation: Simulation, key_dimension: int) -> Expr:
    """The error that perturbed scores cause among averaged targets, kappa / (2 tau) (L3); 0 for a single target.

    Weights within a factor exp(2 kappa / tau) of each other differ from uniform ones by tanh(kappa / (2 tau)) in
    total variation, which is at most kappa / (2 tau).
    """
    if simulation.score_error is None or construction.head.tie is not Tie.AVERAGE:
        return build.ZERO
    double = build.multiply(build.number(2), temperature(simulation, key_dimension))
    return build.divide(simulation.score_error.expr, double)


def temperature(simulation: Simulation, key_dimension: int) -> Expr:
    """The temperature by which scores are divided, the root of the key dimension included where it is asked for."""
    plain = simulation.temperature.expr
    if not simulation.divide_by_sqrt_key_dimension:
        return plain
    return build.multiply(plain, Apply("sqrt", (build.number(key_dimension),)))


def _values_differ(frame: Frame) -> z3.BoolRef:
    here, there = (frame.translator.value(value(frame.construction.head, key)) for key in ("j", TARGET))
    if isinstance(here, z3.BoolRef) and isinstance(there, z3.BoolRef):
        return z3.Xor(here, there)
    numbers = [frame.number(value(frame.construction.head, key)) for key in ("j", TARGET)]
    return unequal(*numbers)


def _tie(frame: Frame) -> z3.BoolRef:
    """What the tie says of a key beside the target: it is not selected where that would move the target."""
    head = frame.construction.head
    j, t = build.variable("j"), build.variable(TARGET)
    unselected = frame.boolean(Apply("not", (selected(head, "j"),)))
    if head.tie is Tie.AVERAGE:
        return z3.BoolVal(True)
    if head.tie is Tie.UNIQUE:
        return z3.Implies(frame.boolean(build.compare("!=", j, t)), unselected)
    beyond = build.compare("<" if head.tie is Tie.LEFTMOST else ">", j, t)
    return z3.Implies(frame.boolean(beyond), unselected)


def _argmax(frame: Frame, simulation: Simulation) -> list[z3.BoolRef]:
    """For argmax: a selected key has the target's score, any other one lies at least the gap below it."""
    construction = frame.construction
    if construction.head.select is not None:
        return []
    assert construction.head.gap is not None
    maximised = (construction.head.score or simulation.score).expr
    here, there = (frame.number(rename_position(maximised, "j", key)) for key in ("j", TARGET))
    gap = frame.number(construction.head.gap.expr)
    apart = build.add(rename_position(maximised, "j", "j"), construction.head.gap.expr)
    chosen = frame.boolean(selected(construction.head, "j"))
    target = rename_position(maximised, "j", TARGET)
    separated = at_most(frame.number(apart), frame.number(target))
    return [
        z3.Implies(chosen, equal(here, there)),
        z3.Implies(z3.Not(chosen), separated),
        below(frame.number(build.ZERO), gap),
    ]


def gap_assumption(frame: Frame, simulation: Simulation) -> list[ObligationResult]:
    """For argmax: what is assumed of the gap is not void. The gap is positive for every n; scores that are written out
    have it, and given ones can have it beside a key that is not a maximum."""
    construction = frame.construction
    head = construction.head
    if head.select is not None or head.gap is None:
        return []
    maximised = (head.score or simulation.score).expr
    here, there = (frame.number(rename_position(maximised, "j", key)) for key in ("j", TARGET))
    gap = frame.number(head.gap.expr)
    seen = [frame.boolean(visible(construction, key)) for key in ("j", TARGET)]
    positive = Obligation("gap positive", f"{head.gap.text} > 0", frame.facts(), below(frame.number(build.ZERO), gap))
    results = [discharge(positive, frame.session)]
    apart = at_most(frame.number(build.add(maximised, head.gap.expr)), there)
    if any(isinstance(leaf, InputAt) and len(leaf.positions) == 2 for leaf in leaves(maximised)):
        given = isinstance(maximised, InputAt)
        verdict, detail = (
            (Verdict.PROVED, "") if given else (Verdict.UNDECIDED, "the argmax is not of a given score alone")
        )
        statement = f"scores with the assumed gap {head.gap.text} exist, since any score is possible"
        return [*results, ObligationResult("gap possible", statement, verdict, "syntax", 0.0, detail)]
    statement = f"every visible key has the greatest score or lies at least {head.gap.text} below it"
    j, t = build.variable("j"), build.variable(TARGET)
    seen.append(z3.Or(*(frame.boolean(build.compare(order, j, t)) for order in ("<", "=", ">"))))
    goal = z3.Or(equal(here, there), apart)
    obligation = Obligation("gap of the scores", statement, (*frame.facts(), *seen, at_most(here, there)), goal)
    return [*results, discharge(obligation, frame.session)]


def condition(frame: Frame, region: Region) -> z3.BoolRef:
    """That the key j lies in the region."""
    j, t = build.variable("j"), build.variable(TARGET)
    parts = []
    if region.side is not Side.ANY:
        parts.append(frame.boolean(build.compare("<" if region.side is Side.LEFT else ">", j, t)))
    for atom, holds in region.atoms:
        written = written_out(frame.construction, atom, "j")
        parts.append(frame.boolean(written if holds else Apply("not", (written,))))
    return z3.And(*parts) if parts else z3.BoolVal(True)


def inhabited(row_: Row, regions: tuple[Region, ...]) -> tuple[Region, ...]:
    """The regions that are not known to be empty; that the others may be left out, `coverage` proves."""
    frame = row_.frame

    def empty(region: Region) -> bool:
        formulas = (*frame.facts(), *row_.hypotheses, condition(frame, region))
        return bool(satisfiable(formulas, frame.session) == z3.unsat)

    return tuple(region for region in regions if not empty(region))


def coverage(row_: Row, regions: tuple[Region, ...]) -> ObligationResult:
    """Every visible key other than the target lies in one of the regions or has the target's value."""
    frame = row_.frame
    averaged = frame.construction.head.tie is Tie.AVERAGE
    statement = (
        "every visible key that is not selected lies in a region"
        if averaged
        else "every visible key but the target lies in a region or has the target's value"
    )
    everything = (*frame.facts(), *row_.hypotheses)
    if not regions and satisfiable(everything, frame.session) == z3.unsat:
        return discharge_absence("coverage", "no visible key errs", everything, frame.session)
    goal = z3.Or(*(condition(frame, region) for region in regions)) if regions else z3.BoolVal(False)
    obligation = Obligation("coverage", statement, (*frame.facts(), *row_.hypotheses), goal)
    return discharge(obligation, frame.session)


def equal_scores(frame: Frame, simulation: Simulation) -> ObligationResult:
    """Averaged targets have one score, so that softmax weighs them equally."""
    construction = frame.construction
    head = construction.head
    hypotheses = [frame.boolean(visible(construction, key)) for key in (TARGET, "j")]
    hypotheses += [frame.boolean(selected(head, key)) for key in (TARGET, "j")]
    hypotheses += _argmax(frame, simulation)
    here, there = (frame.number(written_out(construction, simulation.score.expr, key)) for key in ("j", TARGET))
    obligation = Obligation(
        "equal scores",
        "all selected keys have the same score",
        (*frame.facts(), *hypotheses),
        equal(here, there),
    )
    return discharge(obligation, frame.session)


def defined(frame: Frame, simulation: Simulation, key_dimension: int) -> ObligationResult:
    """The score is defined at every visible key, and the temperature is positive for every n."""
    statement = f"the score is defined, and the temperature {to_text(simulation.temperature.expr)} is positive"
    name = "defined"
    try:
        key = frame.number(written_out(frame.construction, simulation.score.expr, "j"))
        tau = frame.number(temperature(simulation, key_dimension))
        kappa = frame.number(simulation.score_error.expr if simulation.score_error is not None else build.ZERO)
    except Untranslatable as error:
        return ObligationResult(name, statement, Verdict.UNDECIDED, "", 0.0, str(error))
    assert key is not None
    goal = z3.And(below(frame.number(build.ZERO), tau), at_most(frame.number(build.ZERO), kappa))
    signs = "; ".join(dict.fromkeys(sign.statement for sign in frame.signs))
    result = discharge(Obligation(name, statement, frame.facts(), goal), frame.session)
    return ObligationResult(name, statement, result.verdict, result.by, result.seconds, result.detail or signs)
