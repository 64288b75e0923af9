"""The scope that the tests of expressions use, and random expressions in it."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from verifier.spec.size import SizeFault
from verifier.spec.syntax import Apply, Expr, InputAt, Number, Pi, Selected, Truth, Variable
from verifier.spec.types import Scope, Type, TypeFault, result_type

SCOPE = Scope(
    {"n": Type.INTEGER, "i": Type.INTEGER, "j": Type.INTEGER, "c": Type.REAL, "m": Type.INTEGER},
    {
        "phi": (Type.BOOLEAN, 1), "psi": (Type.BOOLEAN, 1), "k": (Type.INTEGER, 1), "v": (Type.REAL, 1),
        "s": (Type.REAL, 2),
    },
    ("i", "j"),
    selected=True,
)  # fmt: skip


def whole(low: int = 0, high: int = 40) -> st.SearchStrategy[Expr]:
    return st.integers(low, high).map(lambda value: Number(Fraction(value)))


_positions = st.sampled_from([("i",), ("j",)])
numeric_leaves: st.SearchStrategy[Expr] = st.one_of(
    whole(),
    st.sampled_from("nijcm").map(Variable),
    st.builds(InputAt, st.sampled_from(["k", "v"]), _positions),
    st.just(InputAt("s", ("i", "j"))),
    st.just(Pi()),
)
boolean_leaves: st.SearchStrategy[Expr] = st.one_of(
    st.builds(InputAt, st.sampled_from(["phi", "psi"]), _positions),
    st.just(Selected()),
    st.builds(Truth, st.booleans()),
)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 4) -> Expr:
    """A well-typed expression, numeric or Boolean, as the parser would build it."""
    return draw(numbers(depth)) if draw(st.booleans()) else draw(booleans(depth))


@st.composite
def numbers(draw: st.DrawFn, depth: int = 4) -> Expr:
    """A numeric expression."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(numeric_leaves)
    operator = draw(st.sampled_from(["+", "-", "*", "/", "neg", "^", "abs", "min", "max", "ln", "sqrt", "iverson"]))
    if operator == "iverson":
        return Apply("iverson", (draw(booleans(depth - 1)),))
    operands = [draw(numbers(depth - 1))]
    if operator in ("+", "-", "*", "/", "min", "max"):
        operands.append(draw(numbers(depth - 1)))
    if operator == "^":
        operands.append(draw(whole(high=3)))
    return _well_typed(operator, operands) or draw(numeric_leaves)


@st.composite
def booleans(draw: st.DrawFn, depth: int = 4) -> Expr:
    """A Boolean expression."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(boolean_leaves)
    operator = draw(st.sampled_from(["and", "or", "not", "=", "!=", "<", "<=", ">", ">=", "iff"]))
    if operator == "not":
        return Apply("not", (draw(booleans(depth - 1)),))
    kind = booleans if operator in ("and", "or", "iff") else numbers
    return Apply("=" if operator == "iff" else operator, (draw(kind(depth - 1)), draw(kind(depth - 1))))


def _well_typed(operator: str, operands: list[Expr]) -> Expr | None:
    """None for what the parser would refuse, such as a division by the constant zero."""
    try:
        result_type(operator, tuple(operands), (Type.REAL,) * len(operands))
    except (TypeFault, SizeFault):
        return None
    return Apply(operator, tuple(operands))
