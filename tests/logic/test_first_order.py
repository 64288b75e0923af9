# mypy: untyped-calls-exclude=z3
from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import product

import numpy as np
import pytest
import z3
from hypothesis import given, settings

from verifier.logic.first_order import first_order
from verifier.logic.parser import DEEPEST, parse
from verifier.logic.syntax import BINARY, UNARY, Atom, Binary, Formula, Unary
from verifier.logic.values import values
from verifier.logic.words import inputs

from .stack import shallow_stack
from .strategies import ALPHABET, formulas, words

LIMIT = 2_000_000

Predicate = Callable[[z3.ArithRef], z3.BoolRef]

i, n = z3.Ints("i n")
UNINTERPRETED: Mapping[str, Predicate] = {
    name: z3.Function(name, z3.IntSort(), z3.BoolSort()) for name in ("p", "q", "r")
}


def table(word: str, symbol: str) -> Predicate:
    places = [place for place, found in enumerate(word, start=1) if found == symbol]
    return lambda at: z3.Or([at == place for place in places])


def solved(formula: Formula, word: str) -> list[bool]:
    """The value at each position as Z3 finds it; the questions are of linear arithmetic, which it decides."""
    predicates = {symbol: table(word, symbol) for symbol in ALPHABET}
    found = []
    for position in range(1, len(word) + 1):
        solver = z3.SolverFor("LIA")
        solver.set("rlimit", LIMIT)
        solver.add(first_order(formula, z3.IntVal(position), z3.IntVal(len(word)), predicates))
        answer = solver.check()
        assert answer in (z3.sat, z3.unsat), solver.reason_unknown()
        found.append(answer == z3.sat)
    return found


def difference(one: str, two: str) -> z3.CheckSatResult:
    """What Z3 says to the question whether the formulas differ at some position of some string."""
    solver = z3.SolverFor("UFLIA")
    solver.set("rlimit", LIMIT)
    solver.add(i >= 1, i <= n)
    solver.add(first_order(parse(one), i, n, UNINTERPRETED) != first_order(parse(two), i, n, UNINTERPRETED))
    answer: z3.CheckSatResult = solver.check()
    return answer


@settings(max_examples=300, deadline=None, derandomize=True)
@given(formulas(6), words(4))
def test_random_formulas_on_concrete_strings(formula: Formula, word: str) -> None:
    assert [solved(formula, word)] == values(formula, inputs([word], ALPHABET)).tolist()


@pytest.mark.parametrize("op", [*UNARY, *BINARY])
def test_each_operator_on_concrete_strings(op: str) -> None:
    formula = Unary(op, Atom("a")) if op in UNARY else Binary(op, Atom("a"), Atom("b"))
    for word in ("a", "b", "ab", "ba", "aab", "baa", "aca", "bab", "abca", "bacaab"):
        assert [solved(formula, word)] == values(formula, inputs([word], ALPHABET)).tolist()


EQUIVALENCES = [
    ("F p", "true U p"), ("O p", "true S p"), ("G p", "!F !p"), ("H p", "!O !p"),
    ("p U q", "q | p & X (p U q)"), ("p S q", "q | p & Y (p S q)"),
    ("(p U q) U q", "p U q"), ("F F p", "F p"),
    ("p sU q", "X (p U q)"), ("p sS q", "Y (p S q)"),
    ("p U q", "q | p & p sU q"), ("p S q", "q | p & p sS q"),
    ("sF p", "X F p"), ("sO p", "Y O p"), ("sG p", "!sF !p"), ("sH p", "!sO !p"),
    ("X p", "false sU p"), ("Y p", "false sS p"), ("F p", "p | sF p"), ("H p", "p & sH p"),
    ("!X p", "!X true | X !p"), ("!Y p", "!Y true | Y !p"), ("Y X p", "p & Y true"), ("X Y p", "p & X true"),
    ("F (p | q)", "F p | F q"), ("G (p & q)", "G p & G q"), ("X (p U q)", "X p U X q"), ("F G p", "G F p"),
    ("p -> q", "!p | q"), ("p <-> q", "(p -> q) & (q -> p)"),
]  # fmt: skip

WRONG = [
    ("p U q", "p sU q"), ("p S q", "p sS q"), ("p U q", "p S q"), ("p U q", "p & X (p U q)"),
    ("p U q", "F q"), ("p U (q U r)", "(p U q) U r"), ("p sU q", "p U X q"), ("p sS q", "p S Y q"),
    ("G p", "!F p"), ("O p", "H p"), ("!X p", "X !p"), ("!Y p", "Y !p"), ("X Y p", "p"), ("Y X p", "p"),
    ("F p", "sF p"), ("O p", "sO p"), ("sG p", "X G p"), ("sH p", "Y H p"), ("G (p | q)", "G p | G q"),
    ("p -> q", "q -> p"), ("true", "X true"), ("true", "Y true"),
]  # fmt: skip


def differ_somewhere(one: str, two: str) -> bool:
    """Whether the formulas differ somewhere in a short string, in which p, q and r hold independently."""
    for length in range(1, 4):
        bits = np.array(list(product((False, True), repeat=3 * length)), dtype=np.bool_)
        planes = {name: bits[:, at * length : (at + 1) * length] for at, name in enumerate("pqr")}
        if (values(parse(one), planes) != values(parse(two), planes)).any():
            return True
    return False


@pytest.mark.strength
@pytest.mark.parametrize(("one", "two"), EQUIVALENCES)
def test_equivalences_are_proved(one: str, two: str) -> None:
    assert difference(one, two) == z3.unsat
    assert not differ_somewhere(one, two)


@pytest.mark.soundness
@pytest.mark.parametrize(("one", "two"), WRONG)
def test_wrong_equivalences_are_not_proved(one: str, two: str) -> None:
    assert difference(one, two) != z3.unsat
    assert differ_somewhere(one, two)


def test_bound_variables_are_readable_and_free_of_capture() -> None:
    p = UNINTERPRETED["p"]
    plain = first_order(parse("F p U p"), i, n, {"p": p})
    assert {"j1", "k1", "j2"} == set(bound_names(plain))
    j1, k2 = z3.Ints("j1 k2")
    atoms: dict[str, Predicate] = {"p": lambda at: z3.And(p(at), at != k2)}
    careful = first_order(parse("F p U p"), j1, n, atoms)
    assert set(bound_names(careful)) == {"j3", "k3", "j4"}
    # With i for j1 and some position beyond the string for k2 it says the same.
    same = z3.substitute(careful, (j1, i), (k2, n + 1))
    solver = z3.Solver()
    solver.set("rlimit", LIMIT)
    solver.add(i >= 1, i <= n, plain != same)
    assert solver.check() == z3.unsat


def bound_names(term: z3.ExprRef) -> list[str]:
    names = [term.var_name(at) for at in range(term.num_vars())] if isinstance(term, z3.QuantifierRef) else []
    return names + [name for child in term.children() for name in bound_names(child)]


def test_the_same_arguments_give_the_same_formula() -> None:
    formula = parse("(p U q) -> G (q S p)")
    one, two = (first_order(formula, i, n, UNINTERPRETED) for _ in range(2))
    assert one.sexpr() == two.sexpr()
    assert one.eq(two)


def test_another_context() -> None:
    context = z3.Context()
    position, last = z3.Ints("i n", context)
    held = z3.Function("p", z3.IntSort(context), z3.BoolSort(context))
    solver = z3.Solver(ctx=context)
    solver.add(position == 1, last == 1, first_order(parse("true & !F !p U X false"), position, last, {"p": held}))
    assert solver.check() == z3.unsat


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="found none for s"):
        first_order(parse("p U s"), i, n, UNINTERPRETED)
    for position, last in ((z3.Real("x"), n), (i, z3.Real("x"))):
        with pytest.raises(ValueError, match="expected integers"):
            first_order(parse("p"), position, last, UNINTERPRETED)


@pytest.mark.parametrize("head", ["X ", "F ", "q U ", "!", "q sS ", "q -> "])
def test_the_deepest_formulas(head: str) -> None:
    start = time.perf_counter()
    deep = parse(head * DEEPEST + "p")
    with shallow_stack():
        translated = first_order(deep, i, n, UNINTERPRETED)
    assert time.perf_counter() - start < 5
    if head == "X ":
        solver = z3.Solver()
        solver.add(i >= 1, n < DEEPEST, translated)
        assert solver.check() == z3.unsat


def test_shared_subformulas_are_translated_once() -> None:
    formula: Formula = Atom("p")
    for _ in range(100):
        formula = Binary("&", formula, formula)
    calls = []

    def held(at: z3.ArithRef) -> z3.BoolRef:
        calls.append(at)
        return UNINTERPRETED["p"](at)

    first_order(formula, i, n, {"p": held})
    assert len(calls) <= 2
