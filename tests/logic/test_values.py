from __future__ import annotations

import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from verifier.logic.parser import parse
from verifier.logic.syntax import BINARY, UNARY, Atom, Binary, Formula, Unary
from verifier.logic.values import accepts, values
from verifier.logic.words import inputs

from .naive import holds
from .strategies import ALPHABET, formulas, words


def naive(formula: Formula, word: str) -> list[bool]:
    return [holds(formula, word, i) for i in range(1, len(word) + 1)]


@settings(max_examples=600, deadline=None, derandomize=True)
@given(formulas(), words())
def test_random_formulas_against_the_definitions(formula: Formula, word: str) -> None:
    assert values(formula, inputs([word], ALPHABET)).tolist() == [naive(formula, word)]


@pytest.mark.parametrize("op", [*UNARY, *BINARY])
def test_each_operator_on_all_short_strings(op: str) -> None:
    formula = Unary(op, Atom("a")) if op in UNARY else Binary(op, Atom("a"), Atom("b"))
    for n in range(1, 6):
        batch = ["".join(symbols) for symbols in product(ALPHABET, repeat=n)]
        assert values(formula, inputs(batch, ALPHABET)).tolist() == [naive(formula, word) for word in batch]


@pytest.mark.parametrize("op", BINARY)
def test_binary_operators_where_both_operands_hold(op: str) -> None:
    formula = Binary(op, Atom("p"), Atom("q"))
    both = Binary(op, parse("a | c"), parse("b | c"))
    for n in range(1, 5):
        batch = ["".join(symbols) for symbols in product("abcd", repeat=n)]
        planes = inputs(batch, "abcd")
        renamed = {"p": planes["a"] | planes["c"], "q": planes["b"] | planes["c"]}
        expected = [naive(both, word) for word in batch]
        assert values(formula, renamed).tolist() == expected
        assert values(both, planes).tolist() == expected


@settings(max_examples=200, deadline=None, derandomize=True)
@given(formulas(), words())
def test_where_a_string_is_accepted(formula: Formula, word: str) -> None:
    text = repr(formula)
    past_only = not any(letter in text for letter in "XFGU")
    expected = holds(formula, word, len(word) if past_only else 1)
    assert accepts(formula, inputs([word], ALPHABET)).tolist() == [expected]


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("a", [True, False]), ("a & F true", [False, True]), ("O a", [True, True]), ("H a", [False, False]),
        ("X a", [False, True]), ("Y b", [True, False]), ("sF a", [True, True]), ("sH b", [True, False]),
        ("Y X a", [False, False]), ("X Y a", [False, True]),
    ],
)  # fmt: skip
def test_acceptance(text: str, accepted: list[bool]) -> None:
    assert accepts(parse(text), inputs(["bba", "aab"], "ab")).tolist() == accepted


def test_constants_take_the_shape_of_the_inputs() -> None:
    planes = inputs(["ab", "ba", "aa"], "ab")
    assert values(parse("true"), planes).tolist() == [[True, True]] * 3
    assert values(parse("X true"), planes).tolist() == [[True, False]] * 3
    assert values(parse("Y false | !sF true"), planes).tolist() == [[False, True]] * 3


def test_the_result_is_new() -> None:
    planes = inputs(["ab"], "ab")
    for text in ("a", "F a", "X a", "true"):
        result = values(parse(text), planes)
        assert result.flags.c_contiguous
        result[:] = ~result
        assert planes["a"].tolist() == [[True, False]]


def test_equal_subformulas_are_evaluated_once() -> None:
    formula: Formula = Atom("a")
    for _ in range(200):
        formula = Binary("S", formula, formula)
    assert values(formula, inputs(["ab"], "ab")).tolist() == [[True, False]]


@pytest.mark.parametrize(
    ("planes", "message"),
    [
        ({"b": np.ones((1, 2), bool)}, "found none for a"),
        ({"a": np.ones((1, 2), bool), "b": np.ones((1, 3), bool)}, "one shape"),
        ({"a": np.ones((1, 2), np.int64)}, "Boolean"),
        ({"a": np.ones(2, bool)}, r"\[batch, n\]"),
        ({"a": np.ones((2, 0), bool)}, "n >= 1"),
    ],
)
def test_wrong_inputs(planes: dict[str, NDArray[np.bool_]], message: str) -> None:
    for evaluate in (values, accepts):
        with pytest.raises(ValueError, match=message):
            evaluate(parse("F a"), planes)


def test_no_input_at_all() -> None:
    with pytest.raises(ValueError, match="one shape"):
        values(parse("true"), {})


@pytest.mark.parametrize(("batch", "length"), [(65_536, 8), (4, 100_000)])
def test_time_is_linear(batch: int, length: int) -> None:
    random = np.random.default_rng(1)
    planes = {name: random.random((batch, length)) < share for name, share in (("a", 0.9), ("b", 0.1))}
    formula = parse("(a U b) & (a S b) & (a sU b) & (a sS b) & F G a & O H b & X Y a")
    start = time.perf_counter()
    result = values(formula, planes)
    assert time.perf_counter() - start < 2
    assert result.shape == (batch, length)


def test_a_long_string() -> None:
    n = 100_000
    word = "a" * (n - 1) + "b"
    planes = inputs([word], "ab")
    assert values(parse("a U b"), planes).all()
    assert values(parse("a S b"), planes).sum() == 1
    assert values(parse("a sU b"), planes).sum() == n - 1
