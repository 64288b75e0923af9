"""Facts about exp, ln and the like as solvers are told them: each an instance of a lemma, kept for certificates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

import z3


class Kind(StrEnum):
    """Which lemma an instance is of; u is the variable, a / b with b > 0 the argument."""

    EXP_POSITIVE = "exp positive"  # u > 0
    EXP_TANGENT = "exp tangent"  # u >= 1 + a/b
    EXP_TAIL = "exp tail"  # u f^r P(a/b) <= U, P the Taylor polynomial and a/b the exponent less its offset q
    LN = "ln"  # 1 - b/a <= u <= a/b - 1
    LN_CONSTANT = "ln constant"  # low <= u <= high
    SQRT = "sqrt"  # u >= 0 and u u = a/b
    UNIT = "sin or cos"  # -1 <= u <= 1
    PI = "pi"  # 333/106 < u < 355/113
    POWER = "power"  # u > 0, a power of a positive number


Data: TypeAlias = "Mapping[str, str | int | Fraction]"


@dataclass(frozen=True)
class Lemma:
    """An instance of a lemma.

    Args:
        kind: the lemma.
        meaning: what the variable stands for, as text.
        variable: u.
        facts: what the solver is told of u.
        argument: a and b, where the lemma has them.
        factors: numerator, denominator and power of each f, for EXP_TAIL.
        data: exact numbers: degree, offset q and U for EXP_TAIL; low, high and the constant for LN_CONSTANT.
    """

    kind: Kind
    meaning: str
    variable: z3.ArithRef
    facts: tuple[z3.BoolRef, ...]
    argument: tuple[z3.ArithRef, z3.ArithRef] | None = None
    factors: tuple[tuple[z3.ArithRef, z3.ArithRef, int], ...] = ()
    data: Data = field(default_factory=dict)
