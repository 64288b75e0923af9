"""The budget: R / (1 + R) is at most the claimed error. For every n from some n0 on by Z3, with exponentials bounded by
polynomials; below n0 by ball arithmetic, with the exact supremum where R is too coarse; and for each n <= max_n."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from flint import arb

from verifier.prove.arithmetic import Untranslatable, at_most
from verifier.prove.balls import Point, Unsettled, ball, boolean, number, precision
from verifier.prove.exponentials import Exponentials, Instance
from verifier.prove.frame import Frame
from verifier.prove.regions import spread
from verifier.prove.solver import Obligation, Session, discharge
from verifier.prove.supremum import Unsupported, supremum
from verifier.spec import build
from verifier.spec.construction import Construction, Simulation
from verifier.spec.printer import to_text
from verifier.spec.syntax import Expr
from verifier.symbolic.derive import prefix_closed
from verifier.verdict import ObligationResult, Verdict

STARTS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64)
DEGREES = (1, 2, 4, 8)
LARGEST_SUPREMUM = 64

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Budget:
    """What became of the budget.

    Args:
        obligations: in the order of the proof.
        every_n: whether the claim's bound is proved for every n.
        holds_to: the largest N such that it is proved for each n <= N, up to max_n.
    """

    obligations: tuple[ObligationResult, ...]
    every_n: bool
    holds_to: int


@dataclass(frozen=True)
class Bound:
    """How to say whether the error is within the claim at one n.

    Args:
        construction: whose claim it is.
        simulation: whose error it is.
        total: R, or None where no bound was found, so that only the exact supremum can tell.
        key_dimension: d_key.
    """

    construction: Construction
    simulation: Simulation
    total: Expr | None
    key_dimension: int

    def point(self, n: int, *, least: bool = False) -> Point:
        """Where everything in n and the parameters is evaluated: at their values, or the least they range over."""
        values = self.construction.least_values if least else self.construction.values
        return Point({name: ball(given) for name, given in values.items()} | {"n": arb(n)}, {})

    def required(self, n: int) -> bool:
        """Whether the construction claims anything about this length."""
        requires = self.construction.requires
        return requires is None or boolean(requires.expr, self.point(n))

    @property
    def spread(self) -> Expr:
        """What perturbed scores add to R / (1 + R)."""
        return spread(self.construction, self.simulation, self.key_dimension)

    def error(self, n: int, *, least: bool = False) -> arb:
        """R / (1 + R), and the spread of perturbed scores, at n. Raises `Unsettled`."""
        if self.total is None:
            raise Unsettled("no bound was found")
        point = self.point(n, least=least)
        total = number(self.total, point)
        return total / (1 + total) + number(self.spread, point)

    def greatest(self, n: int) -> arb:
        """A bound on the error at length n; where rows are last rows of prefixes, the greatest one up to n.

        Raises:
            Unsettled: there is no bound.
        """
        if not prefix_closed(self.construction, self.simulation):
            return self.error(n)
        found = self.error(1)
        for length in range(2, n + 1):
            found = found.max(self.error(length))
        return found

    def claim(self, n: int) -> arb:
        """The claimed error at n. Raises `Unsettled`."""
        return number(self.construction.claim.error.expr, self.point(n))

    def within(self, n: int) -> str:
        """How the claim is shown at n: ``bound``, ``supremum``, or ``''`` when it is not."""
        with precision():
            try:
                if not self.required(n) or self.error(n) <= self.claim(n):
                    return "bound"
            except Unsettled:
                pass
            if n > LARGEST_SUPREMUM:
                return ""
            try:
                exact = supremum(self.construction, self.simulation, n, self.key_dimension)
                return "supremum" if exact <= self.claim(n) else ""
            except (Unsettled, Unsupported):
                return ""


def discharge_budget(bound: Bound, max_n: int, session: Session, progress: Progress | None = None) -> Budget:
    """Prove the budget as far as it can be proved."""
    found = _every_n(bound, session)
    holds_to, pointwise = _each_n(bound, max_n, progress)
    if found is None:
        name = "budget: every n"
        detail = (
            "no bound R was found"
            if bound.total is None
            else f"tried n >= n0 for n0 in {STARTS[0]}..{STARTS[-1]} with exp bounded by degrees up to {DEGREES[-1]}"
        )
        missing = ObligationResult(name, _statement(bound), Verdict.UNDECIDED, "z3", 0.0, detail)
        return Budget((missing, pointwise), False, holds_to)
    start, results = found
    below = _below(bound, start)
    proved = all(result.verdict == Verdict.PROVED for result in (*results, *below))
    return Budget((*results, *below, pointwise), proved, holds_to)


def _statement(bound: Bound) -> str:
    claim = bound.construction.claim.error.text
    if bound.total is None:
        return f"the error is at most {claim} for every n"
    added = "" if bound.spread == build.ZERO else f" + {to_text(bound.spread)}"
    return f"R/(1 + R){added} <= {claim}, R = {to_text(bound.total)}"


def _every_n(bound: Bound, session: Session) -> tuple[int, list[ObligationResult]] | None:
    """The first n0 and degree for which Z3 proves the budget for n >= n0."""
    if bound.total is None:
        return None
    # Below n0 lengths are checked one by one, which only a parameter's given value allows.
    starts = STARTS[:1] if bound.construction.open_parameters else STARTS
    for start in starts:
        if start > 1 and not all(bound.within(n) for n in range(1, start)):
            return None
        if not _plausible(bound, start):
            continue
        for degree in DEGREES:
            results = _from(bound, start, degree, session)
            if results is not None:
                return start, results
    return None


def _plausible(bound: Bound, start: int) -> bool:
    """Whether R fits the claim at a few lengths from n0 on, so that asking Z3 is worth while."""
    lengths = (start, start + 1, 2 * start, 4 * start + 3, 1000, 10**6)
    with precision():
        try:
            return all(
                not bound.required(n) or bound.error(n, least=least) <= bound.claim(n)
                for n in lengths
                for least in (False, bool(bound.construction.open_parameters) and _defined_at_least(bound))
            )
        except Unsettled:
            return False


def _defined_at_least(bound: Bound) -> bool:
    """Whether R has a value at the least parameters; at the edge of a domain, such as a gap of 0, it may have none."""
    try:
        bound.error(2, least=True)
    except Unsettled:
        return False
    return True


def _from(bound: Bound, start: int, degree: int, session: Session) -> list[ObligationResult] | None:
    """The obligations for n >= start, or None if one of them fails."""
    started = time.perf_counter()
    frame = Frame(bound.construction, session, lowest=start)
    instances: list[Instance] = []
    exponentials = Exponentials(frame, degree, instances)
    frame.translator.exponential = exponentials
    try:
        assert bound.total is not None
        claim = build.subtract(bound.construction.claim.error.expr, bound.spread)
        left = frame.number(build.multiply(bound.total, build.subtract(build.ONE, claim)))
        goal = at_most(left, frame.number(claim))
    except Untranslatable:
        return None
    seconds = time.perf_counter() - started
    budget = Obligation(f"budget: n >= {start}", _statement(bound), frame.facts(), goal)
    result = discharge(budget, session)
    if result.verdict != Verdict.PROVED:
        return None
    lemmas = [
        ObligationResult(
            f"exponential: exp(-({to_text(instance.exponent)}))",
            str(instance),
            Verdict.PROVED,
            "balls",
            seconds / len(instances),
            f"for n >= {start}",
        )
        for instance in instances
    ]
    return [*exponentials.conditions, *lemmas, result]


def _below(bound: Bound, start: int) -> list[ObligationResult]:
    """The budget for each n < start, one length at a time."""
    if start == 1:
        return []
    started = time.perf_counter()
    shown = {n: bound.within(n) for n in range(1, start)}
    verdict = Verdict.PROVED if all(shown.values()) else Verdict.UNDECIDED
    exact = [n for n, how in shown.items() if how == "supremum"]
    detail = f"exact supremum at n = {', '.join(map(str, exact))}" if exact else "R at each n"
    seconds = time.perf_counter() - started
    statement = f"the error is at most {bound.construction.claim.error.text} for each n < {start}"
    return [ObligationResult(f"budget: n < {start}", statement, verdict, "balls", seconds, detail)]


def _each_n(bound: Bound, max_n: int, progress: Progress | None) -> tuple[int, ObligationResult]:
    """The bound at each n <= max_n, up to the first at which nothing shows the claim."""
    started = time.perf_counter()
    holds_to, exact = 0, 0
    for n in range(1, max_n + 1):
        how = bound.within(n)
        if how == "":
            break
        exact += how == "supremum"
        holds_to = n
        if progress is not None and n % 512 == 0:
            progress(n, max_n)
    verdict = Verdict.PROVED if holds_to == max_n else Verdict.UNDECIDED
    detail = f"{holds_to - exact} by R, {exact} by the exact supremum"
    if holds_to < max_n:
        detail += f"; at n = {holds_to + 1} neither shows it"
    statement = f"the error is at most {bound.construction.claim.error.text} at each n"
    seconds = time.perf_counter() - started
    return holds_to, ObligationResult(f"budget: each n <= {max_n}", statement, verdict, "balls", seconds, detail)


def rounding(construction: Construction, session: Session) -> ObligationResult:
    """The claimed error is at most 1/4 for every n, so that rho makes a Boolean exact again."""
    frame = Frame(construction, session)
    statement = f"{construction.claim.error.text} <= 1/4, so rounding recovers the Boolean"
    try:
        quarter = frame.number(build.divide(build.ONE, build.number(4)))
        goal = at_most(frame.number(construction.claim.error.expr), quarter)
    except Untranslatable as error:
        return ObligationResult("rounding", statement, Verdict.UNDECIDED, "", 0.0, str(error))
    return discharge(Obligation("rounding", statement, frame.facts(), goal), session)
