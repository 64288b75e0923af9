"""The semantics once more, quantifier by quantifier and slow, to hold the fast evaluation against."""

from __future__ import annotations

from verifier.logic.syntax import Atom, Binary, Constant, Formula, Unary


def holds(formula: Formula, word: str, i: int) -> bool:
    """Whether the formula holds at position i, counted from 1; an atom holds where its symbol stands."""
    match formula:
        case Atom(name):
            return word[i - 1] == name
        case Constant(value):
            return value
        case Unary(op, phi):
            return unary_holds(op, phi, word, i)
        case Binary(op, phi, psi):
            return binary_holds(op, phi, psi, word, i)


def unary_holds(op: str, phi: Formula, word: str, i: int) -> bool:
    def at(j: int) -> bool:
        return holds(phi, word, j)

    positions = range(1, len(word) + 1)
    match op:
        case "!":
            return not at(i)
        case "X":
            return i + 1 in positions and at(i + 1)
        case "Y":
            return i - 1 in positions and at(i - 1)
        case "F":
            return any(at(j) for j in positions if j >= i)
        case "G":
            return all(at(j) for j in positions if j >= i)
        case "O":
            return any(at(j) for j in positions if j <= i)
        case "H":
            return all(at(j) for j in positions if j <= i)
        case "sF":
            return any(at(j) for j in positions if j > i)
        case "sG":
            return all(at(j) for j in positions if j > i)
        case "sO":
            return any(at(j) for j in positions if j < i)
        case "sH":
            return all(at(j) for j in positions if j < i)
    raise AssertionError(op)


def binary_holds(op: str, phi: Formula, psi: Formula, word: str, i: int) -> bool:
    def left(j: int) -> bool:
        return holds(phi, word, j)

    def right(j: int) -> bool:
        return holds(psi, word, j)

    positions = range(1, len(word) + 1)
    match op:
        case "&":
            return left(i) and right(i)
        case "|":
            return left(i) or right(i)
        case "->":
            return not left(i) or right(i)
        case "<->":
            return left(i) is right(i)
        case "U":
            return any(right(j) and all(left(k) for k in positions if i <= k < j) for j in positions if j >= i)
        case "S":
            return any(right(j) and all(left(k) for k in positions if j < k <= i) for j in positions if j <= i)
        case "sU":
            return any(right(j) and all(left(k) for k in positions if i < k < j) for j in positions if j > i)
        case "sS":
            return any(right(j) and all(left(k) for k in positions if j < k < i) for j in positions if j < i)
    raise AssertionError(op)
