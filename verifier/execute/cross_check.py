"""Heads run on many strings, held against the claim and against the exact supremum.

Nothing here decides a verdict: what seems to break a claim is a candidate for ball arithmetic to confirm, and numbers
that contradict each other show a fault of the tool.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from verifier.execute.batch import Batch, Floats, KeyDimension, Truths
from verifier.execute.evaluate import ExecutionError
from verifier.execute.heads import selected_counts
from verifier.execute.runs import Run, Runner, allowance, chosen_queries, run, runner
from verifier.execute.sample import EVERY_LENGTH_TO, EXHAUSTIVE_TO, Extent, chosen_strings, ladder
from verifier.execute.strings import concatenated
from verifier.execute.supremum import LARGEST_COST, NoSupremum, Supremum, cost, supremum
from verifier.spec.construction import Construction, InputKind, Tie
from verifier.verdict import CrossCheck

DIRECT_TO = 4  # up to here strings are also run by the definition where a faster way exists
SUPREMUM_COST = 1 << 20  # of one length, other than the greatest
AGREEMENT = 1e-12


@dataclass(frozen=True)
class Counterexample:
    """A string and query at which a claim fails in floating point.

    Args:
        simulation: the simulation's name.
        n: the length; `query` the position i in 1..n.
        batch: the string, a batch of one.
        error: |soft - hard|; for a semantic fault |hard - what the claim computes|.
        kind: ``error`` when it exceeds the claimed one, ``semantics`` when the hard head does not compute what is
            claimed, ``unique`` when a `unique` tie selects several keys.
    """

    simulation: str
    n: int
    query: int
    batch: Batch
    error: float
    kind: str


@dataclass
class _Tally:
    """What has been found so far, of one simulation.

    Args:
        largest: the greatest error.
        violations, disagreements: how many.
        first: the first counterexample of each kind.
        passed: the greatest length run before an error exceeded the claim.
        notes: what was left out, by its topic.
    """

    largest: float = 0.0
    violations: int = 0
    disagreements: int = 0
    first: dict[str, Counterexample] = field(default_factory=dict)
    passed: int = 0
    notes: dict[str, str] = field(default_factory=dict)


def cross_check(
    construction: Construction,
    max_n: int,
    *,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    key_dimension: KeyDimension | None = None,
) -> tuple[CrossCheck, tuple[Counterexample, ...]]:
    """Run every simulation on all short strings, and on structured, random and worst-case ones up to a length.

    Args:
        construction: whose simulations are run.
        max_n: the greatest length, at least 1.
        seed: of the random strings.
        progress: told how many lengths are done, and of how many.
        key_dimension: gives d_key, for simulations that divide by the root of it.

    Returns:
        What was run and found; and for each simulation and kind of fault the counterexample of the smallest length.

    Raises:
        ExecutionError: an expression has no finite value on a string of at most 8 symbols. On longer strings that may
            be an overflow; the greater lengths are then left out, and a note says so.
    """
    runners = [runner(construction, one, key_dimension) for one in construction.simulations]
    tallies = [_Tally() for _ in runners]
    extent = Extent()
    generator = np.random.default_rng(seed)
    lengths = ladder(max_n)
    for done, n in enumerate(lengths):
        if progress is not None:
            progress(done, len(lengths))
        try:
            batch = chosen_strings(construction, n, extent, generator)
            if batch is None:
                continue
            extent.strings += _check_length(runners, tallies, batch, last=n == max_n)
        except ExecutionError as error:
            if n <= EXHAUSTIVE_TO:
                raise
            extent.notes.append(f"lengths from {n} on are left out: {error.message}")
            break
        extent.longest = n
    if progress is not None:
        progress(len(lengths), len(lengths))
    found = tuple(
        _shortened(one, tally, counterexample)
        for one, tally in zip(runners, tallies, strict=True)
        for counterexample in tally.first.values()
    )
    return _summary(construction, runners, tallies, extent, seed), found


def _check_length(runners: list[Runner], tallies: list[_Tally], batch: Batch, *, last: bool) -> int:
    """Run all simulations on these strings and on the worst of each; how many strings those are."""
    worst = [_worst(one, tally, batch.n, last=last) for one, tally in zip(runners, tallies, strict=True)]
    known = [one for one in worst if one is not None]
    everything = concatenated([batch, *(one.batch for one in known)])
    wanted = tuple(one.query for one in known)
    at = batch.size
    for one, tally, own in zip(runners, tallies, worst, strict=True):
        queries = chosen_queries(one, everything, wanted)
        if len(queries) < batch.n:
            tally.notes.setdefault("queries", f"from length {batch.n} on only some queries are run")
        found = run(one, everything, queries)
        _count(one, tally, found)
        if batch.n <= DIRECT_TO and one.separation is not None:
            direct = run(replace(one, separation=None), everything, queries)
            unlike = np.abs(direct.error - found.error) > _tolerance(one, everything)
            tally.disagreements += int(unlike.sum())
        if own is not None:
            # Without inputs all strings are one.
            _compare(one, tally, found, own, min(at, everything.size - 1))
            at += 1
    return everything.size


def _worst(one: Runner, tally: _Tally, n: int, *, last: bool) -> Supremum | None:
    """The exact supremum, where it is known and affordable."""
    needed = cost(one.construction, one.simulation, n)
    if needed is not None and needed > (LARGEST_COST if last else SUPREMUM_COST):
        tally.notes.setdefault(
            "worst", f"from length {n} on the worst string takes long to find and is run rarely"
        )
        return None
    found = supremum(one.construction, one.simulation, n, key_dimension=one.key_dimension)
    if isinstance(found, NoSupremum):
        tally.notes.setdefault("supremum", f"the exact supremum is not known: {found.reason}")
        return None
    return found


def _count(one: Runner, tally: _Tally, found: Run) -> None:
    """Add up errors and violations, and keep the first counterexample of each kind."""
    n = found.batch.n
    tally.largest = max(tally.largest, float(found.error.max(initial=0.0)))
    if math.isinf(found.threshold):
        tally.notes.setdefault(
            "rounding", f"from length {n} on rounding is not bounded, and no error counts as a violation"
        )
    several = _several_selected(one, found)
    tally.violations += int((found.excessive | found.wrong | several).sum())
    faults = [("error", found.excessive, found.error), ("unique", several, found.error)]
    if found.apart is not None:
        faults.append(("semantics", found.wrong, found.apart))
    for kind, at_fault, size in faults:
        if kind not in tally.first and at_fault.any():
            tally.first[kind] = _counterexample(one, found, kind, np.where(at_fault, size, -1.0))
    if "error" not in tally.first:
        tally.passed = n


def _several_selected(one: Runner, found: Run) -> Truths:
    """Where a `unique` tie selects several keys, on short strings. For argmax that is a promise, not a claim."""
    head = one.construction.head
    if head.tie is not Tie.UNIQUE or head.select is None or found.batch.n > EVERY_LENGTH_TO:
        return np.zeros_like(found.excessive)
    return np.asarray(selected_counts(one.construction, one.simulation, found.batch, found.queries) > 1)


def _counterexample(one: Runner, found: Run, kind: str, size: Floats) -> Counterexample:
    string, at = np.unravel_index(int(size.argmax()), size.shape)
    only = found.batch.part(slice(int(string), int(string) + 1))
    query, error = int(found.queries[at]), float(size[string, at])
    return Counterexample(one.simulation.name, found.batch.n, query, only, error, kind)


def _compare(one: Runner, tally: _Tally, found: Run, own: Supremum, string: int) -> None:
    """Hold the errors against the exact supremum: none may exceed it, and its string must attain it."""
    tolerance = _tolerance(one, found.batch)
    attained = found.error[string, np.searchsorted(found.queries, own.query)]
    tally.disagreements += int((found.error > own.error + tolerance).sum())
    tally.disagreements += int(abs(attained - own.error) > tolerance)


def _tolerance(one: Runner, batch: Batch) -> float:
    """How far numbers that should agree may differ.

    The same exponents enter them all, except where a score was taken apart, which rounds differently.
    """
    apart = one.separation is not None and not one.separation.whole
    return AGREEMENT + (2 * allowance(one, batch) if apart else 0.0)


def _shortened(one: Runner, tally: _Tally, found: Counterexample) -> Counterexample:
    """The counterexample of the smallest length, by bisection down to the length before; the lengths between were
    not run, and the worst string of each is."""
    low = tally.passed
    while found.kind == "error" and found.n - low > 1:
        middle = (low + found.n) // 2
        needed = cost(one.construction, one.simulation, middle)
        if needed is None or needed > LARGEST_COST:
            break
        worst = supremum(one.construction, one.simulation, middle, key_dimension=one.key_dimension)
        if isinstance(worst, NoSupremum):
            break
        again = run(
            one, worst.batch, np.array([worst.query]) if one.separation is None else worst.batch.queries
        )
        if again.excessive.any():
            found = _counterexample(one, again, "error", np.where(again.excessive, again.error, -1.0))
        else:
            low = middle
    return found


def _summary(
    construction: Construction, runners: list[Runner], tallies: list[_Tally], extent: Extent, seed: int
) -> CrossCheck:
    names = [one.simulation.name for one in runners]
    notes = list(extent.notes)
    if extent.exhaustive_to < extent.longest:
        notes.insert(
            0,
            f"lengths from {extent.exhaustive_to + 1} on: some of them, structured and random strings, seed {seed}",
        )
    if extent.exhaustive_to and any(given.kind is InputKind.REAL for given in construction.inputs):
        notes.append("real inputs take the values 0, 1/2 and 1 where every string is run")
    for one, tally in zip(runners, tallies, strict=True):
        if one.simulation.score_error is not None:
            tally.notes.setdefault(
                "scores", "only the given scores are run, not those within the score error of them"
            )
        notes.extend(f"{one.simulation.name}: {note}" for note in tally.notes.values())
    return CrossCheck(
        strings=extent.strings,
        exhaustive_to=extent.exhaustive_to,
        longest=extent.longest,
        largest_error=max((tally.largest for tally in tallies), default=0.0),
        largest_errors=dict(zip(names, (tally.largest for tally in tallies), strict=True)),
        claim_violations=sum(tally.violations for tally in tallies),
        disagreements=sum(tally.disagreements for tally in tallies),
        notes=tuple(notes),
    )
