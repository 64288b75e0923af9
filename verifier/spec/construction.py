"""A construction: what a file says, parsed and typed. Every later stage reads this and nothing else of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from verifier.logic.syntax import Formula
from verifier.spec.syntax import Expr
from verifier.spec.types import Type


class Mask(StrEnum):
    """Which keys j the query i may see."""

    NONE = "none"
    CAUSAL = "j <= i"
    STRICT_CAUSAL = "j < i"
    PAST = "j >= i"
    STRICT_PAST = "j > i"


class Tie(StrEnum):
    """What the hard head does when several keys are selected; `unique` claims that there are never several."""

    LEFTMOST = "leftmost"
    RIGHTMOST = "rightmost"
    AVERAGE = "average"
    UNIQUE = "unique"


class InputKind(StrEnum):
    """The values an input takes: one per position, or, for a score, one per query and key."""

    BOOLEAN = "boolean"
    INTEGER = "integer"
    REAL = "real"
    SCORE = "score"


@dataclass(frozen=True)
class Input:
    """One input of the head. An integer input at a position lies in `low`..`high`, a real one in 0..1."""

    name: str
    kind: InputKind
    low: Expr | None = None
    high: Expr | None = None


@dataclass(frozen=True)
class Parameter:
    """A constant of the construction; `domain` is a Boolean expression over the parameters.

    With a `minimum` the claim is also meant for every value from there on.
    """

    name: str
    about: str
    type: Type
    value: Fraction
    default: Fraction
    domain: Expr | None = None
    domain_text: str = ""
    minimum: Fraction | None = None


@dataclass(frozen=True)
class Text:
    """An expression and the text it was written as."""

    expr: Expr
    type: Type
    text: str


@dataclass(frozen=True)
class Head:
    """The hard head. `select` is None for argmax, and then `score` may name what is maximised.

    `default` is the output where nothing is selected; `negated` says that the head's output x is used as 1 - x.
    With `bos` there is a key 0, at which Boolean inputs are false and numeric ones 0.
    """

    mask: Mask
    tie: Tie
    select: Text | None
    score: Text | None
    gap: Text | None
    value: Text
    default: Text
    negated: bool
    bos: bool


@dataclass(frozen=True)
class Simulation:
    """A soft head that claims to compute what the hard head does: its score and temperature.

    With a `score_error` kappa the claim is meant for all scores within kappa of the given ones.
    """

    name: str
    score: Text
    temperature: Text
    divide_by_sqrt_key_dimension: bool = False
    score_error: Text | None = None


@dataclass(frozen=True)
class Claim:
    """|soft - hard| <= `error` at every query, and hard = `computes` where that is given.

    `computes` is a temporal formula over the Boolean inputs or an expression in i, n and the inputs at i.
    """

    error: Text
    computes: Formula | Text | None
    computes_text: str = ""


@dataclass(frozen=True)
class Construction:
    """A whole construction file, with the parameters' values as the command line set them.

    `text` is the file's own text, with which a witness can be executed anywhere. `ranged` asks for a proof that covers
    every value of a parameter from its `minimum` on, not its value alone.
    """

    name: str
    title: str
    about: str
    source: str
    inputs: tuple[Input, ...]
    parameters: tuple[Parameter, ...]
    requires: Text | None
    head: Head
    simulations: tuple[Simulation, ...]
    claim: Claim
    file: str
    digest: str
    text: str
    ranged: bool = False

    @property
    def first_key(self) -> int:
        """The smallest key position: 0 with a beginning-of-string token, else 1."""
        return 0 if self.head.bos else 1

    @property
    def values(self) -> Mapping[str, Fraction]:
        """The parameters' values by name."""
        return {parameter.name: parameter.value for parameter in self.parameters}

    @property
    def open_parameters(self) -> tuple[Parameter, ...]:
        """The parameters that range over all values from their minimum on, the given value being one of them."""
        return tuple(
            parameter
            for parameter in self.parameters
            if self.ranged and parameter.minimum is not None and parameter.value >= parameter.minimum
        )

    @property
    def least_values(self) -> Mapping[str, Fraction]:
        """The parameters' values, those that range at their minimum."""
        least = {
            parameter.name: parameter.minimum for parameter in self.open_parameters if parameter.minimum is not None
        }
        return {**self.values, **least}

    def input(self, name: str) -> Input:
        """The input of this name."""
        return next(given for given in self.inputs if given.name == name)
