from __future__ import annotations

import copy
import pickle
import time
from dataclasses import FrozenInstanceError
from itertools import pairwise

import pytest
from hypothesis import given, settings

from verifier.logic.parser import parse
from verifier.logic.syntax import (
    BINARY,
    RESERVED,
    UNARY,
    Atom,
    Binary,
    Constant,
    Formula,
    Unary,
    atoms,
    depth,
    is_past_only,
    size,
    subformulas,
    temporal_depth,
    to_text,
)

from .stack import shallow_stack
from .strategies import formulas

a, b, c = Atom("a"), Atom("b"), Atom("c")


def chain(length: int) -> Formula:
    formula: Formula = a
    for index in range(length):
        formula = Unary("X", formula) if index % 2 else Binary("U", b, formula)
    return formula


def test_equality_is_by_structure() -> None:
    one, two = parse("a U (b & X c)"), parse("a U (b & X c)")
    assert one is not two
    assert one == two
    assert hash(one) == hash(two)
    assert len({one, two}) == 1


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("a U b", "b U a"), ("a U b", "a sU b"), ("a U b", "a S b"), ("X a", "Y a"), ("X a", "X b"),
        ("true", "false"), ("a & (b & c)", "(a & b) & c"), ("F a", "true U a"), ("X a", "a"),
        ("a", "b"),
    ],
)  # fmt: skip
def test_different_formulas_differ(one: str, two: str) -> None:
    assert parse(one) != parse(two)


def test_a_formula_is_not_equal_to_its_text() -> None:
    assert a != "a"
    assert Constant(True) != True  # noqa: E712


def test_equality_does_not_rest_on_the_hash() -> None:
    one, two = Atom("p"), Atom("q")
    object.__setattr__(one, "_hash", 0)
    object.__setattr__(two, "_hash", 0)
    assert one != two
    assert Unary("X", one) != Unary("X", two)
    assert subformulas(Binary("U", one, two)) == [one, two, Binary("U", one, two)]


def test_nodes_are_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        a.name = "b"  # type: ignore[misc]


@pytest.mark.parametrize("name", ["", "1a", "a b", "é", "a\n", "-", *sorted(RESERVED)])
def test_names_that_no_atom_has(name: str) -> None:
    with pytest.raises(ValueError, match="expected an identifier"):
        Atom(name)


def test_unknown_operators_are_refused() -> None:
    with pytest.raises(ValueError, match="got 'U'"):
        Unary("U", a)
    with pytest.raises(ValueError, match="got 'X'"):
        Binary("X", a, b)


def test_measures() -> None:
    formula = parse("(a U X b) & !H (c -> a)")
    assert atoms(formula) == {"a", "b", "c"}
    assert size(formula) == 10
    assert depth(formula) == 4
    assert temporal_depth(formula) == 2
    assert size(a) == 1
    assert depth(a) == temporal_depth(a) == 0
    assert atoms(Constant(True)) == frozenset()


@pytest.mark.parametrize("op", [*UNARY, *BINARY])
def test_past_only(op: str) -> None:
    inner = Unary(op, a) if op in UNARY else Binary(op, a, b)
    looks_ahead = op in ("X", "F", "G", "U", "sF", "sG", "sU")
    for formula in (inner, Unary("Y", inner), Binary("S", b, inner), Binary("|", inner, b)):
        assert is_past_only(formula) is not looks_ahead


@pytest.mark.parametrize("op", [*UNARY, *BINARY])
def test_temporal_depth_counts_temporal_operators_only(op: str) -> None:
    formula = Unary(op, a) if op in UNARY else Binary(op, a, b)
    assert temporal_depth(formula) == (op not in ("!", "&", "|", "->", "<->"))


def test_subformulas_are_distinct_and_operands_come_first() -> None:
    formula = parse("(a & X b) U (X b | a & X b)")
    order = subformulas(formula)
    assert [to_text(node) for node in order] == [
        "a",
        "b",
        "X b",
        "a & X b",
        "X b | a & X b",
        to_text(formula),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a", "true", "false", "!a", "!!a", "!X a", "X !a", "X X a", "sF sG a", "X (a & b)", "!(a U b)",
        "a & b & c", "a & (b & c)", "a | b & c", "(a | b) & c", "a -> b -> c", "(a -> b) -> c",
        "a <-> b <-> c", "(a <-> b) <-> c", "a U b U c", "(a U b) U c", "a U b S c", "(a sU b) sS c",
        "X a U b", "X (a U b)", "a & b U c", "(a & b) U c", "a U (b & c)", "a -> b <-> c",
        "a -> (b <-> c)", "a | b -> c & a",
    ],
)  # fmt: skip
def test_text_has_the_fewest_parentheses(text: str) -> None:
    assert to_text(parse(text)) == text


@settings(max_examples=500, deadline=None, derandomize=True)
@given(formulas(12))
def test_text_parses_to_an_equal_formula(formula: Formula) -> None:
    text = to_text(formula)
    again = parse(text)
    assert again == formula
    assert hash(again) == hash(formula)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(formulas(6))
def test_no_pair_of_parentheses_is_superfluous(formula: Formula) -> None:
    text = to_text(formula)
    opened: list[int] = []
    for index, symbol in enumerate(text):
        if symbol == "(":
            opened.append(index)
        elif symbol == ")":
            start = opened.pop()
            without = f"{text[:start]} {text[start + 1 : index]} {text[index + 1 :]}"
            assert parse(without) != formula


def test_repr_is_short() -> None:
    assert repr(parse("a U (b & c)")) == "<formula a U (b & c)>"
    formula: Formula = a
    for _ in range(200):
        formula = Binary("&", formula, formula)
    assert repr(formula) == f"<formula of size {2**201 - 1}, depth 200>"


def test_nothing_recurses() -> None:
    deep, again = chain(20_000), chain(20_000)
    with shallow_stack():
        assert deep == again
        assert hash(deep) == hash(again)
        assert depth(deep) == 20_000
        assert temporal_depth(deep) == 20_000
        assert atoms(deep) == {"a", "b"}
        assert not is_past_only(deep)
        assert to_text(deep).startswith("X (b U X (b U ")
        assert pickle.loads(pickle.dumps(deep)) == deep
        assert copy.deepcopy(deep) == deep


def test_the_shallow_stack_is_shallow() -> None:
    def recurse(formula: Formula) -> int:
        return 1 + max((recurse(operand) for operand in formula.operands), default=0)

    with shallow_stack(), pytest.raises(RecursionError):
        recurse(chain(200))


def test_shared_subtrees_are_visited_once() -> None:
    def doubled() -> Formula:
        formula: Formula = a
        for _ in range(300):
            formula = Binary("S", formula, formula)
        return formula

    start = time.perf_counter()
    one, two = doubled(), doubled()
    assert one == two
    assert len(subformulas(one)) == 301
    assert temporal_depth(one) == 300
    assert pickle.loads(pickle.dumps(one)) == one
    assert time.perf_counter() - start < 5


def test_subformulas_come_before_every_use() -> None:
    order = subformulas(chain(50))
    assert all(size(one) <= size(two) for one, two in pairwise(order[1:]))
    place = {node: index for index, node in enumerate(order)}
    assert all(place[operand] < place[node] for node in order for operand in node.operands)
