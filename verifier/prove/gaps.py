"""The search for lower bounds of the exponents: any template may be tried, only Z3 accepts it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace

import z3

from verifier.prove.agreement import Agreement, agreement
from verifier.prove.agreement import obligations as agreeing_obligations
from verifier.prove.arithmetic import Untranslatable, at_most, below
from verifier.prove.frame import TARGET, Frame, value
from verifier.prove.ranking import improves, log_total, ranked
from verifier.prove.regions import Row, condition
from verifier.prove.solver import Obligation, discharge, holds
from verifier.spec import build
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr
from verifier.spec.types import Type
from verifier.symbolic.derive import Region, Side, key_range
from verifier.symbolic.templates import LEMMAS, Shape, Template, candidates, lower_bound, summed
from verifier.symbolic.translate import from_sympy
from verifier.verdict import ObligationResult, Verdict

MOST_TRIES = 120


@dataclass(frozen=True)
class SideBound:
    """Templates that each bound the exponents of some regions of one side; the smallest of their sums counts."""

    templates: tuple[Template, ...]
    regions: tuple[Region, ...]

    @property
    def side(self) -> Side:
        """The side of the target, ANY for all keys at once."""
        return self.templates[0].side

    def sum(self) -> Expr:
        """A bound on the weights of the keys in the regions."""
        sums = tuple(summed(template) for template in self.templates)
        return sums[0] if len(sums) == 1 else Apply("min", sums)


@dataclass(frozen=True)
class GapSearch:
    """What the search found: a bound for every region, or the regions that have none.

    Args:
        bounds: together they cover every region, if `missing` is empty.
        missing: regions for which no template was accepted.
        tried: how many templates Z3 was asked about.
        exclusive: whether the two sides never err in the same row, so that the larger of their sums counts.
        agreeing: a key that then agrees with the target, if one is known.
    """

    bounds: tuple[SideBound, ...]
    missing: tuple[Region, ...]
    tried: int
    exclusive: bool = False
    agreeing: Agreement | None = None

    def total(self) -> Expr:
        """R, a bound on the total weight of the keys that err, relative to the target's."""
        sides = [self._side(side) for side in Side if any(bound.side is side for bound in self.bounds)]
        if not self.exclusive:
            return build.add(*sides, build.ZERO)
        different = tuple(dict.fromkeys(sides))
        larger = different[0] if len(different) == 1 else Apply("max", different)
        if self.agreeing is None:
            return larger
        return build.divide(larger, build.add(build.ONE, self.agreeing.weight()))

    def _side(self, side: Side) -> Expr:
        return build.add(*(bound.sum() for bound in self.bounds if bound.side is side))


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
    if len({region.side for region in regions}) == 2:
        apart = _one_sided(row, apart)
        together = _together(row, regions, apart, counter)
        if together is not None:
            return together
    return replace(_with_seconds(row, apart, counter), tried=counter.tried)


def _one_sided(row: Row, found: GapSearch) -> GapSearch:
    """Use that the sides exclude each other, and then that some key agrees, where Z3 proves it."""
    if exclusive_sides(row) is None:
        return found
    nearest = (template.first for bound in found.bounds for template in bound.templates)
    return replace(found, exclusive=True, agreeing=agreement(row, nearest))


def _together(row: Row, regions: tuple[Region, ...], apart: GapSearch, counter: _Counter) -> GapSearch | None:
    """All keys counted at once, if that is possible and better."""
    whole = _first_accepted(row, _candidates(row, Side.ANY, regions), regions, counter)
    if whole is None:
        return None
    found = GapSearch((SideBound((whole,), regions),), (), counter.tried)
    construction = row.frame.construction
    better = log_total(construction, [found.total()]) < log_total(construction, [apart.total()])
    return found if apart.missing or better else None


def _side(row: Row, side: Side, regions: tuple[Region, ...], counter: _Counter) -> tuple[list[SideBound], list[Region]]:
    """One template for the side as a whole, else one for each of its regions; and the regions without any."""
    if not regions:
        return [], []
    whole = _first_accepted(row, _candidates(row, side, regions), regions, counter)
    if whole is not None:
        return [SideBound((whole,), regions)], []
    found: list[SideBound] = []
    missing: list[Region] = []
    for region in regions:
        single = _first_accepted(row, _candidates(row, side, (region,)), (region,), counter)
        if single is None:
            missing.append(region)
        else:
            found.append(SideBound((single,), (region,)))
    return found, missing


def _with_seconds(row: Row, found: GapSearch, counter: _Counter) -> GapSearch:
    """Add a template of the other kind (counting, or geometric) where that makes the total smaller at some length."""
    construction = row.frame.construction
    for at, bound in enumerate(found.bounds):
        counted = bound.templates[0].shape is Shape.CONSTANT
        others = [
            template
            for template in _candidates(row, bound.side, bound.regions)
            if (template.shape is Shape.CONSTANT) != counted
        ]
        second = _first_accepted(row, others, bound.regions, counter)
        if second is None:
            continue
        both = SideBound((*bound.templates, second), bound.regions)
        better = replace(found, bounds=(*found.bounds[:at], both, *found.bounds[at + 1 :]))
        if improves(construction, better.total(), found.total(), last_row=row.frame.last_row):
            found = better
    return found


def _candidates(row: Row, side: Side, regions: tuple[Region, ...]) -> list[Template]:
    return candidates(row.frame.construction, side, regions, last_row=row.frame.last_row)


def _first_accepted(
    row: Row, templates: list[Template], regions: tuple[Region, ...], counter: _Counter
) -> Template | None:
    """The template with the smallest sum, by sampling, that Z3 accepts on all of the regions."""
    for template in ranked(row.frame.construction, templates)[:MOST_TRIES]:
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


def exclusive_sides(row: Row) -> tuple[Obligation, Obligation] | None:
    """Obligations that show that keys err on one side of the target only, depending on the target's value; None where
    Z3 does not prove them. Only values that are Boolean can show it."""
    frame = row.frame
    head = frame.construction.head
    if head.value.type is not Type.BOOLEAN:
        return None
    worth = frame.boolean(value(head, TARGET))
    j, t = build.variable("j"), build.variable(TARGET)
    known = (*frame.facts(), *row.hypotheses)
    left, right = ((*known, frame.boolean(build.compare(order, j, t))) for order in ("<", ">"))
    for at_left, at_right in ((worth, z3.Not(worth)), (z3.Not(worth), worth)):
        if holds(left, at_left, frame.session) and holds(right, at_right, frame.session):
            words = "keys err on the {} only where the target's value is {}"
            first, second = ("true", "false") if at_left is worth else ("false", "true")
            return (
                Obligation("one side: left", words.format("left", first), left, at_left),
                Obligation("one side: right", words.format("right", second), right, at_right),
            )
    return None


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
        for template, region in itertools.product(bound.templates, bound.regions):
            hypotheses = (*frame.facts(), *row.hypotheses, condition(frame, region))
            least = to_text(lower_bound(frame.construction, template))
            statement = f"(s(i,j*) - s(i,j))/temperature >= {least}"
            goal = _gap_goal(row, template)
            yield discharge(Obligation(f"gap: {region.name}", statement, hypotheses, goal), frame.session)
    for region in search_.missing:
        detail = f"none of {search_.tried} candidate lower bounds was accepted"
        yield ObligationResult(f"gap: {region.name}", "no lower bound found", Verdict.UNDECIDED, "z3", 0.0, detail)


def sum_obligations(row: Row, search_: GapSearch) -> Iterator[ObligationResult]:
    """The side conditions of the lemma that sums each bound, and that the sides exclude each other where that is
    used."""
    frame = row.frame
    for bound in search_.bounds:
        for template in bound.templates:
            name = f"sum: {_where(bound)}"
            lemma = LEMMAS[template.shape]
            for words, goal in side_conditions(frame, template):
                total = to_text(summed(template))
                statement = f"{words}, so by {lemma} ({template.shape.value}) the weights sum to {total}"
                hypotheses = (*frame.facts(), *row.hypotheses)
                yield discharge(Obligation(name, statement, hypotheses, goal), frame.session)
    if search_.exclusive:
        for obligation in exclusive_sides(row) or ():
            yield discharge(obligation, frame.session)
    if search_.agreeing is not None:
        for obligation in agreeing_obligations(row, search_.agreeing):
            yield discharge(obligation, frame.session)


def _where(bound: SideBound) -> str:
    if bound.side is Side.ANY:
        return "all other keys"
    return bound.side.value if len(bound.regions) > 1 else bound.regions[0].name
