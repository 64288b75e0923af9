"""To SymPy and back: the value stays what it was."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.spec.scopes import SCOPE, numbers
from tests.symbolic.points import values
from verifier.prove.balls import Point, Unsettled, number, precision
from verifier.spec.parser import parse
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, InputAt, Number, subexpressions
from verifier.symbolic.translate import DEEPEST, DISTANCE, Unconvertible, from_sympy, symbol, to_sympy


def expr(text: str) -> Expr:
    return parse(text, SCOPE).expr


NAMES = {"[selected]": expr("[selected]"), "phi(j)": expr("phi(j)"), "k(i)": expr("k(i)"), "s(i, j)": expr("s(i,j)")}


@given(numbers(3), st.integers(1, 5), st.integers(0, 5), st.integers(1, 5), st.fractions(-3, 3, max_denominator=4))
def test_what_comes_back_has_the_same_value(before: Expr, i: int, j: int, n: int, c: Fraction) -> None:
    assume(all(not isinstance(node, InputAt) for node in subexpressions(before)))
    assume(all(not (isinstance(node, Apply) and node.operator == "iverson") for node in subexpressions(before)))
    with precision(200):
        point = Point(values(i=i, j=j, n=n, c=c, m=2), {})
        try:
            wanted = number(before, point)
            after = from_sympy(to_sympy(before))
            found = number(after, point)
        except (Unsettled, Unconvertible):
            assume(False)
        assert abs(wanted - found) <= arb("1e-30") * (1 + abs(wanted)), (to_text(before), to_text(after))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("c*(2*n*i - j)", "c*(2*i*n - j)"), ("j - i", "j - i"), ("-j + i", "i - j"), ("i/n", "i/n"),
        ("1/(c*n)", "1/(c*n)"),
        ("j^2/n^2", "j^2/n^2"), ("exp(-n)", "exp(-n)"), ("c + ln(n)", "c + ln(n)"), ("sqrt(n)", "sqrt(n)"),
        ("pi*n", "pi*n"),
        ("max(i - 2, 0)", "max(0, i - 2)"), ("j mod 2", "j mod 2"), ("abs(c)", "abs(c)"), ("-c", "-c"),
        ("0.5*c", "1/2*c"),
        ("sin(c) + cos(c)", "sin(c) + cos(c)"), ("2^(-j)", "2^(-j)"), ("0.5^(j*c)", "(1/2)^(c*j)"),
    ],
)  # fmt: skip
def test_what_comes_back_reads_as_it_was_written(text: str, shown: str) -> None:
    assert to_text(from_sympy(to_sympy(expr(text)))) == shown


def test_brackets_and_inputs_come_back_by_name_alone() -> None:
    there = to_sympy(expr("2*[selected] + k(i)*s(i,j)"))
    assert to_text(from_sympy(there, NAMES)) == "2*[selected] + k(i)*s(i,j)"
    with pytest.raises(Unconvertible, match="an input"):
        from_sympy(there)


def test_brackets_take_given_values() -> None:
    there = to_sympy(
        expr("2*[selected] + [phi(j)]"), lambda condition: sympy.Integer(1) if condition != expr("phi(j)") else None
    )
    assert there == 2 + sympy.Symbol("[phi(j)]", real=True)


@pytest.mark.parametrize(
    "found", [sympy.zoo, sympy.nan, sympy.I, sympy.tan(DISTANCE), symbol("n") ** sympy.Rational(1, 3), sympy.root(2, 4)]
)
def test_what_the_language_lacks_is_refused(found: sympy.Expr) -> None:
    with pytest.raises(Unconvertible):
        from_sympy(found)


def test_a_boolean_is_no_number() -> None:
    with pytest.raises(Unconvertible, match="is a Boolean"):
        to_sympy(expr("true"))


def test_a_sum_too_long_for_those_who_walk_it_is_refused() -> None:
    terms = [symbol("n") ** power for power in range(1, DEEPEST + 10)]
    with pytest.raises(Unconvertible, match=f"more than {DEEPEST} terms"):
        from_sympy(sympy.Add(*terms))
    assert from_sympy(sympy.Add(*terms[: DEEPEST - 10]))


def test_parameters_are_no_distances_even_of_that_name() -> None:
    assert symbol("d") != DISTANCE
    assert symbol("e") + DISTANCE != symbol("e") + symbol("d")


def test_constants_are_exact() -> None:
    assert from_sympy(to_sympy(Number(Fraction(1, 3)))) == Number(Fraction(1, 3))
