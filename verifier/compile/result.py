"""What is known of a compiled formula: data that the reports read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifier.compile.verify import HeadProof
from verifier.verdict import ObligationResult, Trust, Verdict


@dataclass(frozen=True)
class Size:
    """How large the transformer is.

    Args:
        depth: attention layers; `feed_forward_layers` counts the others.
        heads: of all layers; `d_key` the largest query and key dimension.
        position_features: each with its growth in n, p being the position.
        temperatures: as the constructions write them.
    """

    depth: int
    feed_forward_layers: int
    width: int
    heads: int
    d_key: int
    position_features: tuple[tuple[str, str], ...]
    temperatures: tuple[str, ...]
    parameters: int


@dataclass(frozen=True)
class StringResult:
    """One string: the value at each position from the softmax transformer, the hard one and the semantics."""

    string: str
    soft: tuple[bool, ...]
    hard: tuple[bool, ...]
    values: tuple[bool, ...]
    accepted: bool

    @property
    def differences(self) -> tuple[int, ...]:
        """The positions, counted from 1, at which the three are not all the same."""
        rows = enumerate(zip(self.soft, self.hard, self.values, strict=True), 1)
        return tuple(at for at, row in rows if len(set(row)) > 1)


@dataclass(frozen=True)
class FormulaCheck:
    """What running strings of the checker's own choice showed.

    Args:
        exhaustive_to: every string of each length 1..this was run.
        largest_error: the largest |soft - hard| of any head before rounding, over all strings.
        differences: at how many positions soft, hard and semantics are not all the same; `example` is one string.
    """

    strings: int
    exhaustive_to: int
    longest: int
    largest_error: float
    differences: int
    example: str = ""


@dataclass(frozen=True)
class FormulaResult:
    """The verdict on one formula's transformer.

    Args:
        accepts_at: ``last`` or ``first``: the position whose value decides whether a string is accepted.
        reason: in a sentence, why the verdict is not PROVED; empty when it is.
    """

    formula: str
    alphabet: str
    route: str
    verdict: Verdict
    trust: Trust
    scope: str
    reason: str
    size: Size
    heads: tuple[HeadProof, ...]
    obligations: tuple[ObligationResult, ...]
    check: FormulaCheck
    strings: tuple[StringResult, ...]
    accepts_at: str
    max_n: int
    seconds: float
    versions: Mapping[str, str] = field(default_factory=dict)
