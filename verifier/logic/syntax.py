"""The syntax tree of temporal formulas, and what can be told from it alone.

Trees are immutable and may share subtrees. No walk over them recurses, so none meets a recursion limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

PROPOSITIONAL_UNARY = ("!",)
PROPOSITIONAL_BINARY = ("&", "|", "->", "<->")
PAST_UNARY = ("Y", "O", "H", "sO", "sH")
PAST_BINARY = ("S", "sS")
FUTURE_UNARY = ("X", "F", "G", "sF", "sG")
FUTURE_BINARY = ("U", "sU")

UNARY = PROPOSITIONAL_UNARY + PAST_UNARY + FUTURE_UNARY
BINARY = PROPOSITIONAL_BINARY + PAST_BINARY + FUTURE_BINARY
PAST = frozenset(PAST_UNARY + PAST_BINARY)
FUTURE = frozenset(FUTURE_UNARY + FUTURE_BINARY)
TEMPORAL = PAST | FUTURE

# Spellings of other tools; they are kept from being atoms, so that they are never silently read as such.
FOREIGN = {"TRUE": "true", "True": "true", "FALSE": "false", "False": "false",
           "and": "&", "AND": "&", "or": "|", "OR": "|", "not": "!", "NOT": "!"}  # fmt: skip
RESERVED = frozenset(("true", "false", *FOREIGN, *(op for op in UNARY + BINARY if op.isalpha())))

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LONGEST_REPR = 1_000

# How tightly each operator binds, and the side on which it may repeat without parentheses.
_UNARY_LEVEL = 6
_LEVEL = {"<->": 1, "->": 2, "|": 3, "&": 4} | dict.fromkeys(("U", "S", "sU", "sS"), 5)
_LEFT_ASSOCIATIVE = ("&", "|")


class _Node:
    """What all nodes share: hash, size and depth, computed once when the node is made."""

    __slots__ = ("_depth", "_hash", "_size")
    _depth: int
    _hash: int
    _size: int

    @property
    def operands(self) -> tuple[Formula, ...]:
        """The operands, from left to right; none for a leaf."""
        match self:
            case Unary(_, operand):
                return (operand,)
            case Binary(_, left, right):
                return (left, right)
        return ()

    @property
    def label(self) -> str | bool:
        """What the node itself says: the operator, the atom's name or the constant's value."""
        match self:
            case Unary(op) | Binary(op):
                return op
            case Atom(name):
                return name
            case Constant(value):
                return value
        raise AssertionError("there is no other kind of formula")

    def __post_init__(self) -> None:
        operands = self.operands
        object.__setattr__(self, "_hash", hash((type(self), self.label, operands)))
        object.__setattr__(self, "_size", 1 + sum(operand._size for operand in operands))
        object.__setattr__(self, "_depth", 1 + max((operand._depth for operand in operands), default=-1))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Node):
            return NotImplemented
        pairs: list[tuple[_Node, _Node]] = [(self, other)]
        met: set[tuple[int, int]] = set()
        while pairs:
            one, two = pairs.pop()
            if one is two or (id(one), id(two)) in met:
                continue
            if one._hash != two._hash or type(one) is not type(two) or one.label != two.label:
                return False
            met.add((id(one), id(two)))
            pairs.extend(zip(one.operands, two.operands, strict=True))
        return True

    def __repr__(self) -> str:
        if self._size > _LONGEST_REPR:
            return f"<formula of size {self._size}, depth {self._depth}>"
        assert isinstance(self, Formula)
        return f"<formula {to_text(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # Pickling by default would recurse, and would carry hashes that differ from one process to the next.
        assert isinstance(self, Formula)
        order = subformulas(self)
        place = {node: index for index, node in enumerate(order)}
        records = [(type(node), node.label, *(place[operand] for operand in node.operands)) for node in order]
        return _rebuild, (records,)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Atom(_Node):
    """A name that is true or false at each position: that the string has this symbol there.

    Raises:
        ValueError: the name is not an ASCII identifier, or it is reserved (`RESERVED`).
    """

    name: str

    def __post_init__(self) -> None:
        if not is_atom_name(self.name):
            raise ValueError(f"expected an identifier that is not reserved, got {self.name!a}")
        _Node.__post_init__(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constant(_Node):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(_Node):
    """An operator of `UNARY` applied to a formula.

    X and Y are strong. F, G, O and H count the present position, sF, sG, sO and sH do not.

    Raises:
        ValueError: there is no such operator.
    """

    op: str
    operand: Formula

    def __post_init__(self) -> None:
        if self.op not in UNARY:
            raise ValueError(f"expected one of {' '.join(UNARY)}, got {self.op!a}")
        _Node.__post_init__(self)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Binary(_Node):
    """An operator of `BINARY` between two formulas.

    `left U right` is reflexive; `left sU right` looks only at later positions, and asks for `left` strictly
    between. S and sS mirror them.

    Raises:
        ValueError: there is no such operator.
    """

    op: str
    left: Formula
    right: Formula

    def __post_init__(self) -> None:
        if self.op not in BINARY:
            raise ValueError(f"expected one of {' '.join(BINARY)}, got {self.op!a}")
        _Node.__post_init__(self)


Formula = Atom | Constant | Unary | Binary


def is_atom_name(name: str) -> bool:
    """Whether a formula can use this name as an atom: an ASCII identifier that is not reserved."""
    return _NAME.fullmatch(name) is not None and name not in RESERVED


def subformulas(formula: Formula) -> list[Formula]:
    """Every distinct subformula once, operands before their operator, the formula itself last."""
    found: dict[Formula, None] = {}
    stack: list[tuple[Formula, bool]] = [(formula, False)]
    while stack:
        node, operands_done = stack.pop()
        if node in found:
            continue
        if operands_done:
            found[node] = None
        else:
            stack.append((node, True))
            stack.extend((operand, False) for operand in reversed(node.operands))
    return list(found)


def atoms(formula: Formula) -> frozenset[str]:
    """The names of the atoms that occur."""
    return frozenset(node.name for node in subformulas(formula) if isinstance(node, Atom))


def size(formula: Formula) -> int:
    """The number of nodes, shared ones counted each time."""
    return formula._size


def depth(formula: Formula) -> int:
    """The height of the tree; an atom or a constant has depth 0."""
    return formula._depth


def temporal_depth(formula: Formula) -> int:
    """The largest number of temporal operators on a path from the root to a leaf."""
    depths: dict[Formula, int] = {}
    for node in subformulas(formula):
        inner = max((depths[operand] for operand in node.operands), default=0)
        depths[node] = inner + (node.label in TEMPORAL)
    return depths[formula]


def is_past_only(formula: Formula) -> bool:
    """Whether no operator looks at a later position; so for a formula without temporal operators."""
    return not any(isinstance(node, Unary | Binary) and node.op in FUTURE for node in subformulas(formula))


def to_text(formula: Formula) -> str:
    """The formula as text with as few parentheses as the grammar allows; it parses to an equal formula."""
    pieces: list[str] = []
    stack: list[str | Formula] = [formula]
    while stack:
        match stack.pop():
            case str(piece):
                pieces.append(piece)
            case Atom(name):
                pieces.append(name)
            case Constant(value):
                pieces.append("true" if value else "false")
            case Unary(op, operand):
                pieces.append(op if op == "!" else f"{op} ")
                stack.extend(_enclosed(operand, _UNARY_LEVEL))
            case Binary(op, left, right):
                level = _LEVEL[op]
                repeats_left = op in _LEFT_ASSOCIATIVE
                stack.extend(_enclosed(right, level + repeats_left))
                stack.append(f" {op} ")
                stack.extend(_enclosed(left, level + (not repeats_left)))
    return "".join(pieces)


def _enclosed(operand: Formula, level: int) -> tuple[str | Formula, ...]:
    """The operand, in parentheses if it binds less tightly than `level`; in reverse, as a stack wants it."""
    if isinstance(operand, Binary) and _LEVEL[operand.op] < level:
        return (")", operand, "(")
    return (operand,)


def _rebuild(records: Iterable[tuple[Any, ...]]) -> Formula:
    """The last of the formulas that `__reduce__` describes by type, label and the places of the operands."""
    made: list[Formula] = []
    for kind, label, *places in records:
        made.append(kind(label, *(made[place] for place in places)))
    return made[-1]
