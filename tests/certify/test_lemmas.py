"""The texts of lemmas say what was told to Z3, and their numbers are confirmed or refused."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from verifier.certify.lemma_check import faults
from verifier.certify.lemma_text import KINDS, LemmaText, assertions, numeral
from verifier.certify.render import Renderer, _lemma_text
from verifier.certify.scripts import Script
from verifier.prove.exponentials import upper_bound
from verifier.prove.lemmas import Kind, Lemma
from verifier.prove.proof import prove
from verifier.prove.smtlib import Printer
from verifier.prove.solver import Session
from verifier.spec import library
from verifier.spec.loader import load_file


def test_both_sides_know_the_same_lemmas() -> None:
    assert set(KINDS) == {str(kind) for kind in Kind}


@pytest.mark.parametrize("name", ["once", "until", "average-attention-perturbed"])
def test_texts_are_equivalent_to_what_z3_was_told(name: str) -> None:
    """Z3 reads the text back and proves it equivalent to the fact itself."""
    lemmas: list[Lemma] = []
    construction = load_file(library.find(name))
    for simulation in construction.simulations:
        prove(construction, simulation, 1, session=Session(learn=lemmas.append))
    assert {str(lemma.kind) for lemma in lemmas} >= {"exp tail", "exp positive", "exp tangent"}
    for lemma in lemmas:
        printer = Printer()
        text = _lemma_text(lemma, printer)
        for fact, said in zip(lemma.facts, assertions(text), strict=True):
            printer.text(fact)
            symbols = {printer.names[name]: z3.Real(name) for name in printer.names}
            (back,) = z3.parse_smt2_string(f"(assert {said})", decls=symbols)
            assert back.decl().kind() == fact.decl().kind()
            (left, right), (first, second) = back.children(), fact.children()
            difference = z3.simplify((left - right) - (first - second), som=True)
            assert difference.eq(z3.RealVal(0)), said


def instance(kind: str, **numbers: Fraction) -> LemmaText:
    return LemmaText(kind, "exp.1", "exp(-n)", "n", "1.0", (), numbers)


def found(lemma: LemmaText) -> list[str]:
    script = Script("unsat", "QF_NRA", ("n", "exp.1"), assertions(lemma))
    return [fault for fault in faults(lemma, script, {}) if "ball arithmetic" in fault]


@pytest.mark.soundness
@given(st.fractions(min_value=-20, max_value=200, max_denominator=1000))
def test_upper_bounds_of_exponentials(offset: Fraction) -> None:
    upper = upper_bound(offset)
    good = instance("exp tail", degree=Fraction(1), offset=offset, upper=upper)
    assert found(good) == []
    below = upper * (1 - Fraction(1, 2**60))
    assert found(instance("exp tail", degree=Fraction(1), offset=offset, upper=below)) != []


@pytest.mark.soundness
def test_enclosures_of_logarithms() -> None:
    low, high = Fraction(693147, 10**6), Fraction(693148, 10**6)
    assert low < math.log(2) < high
    assert found(instance("ln constant", value=Fraction(2), low=low, high=high)) == []
    for value, least, most in ((2, high, high), (2, low, low), (3, low, high), (0, low, high), (-2, low, high)):
        assert found(instance("ln constant", value=Fraction(value), low=least, high=most)) != []


@given(st.fractions())
def test_numerals_are_exact(value: Fraction) -> None:
    solver = z3.Solver()
    solver.from_string(f"(declare-fun x () Real)(assert (= x {numeral(value)}))")
    assert solver.check() == z3.sat
    known = solver.model()[z3.Real("x")]
    assert Fraction(known.numerator_as_long(), known.denominator_as_long()) == value


def test_a_fact_is_written_as_its_lemma() -> None:
    from verifier.prove.solver import Obligation

    n, u = z3.Real("n"), z3.FreshReal("exp(-n)")
    lemma = Lemma(Kind.EXP_POSITIVE, "exp(-n)", u, (u > 0,))
    text = Renderer([lemma]).render(Obligation("x", "u + n > 0", (n >= 1, u > 0), u + n > 0)).text
    assert "; lemma, exp positive\n(assert (> exp.1 0.0))\n" in text
    assert "; exp.1 stands for exp(-n)\n(declare-fun exp.1 () Real)\n" in text
