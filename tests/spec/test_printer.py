"""What is printed parses to the same tree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given

from tests.spec.scopes import SCOPE, expressions
from verifier.spec import build
from verifier.spec.errors import SpecError
from verifier.spec.parser import parse
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, Number, Variable

i, j, n = map(Variable, "ijn")


@given(expressions())
def test_what_is_printed_parses_to_the_same_tree(expr: Expr) -> None:
    text = to_text(expr)
    try:
        parsed = parse(text, SCOPE).expr
    except SpecError as error:
        assert "must" in error.message, text  # too large, which the strategy does not look after
        return
    assert parsed == expr, text


@pytest.mark.parametrize(
    "text",
    [
        "i + (j + n)", "i - (j - n)", "i/(j/n)", "i/(j*n)", "(i*j)^2", "(-j)^2", "-j^2", "2^(-j)", "(2^3)^2", "2^3^2",
        "-(i + j)", "i - -j", "--j", "i*-j", "(i mod 2)*j", "i*(j mod 2)", "(i < j) = phi(j)", "phi(j) = (i < j)",
        "not (phi(j) and psi(j))", "not phi(j) and psi(j)", "(phi(j) or psi(j)) and phi(i)", "[i < j and j < n]*2",
        "(not phi(j)) = psi(j)", "not phi(j) = psi(j)", "min(i + j, -n)", "phi(j) and (psi(j) and phi(i))",
    ],
)  # fmt: skip
def test_parentheses_that_matter_are_kept(text: str) -> None:
    expr = parse(text, SCOPE).expr
    assert parse(to_text(expr), SCOPE).expr == expr


@pytest.mark.parametrize(
    ("expr", "text"),
    [
        (build.add(build.multiply(i, j), n), "i*j + n"),
        (build.subtract(i, build.subtract(j, n)), "i - (j - n)"),
        (Number(Fraction(1, 2)), "1/2"),
        (Apply("^", (Number(Fraction(1, 2)), j)), "(1/2)^j"),
        (Apply("*", (i, Number(Fraction(1, 2)))), "i*(1/2)"),
        (Apply("^", (Number(Fraction(-3)), Number(Fraction(2)))), "(-3)^2"),
        (Apply("-", (i, Number(Fraction(-3)))), "i - -3"),
        (build.compare("<=", build.add(i, build.ONE), j), "i + 1 <= j"),
    ],
)
def test_what_is_printed_reads_well(expr: Expr, text: str) -> None:
    assert to_text(expr) == text


def test_a_fraction_comes_back_as_a_quotient_of_the_same_value() -> None:
    text = to_text(Apply("*", (Number(Fraction(-3, 4)), j)))
    assert to_text(parse(text, SCOPE).expr) == text == "-3/4*j"
