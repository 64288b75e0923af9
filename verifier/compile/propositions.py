"""Formulas as propositions for Z3: atoms and temporal subformulas are unknowns, of any value at a position.

Two temporal subformulas get one unknown when one head computes both: its output is a function of what it selects by
and what it reads, so it is enough that these are equivalent, which is proved before it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import z3

from verifier.compile.lower import as_formula
from verifier.compile.operators import construction_for, operand_names
from verifier.logic.syntax import TEMPORAL, Atom, Binary, Constant, Formula, Unary
from verifier.spec.syntax import Expr


@dataclass
class Propositions:
    """The Z3 proposition of each formula met so far."""

    _known: dict[Formula, z3.BoolRef] = field(default_factory=dict)

    def __call__(self, formula: Formula) -> z3.BoolRef:
        """The proposition of a formula."""
        if formula not in self._known:
            for part in _unknown(formula, self._known):
                self._known[part] = self._proposition(part)
        return self._known[formula]

    def number(self, formula: Formula) -> z3.ArithRef:
        """1 where the formula holds, else 0."""
        return z3.If(self(formula), z3.RealVal(1), z3.RealVal(0))

    def identify(self, formula: Formula, representative: Formula) -> None:
        """Give two temporal formulas one unknown; whoever calls this has proved that one head computes both."""
        self._known[formula] = self(representative)

    def _proposition(self, part: Formula) -> z3.BoolRef:
        match part:
            case Constant(value):
                return z3.BoolVal(value)
            case Unary("!", operand):
                return z3.Not(self._known[operand])
            case Binary(op, left, right) if op not in TEMPORAL:
                return _CONNECTIVES[op](self._known[left], self._known[right])
            case Atom(name):
                return z3.Bool(f"atom {name}")
        return z3.Bool(f"unknown {len(self._known)}")


def _unknown(formula: Formula, known: Mapping[Formula, z3.BoolRef]) -> list[Formula]:
    """The subformulas that have no proposition yet, operands first; it does not look below what is known."""
    found: dict[Formula, None] = {}
    stack: list[tuple[Formula, bool]] = [(formula, False)]
    while stack:
        node, operands_done = stack.pop()
        if node in known or node in found:
            continue
        inside = isinstance(node, Unary | Binary) and node.op not in TEMPORAL
        if operands_done or not inside:
            found[node] = None
        else:
            stack.append((node, True))
            stack.extend((operand, False) for operand in node.operands)
    return list(found)


_CONNECTIVES = {
    "&": z3.And,
    "|": z3.Or,
    "->": z3.Implies,
    "<->": lambda left, right: left == right,
}


def instance(formula: Formula, expr: Expr) -> Formula:
    """A Boolean expression of the construction for a temporal formula, about the formula's operands."""
    assert isinstance(formula, Unary | Binary)
    construction = construction_for(formula.op)
    names = operand_names(construction)
    return as_formula(construction, expr, dict(zip(names, formula.operands, strict=True)))


def same_head(propositions: Propositions, one: Formula, other: Formula) -> z3.BoolRef:
    """That the heads of two temporal formulas with the same operator select by the same and read the same."""
    assert isinstance(one, Unary | Binary)
    head = construction_for(one.op).head
    assert head.select is not None
    parts = (head.select.expr, head.value.expr)
    return z3.And(*(propositions(instance(one, part)) == propositions(instance(other, part)) for part in parts))


