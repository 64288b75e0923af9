"""The exponential lemma: every fact it states is true of the exponential, and it states none that it cannot check."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.prove.examples import changed
from verifier.prove.balls import ball
from verifier.prove.exponentials import Exponentials, Instance, offsets, split_logarithms, upper_bound
from verifier.prove.frame import Frame
from verifier.prove.solver import Session, holds
from verifier.spec.parser import parse
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr
from verifier.spec.types import Scope, Type
from verifier.verdict import Verdict

SCOPE = Scope({"n": Type.INTEGER, "c": Type.REAL})


def expr(text: str) -> Expr:
    return parse(text, SCOPE).expr


def bounded(exponent: str, lowest: int, degree: int, c: str = "2") -> tuple[Frame, list[Instance], z3.ArithRef]:
    """The frame after exp(-exponent) was translated, the lemma's uses, and the variable for the exponential."""
    frame = Frame(changed("until", c=c), Session(), lowest=lowest)
    instances: list[Instance] = []
    frame.translator.exponential = Exponentials(frame, degree, instances)
    found = frame.number(Apply("exp", (Apply("neg", (expr(exponent),)),)))
    return frame, instances, found.numerator


@pytest.mark.parametrize(
    ("exponent", "lowest", "degree"),
    [
        ("c", 1, 1),
        ("c*n + c", 1, 1),
        ("c*n + c", 5, 4),
        ("c + ln(n)", 1, 2),
        ("c*n^2 - n", 2, 2),
        ("c + 2*ln(n) + 3*ln(2)", 1, 1),
        ("n/(n + 1)", 1, 2),
        ("c - 1/n", 1, 3),
    ],
)
def test_facts_are_true_and_strong_enough(exponent: str, lowest: int, degree: int) -> None:
    """At each n the true value satisfies the facts, and half as much again above the true value at n0 does not."""
    frame, instances, variable = bounded(exponent, lowest, degree)
    assert instances
    facts = z3.And(*frame.translator.facts)
    for n in (lowest, lowest + 1, lowest + 7, 10 * lowest):
        value = math.exp(-in_floats(exponent, n))
        if value > 0:
            assert not refuted(facts, n, variable, Fraction(value * (1 - 1e-9)), frame)
    at_start = Fraction(math.exp(-in_floats(exponent, lowest)) * 1.5)
    assert refuted(facts, lowest, variable, at_start, frame)


def in_floats(text: str, n: int) -> float:
    """The exponent in floats, by Python's own arithmetic; the texts are this file's."""
    table = {
        "c": 2.0, "c*n + c": 2.0 * n + 2, "c + ln(n)": 2 + math.log(n), "c*n^2 - n": 2.0 * n * n - n,
        "c + 2*ln(n) + 3*ln(2)": 2 + 2 * math.log(n) + 3 * math.log(2), "n/(n + 1)": n / (n + 1), "c - 1/n": 2 - 1 / n,
    }  # fmt: skip
    return table[text]


def refuted(facts: z3.BoolRef, n: int, variable: z3.ArithRef, value: Fraction, frame: Frame) -> bool:
    pinned = (z3.Real("n") == n, variable == z3.Q(value.numerator, value.denominator))
    return holds((*frame.domain, *pinned), z3.Not(facts), Session())


@pytest.mark.soundness
@pytest.mark.parametrize("exponent", ["-c*n", "c - n", "ln(n) - n", "c*n*(2 - n)"])
def test_nothing_is_said_of_exponents_without_a_least_value(exponent: str) -> None:
    """exp(-x) is unbounded where x has no lower bound; only exp > 0 and exp >= 1 + x remain."""
    frame, instances, variable = bounded(exponent, 1, 4)
    assert not instances
    assert not holds(frame.facts(), variable <= 10**6, Session())


@settings(max_examples=40, deadline=None)
@given(st.fractions(min_value=-50, max_value=300, max_denominator=1000))
def test_upper_bounds_lie_above_and_near(offset: Fraction) -> None:
    found = upper_bound(offset)
    exact = (-ball(offset)).exp()
    assert ball(found) >= exact.lower()
    assert float(ball(found) / exact) == pytest.approx(1, rel=1e-12)


def test_hypotheses_are_obligations() -> None:
    frame = Frame(changed("until"), Session(), lowest=3)
    exponentials = Exponentials(frame, 2, [])
    frame.translator.exponential = exponentials
    frame.number(Apply("exp", (expr("-(c*n)"),)))
    assert [(one.statement, one.verdict) for one in exponentials.conditions] == [
        ("c*n >= 6 for n >= 3", Verdict.PROVED)
    ]


@pytest.mark.parametrize(
    ("text", "rest", "factors"),
    [
        ("c + ln(n)", "c", [("n", 1)]),
        ("c + ln(8*n)", "c", [("2", 3), ("n", 1)]),
        ("2*ln(n) - c", "-c", [("n", 2)]),
        ("c - ln(n)", "c - ln(n)", []),
        ("ln(n)/2", "1/2*ln(n)", []),
        ("n*ln(n)", "n*ln(n)", []),
        ("ln(n/2)", "0", [("n/2", 1)]),
    ],
)
def test_logarithms_leave_the_exponent_when_whole(text: str, rest: str, factors: list[tuple[str, int]]) -> None:
    left, found = split_logarithms(expr(text))
    assert ([(to_text(base), power) for base, power in found]) == factors
    assert to_text(left) in (rest, f"0 - {rest[1:]}" if rest.startswith("-") else rest)


def test_offsets_are_exact_where_the_exponent_is_rational() -> None:
    assert offsets(changed("until", c="1.4"), expr("c*n + c"), 4) == [Fraction(7), Fraction(0)]
