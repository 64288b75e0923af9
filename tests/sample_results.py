"""Results made by hand, one of each kind, for the tests of reports and of the command line."""

from __future__ import annotations

import math
from dataclasses import replace

from verifier.verdict import (
    Cell,
    CrossCheck,
    ObligationResult,
    Result,
    SimulationResult,
    Trust,
    Verdict,
    Witness,
)

BOUND = "exp(-c)/(1 - exp(-c)) + (n - 1)*exp(-c*(n + 1))"


def obligation(name: str, by: str = "z3", seconds: float = 0.0024, **changes: object) -> ObligationResult:
    result = ObligationResult(name, f"the statement of {name}", Verdict.PROVED, by, seconds)
    return replace(result, **changes)  # type: ignore[arg-type]


OBLIGATIONS = (
    obligation("semantics: hard computes phi U psi", detail="4 parts"),
    obligation("semantics: nothing selected", seconds=0.0001),
    obligation("coverage", seconds=0.004),
    obligation("gap: right, selected"),
    obligation("gap: right, not selected"),
    obligation("gap: left, not selected", seconds=0.009),
    obligation("sum: right, selected (geometric)", seconds=0.001),
    obligation("sum: not selected (counting)", seconds=0.001),
    obligation("budget, n >= 4", by="z3", seconds=0.031, detail="exp bounded below to order 6"),
    obligation("budget, n < 4", by="balls", seconds=0.0002, detail="exact supremum"),
    obligation("rounding", by="balls", seconds=0.0),
    obligation("realizability", by="syntax", seconds=0.0, detail="query (2*c*n, c), key ([selected], j)"),
)


def simulation(name: str = "position-embedding", **changes: object) -> SimulationResult:
    result = SimulationResult(
        name=name,
        verdict=Verdict.PROVED,
        scope="every n",
        score="c*(2*n*[selected] - j)",
        temperature="1",
        bound=BOUND,
        bound_at_max_n=0.1353352832366127,
        supremum_at_max_n=0.1353352832366125,
        supremum_n=1000,
        obligations=OBLIGATIONS,
    )
    return replace(result, **changes)  # type: ignore[arg-type]


TEMPERATURE = simulation(
    "temperature", parameter_scope="every c >= 2", score="2*[selected] - j/n", temperature="1/(c*n)"
)
CROSS_CHECK = CrossCheck(
    strings=12345,
    exhaustive_to=6,
    longest=1000,
    largest_error=0.13533528,
    largest_errors={"position-embedding": 0.13533528, "temperature": 0.13533528},
    claim_violations=0,
    disagreements=0,
    notes=("n > 200: 40 random strings of each length, seed 0",),
)


def proved(**changes: object) -> Result:
    result = Result(
        construction="until",
        title="φ U ψ",
        verdict=Verdict.PROVED,
        trust=Trust.SOLVER,
        max_n=1000,
        parameters={"c": "2"},
        claim_error="1/4",
        claim_computes="phi U psi",
        simulations=(simulation(), TEMPERATURE),
        cross_check=CROSS_CHECK,
        seconds=2.71,
        file="constructions/until.toml",
        digest="3a7bd3e2360a3d29eea436fcfb7e44c735d117c42d1c1835420b6b9942dd4f1b",
        versions={"z3-solver": "5.4.1.0", "python-flint": "0.9.0"},
    )
    return replace(result, **changes)  # type: ignore[arg-type]


def witness(n: int = 9, query: int = 2, c: float = 1.0, **changes: object) -> Witness:
    """The worst string for `until` with scale c: the target at the query, all later keys selected too."""
    psi = tuple(float(j == query) for j in range(1, n + 1))
    phi = tuple(0.0 for _ in psi)
    weights = [math.exp(-c * (j - query)) for j in range(query, n + 1)]
    soft = [weight / sum(weights) for weight in weights]
    row = tuple(
        Cell(
            key=j,
            soft=soft[j - query],
            hard=float(j == query),
            value=psi[j - 1],
            inputs={"phi": 0.0, "psi": psi[j - 1]},
        )
        for j in range(query, n + 1)
    )
    result = Witness(
        kind="error",
        n=n,
        query=query,
        first_key=1,
        inputs={"phi": phi, "psi": psi},
        row=row,
        soft=soft[0],
        hard=1.0,
        computes=1.0,
        error=1 - soft[0],
        claim=0.25,
        enclosure="[0.367543 +/- 4.9e-7]",
    )
    return replace(result, **changes)  # type: ignore[arg-type]


def refuted(**changes: object) -> Result:
    failed = simulation(
        verdict=Verdict.REFUTED,
        scope="",
        supremum_at_max_n=0.36787944117144233,
        bound_at_max_n=0.36787944117144233,
        obligations=(
            *OBLIGATIONS[:8],
            obligation(
                "budget",
                by="balls",
                seconds=0.8,
                verdict=Verdict.REFUTED,
                statement="R/(1 + R) <= 1/4 for every n >= 1",
                detail="fails from n = 2 on",
            ),
        ),
        witness=witness(),
        reason="The claimed error 1/4 is exceeded by 0.3675 at n = 9.",
    )
    result = proved(
        verdict=Verdict.REFUTED,
        parameters={"c": "1"},
        simulations=(
            failed,
            replace(failed, name="temperature", score="2*[selected] - j/n", temperature="1/(c*n)"),
        ),
        cross_check=replace(CROSS_CHECK, largest_error=0.3678794, claim_violations=8123),
    )
    return replace(result, **changes)  # type: ignore[arg-type]


def bounded(**changes: object) -> Result:
    partly = simulation(
        verdict=Verdict.BOUNDED,
        scope="n <= 50",
        supremum_n=50,
        obligations=(
            *OBLIGATIONS[:4],
            obligation(
                "budget",
                by="balls",
                seconds=61.4,
                verdict=Verdict.BOUNDED,
                statement="R/(1 + R) <= 1/4 for every n >= 1",
                detail="holds for n <= 50",
            ),
        ),
        reason="The budget is proved for n <= 50 only: no bound of order 12 or less is strong enough beyond.",
    )
    return replace(proved(verdict=Verdict.BOUNDED, simulations=(partly, TEMPERATURE)), **changes)  # type: ignore[arg-type]


def undecided(**changes: object) -> Result:
    open_ = simulation(
        verdict=Verdict.UNDECIDED,
        scope="",
        bound="",
        bound_at_max_n=None,
        obligations=(
            *OBLIGATIONS[:3],
            obligation(
                "gap: right, selected",
                by="",
                seconds=12.0,
                verdict=Verdict.UNDECIDED,
                statement="for every n >= 1, i, j, j*: (s(i,j*) - s(i,j))/t >= c*(j - j*)",
                detail="z3: resource limit; cvc5: unknown",
            ),
        ),
        reason="The obligation 'gap: right, selected' got no answer.",
    )
    checked = replace(CROSS_CHECK, disagreements=3)
    return replace(proved(verdict=Verdict.UNDECIDED, simulations=(open_,), cross_check=checked), **changes)  # type: ignore[arg-type]
