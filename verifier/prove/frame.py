"""The setting of the arithmetic obligations: positions, inputs and parameters as Z3 terms, with what is true of them.

Positions are real variables whose comparisons keep their integer distance (see `arithmetic`), so that every
inequality is one of real polynomial arithmetic. What is proved of all reals in the ranges is true of the integers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

import z3

from verifier.prove.arithmetic import Quotient, Translator, Untranslatable, Value, at_most, equal, rational
from verifier.prove.solver import Obligation, Session, discharge, holds
from verifier.spec import build
from verifier.spec.build import compare, conjunction, number, variable
from verifier.spec.construction import Construction, Head, Input, InputKind, Mask
from verifier.spec.syntax import Expr, InputAt, expand_selected, rename_position
from verifier.spec.types import Type
from verifier.verdict import ObligationResult, Verdict

TARGET = "j*"  # no identifier of the expression language, so that no parameter can take its name
POSITIONS = ("i", "j", TARGET)
REAL = z3.RealSort()


def visible(construction: Construction, key: str) -> Expr:
    """That the query i may see the key."""
    j, i, n = variable(key), variable("i"), variable("n")
    within = [compare("<=", number(construction.first_key), j), compare("<=", j, n)]
    mask = construction.head.mask
    if mask is not Mask.NONE:
        within.append(compare(mask.value.split()[1], j, i))
    return conjunction(*within)


def selected(head: Head, key: str) -> Expr:
    """That the hard head selects the key; for argmax, a Boolean of its own that `Frame` ties to the scores."""
    return InputAt("selected", (key,)) if head.select is None else rename_position(head.select.expr, "j", key)


def value(head: Head, key: str) -> Expr:
    """The value of the key."""
    return rename_position(head.value.expr, "j", key)


def written_out(construction: Construction, expr: Expr, key: str) -> Expr:
    """An expression about the key j as one about `key`, with `selected` replaced by what it stands for."""
    return rename_position(expand_selected(expr, selected(construction.head, "j")), "j", key)


@dataclass
class Frame:
    """Z3 terms for n, i, j and the target t, and the facts that hold of every string.

    Args:
        construction: whose inputs and parameters these are.
        limits: for the small questions that translation asks: the sign of a denominator.
        lowest: the least n considered.
        last_row: whether i = n, for heads whose every row is the last row of a prefix.
        signs: the obligations on which the signs of denominators rest.
    """

    construction: Construction
    session: Session
    lowest: int = 1
    last_row: bool = False
    signs: list[ObligationResult] = field(default_factory=list)
    translator: Translator = field(init=False)
    domain: tuple[z3.BoolRef, ...] = field(init=False)
    _values: dict[InputAt, Value] = field(default_factory=dict)
    _signs: dict[tuple[str, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = ("n", *POSITIONS)
        terms = {name: Quotient(z3.Real(name), rational_one(), True) for name in names}
        parameters = parameter_terms(self.construction, REAL)
        self.translator = Translator({**terms, **parameters}, self._input, self._sign, REAL, learn=self.session.learn)
        self.domain = tuple(parameter_facts(self.construction, self.translator))
        self.domain += tuple(self._ranges())
        self.domain += tuple(self._agreement())
        if self.construction.requires is not None:
            self.domain += (self.translator.boolean(self.construction.requires.expr),)

    def _ranges(self) -> Iterable[z3.BoolRef]:
        n, i = z3.Real("n"), z3.Real("i")
        yield from (n >= self.lowest, i >= 1, i <= n)
        if self.last_row:
            yield i == n
        for key in ("j", TARGET):
            yield from (self.construction.first_key <= z3.Real(key), z3.Real(key) <= n)

    def _agreement(self) -> Iterable[z3.BoolRef]:
        """Inputs lie in their ranges, and are the same at positions that are the same."""
        for given in self.construction.inputs:
            if given.kind is InputKind.SCORE:
                continue
            for at, position in enumerate(POSITIONS):
                yield from self._input_facts(given, position)
                for other in POSITIONS[:at]:
                    same = z3.Real(position) == z3.Real(other)
                    yield z3.Implies(same, _same(self._at(given, position), self._at(given, other)))

    def _at(self, given: Input, position: str) -> Value:
        return self._input(InputAt(given.name, (position,)))

    def _input_facts(self, given: Input, position: str) -> Iterable[z3.BoolRef]:
        here = self._at(given, position)
        at_bos = z3.Real(position) == 0
        bos = self.construction.head.bos and position != "i"
        if not isinstance(here, Quotient):
            if bos:
                yield z3.Implies(at_bos, z3.Not(here))
            return
        if given.kind is InputKind.REAL:
            inside = z3.And(here.numerator >= 0, here.numerator <= 1)
        else:
            assert given.low is not None and given.high is not None
            low, high = (self.translator.number(bound) for bound in (given.low, given.high))
            inside = z3.And(at_most(low, here), at_most(here, high))
        yield z3.If(at_bos, here.numerator == 0, inside) if bos else inside

    def _input(self, leaf: InputAt) -> Value:
        if leaf not in self._values:
            name = f"{leaf.name}({','.join(leaf.positions)})"
            kind = InputKind.BOOLEAN if leaf.name == "selected" else self.construction.input(leaf.name).kind
            boolean = kind is InputKind.BOOLEAN
            integral = kind is InputKind.INTEGER
            fresh: Value = z3.Bool(name) if boolean else Quotient(z3.Real(name), rational_one(), integral)
            self._values[leaf] = fresh
        return self._values[leaf]

    def _sign(self, term: z3.ArithRef, facts: tuple[z3.BoolRef, ...]) -> int:
        if z3.is_rational_value(term):
            numerator = int(term.numerator_as_long())
            return (numerator > 0) - (numerator < 0)
        asked = (term.sexpr(), len(facts))
        if asked not in self._signs:
            known = (*getattr(self, "domain", ()), *facts)
            self._signs[asked] = self._ask_sign(term, known)
        return self._signs[asked]

    def positive(self, value: Quotient) -> bool:
        """Whether a number is known to be positive, which then is an obligation of its own."""
        return self._sign(value.numerator, tuple(self.translator.facts)) == 1

    def _ask_sign(self, term: z3.ArithRef, known: tuple[z3.BoolRef, ...]) -> int:
        """The sign, as an obligation of its own where it is known."""
        for sign, goal in ((1, term > 0), (-1, term < 0)):
            if holds(known, goal, self.session):
                statement = f"{plain(term)} is {'positive' if sign > 0 else 'negative'}"
                self.signs.append(discharge(Obligation("sign", statement, known, goal), self.session))
                return sign if self.signs[-1].verdict == Verdict.PROVED else 0
        return 0

    def facts(self) -> tuple[z3.BoolRef, ...]:
        """Everything that holds of every string: ranges, agreement of inputs, and facts about fresh variables."""
        return (*self.domain, *self.translator.facts)

    def boolean(self, expr: Expr) -> z3.BoolRef:
        """A Boolean expression over n, i, j, t."""
        return self.translator.boolean(expr)

    def number(self, expr: Expr) -> Quotient:
        """A numeric expression over n, i, j, t."""
        return self.translator.number(expr)


def parameter_terms(construction: Construction, sort: z3.ArithSortRef) -> dict[str, Value]:
    """Every parameter's value as a constant, or as a variable where it ranges."""
    terms: dict[str, Value] = {name: rational(given, sort) for name, given in construction.values.items()}
    for parameter in construction.open_parameters:
        integral = parameter.type is Type.INTEGER
        # The name has a blank, which no identifier has.
        name = f"parameter {parameter.name}"
        term = z3.Int(name) if integral and sort == z3.IntSort() else z3.Real(name)
        terms[parameter.name] = Quotient(term, rational(Fraction(1), sort).numerator, integral)
    return terms


def parameter_facts(construction: Construction, translator: Translator) -> Iterable[z3.BoolRef]:
    """That parameters that range are at least their minimum and in their domain."""
    for parameter in construction.open_parameters:
        assert parameter.minimum is not None
        least = build.compare(">=", variable(parameter.name), number(parameter.minimum))
        yield translator.boolean(least)
        if parameter.domain is not None:
            yield translator.boolean(parameter.domain)


def plain(term: z3.ArithRef) -> str:
    """The term on one line, without the numbers that make the names of fresh variables unique."""
    return " ".join(re.sub(r"!\d+", "", str(term)).split())


def rational_one() -> z3.ArithRef:
    """The real constant 1."""
    return z3.RealVal(1)


def _same(left: Value, right: Value) -> z3.BoolRef:
    if isinstance(left, Quotient) and isinstance(right, Quotient):
        return equal(left, right)
    if isinstance(left, Quotient) or isinstance(right, Quotient):
        raise Untranslatable("an input that is both a number and a Boolean")
    return left == right
