"""Obligations as SMT-LIB 2: our own printer, so that the text is the same in every run and means the same everywhere.

Every symbol of ours contains a dot or is a position, so that none has the name of a theory's function, whatever an
input is called. Numbers are exact; nothing is divided, save numerals; what stands for exp(x) is a plain variable.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import z3

POSITIONS: Mapping[str, str] = {"n": "n", "i": "i", "j": "j", "k": "k", "j*": "target", "target": "target"}
_FRESH = re.compile(r"(?P<meaning>.*)!\d+", re.DOTALL)
_FUNCTION = re.compile(r"[a-z]+")
_OPERATORS: Mapping[int, str] = {
    z3.Z3_OP_TRUE: "true", z3.Z3_OP_FALSE: "false", z3.Z3_OP_AND: "and", z3.Z3_OP_OR: "or", z3.Z3_OP_NOT: "not",
    z3.Z3_OP_IMPLIES: "=>", z3.Z3_OP_XOR: "xor", z3.Z3_OP_EQ: "=", z3.Z3_OP_IFF: "=", z3.Z3_OP_ITE: "ite",
    z3.Z3_OP_DISTINCT: "distinct", z3.Z3_OP_LE: "<=", z3.Z3_OP_LT: "<", z3.Z3_OP_GE: ">=", z3.Z3_OP_GT: ">",
    z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_UMINUS: "-", z3.Z3_OP_MUL: "*", z3.Z3_OP_MOD: "mod",
    z3.Z3_OP_TO_REAL: "to_real",
}  # fmt: skip
_NONLINEAR = frozenset((z3.Z3_OP_MUL, z3.Z3_OP_MOD))


@dataclass
class Printer:
    """Prints formulas, and notes which symbols and parts of logic they need.

    Args:
        names: the symbol of each constant and function, in the order met.
        meanings: what a symbol stands for, where its name does not say it.
    """

    names: dict[str, str] = field(default_factory=dict)
    meanings: dict[str, str] = field(default_factory=dict)
    declarations: dict[str, str] = field(default_factory=dict)
    quantified: bool = False
    functions: bool = False
    nonlinear: bool = False
    sorts: set[str] = field(default_factory=set)
    _printed: dict[int, str] = field(default_factory=dict)
    _kept: list[z3.ExprRef] = field(default_factory=list)

    def text(self, term: z3.ExprRef) -> str:
        """The term as SMT-LIB. Raises `ValueError` for an operator that no obligation has."""
        if z3.is_quantifier(term):
            return self._quantifier(term)
        key = term.get_id()
        if key not in self._printed:
            self._printed[key] = self._application(term)
            self._kept.append(term)  # an id is used again once its term is gone
        return self._printed[key]

    def _application(self, term: z3.ExprRef) -> str:
        if z3.is_rational_value(term) or z3.is_int_value(term):
            self.sorts.add(term.sort().name())
            return numeral(term)
        operands = [self.text(child) for child in term.children()]
        kind = term.decl().kind()
        if kind == z3.Z3_OP_UNINTERPRETED:
            symbol = self._symbol(term.decl())
            return f"({symbol} {' '.join(operands)})" if operands else symbol
        if kind not in _OPERATORS:
            raise ValueError(f"the operator {term.decl().name()} has no place in an obligation")
        if kind in _NONLINEAR and sum(not _constant(child) for child in term.children()) > 1:
            self.nonlinear = True
        operator = _OPERATORS[kind]
        return f"({operator} {' '.join(operands)})" if operands else operator

    def _symbol(self, function: z3.FuncDeclRef) -> str:
        name = function.name()
        if name not in self.names:
            domain = [function.domain(at).name() for at in range(function.arity())]
            self.sorts.update((function.range().name(), *domain))
            self.functions = self.functions or bool(domain)
            symbol = self._fresh_symbol(name)
            self.names[name] = symbol
            self.declarations[symbol] = f"(declare-fun {symbol} ({' '.join(domain)}) {function.range().name()})"
        return self.names[name]

    def _fresh_symbol(self, name: str) -> str:
        found = _FRESH.fullmatch(name)
        if found:
            meaning = found["meaning"]
            stem = _FUNCTION.match(meaning)
            number = sum(symbol in self.meanings for symbol in self.declarations) + 1
            symbol = f"{stem[0] if stem else 'value'}.{number}"
            self.meanings[symbol] = meaning
            return symbol
        return symbol_of(name)

    def _quantifier(self, term: z3.QuantifierRef) -> str:
        self.quantified = True
        variables = []
        body = term.body()
        # Names of their own, so that no bound variable hides a free one.
        fresh = []
        for at in range(term.num_vars()):
            sort = term.var_sort(at)
            self.sorts.add(sort.name())
            fresh.append(z3.FreshConst(sort, "bound"))
            symbol = f"bound.{len(self.names)}"
            self.names[fresh[-1].decl().name()] = symbol
            variables.append(f"({symbol} {sort.name()})")
        self._kept += fresh
        inner = self.text(z3.substitute_vars(body, *reversed(fresh)))
        return f"({'forall' if term.is_forall() else 'exists'} ({' '.join(variables)}) {inner})"

    def logic(self) -> str:
        """The SMT-LIB logic of everything printed so far."""
        numbers = self.sorts & {"Int", "Real"}
        arithmetic = {frozenset(): "", frozenset({"Int"}): "IA", frozenset({"Real"}): "RA"}.get(
            frozenset(numbers), "IRA"
        )
        linear = ("N" if self.nonlinear else "L") + arithmetic if arithmetic else ""
        return ("" if self.quantified else "QF_") + ("UF" if self.functions or not arithmetic else "") + linear


def symbol_of(name: str) -> str:
    """The symbol of a variable: a position as it is, a parameter and an input with a prefix and a dot."""
    if name in POSITIONS:
        return POSITIONS[name]
    if name.startswith("parameter "):
        return "parameter." + name.removeprefix("parameter ")
    head, _, rest = name.partition("(")
    places = [POSITIONS[place] for place in rest.rstrip(")").split(",")] if rest else []
    return ".".join(("input", head, *places)) if head != "selected" else ".".join(("is", head, *places))


def numeral(term: z3.ExprRef) -> str:
    """An exact number; a real one has a decimal point, a fraction is a quotient of two numerals."""
    if z3.is_int_value(term):
        value = int(term.as_long())
        return str(value) if value >= 0 else f"(- {-value})"
    top, bottom = int(term.numerator_as_long()), int(term.denominator_as_long())
    size = f"{abs(top)}.0" if bottom == 1 else f"(/ {abs(top)}.0 {bottom}.0)"
    return size if top >= 0 else f"(- {size})"


def _constant(term: z3.ExprRef) -> bool:
    return z3.is_rational_value(term) or z3.is_int_value(term) or (
        term.num_args() > 0 and term.decl().kind() in _OPERATORS and all(_constant(child) for child in term.children())
    )  # fmt: skip


def refutation(formulas: Iterable[z3.BoolRef]) -> str:
    """A whole script for formulas that are to be shown contradictory."""
    printer = Printer()
    return script([printer.text(formula) for formula in formulas], printer=printer)


def script(
    bodies: Iterable[str],
    *,
    printer: Printer,
    comments: Iterable[str] = (),
    notes: Iterable[str] = (),
    status: str = "unsat",
) -> str:
    """A whole script: what `printer` has printed as assertions, one a line, and one check-sat.

    Args:
        bodies: the asserted terms.
        printer: printed them, and so knows their symbols and their logic.
        comments: what stands first.
        notes: for each assertion a comment, or an empty text.
        status: the answer expected.
    """
    lines = [f"; {line}".rstrip() for text in comments for line in text.split("\n")]
    lines += [f"(set-info :status {status})", f"(set-logic {printer.logic()})"]
    for symbol, declaration in printer.declarations.items():
        meaning = printer.meanings.get(symbol)
        lines += [f"; {symbol} stands for {meaning}"] if meaning else []
        lines.append(declaration)
    for body, note in itertools.zip_longest(bodies, notes, fillvalue=""):
        lines += [f"; {note}"] if note else []
        lines.append(f"(assert {body})")
    return "\n".join((*lines, "(check-sat)", ""))
