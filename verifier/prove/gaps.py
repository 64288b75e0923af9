"""The search for lower bounds of the exponents: any template may be tried, only Z3 accepts it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import z3

from verifier.prove.arithmetic import Untranslatable, at_most, below
from verifier.prove.balls import Point, Unsettled, ball, number
from verifier.prove.exponentials import split_logarithms
from verifier.prove.frame import Frame
from verifier.prove.regions import Row, condition
from verifier.prove.solver import Obligation, discharge, holds
from verifier.spec import build
from verifier.spec.construction import Construction
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, mentions, subexpressions
from verifier.symbolic.derive import Region, Side, key_range
from verifier.symbolic.templates import LEMMAS, Shape, Template, candidates, lower_bound, summed
from verifier.symbolic.translate import from_sympy
from verifier.verdict import ObligationResult, Verdict

SAMPLES = (2, 8, 64, 1000)
MOST_TRIES = 120


@dataclass(frozen=True)
class SideBound:
    """A template that bounds the exponents of some regions of one side, and the sum that follows."""

    template: Template
    regions: tuple[Region, ...]


@dataclass(frozen=True)
class GapSearch:
    """What the search found: a bound for every region, or the regions that have none.

    Args:
        bounds: together they cover every region, if `missing` is empty.
        missing: regions for which no template was accepted.
        tried: how many templates Z3 was asked about.
    """

    bounds: tuple[SideBound, ...]
    missing: tuple[Region, ...]
    tried: int

    def total(self) -> Expr:
        """R, a bound on the total weight of the keys that err, relative to the target's."""
        return build.add(*(summed(bound.template) for bound in self.bounds), build.ZERO)


class _Counter:
    def __init__(self) -> None:
        self.tried = 0


def search(row: Row, regions: tuple[Region, ...]) -> GapSearch:
    """Bound each side of the target by itself, or all keys at once by counting: whichever total is smaller."""
    counter = _Counter()
    bounds: list[SideBound] = []
    missing: list[Region] = []
    for side in Side:
        here = tuple(region for region in regions if region.side is side)
        found, unbounded = _side(row, side, here, counter)
        bounds += found
        missing += unbounded
    apart = GapSearch(tuple(bounds), tuple(missing), counter.tried)
    if len({region.side for region in regions}) < 2:
        return apart
    whole = _first_accepted(row, Side.ANY, regions, counter)
    if whole is None:
        return GapSearch(apart.bounds, apart.missing, counter.tried)
    together = GapSearch((SideBound(whole, regions),), (), counter.tried)
    construction = row.frame.construction
    if apart.missing or _total_size(construction, together) < _total_size(construction, apart):
        return together
    return GapSearch(apart.bounds, apart.missing, counter.tried)


def _side(row: Row, side: Side, regions: tuple[Region, ...], counter: _Counter) -> tuple[list[SideBound], list[Region]]:
    """One template for the side as a whole, else one for each of its regions; and the regions without any."""
    if not regions:
        return [], []
    whole = _first_accepted(row, side, regions, counter)
    if whole is not None:
        return [SideBound(whole, regions)], []
    found: list[SideBound] = []
    missing: list[Region] = []
    for region in regions:
        single = _first_accepted(row, side, (region,), counter)
        if single is None:
            missing.append(region)
        else:
            found.append(SideBound(single, (region,)))
    return found, missing


def _total_size(construction: Construction, found: GapSearch) -> float:
    return sum(_size(construction, bound.template) for bound in found.bounds)


def _first_accepted(row: Row, side: Side, regions: tuple[Region, ...], counter: _Counter) -> Template | None:
    """The template with the smallest sum, by sampling, that Z3 accepts on all of the regions."""
    construction = row.frame.construction
    for template in _ranked(construction, candidates(construction, side, regions))[:MOST_TRIES]:
        counter.tried += 1
        if _accepted(row, template, regions):
            return template
    return None


def _accepted(row: Row, template: Template, regions: tuple[Region, ...]) -> bool:
    frame = row.frame
    try:
        conditions = side_conditions(frame, template)
        if not all(holds((*frame.facts(), *row.hypotheses), goal, frame.session) for _, goal in conditions):
            return False
        return all(
            holds(
                (*frame.facts(), *row.hypotheses, condition(frame, region)),
                _gap_goal(row, template),
                frame.session,
            )
            for region in regions
        )
    except Untranslatable:
        return False


def _ranked(construction: Construction, templates: Iterable[Template]) -> list[Template]:
    """Templates by the size of their sums at a few lengths, those that the budget can handle first; those without a
    finite positive sum are left out."""
    sized = [
        (not _tractable(template), _size(construction, template), at, template) for at, template in enumerate(templates)
    ]
    return [entry[-1] for entry in sorted(sized, key=lambda entry: entry[:3]) if math.isfinite(entry[1])]


def _tractable(template: Template) -> bool:
    """Whether a varying logarithm, if there is one, can be taken out of every exponential of the sum."""
    for exponent in (template.first, template.slope):
        rest, _ = split_logarithms(exponent)
        if any(
            isinstance(node, Apply) and node.operator == "ln" and mentions(node, "n") for node in subexpressions(rest)
        ):
            return False
    return True


def _size(construction: Construction, template: Template) -> float:
    total = 0.0
    for n in SAMPLES:
        variables = {"n": ball(n)} | {name: ball(given) for name, given in construction.values.items()}
        try:
            found = float(number(summed(template), Point(variables, {})).mid())
            slope = float(number(template.slope, Point(variables, {})).mid())
        except (Unsettled, KeyError, OverflowError):
            return math.inf
        if template.shape is not Shape.CONSTANT and slope <= 0:
            return math.inf
        total += abs(found)
    return total


def _gap_goal(row: Row, template: Template) -> z3.BoolRef:
    least = row.frame.number(lower_bound(row.frame.construction, template))
    return at_most(least, row.frame.number(row.exponent))


def side_conditions(frame: Frame, template: Template) -> list[tuple[str, z3.BoolRef]]:
    """What the template's lemma asks for, in words and for Z3: a positive slope, or enough keys counted."""
    if template.shape is not Shape.CONSTANT:
        positive = below(frame.number(build.ZERO), frame.number(template.slope))
        return [(f"{to_text(template.slope)} > 0", positive)]
    first, last = (from_sympy(end) for end in key_range(frame.construction))
    t = build.variable("j*")
    keys = {
        Side.LEFT: build.subtract(t, first),
        Side.RIGHT: build.subtract(last, t),
        Side.ANY: build.subtract(last, first),
    }[template.side]
    enough = at_most(frame.number(keys), frame.number(template.count))
    return [(f"at most {to_text(template.count)} keys", enough)]


def gap_obligations(row: Row, search_: GapSearch) -> Iterator[ObligationResult]:
    """The accepted templates as obligations of their own, discharged once more with satisfiable hypotheses."""
    frame = row.frame
    for bound in search_.bounds:
        least = to_text(lower_bound(frame.construction, bound.template))
        for region in bound.regions:
            hypotheses = (*frame.facts(), *row.hypotheses, condition(frame, region))
            statement = f"(s(i,j*) - s(i,j))/temperature >= {least}"
            goal = _gap_goal(row, bound.template)
            yield discharge(Obligation(f"gap: {region.name}", statement, hypotheses, goal), frame.session)
    for region in search_.missing:
        detail = f"none of {search_.tried} candidate lower bounds was accepted"
        yield ObligationResult(f"gap: {region.name}", "no lower bound found", Verdict.UNDECIDED, "z3", 0.0, detail)


def sum_obligations(row: Row, search_: GapSearch) -> Iterator[ObligationResult]:
    """The side conditions of the lemma that sums each bound."""
    frame = row.frame
    for bound in search_.bounds:
        template = bound.template
        name = "sum: " + _where(bound)
        lemma = LEMMAS[template.shape]
        for words, goal in side_conditions(frame, template):
            statement = (
                f"{words}, so by {lemma} ({template.shape.value}) the weights sum to {to_text(summed(template))}"
            )
            hypotheses = (*frame.facts(), *row.hypotheses)
            yield discharge(Obligation(name, statement, hypotheses, goal), frame.session)


def _where(bound: SideBound) -> str:
    if bound.template.side is Side.ANY:
        return "all other keys"
    return bound.template.side.value if len(bound.regions) > 1 else bound.regions[0].name
