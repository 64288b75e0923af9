"""Expressions as text, the way a construction file would write them.

What is printed parses to the same tree, except that a fraction comes back as a quotient and a negative constant as
the negative of a positive one.
"""

from __future__ import annotations

from verifier.spec.syntax import COMPARISONS, Apply, Expr, InputAt, Leaf, Number, Selected, Truth, Variable
from verifier.spec.types import FUNCTIONS

_LOOSENESS = {"or": 0, "and": 1, "not": 2, "+": 4, "-": 4, "*": 5, "/": 5, "mod": 5, "neg": 6, "^": 7}


def to_text(expr: Expr) -> str:
    """The expression as a construction file would write it."""
    return _text(expr)[0]


def _text(expr: Expr) -> tuple[str, int]:
    if not isinstance(expr, Apply):
        return _leaf_text(expr)
    operator = expr.operator
    if operator == "iverson":
        return f"[{to_text(expr.operands[0])}]", 9
    if operator in FUNCTIONS:
        return f"{operator}({', '.join(to_text(operand) for operand in expr.operands)})", 9
    level = _LOOSENESS.get(operator, 3)
    if operator in ("neg", "not"):
        return ("-" if operator == "neg" else "not ") + _inside(expr.operands[0], level), level
    left, right = expr.operands
    if operator == "^":
        return f"{_inside(left, level + 1)}^{_inside(right, level)}", level
    spaced = operator if operator in ("*", "/") else f" {operator} "
    # Comparisons in a row would read as a chain, so one within another is put in parentheses on either side.
    chained = operator in COMPARISONS
    return f"{_inside(left, level + chained)}{spaced}{_inside(right, level + 1)}", level


def _inside(expr: Expr, level: int) -> str:
    text, own = _text(expr)
    return text if own >= level else f"({text})"


def _leaf_text(leaf: Leaf) -> tuple[str, int]:
    if isinstance(leaf, Number):
        shown = str(leaf.value)
        return shown, 5 if "/" in shown else 6 if shown.startswith("-") else 9
    if isinstance(leaf, InputAt):
        return f"{leaf.name}({','.join(leaf.positions)})", 9
    if isinstance(leaf, Variable):
        return leaf.name, 9
    if isinstance(leaf, Truth):
        return str(leaf.value).lower(), 9
    return ("selected" if isinstance(leaf, Selected) else "pi"), 9
