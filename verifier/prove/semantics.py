"""Obligations about the hard head: it computes the claim, and where nothing is selected every value is the default.

Statements about strings: positions are integers, inputs uninterpreted functions of a position, quantifiers range over
the keys. The case distinction (empty row; nothing selected; some key selected, and then a leftmost or rightmost one)
is complete because a row is finite. Scores do not occur, so the obligations are the same for every simulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import z3

from verifier.logic.first_order import first_order
from verifier.logic.syntax import Formula
from verifier.prove.arithmetic import Quotient, Translator, Value, at_most, equal
from verifier.prove.frame import parameter_facts, parameter_terms, plain, visible
from verifier.prove.solver import Obligation, Session, discharge, discharge_absence, holds, satisfiable
from verifier.spec.construction import Construction, Input, InputKind, Mask, Text, Tie
from verifier.spec.syntax import Expr, InputAt
from verifier.verdict import ObligationResult, Verdict

INTEGER = z3.IntSort()


@dataclass
class Strings:
    """A string as Z3 sees it: the length n, the query i, and every input as a function of a position."""

    construction: Construction
    session: Session
    n: z3.ArithRef = field(default_factory=lambda: z3.Int("n"))
    i: z3.ArithRef = field(default_factory=lambda: z3.Int("i"))
    _functions: dict[str, z3.FuncDeclRef] = field(default_factory=dict)

    def translator(self, key: z3.ArithRef) -> Translator:
        """A translator of expressions in which the key j is the given term."""
        one = z3.IntVal(1)
        terms: dict[str, Value] = {
            name: Quotient(term, one, True) for name, term in (("n", self.n), ("i", self.i), ("j", key))
        }
        parameters = parameter_terms(self.construction, INTEGER)

        def input_at(leaf: InputAt) -> Value:
            return self.input(leaf.name, tuple({"i": self.i, "j": key}[at] for at in leaf.positions))

        return Translator({**terms, **parameters}, input_at, self._sign, INTEGER, learn=self.session.learn)

    def input(self, name: str, positions: tuple[z3.ArithRef, ...]) -> Value:
        """The value of an input at positions."""
        kind = self.construction.input(name).kind
        range_ = {InputKind.BOOLEAN: z3.BoolSort(), InputKind.INTEGER: INTEGER}.get(kind, z3.RealSort())
        if name not in self._functions:
            self._functions[name] = z3.Function(name, *(INTEGER for _ in positions), range_)
        found = self._functions[name](*positions)
        one = z3.IntVal(1)
        return found if kind is InputKind.BOOLEAN else Quotient(found, one, kind is InputKind.INTEGER)

    def _sign(self, term: z3.ArithRef, facts: tuple[z3.BoolRef, ...]) -> int:
        if z3.is_int_value(term) or z3.is_rational_value(term):
            return int(z3.is_true(z3.simplify(term > 0))) - int(z3.is_true(z3.simplify(term < 0)))
        known = (
            *parameter_facts(self.construction, self.translator(z3.IntVal(0))),
            self.n >= 1,
            self.i >= 1,
            self.i <= self.n,
            *facts,
        )
        for sign, goal in ((1, term > 0), (-1, term < 0)):
            if holds(known, goal, self.session):
                statement = f"{plain(term)} is {'positive' if sign > 0 else 'negative'}"
                result = discharge(Obligation("sign", statement, known, goal), self.session)
                return sign if result.verdict == Verdict.PROVED else 0
        return 0

    def sees(self, key: z3.ArithRef) -> z3.BoolRef:
        """That the query sees the key."""
        return self.translator(key).boolean(visible(self.construction, "j"))

    def selects(self, key: z3.ArithRef) -> z3.BoolRef:
        """That the hard head selects the key; for argmax an uninterpreted predicate, of which only this is used: in
        a row that is not empty, some key has it."""
        select = self.construction.head.select
        return z3.Function("selected", INTEGER, z3.BoolSort())(key) if select is None else self._at(select.expr, key)

    def _at(self, expr: Expr, key: z3.ArithRef) -> z3.BoolRef:
        return self.translator(key).boolean(expr)

    def value(self, key: z3.ArithRef) -> Value:
        """The value of the key."""
        return self.translator(key).value(self.construction.head.value.expr)

    def facts(self) -> tuple[z3.BoolRef, ...]:
        """What holds of every string: ranges of n, i and the inputs, what is at position 0, and `requires`."""
        found = [self.n >= 1, self.i >= 1, self.i <= self.n]
        found.extend(parameter_facts(self.construction, self.translator(z3.IntVal(0))))
        if self.construction.requires is not None:
            found.append(self._at(self.construction.requires.expr, z3.IntVal(0)))
        for given in self.construction.inputs:
            found.extend(self._input_facts(given))
        return tuple(found)

    def _input_facts(self, given: Input) -> Iterator[z3.BoolRef]:
        if given.kind is InputKind.SCORE:
            return
        at_bos = self.input(given.name, (z3.IntVal(0),))
        if self.construction.head.bos:
            yield at_bos.numerator == 0 if isinstance(at_bos, Quotient) else z3.Not(at_bos)
        position = z3.Int(f"p_{given.name}")
        here = self.input(given.name, (position,))
        if isinstance(here, Quotient):
            if given.kind is InputKind.REAL:
                inside = z3.And(here.numerator >= 0, here.numerator <= 1)
            else:
                assert given.low is not None and given.high is not None
                translator = self.translator(position)
                low, high = translator.number(given.low), translator.number(given.high)
                inside = z3.And(at_most(low, here), at_most(here, high))
            yield z3.ForAll([position], z3.Implies(z3.And(position >= 1, position <= self.n), inside))


def semantic_results(construction: Construction, session: Session) -> tuple[ObligationResult, ...]:
    """Discharge every obligation about the hard head. Raises `Untranslatable` where one cannot be stated."""
    strings = Strings(construction, session)
    return (
        *_values_in_unit_interval(strings),
        *_uniqueness(strings),
        *_target_case(strings),
        *_unselected_case(strings),
        *_empty_case(strings),
    )


def _values_in_unit_interval(strings: Strings) -> Iterator[ObligationResult]:
    key = z3.Int("j")
    worth = _as_number(strings.value(key), strings, key)
    zero, one = rational_pair()
    goal = z3.And(at_most(zero, worth), at_most(worth, one))
    yield _discharged(strings, "values", "every visible value lies in [0, 1]", (strings.sees(key),), goal)


def rational_pair() -> tuple[Quotient, Quotient]:
    """The integers 0 and 1."""
    one = z3.IntVal(1)
    return Quotient(z3.IntVal(0), one, True), Quotient(one, one, True)


def _uniqueness(strings: Strings) -> Iterator[ObligationResult]:
    if strings.construction.head.tie is not Tie.UNIQUE or strings.construction.head.select is None:
        return
    first, second = z3.Ints("j1 j2")
    hypotheses = tuple(condition for key in (first, second) for condition in (strings.sees(key), strings.selects(key)))
    yield _discharged(strings, "unique", "at most one visible key is selected", hypotheses, first == second)


def _target_case(strings: Strings) -> Iterator[ObligationResult]:
    """A key is selected; the target is the leftmost, the rightmost, the only one, or any where all agree."""
    claim = strings.construction.claim.computes
    if claim is None:
        return
    target, key = z3.Int("target"), z3.Int("k")
    hypotheses: list[z3.BoolRef] = [strings.sees(target), strings.selects(target)]
    other = z3.And(strings.sees(key), strings.selects(key))
    tie = strings.construction.head.tie
    order = {Tie.LEFTMOST: target <= key, Tie.RIGHTMOST: key <= target}.get(tie)
    if order is not None:
        hypotheses.append(z3.ForAll([key], z3.Implies(other, order)))
    if tie is Tie.AVERAGE:
        agree = _same(strings, strings.value(target), target, strings.value(key), key)
        yield _discharged(
            strings, "semantics: selected values agree", "all selected keys have one value, which their mean is",
            (*hypotheses, other), agree,
        )  # fmt: skip
    goal = _claimed(strings, strings.value(target), target)
    statement = f"where a key is selected, the hard head outputs {strings.construction.claim.computes_text}"
    yield _discharged(strings, "semantics: selected", statement, tuple(hypotheses), goal)


def _unselected_case(strings: Strings) -> Iterator[ObligationResult]:
    """Keys are visible and none is selected: every visible value is the default, and the default is the claim."""
    if strings.construction.head.select is None:
        return  # argmax always selects
    key, witness = z3.Ints("k j")
    none = z3.ForAll([key], z3.Implies(strings.sees(key), z3.Not(strings.selects(key))))
    hypotheses = (none, strings.sees(witness))
    everything = (*strings.facts(), *hypotheses)
    if satisfiable(everything, strings.session) == z3.unsat:
        statement = "in every row that is not empty some key is selected"
        yield discharge_absence("semantics: some key is selected", statement, everything, strings.session)
        return
    default = strings.translator(witness).value(strings.construction.head.default.expr)
    agree = _same(strings, strings.value(witness), witness, default, witness)
    yield _discharged(
        strings, "default", "where nothing is selected, every visible value is the default", hypotheses, agree
    )
    if strings.construction.claim.computes is not None:
        statement = f"where nothing is selected, the default is {strings.construction.claim.computes_text}"
        goal = _claimed(strings, default, witness)
        yield _discharged(strings, "semantics: nothing selected", statement, hypotheses, goal)


def _empty_case(strings: Strings) -> Iterator[ObligationResult]:
    """A strict mask leaves one query without keys; the head then outputs 0."""
    head = strings.construction.head
    strict = head.mask in (Mask.STRICT_CAUSAL, Mask.STRICT_PAST)
    if not strict or (head.bos and head.mask is Mask.STRICT_CAUSAL) or strings.construction.claim.computes is None:
        return
    first, last = strings.construction.first_key, strings.n
    empty = strings.i <= first if head.mask is Mask.STRICT_CAUSAL else strings.i >= last
    statement = f"where no key is visible, 0 is {strings.construction.claim.computes_text}"
    goal = _claimed(strings, rational_pair()[0], strings.i)
    yield _discharged(strings, "semantics: empty row", statement, (empty,), goal)


def _claimed(strings: Strings, output: Value, key: z3.ArithRef) -> z3.BoolRef:
    """That the head's output (negated where the head says so) is what the claim computes at i."""
    claim = strings.construction.claim.computes
    assert claim is not None
    if strings.construction.head.negated:
        output = _complement(strings, output, key)
    if isinstance(claim, Text):
        return _same(strings, output, key, strings.translator(strings.i).value(claim.expr), strings.i)
    truth = _formula(strings, claim)
    if isinstance(output, Quotient):
        return equal(output, strings.translator(key).indicator(truth))
    return output == truth


def _formula(strings: Strings, formula: Formula) -> z3.BoolRef:
    def at(name: str) -> Callable[[z3.ArithRef], z3.BoolRef]:
        def holds_at(position: z3.ArithRef) -> z3.BoolRef:
            found = strings.input(name, (position,))
            assert not isinstance(found, Quotient)
            return found

        return holds_at

    booleans = [given.name for given in strings.construction.inputs if given.kind is InputKind.BOOLEAN]
    return first_order(formula, strings.i, strings.n, {name: at(name) for name in booleans})


def _complement(strings: Strings, output: Value, key: z3.ArithRef) -> Value:
    if not isinstance(output, Quotient):
        return z3.Not(output)
    return Quotient(output.denominator - output.numerator, output.denominator, output.integral)


def _as_number(found: Value, strings: Strings, key: z3.ArithRef) -> Quotient:
    return found if isinstance(found, Quotient) else strings.translator(key).indicator(found)


def _same(strings: Strings, left: Value, left_key: z3.ArithRef, right: Value, right_key: z3.ArithRef) -> z3.BoolRef:
    if isinstance(left, Quotient) or isinstance(right, Quotient):
        return equal(_as_number(left, strings, left_key), _as_number(right, strings, right_key))
    return left == right


def _discharged(
    strings: Strings, name: str, statement: str, hypotheses: tuple[z3.BoolRef, ...], goal: z3.BoolRef
) -> ObligationResult:
    obligation = Obligation(name, statement, (*strings.facts(), *hypotheses), goal)
    return discharge(obligation, strings.session)
