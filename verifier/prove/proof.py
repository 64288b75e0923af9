"""The proof of one simulation: the obligations in the order of the theory, one call per stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from verifier.prove.arithmetic import Untranslatable
from verifier.prove.budget import Bound, discharge_budget, rounding
from verifier.prove.frame import Frame
from verifier.prove.gaps import GapSearch, gap_obligations, search, sum_obligations
from verifier.prove.realizability import realizability
from verifier.prove.regions import coverage, defined, equal_scores, gap_assumption, inhabited, row
from verifier.prove.semantics import semantic_results
from verifier.prove.solver import Session
from verifier.spec.construction import Construction, Simulation, Tie
from verifier.spec.syntax import Expr
from verifier.spec.types import Type
from verifier.symbolic.derive import Derivation, derive
from verifier.symbolic.factor import Factorization, factor
from verifier.symbolic.translate import Unconvertible
from verifier.verdict import ObligationResult, Verdict

NO_SEARCH = GapSearch((), (), 0)


@dataclass(frozen=True)
class Proof:
    """What was proved of one simulation.

    Args:
        obligations: all of them, each with its verdict.
        total: R, the bound on the relative weight of the keys that err; None where no bound was found.
        every_n: whether the whole claim is proved for every n.
        holds_to: if not, but everything besides the budget is proved, the N for which it is proved for n <= N.
        factorization: of the score.
        search: the accepted templates.
    """

    obligations: tuple[ObligationResult, ...]
    total: Expr | None
    every_n: bool
    holds_to: int
    factorization: Factorization
    search: GapSearch = NO_SEARCH


def prove(
    construction: Construction,
    simulation: Simulation,
    max_n: int,
    *,
    session: Session | None = None,
    semantics: tuple[ObligationResult, ...] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Proof:
    """Discharge every obligation about a simulation.

    Args:
        construction: the construction.
        simulation: one of its simulations.
        max_n: up to which the bound is also evaluated one length at a time.
        session: which solvers, with what limits.
        semantics: the results about the hard head, where they are known from another simulation of it.
        progress: told how many lengths have been evaluated, of how many.
    """
    session = session or Session()
    factorization = factor(construction, simulation)
    results = list(hard_head(construction, session) if semantics is None else semantics)
    results += [*_about_scores(construction, simulation, factorization, session)]
    found, about_rows = _about_rows(construction, simulation, factorization, session)
    # R counts only if everything it rests on is proved; without it the exact supremum can still bound finitely many n.
    summed = all(result.verdict == Verdict.PROVED for result in about_rows)
    total = found.total() if summed else None
    bound = Bound(construction, simulation, total, factorization.key_dimension)
    budget = discharge_budget(bound, max_n, session, progress)
    if construction.head.value.type is Type.BOOLEAN:
        results.append(rounding(construction, session))
    sound = all(result.verdict == Verdict.PROVED for result in results)
    return Proof(
        obligations=(*results, *about_rows, *budget.obligations),
        total=total,
        every_n=sound and budget.every_n,
        holds_to=budget.holds_to if sound else 0,
        factorization=factorization,
        search=found,
    )


def hard_head(construction: Construction, session: Session) -> tuple[ObligationResult, ...]:
    """The obligations about the hard head, which all simulations share."""
    try:
        return semantic_results(construction, session)
    except Untranslatable as error:
        statement = "the hard head computes the claim"
        return (ObligationResult("semantics", statement, Verdict.UNDECIDED, "", 0.0, str(error)),)


def _about_scores(
    construction: Construction, simulation: Simulation, factorization: Factorization, session: Session
) -> list[ObligationResult]:
    results = [
        realizability(Frame(construction, session), simulation, factorization),
        defined(Frame(construction, session), simulation, factorization.key_dimension),
    ]
    try:
        results += gap_assumption(Frame(construction, session), simulation)
        if construction.head.tie is Tie.AVERAGE:
            results.append(equal_scores(Frame(construction, session), simulation))
    except Untranslatable as error:
        statement = "selected keys have the scores that are assumed of them"
        results.append(ObligationResult("equal scores", statement, Verdict.UNDECIDED, "", 0.0, str(error)))
    return results


def _about_rows(
    construction: Construction, simulation: Simulation, factorization: Factorization, session: Session
) -> tuple[GapSearch, list[ObligationResult]]:
    """Regions, gaps and sums; where an expression cannot be translated, one obligation says so."""
    try:
        derivation: Derivation = derive(construction, simulation, factorization.key_dimension)
        frame = Frame(construction, session, last_row=derivation.last_row)
        here = row(frame, simulation, factorization.key_dimension)
        regions = inhabited(here, derivation.regions)
        found = search(here, regions)
        results = [
            *_prefixes(derivation),
            coverage(here, regions),
            *gap_obligations(here, found),
            *sum_obligations(here, found),
        ]
    except (Untranslatable, Unconvertible) as error:
        statement = "every other key's exponent has a lower bound whose exponentials can be summed"
        return NO_SEARCH, [ObligationResult("gap", statement, Verdict.UNDECIDED, "", 0.0, str(error))]
    return found, results


def _prefixes(derivation: Derivation) -> list[ObligationResult]:
    """That only last rows need be looked at; nothing to show where every row is."""
    if not derivation.last_row:
        return []
    statement = "no later key is visible and nothing mentions n, so every row is the last row of a prefix"
    return [ObligationResult("prefixes", statement, Verdict.PROVED, "syntax", 0.0)]
