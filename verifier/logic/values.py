"""The value of a formula at each position of a batch of strings, by the definitions of finite-string LTL.

Source: docs/theory.md, section on finite-string LTL. Every operator takes a bounded number of passes over the
arrays, so that the time is linear in the length times the number of distinct subformulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from verifier.logic.syntax import Atom, Binary, Constant, Formula, Unary, atoms, is_past_only, subformulas

Plane = NDArray[np.bool_]  # a truth value per string and position, of shape [batch, n]


def values(formula: Formula, inputs: Mapping[str, Plane]) -> Plane:
    """The value at each position.

    Args:
        formula: the formula.
        inputs: for each atom, and perhaps for other names, its truth values: Boolean, of shape [batch, n],
            n ≥ 1. All have the same shape, and it is that of the result even where the formula has no atoms.

    Returns:
        A new Boolean array of shape [batch, n]; column i is the value at position i + 1.

    Raises:
        ValueError: an atom has no input, there is no input at all, or the inputs are not such arrays.
    """
    shape = _shape(formula, inputs)
    order = subformulas(formula)
    # A value is dropped after its last use: a formula may have thousands of subformulas.
    uses = Counter(operand for node in order for operand in node.operands)
    known: dict[Formula, Plane] = {}
    for node in order:
        known[node] = _value(node, known, inputs, shape)
        for operand in node.operands:
            uses[operand] -= 1
            if not uses[operand]:
                del known[operand]
    return np.ascontiguousarray(known[formula])


def accepts(formula: Formula, inputs: Mapping[str, Plane]) -> Plane:
    """Whether each string is accepted: at its last position if the formula is past-only, else at position 1.

    Args:
        formula, inputs: as for `values`.

    Returns:
        A Boolean array of shape [batch].

    Raises:
        ValueError: as `values`.
    """
    everywhere = values(formula, inputs)
    return everywhere[:, -1 if is_past_only(formula) else 0].copy()


def _shape(formula: Formula, inputs: Mapping[str, Plane]) -> tuple[int, int]:
    missing = sorted(atoms(formula).difference(inputs))
    if missing:
        raise ValueError(f"expected an input for each atom, found none for {', '.join(missing)}")
    shapes = {plane.shape for plane in inputs.values()}
    if len(shapes) != 1:
        raise ValueError(f"expected inputs of one shape, found {sorted(shapes)}")
    if any(plane.dtype != np.bool_ for plane in inputs.values()):
        raise ValueError("expected Boolean inputs")
    (shape,) = shapes
    if len(shape) != 2 or shape[1] == 0:
        raise ValueError(f"expected inputs of shape [batch, n] with n >= 1, found {list(shape)}")
    return shape


def _value(node: Formula, known: Mapping[Formula, Plane], inputs: Mapping[str, Plane], shape: tuple[int, int]) -> Plane:
    match node:
        case Atom(name):
            return inputs[name].copy()
        case Constant(value):
            return np.full(shape, value)
        case Unary(op, operand):
            return _UNARY[op](known[operand])
        case Binary(op, left, right):
            return _BINARY[op](known[left], known[right])
        case _:
            assert_never(node)


def _previous(a: Plane, before: bool = False) -> Plane:
    """The value one position earlier; `before` at position 1."""
    shifted = np.full_like(a, before)
    shifted[:, 1:] = a[:, :-1]
    return shifted


def _once(a: Plane) -> Plane:
    return np.logical_or.accumulate(a, axis=1)


def _historically(a: Plane) -> Plane:
    return np.logical_and.accumulate(a, axis=1)


def _since(a: Plane, b: Plane) -> Plane:
    """Decided by the latest position, up to the present one, where b holds or a fails: the value of b there.

    Position j and value are packed into one number, 2j + [b], so that a running maximum finds both at once.
    """
    places = 2 * np.arange(a.shape[1], dtype=np.int64)
    decisive = b | ~a
    packed = np.where(decisive, places + b, 0)
    latest: NDArray[np.int64] = np.maximum.accumulate(packed, axis=1)
    return (latest & 1).astype(np.bool_)


def _mirrored(past: Callable[..., Plane]) -> Callable[..., Plane]:
    """The future operator that reads the string from its end."""
    return lambda *planes: past(*(plane[:, ::-1] for plane in planes))[:, ::-1]


_UNARY: dict[str, Callable[[Plane], Plane]] = {
    "!": np.logical_not,
    "Y": _previous,
    "O": _once,
    "H": _historically,
    "sO": lambda a: _previous(_once(a)),
    "sH": lambda a: _previous(_historically(a), before=True),
}
_BINARY: dict[str, Callable[[Plane, Plane], Plane]] = {
    "&": np.logical_and,
    "|": np.logical_or,
    "->": np.less_equal,
    "<->": np.equal,
    "S": _since,
    "sS": lambda a, b: _previous(_since(a, b)),
}
for _future, _past in (("X", "Y"), ("F", "O"), ("G", "H"), ("sF", "sO"), ("sG", "sH")):
    _UNARY[_future] = _mirrored(_UNARY[_past])
for _future, _past in (("U", "S"), ("sU", "sS")):
    _BINARY[_future] = _mirrored(_BINARY[_past])
