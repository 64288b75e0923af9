"""A formula as a circuit: gates for Boolean connectives, heads for temporal operators, everything shared.

A literal is a node or its negation, which costs nothing in an affine map; so there is no gate for "not", and with
conjunction and difference all connectives can be had. Nodes are kept in the order in which they are made, operands
first, which depends on the formula alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from verifier.logic.syntax import Atom, Binary, Constant, Formula, Unary
from verifier.spec.syntax import Expr


@dataclass(frozen=True, slots=True)
class Literal:
    """The value of a node, by its index, or the negation of that value."""

    node: int
    negated: bool = False

    def __invert__(self) -> Literal:
        return Literal(self.node, not self.negated)


def negation(formula: Formula) -> Formula:
    """The negation, without doubling one."""
    return formula.operand if isinstance(formula, Unary) and formula.op == "!" else Unary("!", formula)


@dataclass(frozen=True, slots=True)
class Truth:
    """True at every position; a coordinate of its own only where a score reads it, else a bias."""


@dataclass(frozen=True, slots=True)
class Token:
    """That the string has this symbol at the position."""

    symbol: str


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All of two or more literals of distinct nodes."""

    operands: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """That two nodes differ."""

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Attention:
    """A temporal operator, computed by a head.

    Args:
        construction: its name in the library.
        booleans: the conditions of the score's Iverson brackets, and what they are here.
        select, value: the literals that the hard head selects by and reads.
    """

    construction: str
    booleans: tuple[tuple[Expr, Literal], ...]
    select: Literal
    value: Literal

    def inputs(self) -> tuple[Literal, ...]:
        """Every literal that the head reads at keys or queries."""
        return (*(literal for _, literal in self.booleans), self.select, self.value)


Node = Truth | Token | Conjunction | Difference | Attention


@dataclass(frozen=True)
class Circuit:
    """The whole formula.

    Args:
        nodes: operands before what uses them; node 0 is `Truth`.
        meanings: for each node a formula with its value, in the words of the original.
        literals: for each subformula of the original its literal.
        root: the literal of the formula itself.
    """

    nodes: tuple[Node, ...]
    meanings: tuple[Formula, ...]
    literals: dict[Formula, Literal]
    root: Literal

    def reachable(self) -> list[int]:
        """The nodes that the root depends on, in order."""
        needed = {self.root.node}
        for index in range(self.root.node, -1, -1):
            if index in needed:
                needed.update(literal.node for literal in operands(self.nodes[index]))
        return sorted(needed)


def operands(node: Node) -> tuple[Literal, ...]:
    """What a node depends on."""
    match node:
        case Conjunction(literals):
            return literals
        case Difference(left, right):
            return (Literal(left), Literal(right))
        case Attention():
            return node.inputs()
    return ()


TRUE = Literal(0)
FALSE = Literal(0, True)


@dataclass
class Builder:
    """A circuit in the making: equal nodes are made once, and constants and repetitions vanish."""

    nodes: list[Node] = field(default_factory=lambda: [Truth()])
    meanings: list[Formula] = field(default_factory=lambda: [Constant(True)])
    _known: dict[Node, int] = field(default_factory=lambda: {Truth(): 0})

    def token(self, atom: Atom) -> Literal:
        """An atom."""
        return self.node(Token(atom.name), atom)

    def conjunction(self, literals: Iterable[Literal], meaning: Formula) -> Literal:
        """All of some literals; a conjunction among them is merged into this one."""
        found: dict[int, Literal] = {}
        for literal in self._flat(literals):
            if literal == TRUE:
                continue
            if literal == FALSE or found.setdefault(literal.node, literal) != literal:
                return FALSE
        merged = tuple(sorted(found.values(), key=lambda literal: literal.node))
        if len(merged) < 2:
            return merged[0] if merged else TRUE
        return self.node(Conjunction(merged), meaning)

    def _flat(self, literals: Iterable[Literal]) -> Iterable[Literal]:
        for literal in literals:
            node = self.nodes[literal.node]
            if isinstance(node, Conjunction) and not literal.negated:
                yield from node.operands
            else:
                yield literal

    def equivalence(self, left: Literal, right: Literal, meaning: Binary) -> Literal:
        """That two literals are equal."""
        for one, other in ((left, right), (right, left)):
            if one.node == TRUE.node:
                return ~other if one.negated else other
        if left.node == right.node:
            return TRUE if left == right else FALSE
        low, high = sorted((left, right), key=lambda literal: literal.node)
        same_sign = low.negated == high.negated
        differ = negation(meaning) if same_sign else meaning
        literal = self.node(Difference(low.node, high.node), differ)
        return ~literal if same_sign else literal

    def node(self, node: Node, meaning: Formula) -> Literal:
        """A node, made if there is none like it."""
        if node not in self._known:
            self._known[node] = len(self.nodes)
            self.nodes.append(node)
            self.meanings.append(meaning)
        return Literal(self._known[node])
