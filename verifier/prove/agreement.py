"""A lower bound on the weight of keys that agree with the target: where keys err on one side only, a neighbour agrees.

By L1 the error is D / (1 + D + S) with D the erring and S the agreeing weight, so that R = D / (1 + S) serves in its
place, and any agreeing key whose exponent is at most u gives S >= exp(-u). If keys err on one side of the target only,
then its neighbour on the other side agrees, if there is one; and its neighbour on the erring side agrees if that
itself does not err. Of very short rows neither need be true, so that the bound counts from some n on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import z3

from verifier.prove.arithmetic import Untranslatable, at_most
from verifier.prove.frame import TARGET, value, visible
from verifier.prove.regions import Row
from verifier.prove.solver import Obligation, holds
from verifier.spec import build
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, InputAt, Leaf, Variable, leaves, substitute
from verifier.symbolic.derive import Side, key_range
from verifier.symbolic.translate import from_sympy

STARTS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 32)


@dataclass(frozen=True)
class Agreement:
    """An agreeing key of exponent at most `exponent` in every row of length n >= `start` in which some key errs."""

    exponent: Expr
    start: int

    def weight(self) -> Expr:
        """A lower bound on S for every n."""
        found = build.exp(build.negate(self.exponent))
        if self.start == 1:
            return found
        late = build.compare(">=", build.variable("n"), build.number(self.start))
        return build.multiply(Apply("iverson", (late,)), found)


def agreement(row: Row, exponents: Iterator[Expr]) -> Agreement | None:
    """The first of the given exponents, and the first n, for which Z3 proves that a neighbour agrees; else None.

    Keys must be known to err on one side of the target only.
    """
    if any(isinstance(leaf, InputAt) and "j" in leaf.positions for leaf in _read_at_key(row)):
        return None
    for exponent in dict.fromkeys(exponents):
        for start in STARTS:
            found = Agreement(exponent, start)
            try:
                stated = obligations(row, found)
            except Untranslatable:
                continue
            if all(holds(one.hypotheses, one.goal, row.frame.session) for one in stated):
                return found
    return None


def _read_at_key(row: Row) -> Iterator[Leaf]:
    yield from leaves(row.exponent)
    yield from leaves(row.frame.construction.head.value.expr)


def obligations(row: Row, found: Agreement) -> list[Obligation]:
    """For each side on which keys may err, that a neighbour agrees with an exponent that is small enough."""
    return [_obligation(row, found, side) for side in (Side.LEFT, Side.RIGHT)]


def _obligation(row: Row, found: Agreement, side: Side) -> Obligation:
    frame, construction = row.frame, row.frame.construction
    j, t = build.variable("j"), build.variable(TARGET)
    erring = frame.boolean(build.compare("<" if side is Side.LEFT else ">", j, t))
    before, after = build.subtract(t, build.ONE), build.add(t, build.ONE)
    away, towards = (after, before) if side is Side.LEFT else (before, after)
    same = Apply("=", (_moved(value(construction.head, "j"), towards), value(construction.head, TARGET)))
    agrees = z3.Or(
        z3.And(frame.boolean(_moved(visible(construction, "j"), away)), _near(row, found, away)),
        z3.And(frame.boolean(same), _near(row, found, towards)),
    )
    hypotheses = (*frame.facts(), *row.hypotheses, *_whole_steps(row), erring, z3.Real("n") >= found.start)
    statement = f"a neighbour of the target agrees, with an exponent of at most {to_text(found.exponent)}"
    if found.start > 1:
        statement += f", for n >= {found.start}"
    return Obligation(f"agreeing key: {side.value}", statement, hypotheses, agrees)


def _whole_steps(row: Row) -> list[z3.BoolRef]:
    """The target is the first or the last visible key, or at least one away from it, being an integer."""
    t = build.variable(TARGET)
    first, last = (from_sympy(end) for end in key_range(row.frame.construction))
    ends = (("<=", first), (">", first)), ((">=", last), ("<", last))
    return [z3.Or(*(row.frame.boolean(build.compare(order, t, end)) for order, end in pair)) for pair in ends]


def _near(row: Row, found: Agreement, key: Expr) -> z3.BoolRef:
    return at_most(row.frame.number(_moved(row.exponent, key)), row.frame.number(found.exponent))


def _moved(expr: Expr, key: Expr) -> Expr:
    """An expression about the key j as one about another key."""
    return substitute(expr, lambda leaf: key if leaf == Variable("j") else leaf)
