"""Formulas printed as SMT-LIB: read back they are the same, and no name of a theory is ever declared."""

from __future__ import annotations

import re

import pytest
import z3

from verifier.prove.smtlib import Printer, numeral, refutation, symbol_of

n, i, j = z3.Reals("n i j")
k, m = z3.Ints("k target")
phi = z3.Function("phi", z3.IntSort(), z3.BoolSort())


def same(formula: z3.BoolRef, names: dict[str, z3.ExprRef]) -> bool:
    """Whether the text, read by Z3's parser with our symbols for its own, is equivalent to the formula."""
    printer = Printer()
    text = printer.text(formula)
    declared = {symbol: names[name] for name, symbol in printer.names.items() if name in names}
    back = z3.parse_smt2_string(f"(assert {text})", decls=declared)
    solver = z3.Solver()
    solver.set("timeout", 10_000)
    (read,) = back
    # Formulas about strings: that none is a candidate at all is more than Z3 decides, so bodies are compared.
    if z3.is_quantifier(formula):
        return _body(read).eq(_body(formula))
    solver.add(z3.Xor(formula, read))
    return bool(solver.check() == z3.unsat)


def _body(formula: z3.ExprRef) -> z3.ExprRef:
    """The formula without its quantifiers; bound variables are numbers in Z3, so that their names do not count."""
    return _body(formula.body()) if z3.is_quantifier(formula) else formula


@pytest.mark.parametrize(
    "formula",
    [
        z3.And(n >= 1, i <= n), z3.Or(n < 1, z3.Not(i > n)), z3.Implies(n == i, j == i), z3.Xor(n > 1, i > 1),
        z3.If(n > i, n, i) >= j, n * n - 2 * n + 1 >= 0, -n <= z3.Q(-7, 3), z3.Distinct(n, i, j),
        n + z3.RealVal("-5/4") < 0, z3.BoolVal(True), z3.And(n > 0, z3.BoolVal(False)),
    ],
)  # fmt: skip
def test_real_formulas_are_read_back(formula: z3.BoolRef) -> None:
    assert same(formula, {"n": n, "i": i, "j": j})


@pytest.mark.parametrize(
    "formula",
    [
        z3.ForAll([k], z3.Implies(phi(k), k >= m)),
        z3.Exists([k], z3.And(phi(k), z3.Not(phi(m)))),
        z3.ForAll([k], z3.Exists([m], z3.And(k < m, phi(m)))),
        z3.ForAll([k, m], z3.Or(phi(k), k < m)),
        (k % 2 == 0) == phi(k),
        z3.ToReal(k) >= z3.RealVal(-3),
    ],
)
def test_formulas_about_strings_are_read_back(formula: z3.BoolRef) -> None:
    assert same(formula, {"k": k, "target": m, "phi": phi})


@pytest.mark.parametrize("name", ["exp", "sin", "select", "store", "abs", "mod", "real", "pi", "assert", "div"])
def test_inputs_never_become_functions_of_a_theory(name: str) -> None:
    symbol = symbol_of(name)
    assert symbol == f"input.{name}"
    text = refutation([z3.Function(name, z3.IntSort(), z3.BoolSort())(k)])
    assert f"(declare-fun {symbol} (Int) Bool)" in text


def test_nested_variables_of_one_name_stay_apart() -> None:
    inner = z3.Real("k")
    formula = z3.ForAll([k], z3.Exists([inner], z3.ToReal(k) < inner))
    outer_symbol, inner_symbol = re.findall(r"bound\.\d+(?= (?:Int|Real))", refutation([formula]))
    assert outer_symbol != inner_symbol
    assert f"(< (to_real {outer_symbol}) {inner_symbol})" in refutation([formula])


def test_symbols_are_distinct() -> None:
    names = ("n", "j*", "phi(j)", "phi(j*)", "phi", "selected(j)", "parameter c", "parameter phi", "s(i,j)", "s(i,j*)")
    assert len({symbol_of(name) for name in names}) == len(names)


def test_logics() -> None:
    for formulas, logic in (
        ([n >= 1], "QF_LRA"), ([n * i >= 1], "QF_NRA"), ([k >= 1], "QF_LIA"), ([k * m >= 1], "QF_NIA"),
        ([phi(k)], "QF_UFLIA"), ([z3.ForAll([k], phi(k))], "UFLIA"), ([n >= 1, k >= 1], "QF_LIRA"),
        ([2 * n >= 1], "QF_LRA"), ([z3.Bool("psi(j)")], "QF_UF"),
    ):  # fmt: skip
        assert f"(set-logic {logic})" in refutation(formulas)


def test_numerals() -> None:
    assert numeral(z3.RealVal("-7/3")) == "(- (/ 7.0 3.0))"
    assert numeral(z3.IntVal(-7)) == "(- 7)"
    assert numeral(z3.RealVal(4)) == "4.0"


@pytest.mark.parametrize("formula", [n / i >= 1, n**i >= 1, z3.ToInt(n) >= 1])
def test_other_operators_are_refused(formula: z3.BoolRef) -> None:
    with pytest.raises(ValueError, match="no place in an obligation"):
        refutation([formula])


def test_fresh_variables_are_numbered_anew_in_each_text() -> None:
    texts = set()
    for _ in range(3):
        u, v = z3.FreshReal("exp(-n)"), z3.FreshReal("ln(n)")
        texts.add(refutation([u > 0, v <= n - 1]))
    assert len(texts) == 1
