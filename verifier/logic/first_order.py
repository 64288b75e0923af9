"""Temporal formulas as first-order formulas over the integer positions 1..last, for Z3.

Source: docs/theory.md, section on finite-string LTL; each case below is the definition of an operator.
"""

# mypy: untyped-calls-exclude=z3

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import assert_never

import z3

from verifier.logic.syntax import Atom, Binary, Constant, Formula, Unary
from verifier.logic.syntax import atoms as atoms_of

Predicate = Callable[[z3.ArithRef], z3.BoolRef]
# The formulas and positions on which a formula at a position rests, and how to join their translations.
Step = tuple[list[tuple[Formula, z3.ArithRef]], Callable[..., z3.BoolRef]]


def first_order(
    formula: Formula, position: z3.ArithRef, last: z3.ArithRef, atoms: Mapping[str, Predicate]
) -> z3.BoolRef:
    """That the formula holds at a position.

    Args:
        formula: the formula.
        position: an integer term. The translation is right if 1 <= position <= last, which it does not say.
        last: an integer term, the length of the string.
        atoms: for each atom its truth at an integer term, such as an uninterpreted predicate applied to it.

    Returns:
        A formula whose bound variables, j1, k1, j2, ..., are each bound once and do not occur in `position`,
        `last` or the atoms. The same arguments give the same formula.

    Raises:
        ValueError: an atom is not in `atoms`, or a term is not an integer.
    """
    names = sorted(atoms_of(formula))
    missing = [name for name in names if name not in atoms]
    if missing:
        raise ValueError(f"expected a predicate for each atom, found none for {', '.join(missing)}")
    if not (position.is_int() and last.is_int()):
        raise ValueError("expected integers as the position and the last position")
    used = _symbols([position, last, *(atoms[name](position) for name in names)])
    return _Translation(last, atoms, used).of(formula, position)


class _Translation:
    def __init__(self, last: z3.ArithRef, atoms: Mapping[str, Predicate], used: frozenset[str]) -> None:
        self._last = last
        self._atoms = atoms
        self._used = used
        self._numbers = count(1)

    def of(self, formula: Formula, position: z3.ArithRef) -> z3.BoolRef:
        """Bottom-up with an explicit stack, once for each subformula and term at which it is asked for."""
        steps: dict[tuple[Formula, int], Step] = {}
        done: dict[tuple[Formula, int], z3.BoolRef] = {}
        stack = [(formula, position)]
        while stack:
            node, at = stack.pop()
            key = (node, at.get_id())
            if key in done:
                continue
            if key not in steps:
                steps[key] = self._step(node, at)
                stack.append((node, at))
                stack.extend(steps[key][0])
            else:
                needed, join = steps[key]
                done[key] = join(*(done[operand, there.get_id()] for operand, there in needed))
        return done[formula, position.get_id()]

    def _step(self, node: Formula, at: z3.ArithRef) -> Step:
        match node:
            case Atom(name):
                return [], lambda: self._atoms[name](at)
            case Constant(value):
                return [], lambda: z3.BoolVal(value, at.ctx)
            case Unary(op, operand):
                return self._unary(op, operand, at)
            case Binary(op, left, right):
                return self._binary(op, left, right, at)
            case _:
                assert_never(node)

    def _unary(self, op: str, operand: Formula, at: z3.ArithRef) -> Step:
        match op:
            case "!":
                return [(operand, at)], z3.Not
            case "X":
                return [(operand, at + 1)], lambda there: z3.And(at < self._last, there)
            case "Y":
                return [(operand, at - 1)], lambda there: z3.And(at > 1, there)
        j, _ = self._fresh(at)
        visible = self._visible(op, at, j)
        if op[-1] in "FO":
            return [(operand, j)], lambda there: z3.Exists([j], z3.And(visible, there))
        return [(operand, j)], lambda there: z3.ForAll([j], z3.Implies(visible, there))

    def _binary(self, op: str, left: Formula, right: Formula, at: z3.ArithRef) -> Step:
        match op:
            case "&":
                return [(left, at), (right, at)], z3.And
            case "|":
                return [(left, at), (right, at)], z3.Or
            case "->":
                return [(left, at), (right, at)], z3.Implies
            case "<->":
                return [(left, at), (right, at)], lambda one, two: one == two
        j, k = self._fresh(at)
        visible = self._visible(op, at, j)
        between = z3.And(self._visible(op, at, k), k < j if op[-1] == "U" else j < k)

        def witnessed(held: z3.BoolRef, reached: z3.BoolRef) -> z3.BoolRef:
            throughout = z3.ForAll([k], z3.Implies(between, held))
            found: z3.BoolRef = z3.Exists([j], z3.And(visible, reached, throughout))
            return found

        return [(left, k), (right, j)], witnessed

    def _visible(self, op: str, at: z3.ArithRef, j: z3.ArithRef) -> z3.BoolRef:
        """That the operator, used at `at`, looks at j."""
        strict = op.startswith("s")
        if op[-1] in "FGU":
            sides = (at < j if strict else at <= j, j <= self._last)
        else:
            sides = (j >= 1, j < at if strict else j <= at)
        both: z3.BoolRef = z3.And(*sides)
        return both

    def _fresh(self, at: z3.ArithRef) -> tuple[z3.ArithRef, z3.ArithRef]:
        """Variables j and k of the next number with which neither is used."""
        pairs = ((f"j{number}", f"k{number}") for number in self._numbers)
        j, k = next(pair for pair in pairs if self._used.isdisjoint(pair))
        return z3.Int(j, at.ctx), z3.Int(k, at.ctx)


def _symbols(terms: Iterable[z3.ExprRef]) -> frozenset[str]:
    """The names of all constants and functions in the terms."""
    names: set[str] = set()
    met: set[int] = set()
    stack = list(terms)
    while stack:
        term = stack.pop()
        if term.get_id() in met:
            continue
        met.add(term.get_id())
        if z3.is_app(term):
            names.add(term.decl().name())
        stack.extend(term.children())
    return frozenset(names)
