"""The exact supremum of the error at one length, enclosed by ball arithmetic, over all strings at once.

Keys are independent adversaries: given the query, the target and its value, every other visible key takes, among the
input values that keep the target the target, one that errs with the largest weight, else one that does not with the
smallest: an erring weight w raises D / (w* + D + S) since the ratio is below 1, and a weight in S lowers it.
For averages a single target is the worst, provided that every other key can err without being selected.
Re-derived in docs/theory.md, section on the exact supremum. This rests on the obligations of `semantics`: rows
in which nothing is selected are exact, and a `unique` tie is unique; for averages also on equal scores of the targets.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from flint import arb

from verifier.prove.balls import BallValue, Point, Unsettled, ball, boolean, evaluate, number
from verifier.prove.regions import temperature
from verifier.spec.construction import Construction, Input, InputKind, Mask, Simulation, Tie
from verifier.spec.syntax import Expr, InputAt, leaves

MOST_ASSIGNMENTS = 256


class Unsupported(Exception):
    """The exact supremum of this construction is not computed here; the message says why."""


@dataclass(frozen=True)
class Option:
    """One assignment to a key's inputs: whether the key is then selected, its value 0 or 1, and its weight."""

    selected: bool
    value: int
    weight: arb


def supremum(construction: Construction, simulation: Simulation, n: int, key_dimension: int) -> arb:
    """A ball that contains the greatest error over all strings of length n and all queries.

    Cost: about n^2 evaluations of the score for each assignment to a key's and a query's inputs.

    Raises:
        Unsupported: the construction's shape is not covered.
        Unsettled: ball arithmetic did not settle a comparison.
    """
    _supported(construction, simulation)
    greatest = arb(0)
    for i in range(1, n + 1):
        for query in _assignments(construction, simulation, "i", n, i):
            options = [
                _options(construction, simulation, n, i, j, query, key_dimension)
                for j in visible_keys(construction, i, n)
            ]
            if construction.head.tie is Tie.AVERAGE:
                _single_target_is_worst(options)
            for error in _row_errors(construction.head.tie, options):
                greatest = greatest.max(error)
    return greatest


def _supported(construction: Construction, simulation: Simulation) -> None:
    head = construction.head
    if simulation.score_error is not None:
        raise Unsupported("scores that are known only to within an error")
    if head.select is None:
        raise Unsupported("argmax over given scores")
    for given in construction.inputs:
        leaf = InputAt(given.name, ("j",))
        used = [expr for expr in (simulation.score.expr, head.select.expr) if leaf in leaves(expr)]
        if given.kind is InputKind.REAL and (used or (leaf in leaves(head.value.expr) and head.value.expr != leaf)):
            raise Unsupported(f"the real input {given.name} is used for more than a value")
        if given.kind is InputKind.INTEGER and (used or leaf in leaves(head.value.expr)):
            raise Unsupported(f"the integer input {given.name} at the key")


def visible_keys(construction: Construction, i: int, n: int) -> range:
    """The keys that the query i sees in a string of length n."""
    first = construction.first_key
    return {
        Mask.NONE: range(first, n + 1),
        Mask.CAUSAL: range(first, i + 1),
        Mask.STRICT_CAUSAL: range(first, i),
        Mask.PAST: range(i, n + 1),
        Mask.STRICT_PAST: range(i + 1, n + 1),
    }[construction.head.mask]


def _mentioned(construction: Construction, simulation: Simulation, position: str) -> list[Input]:
    """The inputs that the score, the selection or the value reads at a position."""
    head = construction.head
    exprs = [simulation.score.expr, head.value.expr] + ([head.select.expr] if head.select is not None else [])
    names = {
        leaf.name for expr in exprs for leaf in leaves(expr) if isinstance(leaf, InputAt) and position in leaf.positions
    }
    return [given for given in construction.inputs if given.name in names]


def _assignments(
    construction: Construction, simulation: Simulation, position: str, n: int, at: int
) -> Iterator[dict[InputAt, BallValue]]:
    """Every assignment to the inputs mentioned at a position; a real input's extremes are enough, for the error is
    affine in it."""
    given = _mentioned(construction, simulation, position)
    choices = [_choices(construction, one, n, at) for one in given]
    if math.prod(map(len, choices)) > MOST_ASSIGNMENTS:
        raise Unsupported("too many assignments to the inputs at one position")
    for values in itertools.product(*choices):
        yield {InputAt(one.name, (position,)): value for one, value in zip(given, values, strict=True)}


def _choices(construction: Construction, given: Input, n: int, at: int) -> list[BallValue]:
    boolean_ = given.kind is InputKind.BOOLEAN
    if at == 0:
        return [False] if boolean_ else [arb(0)]
    if boolean_:
        return [True, False]
    if given.kind is InputKind.REAL:
        return [arb(0), arb(1)]
    assert given.low is not None and given.high is not None
    low, high = (_integer(bound, n) for bound in (given.low, given.high))
    return [arb(value) for value in range(low, high + 1)]


def _integer(bound: Expr, n: int) -> int:
    whole = number(bound, Point({"n": arb(n)}, {})).unique_fmpz()
    if whole is None:
        raise Unsettled("a bound of an integer input that is not an integer")
    return int(whole)


def _options(
    construction: Construction,
    simulation: Simulation,
    n: int,
    i: int,
    j: int,
    query: Mapping[InputAt, BallValue],
    key_dimension: int,
) -> list[Option]:
    """What the key j can be, given the query's inputs; at j = i the key has the query's own."""
    variables = {name: ball(value) for name, value in construction.values.items()}
    variables |= {"n": arb(n), "i": arb(i), "j": arb(j)}
    tau = number(temperature(simulation, key_dimension), Point(variables, {}))
    head = construction.head
    assert head.select is not None
    found = []
    for key in _assignments(construction, simulation, "j", n, j):
        if i == j and any(_differs(key, leaf, value) for leaf, value in query.items()):
            continue
        inputs = {**query, **key}
        selected = boolean(head.select.expr, Point(variables, inputs))
        value = _zero_or_one(evaluate(head.value.expr, Point(variables, inputs)))
        score = number(simulation.score.expr, Point(variables, inputs, selected))
        found.append(Option(selected, value, (score / tau).exp()))
    return found


def _differs(key: Mapping[InputAt, BallValue], leaf: InputAt, value: BallValue) -> bool:
    here = key.get(InputAt(leaf.name, ("j",)))
    return here is not None and bool(here != value)


def _zero_or_one(value: BallValue) -> int:
    if isinstance(value, bool):
        return int(value)
    if value == 1:
        return 1
    if value == 0:
        return 0
    raise Unsupported("a value other than 0 and 1")


def _single_target_is_worst(options: list[list[Option]]) -> None:
    targets = {option.value for here in options for option in here if option.selected}
    for here in options:
        erring = {1 - option.value for option in here if not option.selected}
        if not targets <= erring:
            raise Unsupported("averaging where some key cannot err without being selected")


def _row_errors(tie: Tie, options: list[list[Option]]) -> Iterator[arb]:
    """The worst error for every target and every assignment to it."""
    before = {value: _totals(options, value, free=tie is Tie.RIGHTMOST) for value in (0, 1)}
    after = {value: _totals(options[::-1], value, free=tie is Tie.LEFTMOST)[::-1] for value in (0, 1)}
    for at, here in enumerate(options):
        for target in here:
            if not target.selected:
                continue
            left, right = before[target.value][at], after[target.value][at + 1]
            if left is None or right is None:
                continue
            erring, agreeing = left[0] + right[0], left[1] + right[1]
            yield erring / (target.weight + erring + agreeing)


def _totals(options: list[list[Option]], value: int, *, free: bool) -> list[tuple[arb, arb] | None]:
    """Erring and agreeing weight of the first k keys, for k = 0, 1, ...; None once a key has nothing to be.

    Args:
        options: per key.
        value: the target's value.
        free: whether these keys may be selected without moving the target.
    """
    totals: list[tuple[arb, arb] | None] = [(arb(0), arb(0))]
    for here in options:
        last = totals[-1]
        allowed = [option for option in here if free or not option.selected]
        if last is None or not allowed:
            totals.append(None)
            continue
        erring = [option.weight for option in allowed if option.value != value]
        if erring:
            totals.append((last[0] + _fold(erring, arb.max), last[1]))
        else:
            totals.append((last[0], last[1] + _fold([option.weight for option in allowed], arb.min)))
    return totals


def _fold(weights: list[arb], choose: object) -> arb:
    result = weights[0]
    for weight in weights[1:]:
        result = choose(result, weight)  # type: ignore[operator]
    return result
