"""The translation to Z3 against ball arithmetic: at a concrete point both give the same value."""

from __future__ import annotations

from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.prove.examples import changed
from verifier.prove.arithmetic import Quotient, Untranslatable, equal, logarithm_factors
from verifier.prove.balls import Point, Unsettled, ball, number
from verifier.prove.frame import Frame
from verifier.prove.solver import Session, holds, satisfiable
from verifier.spec import build
from verifier.spec.parser import parse
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr
from verifier.spec.types import Scope, Type

SCOPE = Scope({"i": Type.INTEGER, "j": Type.INTEGER, "n": Type.INTEGER, "c": Type.REAL})


def expr(text: str) -> Expr:
    return parse(text, SCOPE).expr


def frame() -> Frame:
    return Frame(changed("parity"), Session())


def pinned(n: int, i: int, j: int) -> tuple[z3.BoolRef, ...]:
    return (z3.Real("n") == n, z3.Real("i") == i, z3.Real("j") == j)


@pytest.mark.parametrize(
    "text",
    [
        "2*i - j",
        "(i - j)/(n + 1)",
        "c*(i - j)^2/n",
        "min(i, j) - max(i, n)",
        "abs(i - j)",
        "[i < j] - [i = j]*2",
        "1/(n/(i + 1))",
        "n^-2",
        "(i - j)/(-n - 1)",
        "[not (i < j and j <= n)]",
        "[i = j or j != n]",
    ],
)
@pytest.mark.parametrize("point", [(5, 2, 4), (5, 4, 2), (3, 3, 3), (1, 1, 0)])
def test_equals_ball_arithmetic(text: str, point: tuple[int, int, int]) -> None:
    """Z3 proves that the value is the right one, and does not prove that it is another."""
    n, i, j = point
    here = frame()
    term = here.number(expr(text))
    value = number(expr(text), Point({"n": ball(n), "i": ball(i), "j": ball(j), "c": ball(2)}, {}))
    exact = Fraction(float(value.mid())).limit_denominator(10**6)
    assert value.contains(ball(exact))
    right = here.number(build.number(exact))
    wrong = here.number(build.number(exact + Fraction(1, 97)))
    known = (*here.facts(), *pinned(n, i, j))
    assert satisfiable(known, Session()) == z3.sat
    assert holds(known, equal(term, right), Session())
    assert not holds(known, equal(term, wrong), Session())


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.sampled_from(["i", "j", "n", "1", "2", "3/7"]).map(expr),
        lambda inner: st.builds(
            lambda operator, left, right: Apply(operator, (left, right)),
            st.sampled_from(["+", "-", "*", "min", "max"]),
            inner,
            inner,
        ),
        max_leaves=8,
    ),
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(0, 6),
)
def test_random_expressions_equal_ball_arithmetic(found: Expr, n: int, i: int, j: int) -> None:
    i, j = min(i, n), min(j, n)
    here = frame()
    value = number(found, Point({"n": ball(n), "i": ball(i), "j": ball(j)}, {}))
    scaled = (value * 7**8).unique_fmpz()
    assert scaled is not None, to_text(found)
    right = here.number(build.number(Fraction(int(scaled), 7**8)))
    assert holds((*here.facts(), *pinned(n, i, j)), equal(here.number(found), right), Session())


def test_integer_comparisons_keep_their_distance_over_the_reals() -> None:
    here = frame()
    strictly = here.boolean(expr("i < j"))
    assert holds((*here.facts(), strictly), z3.Real("i") + 1 <= z3.Real("j"), Session())
    not_at_most = here.boolean(expr("not i <= j"))
    assert holds((*here.facts(), not_at_most), z3.Real("j") + 1 <= z3.Real("i"), Session())
    real = here.boolean(expr("i < j/2"))
    assert not holds((*here.facts(), real), z3.Real("i") + 1 <= z3.Real("j") / 2, Session())


@pytest.mark.parametrize("text", ["1/(i - j)", "ln(i - j)", "sqrt(i - j)", "1/j"])
def test_unknown_signs_are_untranslatable(text: str) -> None:
    """With a beginning of string j may be 0."""
    with pytest.raises(Untranslatable):
        frame().number(expr(text))


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("exp(c) > 1 + c - 1/10", "exp(c) > 3"),
        ("ln(n) <= n - 1", "ln(n) <= n - 2"),
        ("ln(8*n) = 3*ln(2) + ln(n)", "ln(8*n) = ln(n)"),
        ("ln(2) < 0.6932", "ln(2) < 0.6931"),
        ("sqrt(n + 1)^2 = n + 1", "sqrt(n + 1) > 2"),
        ("sin(i) <= 1", "sin(i) < 1"),
        ("pi > 3.1415", "pi > 3.1416"),
        ("2^(-j) > 0", "2^(-j) > 1/2"),
        ("ln(n/4) = ln(n) - 2*ln(2)", "ln(n/4) > 0"),
    ],
)
def test_facts_about_functions_are_true_and_no_more(true: str, false: str) -> None:
    here = frame()
    yes, no = here.boolean(expr(true)), here.boolean(expr(false))
    assert satisfiable(here.facts(), Session()) == z3.sat
    assert holds(here.facts(), yes, Session())
    assert not holds(here.facts(), no, Session())


def test_logarithms_split_into_positive_bases() -> None:
    factors = logarithm_factors(expr("8*n^2/(3*(n + 1))"))
    assert [(to_text(base), power) for base, power in factors] == [("2", 3), ("n", 2), ("3", -1), ("n + 1", -1)]


def test_every_sign_is_an_obligation() -> None:
    here = frame()
    term = here.number(expr("i/(n*(n + 1))"))
    assert isinstance(term, Quotient)
    assert {sign.verdict.value for sign in here.signs} == {"proved"}
    assert any("is positive" in sign.statement for sign in here.signs)


def test_division_by_an_interval_around_zero_is_unsettled() -> None:
    with pytest.raises(Unsettled):
        number(expr("1/(i - j)"), Point({"i": ball(2), "j": ball(2)}, {}))
