"""Verdicts and the result objects that every stage fills in and every report reads; data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NoReturn


class _NoTruthValue:
    """Refuses `if result:`, which reads like "is proved" and would mean "exists"."""

    def __bool__(self) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} has no truth value; compare its .verdict with Verdict.PROVED")


class Verdict(StrEnum):
    """What became of a claim, of a simulation or of one obligation."""

    PROVED = "proved"
    BOUNDED = "bounded"
    REFUTED = "refuted"
    UNDECIDED = "undecided"
    INVALID = "invalid"
    FAILED = "failed"

    def __bool__(self) -> NoReturn:
        raise TypeError("a Verdict has no truth value; compare it with Verdict.PROVED")


EXIT_CODES: Mapping[Verdict, int] = {
    Verdict.PROVED: 0,
    Verdict.BOUNDED: 3,
    Verdict.REFUTED: 1,
    Verdict.UNDECIDED: 3,
    Verdict.INVALID: 2,
    Verdict.FAILED: 4,
}
"""Exit codes; `--accept bounded` turns that of BOUNDED into 0."""


class Trust(StrEnum):
    """What a verdict rests on."""

    SOLVER = "solver"
    TWO_SOLVERS = "two solvers"
    KERNEL = "kernel"
    TESTED = "tested"


@dataclass(frozen=True)
class ObligationResult(_NoTruthValue):
    """One obligation and what a solver or ball arithmetic said of it.

    Args:
        name: such as ``gap: right, selected``.
        statement: what is claimed, in words or symbols, for a reader.
        verdict: PROVED, REFUTED, BOUNDED or UNDECIDED.
        by: what decided it: ``z3``, ``cvc5``, ``balls`` (ball arithmetic), ``syntax``; empty where nothing did.
        seconds: the time that took.
        detail: what was tried, or for which n it holds, where that helps.
    """

    name: str
    statement: str
    verdict: Verdict
    by: str
    seconds: float
    detail: str = ""


@dataclass(frozen=True)
class Cell:
    """One key in a witness's attention row: its weights and its value."""

    key: int
    soft: float
    hard: float
    value: float
    inputs: Mapping[str, float]


@dataclass(frozen=True)
class Witness(_NoTruthValue):
    """A string and a query at which a claim fails, confirmed by ball arithmetic.

    Args:
        kind: ``error`` when |soft - hard| exceeds the claim, ``semantics`` when hard is not what is claimed,
            ``unique`` when a tie said to be unique selects several keys.
        n: the length; `query` the position i in 1..n.
        inputs: each input's values at the key positions, from `first_key` on; a score input has one row per query.
        row: the attention row of the query, visible keys only.
        soft, hard: the two outputs; `computes` is what the claim says, or None.
        error: |soft - hard|; |hard - computes| for a semantic fault; the number of selected keys for a tie.
        claim: the claimed error at this n.
        enclosure: a rigorous enclosure of `error`, as text.
    """

    kind: str
    n: int
    query: int
    first_key: int
    inputs: Mapping[str, tuple[float, ...] | tuple[tuple[float, ...], ...]]
    row: tuple[Cell, ...]
    soft: float
    hard: float
    computes: float | None
    error: float
    claim: float
    enclosure: str


@dataclass(frozen=True)
class SimulationResult(_NoTruthValue):
    """The verdict on one simulation.

    Args:
        scope: ``every n``, ``n <= N``, or empty.
        bound: the proved bound as text in n and the parameters; `bound_at_max_n` its value there.
        supremum_at_max_n: the exact supremum at `supremum_n`, which is max_n where that is affordable.
        parameter_scope: for which values of parameters that is proved beyond the given ones, such as ``every c >= 2``.
        reason: in a sentence, why the verdict is not PROVED; empty when it is.
    """

    name: str
    verdict: Verdict
    scope: str
    score: str
    temperature: str
    bound: str
    bound_at_max_n: float | None
    supremum_at_max_n: float | None
    supremum_n: int | None
    obligations: tuple[ObligationResult, ...]
    witness: Witness | None = None
    reason: str = ""
    parameter_scope: str = ""


@dataclass(frozen=True)
class CrossCheck(_NoTruthValue):
    """What running the heads on strings showed.

    Args:
        strings: how many strings were run through every simulation.
        exhaustive_to: every string of each length 1..this was run.
        longest: the greatest length run.
        largest_error: the greatest |soft - hard| met, over all simulations.
        largest_errors: the same for each simulation.
        claim_violations: how many (string, query) pairs break the claim: error above it, or hard unlike `computes`.
        disagreements: how often numbers contradict each other or the proof: an error above the exact supremum, or a
            worst-case string that does not attain it.
        notes: what was left out and why.
    """

    strings: int
    exhaustive_to: int
    longest: int
    largest_error: float
    largest_errors: Mapping[str, float]
    claim_violations: int
    disagreements: int
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result(_NoTruthValue):
    """The verdict on a construction: the worst of its simulations' verdicts."""

    construction: str
    title: str
    verdict: Verdict
    trust: Trust
    max_n: int
    parameters: Mapping[str, str]
    claim_error: str
    claim_computes: str
    simulations: tuple[SimulationResult, ...]
    cross_check: CrossCheck | None
    seconds: float
    file: str = ""
    digest: str = ""
    text: str = ""
    reason: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)


_SEVERITY = (
    Verdict.PROVED, Verdict.BOUNDED, Verdict.UNDECIDED, Verdict.REFUTED, Verdict.INVALID, Verdict.FAILED,
)  # fmt: skip


def worst(verdicts: list[Verdict]) -> Verdict:
    """The most severe of some verdicts; INVALID where there is none, since nothing was checked."""
    return max(verdicts, key=_SEVERITY.index) if verdicts else Verdict.INVALID
