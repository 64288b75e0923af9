"""Expressions in Z3: rational functions over a common denominator, transcendental functions as variables with facts.

No division and no exponential reaches the solver. A number is a pair numerator / denominator whose denominator is
known to be positive; every denominator met on the way is recorded, so that its sign becomes an obligation. An
application of exp, ln, sqrt, sin or cos becomes a fresh variable, constrained only by true statements about it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import z3

from verifier.prove.balls import ball, enclosure, precision
from verifier.prove.lemmas import Data, Kind, Lemma
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, InputAt, Leaf, Number, Pi, Selected, Truth, Variable
from verifier.spec.types import constant


class Untranslatable(Exception):
    """The expression has a part that has no sound translation here; the obligation stays undecided."""


@dataclass(frozen=True)
class Quotient:
    """`numerator / denominator`, the denominator positive; `integral` says the value is known to be an integer."""

    numerator: z3.ArithRef
    denominator: z3.ArithRef
    integral: bool = False


Value: TypeAlias = "Quotient | z3.BoolRef"
Sign = Callable[[z3.ArithRef, tuple[z3.BoolRef, ...]], int]


@dataclass
class Translator:
    """Translates expressions, collecting facts about the variables it introduces.

    Args:
        variables: the values of i, j, n and the parameters (any name may be there).
        input_at: the value of an input at positions.
        selected: the value of `selected`, if it may occur.
        sort: the sort of positions and constants: integers for statements about strings, reals for inequalities,
            which Z3 decides better; a comparison between integers then keeps its distance of at least 1.
        sign: tells whether a term is positive (1), negative (-1) or neither for certain (0), given facts.
        exponential: further true facts about exp(x): from the argument's expression, its value, and the variable
            that stands for exp(x).
        learn: told of every lemma instance among the facts.
    """

    variables: Mapping[str, Value]
    input_at: Callable[[InputAt], Value]
    sign: Sign
    sort: z3.ArithSortRef
    selected: Value | None = None
    exponential: Callable[[Expr, Quotient, z3.ArithRef], list[z3.BoolRef]] | None = None
    learn: Callable[[Lemma], None] | None = None
    facts: list[z3.BoolRef] = field(default_factory=list)
    _known: dict[Expr, z3.ArithRef] = field(default_factory=dict)

    def number(self, expr: Expr) -> Quotient:
        """The expression as a number; a Boolean becomes 0 or 1."""
        value = self.value(expr)
        return value if isinstance(value, Quotient) else self.indicator(value)

    def boolean(self, expr: Expr) -> z3.BoolRef:
        """The expression as a Boolean."""
        value = self.value(expr)
        if isinstance(value, Quotient):
            raise Untranslatable("a number where a Boolean is expected")
        return value

    def value(self, expr: Expr) -> Value:
        """The expression; raises `Untranslatable`."""
        if isinstance(expr, Apply):
            if expr.operator == "not":
                return self._negation(expr.operands[0])
            if expr.operator == "iverson":
                return self.indicator(self.boolean(expr.operands[0]))
            if expr.operator == "ln":
                return self._logarithm(expr.operands[0])
            if expr.operator in _ABSTRACTED:
                return self._abstract(expr)
            if expr.operator == "^":
                return self._power(expr)
            return self._apply(expr.operator, tuple(self.value(operand) for operand in expr.operands))
        return self._leaf(expr)

    def _leaf(self, leaf: Leaf) -> Value:
        if isinstance(leaf, Number):
            return rational(leaf.value, self.sort)
        if isinstance(leaf, Truth):
            return z3.BoolVal(leaf.value)
        if isinstance(leaf, Variable) and leaf.name in self.variables:
            return self.variables[leaf.name]
        if isinstance(leaf, InputAt):
            return self.input_at(leaf)
        if isinstance(leaf, Selected) and self.selected is not None:
            return self.selected
        if isinstance(leaf, Pi):
            return self._fresh(leaf, lambda pi: self._pi(leaf, pi))
        raise Untranslatable(f"{leaf} has no value here")

    def _fresh(self, expr: Expr, facts: Callable[[z3.ArithRef], list[z3.BoolRef]]) -> Quotient:
        """A variable for the value of `expr`, the same one each time, with its facts."""
        if expr not in self._known:
            self._known[expr] = z3.FreshReal(to_text(expr))
            self.facts.extend(facts(self._known[expr]))
        return Quotient(self._known[expr], self.one())

    def _pi(self, leaf: Leaf, pi: z3.ArithRef) -> list[z3.BoolRef]:
        return self._learnt(Kind.PI, leaf, pi, [pi > z3.Q(333, 106), pi < z3.Q(355, 113)])

    def _learnt(
        self,
        kind: Kind,
        expr: Expr,
        variable: z3.ArithRef,
        facts: list[z3.BoolRef],
        argument: Quotient | None = None,
        data: Data | None = None,
    ) -> list[z3.BoolRef]:
        """The facts, after telling of the lemma they are an instance of."""
        if self.learn is not None:
            pair = None if argument is None else (argument.numerator, argument.denominator)
            self.learn(Lemma(kind, to_text(expr), variable, tuple(facts), pair, (), data or {}))
        return facts

    def one(self) -> z3.ArithRef:
        """The constant 1."""
        return _constant(1, self.sort)

    def indicator(self, condition: z3.BoolRef) -> Quotient:
        """[P] as a number."""
        return Quotient(z3.If(condition, self.one(), _constant(0, self.sort)), self.one(), True)

    def _negation(self, expr: Expr) -> z3.BoolRef:
        """Not the expression, pushed inwards, so that integer comparisons keep their distance over the reals."""
        if isinstance(expr, Apply) and expr.operator in _OPPOSITE:
            if any(not isinstance(self.value(operand), Quotient) for operand in expr.operands):
                return z3.Not(self.boolean(expr))
            return self.boolean(Apply(_OPPOSITE[expr.operator], expr.operands))
        if isinstance(expr, Apply) and expr.operator in ("and", "or"):
            parts = [self._negation(operand) for operand in expr.operands]
            return z3.Or(*parts) if expr.operator == "and" else z3.And(*parts)
        if isinstance(expr, Apply) and expr.operator == "not":
            return self.boolean(expr.operands[0])
        return z3.Not(self.boolean(expr))

    def _logarithm(self, argument: Expr) -> Quotient:
        """ln of a product is the sum of the factors' logarithms, so that equal logarithms are seen to be equal."""
        total = rational(Fraction(0), self.sort)
        for base, exponent in logarithm_factors(argument):
            known = self._abstract(Apply("ln", (base,)))
            total = _sum(total, _product(rational(Fraction(exponent), self.sort), known))
        return total

    def _abstract(self, expr: Apply) -> Quotient:
        argument = self.number(expr.operands[0])
        if expr.operator == "ln" and self._sign(argument.numerator) != 1:
            raise Untranslatable("the argument of ln is not known to be positive")
        if expr.operator == "sqrt" and self._sign(argument.numerator) != 1:
            raise Untranslatable("the argument of sqrt is not known to be positive")

        def facts(result: z3.ArithRef) -> list[z3.BoolRef]:
            known = []
            for kind, stated in _ABSTRACTED[expr.operator]:
                known += self._learnt(kind, expr, result, stated(argument, result), argument)
            value = constant(expr.operands[0])
            if expr.operator == "ln" and value is not None:
                known += self._ln_constant(expr, value, result)
            if expr.operator == "exp" and self.exponential is not None:
                known += self.exponential(expr.operands[0], argument, result)
            return known

        return self._fresh(expr, facts)

    def _ln_constant(self, expr: Expr, value: Fraction, result: z3.ArithRef) -> list[z3.BoolRef]:
        """A rational enclosure of the logarithm of a constant, by ball arithmetic."""
        with precision():
            known = ball(value).log()
            low, high = enclosure(known, above=False), enclosure(known, above=True)
        facts = [
            result >= z3.Q(low.numerator, low.denominator),
            result <= z3.Q(high.numerator, high.denominator),
        ]
        return self._learnt(Kind.LN_CONSTANT, expr, result, facts, None, {"value": value, "low": low, "high": high})

    def _sign(self, term: z3.ArithRef) -> int:
        return self.sign(term, tuple(self.facts))

    def _power(self, expr: Apply) -> Quotient:
        base = self.number(expr.operands[0])
        exponent = _whole(expr.operands[1])
        if exponent is None:  # a positive constant to a varying power
            return self._fresh(expr, lambda result: self._learnt(Kind.POWER, expr, result, [result > 0]))
        if exponent < 0:
            base = self._reciprocal(base)
        result = rational(Fraction(1), self.sort)
        for _ in range(abs(exponent)):
            result = _product(result, base)
        return result

    def _reciprocal(self, value: Quotient) -> Quotient:
        sign = self._sign(value.numerator)
        if sign == 0:
            raise Untranslatable("a denominator is not known to be positive, or to be negative")
        if sign == 1:
            return Quotient(value.denominator, value.numerator)
        return Quotient(-value.denominator, -value.numerator)

    def _cancelled(self, value: Quotient) -> Quotient:
        """The quotient without the factors that numerator and denominator share, where these are known positive."""
        above, below_ = _factors(value.numerator), _factors(value.denominator)
        shared = [factor for factor in below_ if not _is_numeral(factor) and any(factor.eq(other) for other in above)]
        found = False
        for factor in shared:
            if self._sign(factor) == 1 and any(factor.eq(other) for other in above):
                above, below_ = _without(above, factor), _without(below_, factor)
                found = True
        return Quotient(self._multiplied(above), self._multiplied(below_)) if found else value

    def _multiplied(self, factors: list[z3.ArithRef]) -> z3.ArithRef:
        total = self.one()
        for factor in factors:
            total = _times(total, factor)
        return total

    def _apply(self, operator: str, operands: tuple[Value, ...]) -> Value:
        if operator in _CONNECTIVES:
            return _CONNECTIVES[operator](*operands)
        if operator in ("=", "!=") and not any(isinstance(operand, Quotient) for operand in operands):
            equal = operands[0] == operands[1]
            return equal if operator == "=" else z3.Not(equal)
        numbers = tuple(operand if isinstance(operand, Quotient) else self.indicator(operand) for operand in operands)
        if operator in _COMPARE:
            return _COMPARE[operator](*numbers)
        if operator == "/":
            return self._cancelled(_product(numbers[0], self._reciprocal(numbers[1])))
        if operator == "mod":
            return self._remainder(*numbers)
        return _ARITHMETIC[operator](*numbers)

    def _remainder(self, dividend: Quotient, divisor: Quotient) -> Quotient:
        """Exact over the integers; over the reals only the remainder's range is kept, which is sound."""
        if self._sign(divisor.numerator) != 1:
            raise Untranslatable("a modulus is not known to be positive")
        if z3.is_int(dividend.numerator) and z3.is_int_value(divisor.numerator):
            return Quotient(dividend.numerator % divisor.numerator, self.one(), True)
        remainder = z3.FreshReal("remainder")
        self.facts.extend([remainder >= 0, remainder <= divisor.numerator - 1])
        return Quotient(remainder, self.one(), True)


def _whole(expr: Expr) -> int | None:
    value = constant(expr)
    return None if value is None else value.numerator


def logarithm_factors(argument: Expr) -> list[tuple[Expr, int]]:
    """A product as bases with whole exponents: ln of it is the sum of exponent * ln base, if every base is positive."""
    if isinstance(argument, Number) and argument.value > 0:
        found: list[tuple[Expr, int]] = []
        for part, sign in ((argument.value.numerator, 1), (argument.value.denominator, -1)):
            found += [(Number(Fraction(prime)), sign * power) for prime, power in _prime_powers(part)]
        return found
    if isinstance(argument, Apply) and argument.operator in ("*", "/"):
        left, right = (logarithm_factors(operand) for operand in argument.operands)
        sign = 1 if argument.operator == "*" else -1
        return left + [(base, sign * exponent) for base, exponent in right]
    if isinstance(argument, Apply) and argument.operator == "^" and (power := _whole(argument.operands[1])) is not None:
        return [(base, power * exponent) for base, exponent in logarithm_factors(argument.operands[0])]
    return [(argument, 1)]


def _prime_powers(value: int) -> list[tuple[int, int]]:
    """The factorization by small primes; what is left over counts as one factor."""
    found = []
    for prime in (2, 3, 5, 7, 11, 13):
        power = 0
        while value % prime == 0:
            value //= prime
            power += 1
        if power:
            found.append((prime, power))
    return [*found, (value, 1)] if value > 1 else found


def _constant(value: int, sort: z3.ArithSortRef) -> z3.ArithRef:
    return z3.IntVal(value) if sort == z3.IntSort() else z3.RealVal(value)


def rational(value: Fraction, sort: z3.ArithSortRef) -> Quotient:
    """A rational constant as a quotient of two whole numbers."""
    return Quotient(_constant(value.numerator, sort), _constant(value.denominator, sort), value.denominator == 1)


def _is_one(term: z3.ArithRef) -> bool:
    return bool(
        (z3.is_int_value(term) and term.as_long() == 1) or (z3.is_rational_value(term) and term.eq(z3.RealVal(1)))
    )


def _times(left: z3.ArithRef, right: z3.ArithRef) -> z3.ArithRef:
    if _is_one(left):
        return right
    return left if _is_one(right) else left * right


def _product(left: Quotient, right: Quotient) -> Quotient:
    return Quotient(
        _times(left.numerator, right.numerator),
        _times(left.denominator, right.denominator),
        left.integral and right.integral,
    )


def _is_numeral(term: z3.ArithRef) -> bool:
    return bool(z3.is_rational_value(term) or z3.is_int_value(term))


def _factors(term: z3.ArithRef) -> list[z3.ArithRef]:
    """The factors of a product, itself where it is none; 1 is left out."""
    if z3.is_mul(term):
        return [factor for child in term.children() for factor in _factors(child)]
    return [] if _is_one(term) else [term]


def _without(factors: list[z3.ArithRef], one: z3.ArithRef) -> list[z3.ArithRef]:
    """The factors with one occurrence less."""
    at = next(at for at, factor in enumerate(factors) if factor.eq(one))
    return factors[:at] + factors[at + 1 :]


def _crossed(left: Quotient, right: Quotient) -> tuple[z3.ArithRef, z3.ArithRef]:
    """Two terms that compare as the two quotients do, denominators being positive."""
    if left.denominator.eq(right.denominator):
        return left.numerator, right.numerator
    return _times(left.numerator, right.denominator), _times(right.numerator, left.denominator)


def _sum(left: Quotient, right: Quotient, sign: int = 1) -> Quotient:
    integral = left.integral and right.integral
    first, second = _crossed(left, right)
    shared = left.denominator.eq(right.denominator)
    denominator = left.denominator if shared else _times(left.denominator, right.denominator)
    return Quotient(first + second if sign > 0 else first - second, denominator, integral)


def _choose(condition: z3.BoolRef, left: Quotient, right: Quotient) -> Quotient:
    first, second = _crossed(left, right)
    shared = left.denominator.eq(right.denominator)
    denominator = left.denominator if shared else _times(left.denominator, right.denominator)
    return Quotient(z3.If(condition, first, second), denominator, left.integral and right.integral)


def at_most(left: Quotient, right: Quotient) -> z3.BoolRef:
    """left <= right."""
    first, second = _crossed(left, right)
    return first <= second


def below(left: Quotient, right: Quotient) -> z3.BoolRef:
    """left < right; between integers this is left + 1 <= right, which is stronger where integers are made reals."""
    first, second = _crossed(left, right)
    if left.integral and right.integral:
        step = left.denominator if left.denominator.eq(right.denominator) else (left.denominator * right.denominator)
        return first + step <= second
    return first < second


def equal(left: Quotient, right: Quotient) -> z3.BoolRef:
    """left = right."""
    first, second = _crossed(left, right)
    return first == second


def unequal(left: Quotient, right: Quotient) -> z3.BoolRef:
    """left != right."""
    return z3.Or(below(left, right), below(right, left))


def _minimum(*values: Quotient) -> Quotient:
    result = values[0]
    for value in values[1:]:
        result = _choose(at_most(result, value), result, value)
    return result


def _maximum(*values: Quotient) -> Quotient:
    result = values[0]
    for value in values[1:]:
        result = _choose(at_most(result, value), value, result)
    return result


_CONNECTIVES: Mapping[str, Callable[..., Value]] = {
    "and": z3.And,
    "or": z3.Or,
}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_COMPARE: Mapping[str, Callable[[Quotient, Quotient], z3.BoolRef]] = {
    "<=": at_most,
    ">=": lambda left, right: at_most(right, left),
    "<": below,
    ">": lambda left, right: below(right, left),
    "=": equal,
    "!=": unequal,
}
_ARITHMETIC: Mapping[str, Callable[..., Quotient]] = {
    "+": _sum,
    "-": lambda left, right: _sum(left, right, -1),
    "*": _product,
    "neg": lambda value: Quotient(-value.numerator, value.denominator, value.integral),
    "abs": lambda value: Quotient(
        z3.If(value.numerator >= 0, value.numerator, -value.numerator), value.denominator, value.integral
    ),
    "min": _minimum,
    "max": _maximum,
}


Stated = Callable[[Quotient, z3.ArithRef], "list[z3.BoolRef]"]


def _exp_positive(argument: Quotient, result: z3.ArithRef) -> list[z3.BoolRef]:
    """exp(x) > 0."""
    return [result > 0]


def _exp_tangent(argument: Quotient, result: z3.ArithRef) -> list[z3.BoolRef]:
    """exp(x) >= 1 + x."""
    return [result * argument.denominator >= argument.denominator + argument.numerator]


def _ln_facts(argument: Quotient, result: z3.ArithRef) -> list[z3.BoolRef]:
    """1 - 1/x <= ln x <= x - 1 for x > 0."""
    x, y = argument.numerator, argument.denominator
    return [_times(result, y) <= x - y, _times(result, x) >= x - y]


def _sqrt_facts(argument: Quotient, result: z3.ArithRef) -> list[z3.BoolRef]:
    """The root is the non-negative number whose square is x."""
    return [result >= 0, _times(result * result, argument.denominator) == argument.numerator]


def _unit_facts(argument: Quotient, result: z3.ArithRef) -> list[z3.BoolRef]:
    """Sines and cosines lie in [-1, 1]."""
    return [result >= -1, result <= 1]


_ABSTRACTED: Mapping[str, tuple[tuple[Kind, Stated], ...]] = {
    "exp": ((Kind.EXP_POSITIVE, _exp_positive), (Kind.EXP_TANGENT, _exp_tangent)),
    "ln": ((Kind.LN, _ln_facts),),
    "sqrt": ((Kind.SQRT, _sqrt_facts),),
    "sin": ((Kind.UNIT, _unit_facts),),
    "cos": ((Kind.UNIT, _unit_facts),),
}
