from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.execute import naive
from verifier.execute.evaluate import Array, ExecutionError, Place, evaluate
from verifier.spec.parser import parse
from verifier.spec.syntax import Apply, Expr, InputAt, Number, Pi, Variable
from verifier.spec.types import Scope, Type

SCOPE = Scope(
    {"n": Type.INTEGER, "c": Type.REAL, "i": Type.INTEGER, "j": Type.INTEGER},
    {"phi": (Type.BOOLEAN, 1), "v": (Type.REAL, 1), "s": (Type.REAL, 2)},
    ("i", "j"),
    selected=True,
)
N = 5


def at(**changes: object) -> Place:
    positions = np.arange(1.0, N + 1)
    rng = np.random.default_rng(0)
    phi, v, s = rng.random((3, N)) < 0.5, rng.random((3, N)), rng.random((3, N, N))
    fields: dict[str, object] = {
        "what": "the score of simulation 's'",
        "variables": {"n": np.asarray(float(N)), "i": positions[None, :, None], "j": positions[None, None, :]},
        "inputs": {
            InputAt("phi", ("i",)): phi[:, :, None], InputAt("phi", ("j",)): phi[:, None, :],
            InputAt("v", ("i",)): v[:, :, None], InputAt("v", ("j",)): v[:, None, :], InputAt("s", ("i", "j")): s,
        },
        "parameters": {"c": Fraction(7, 5)},
        "selected": phi[:, None, :],
        "file": "mine.toml",
    }  # fmt: skip
    return Place(**{**fields, **changes})  # type: ignore[arg-type]


def value(text: str, place: Place | None = None) -> Array:
    return evaluate(parse(text, SCOPE).expr, place or at())


numbers = st.one_of(
    st.builds(Number, st.fractions(-3, 3, max_denominator=4)),
    st.sampled_from([Variable("n"), Variable("i"), Variable("j"), Variable("c"), Pi()]),
    st.sampled_from([InputAt("v", ("i",)), InputAt("v", ("j",)), InputAt("s", ("i", "j"))]),
)


def _grown(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    compare = st.builds(Apply, st.sampled_from(("=", "!=", "<", "<=", ">", ">=")), st.tuples(inner, inner))
    condition = st.one_of(
        compare, st.builds(lambda a, b: Apply("and", (a, Apply("not", (b,)))), compare, compare)
    )
    return st.one_of(
        st.builds(Apply, st.sampled_from(("+", "-", "*", "/", "min", "max")), st.tuples(inner, inner)),
        st.builds(
            Apply, st.sampled_from(("neg", "abs", "exp", "ln", "sqrt", "sin", "cos")), st.tuples(inner)
        ),
        st.builds(lambda base, power: Apply("^", (base, Number(Fraction(power)))), inner, st.integers(-2, 3)),
        st.builds(lambda of: Apply("iverson", (of,)), condition),
    )


expressions: st.SearchStrategy[Expr] = st.recursive(numbers, _grown, max_leaves=8)


def naive_value(expr: Expr, place: Place, string: int, i: int, j: int) -> float:
    def given_at(leaf: InputAt) -> object:
        found = place.inputs[leaf]
        where = (string, i - 1 if found.shape[1] > 1 else 0, j - 1 if found.shape[2] > 1 else 0)
        return bool(found[where]) if found.dtype == bool else Fraction(float(found[where]))

    variables = {"n": N, "i": i, "j": j, "c": place.parameters["c"]}
    return float(naive.evaluate(expr, variables, given_at, None))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(expressions)
def test_random_expressions_against_exact_evaluation(expr: Expr) -> None:
    place = at()
    try:
        expected = [
            naive_value(expr, place, string, i, j)
            for string in range(3)
            for i in range(1, N + 1)
            for j in (1, 4)
        ]
    except (ArithmeticError, ValueError, TypeError):
        assume(False)
    try:
        found = np.broadcast_to(evaluate(expr, place), (3, N, N))[:, :, [0, 3]]
    except ExecutionError:
        assume(False)
    assert found.ravel() == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_shapes_follow_what_is_mentioned() -> None:
    assert value("n + c").shape == ()
    assert value("i").shape == (1, N, 1)
    assert value("j + v(j)").shape == (3, 1, N)
    assert value("[phi(i)]*j").shape == (3, N, N)
    assert value("phi(i) = phi(j)").dtype == np.bool_
    assert value("[selected]").tolist() == at().inputs[InputAt("phi", ("j",))].tolist()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("j/10 + 2/10 = 3/10", [True, False, False, False, False]),
        ("(1/3)*j + (1/3)*j + (1/3)*j = j", [True] * 5),
        ("c*j = 7", [False, False, False, False, True]),
        ("j/7 >= 3/7", [False, False, True, True, True]),
        ("7*j/49 - 1/7 <= 2/7", [True, True, True, False, False]),
        ("[j mod 2 = 1]/3 < 1/3", [False, True, False, True, False]),
        ("j^3/9 > j/(-9)", [True] * 5),
        ("2 - j^2 = -7", [False, False, True, False, False]),
    ],
)
def test_comparisons_of_rationals_are_exact(text: str, expected: list[bool]) -> None:
    assert value(text).ravel().tolist() == expected


def test_powers_of_integers_are_exact() -> None:
    place = at(variables={"n": np.asarray(94906265.0)})
    assert value("n^2", place) == 94906265**2
    assert value("n^0", place) == 1
    assert value("(n^2)^(-1)", place) == 1 / 94906265**2
    assert value("2^(-n/94906265)", place) == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1/(j - 3)", "divides by zero at j = 3, n = 5"),
        ("1/(i - j)", "divides by zero at i = 1, j = 1, n = 5"),
        ("(j - 4)^(-2)", "divides by zero at j = 4, n = 5"),
        ("ln(i - 2)", "takes the logarithm of a number that is not positive at i = 1, n = 5"),
        ("sqrt(2 - j)", "takes the square root of a negative number at j = 3, n = 5"),
        ("j mod (i - 1)", "takes a remainder by a number that is not positive at i = 1, n = 5"),
        ("exp(1000*j)", "is not a finite number at j = 1, n = 5"),
        ("[exp(1000*j) - exp(1000*i) > 0]", "compares numbers that are not finite at i = 1, j = 1, n = 5"),
        ("min(3, 1/(j - 3))", "divides by zero at j = 3, n = 5"),
        ("exp(-1/(j - 1)^2)", "divides by zero at j = 1, n = 5"),
        ("[1/(j - 3) > 0 or j > 2]", "divides by zero at j = 3, n = 5"),
    ],
)
def test_what_has_no_value_is_refused_with_its_place(text: str, message: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ExecutionError) as error:
            value(text)
    shown = message.replace(" at ", " at i = 1, ", 1) if "i = " not in message else message
    shown = shown if "j = " in shown else shown.replace(", n", ", j = 1, n")
    assert str(error.value) == f"mine.toml: the score of simulation 's' {shown}"


def test_what_does_not_matter_may_be_undefined() -> None:
    place = at()
    relevant = place.variables["j"] != place.variables["i"]
    found = value("1/(i - j)", at(relevant=relevant[0]))
    assert np.isfinite(found[:, relevant[0]]).all()
    with pytest.raises(ExecutionError, match="at i = 2, j = 2"):
        value("1/(i - j)", at(relevant=relevant[0] | (place.variables["i"][0] == 2)))


def test_small_numbers_vanish_without_an_error() -> None:
    assert value("exp(-1000*j)").max() == 0
    assert value("1/exp(1000*j)").max() == 0


def test_a_constant_too_large_for_a_float() -> None:
    huge = Number(Fraction(10) ** 400)
    with pytest.raises(ExecutionError, match="is not a finite number"):
        evaluate(huge, at())
    assert evaluate(Apply(">", (huge, Variable("j"))), at()).all()
    assert evaluate(Apply("/", (Number(Fraction(1)), huge)), at()) == 0
