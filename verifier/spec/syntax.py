"""The syntax tree of expressions: one node type for leaves of each kind and one for every operator.

An expression is a number or a Boolean; `types` tells which. The three tables below name every operator there is, so
that a translator is a table from operator to function plus one case per leaf.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

NUMERIC_OPERATORS = frozenset(
    ("+", "-", "*", "/", "^", "neg", "mod", "abs", "min", "max", "exp", "ln", "sqrt", "sin", "cos", "iverson")
)
COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))
CONNECTIVES = frozenset(("and", "or", "not"))


@dataclass(frozen=True, slots=True)
class Number:
    """A rational constant, exact."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Pi:
    """The circle constant."""


@dataclass(frozen=True, slots=True)
class Truth:
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Variable:
    """A position `i` (query) or `j` (key), the length `n`, or a parameter."""

    name: str


@dataclass(frozen=True, slots=True)
class InputAt:
    """An input at one position, `phi(j)`, or, for a score input, at a pair of positions, `s(i,j)`."""

    name: str
    positions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Selected:
    """Whether the hard head selects the key `j`: short for the `select` predicate of the same head."""


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator of this module's tables applied to its operands."""

    operator: str
    operands: tuple[Expr, ...]
    size: int = field(init=False, compare=False)
    depth: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", 1 + sum(size(operand) for operand in self.operands))
        object.__setattr__(self, "depth", 1 + max(depth(operand) for operand in self.operands))


T = TypeVar("T")
Leaf = Number | Pi | Truth | Variable | InputAt | Selected
Expr = Leaf | Apply


def size(expr: Expr) -> int:
    """The number of nodes, shared ones counted each time."""
    return expr.size if isinstance(expr, Apply) else 1


def depth(expr: Expr) -> int:
    """The height of the tree; a leaf has height 1."""
    return expr.depth if isinstance(expr, Apply) else 1


def fold(expr: Expr, leaf: Callable[[Leaf], T], apply: Callable[[str, tuple[T, ...]], T]) -> T:
    """Evaluate bottom-up: `leaf` on every leaf, `apply` on an operator and its operands' results."""
    if isinstance(expr, Apply):
        return apply(expr.operator, tuple(fold(operand, leaf, apply) for operand in expr.operands))
    return leaf(expr)


def substitute(expr: Expr, replace: Callable[[Leaf], Expr]) -> Expr:
    """The expression with every leaf replaced by what `replace` gives for it."""
    return fold(expr, replace, Apply)


def subexpressions(expr: Expr) -> Iterator[Expr]:
    """Every node of the tree, operands before their operator."""
    if isinstance(expr, Apply):
        for operand in expr.operands:
            yield from subexpressions(operand)
    yield expr


def leaves(expr: Expr) -> Iterator[Leaf]:
    """Every leaf, from left to right."""
    for node in subexpressions(expr):
        if not isinstance(node, Apply):
            yield node


def rename_position(expr: Expr, old: str, new: str) -> Expr:
    """The expression with position `old` called `new`, in variables and in the arguments of inputs."""

    def replace(node: Leaf) -> Expr:
        if node == Variable(old):
            return Variable(new)
        if isinstance(node, InputAt):
            return InputAt(node.name, tuple(new if at == old else at for at in node.positions))
        return node

    return substitute(expr, replace)


def expand_selected(expr: Expr, select: Expr) -> Expr:
    """The expression with `selected` written out as the head's `select` predicate."""
    return substitute(expr, lambda node: select if isinstance(node, Selected) else node)


def mentions(expr: Expr, *names: str) -> bool:
    """Whether a variable, or the argument of an input, has one of these names."""
    return any(
        (isinstance(node, Variable) and node.name in names)
        or (isinstance(node, InputAt) and any(at in names for at in node.positions))
        for node in leaves(expr)
    )
