"""A score and a temperature in the form that weights can have.

A feature of a query or key is affine in position features and Booleans, and weights do not depend on n: where the
length multiplies a Boolean, as in 2n[selected], it must be a feature of the other side. SymPy multiplies the score
out; `verify` proves that the weights made of it are the score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy

from verifier.compile.errors import CompileError
from verifier.spec import build
from verifier.spec.construction import Construction, Simulation
from verifier.spec.syntax import Apply, Expr, mentions, subexpressions
from verifier.symbolic.translate import Unconvertible, bracket_symbol, symbol, to_sympy


@dataclass(frozen=True, order=True)
class Monomial:
    """A position feature: p^position · n^length · ln(n)^logarithm, p the position of the query or key."""

    position: int = 0
    length: int = 0
    logarithm: int = 0

    def expr(self, position: str) -> Expr:
        """The feature at the position `i` or `j`, as an expression."""
        factors = [build.power(build.variable(position), self.position)] if self.position else []
        if self.logarithm:
            factors.append(build.power(Apply("ln", (build.variable("n"),)), self.logarithm))
        if self.length > 0:
            factors.append(build.power(build.variable("n"), self.length))
        top = build.multiply(*factors, build.ONE)
        return top if self.length >= 0 else build.divide(top, build.power(build.variable("n"), -self.length))


ONE = Monomial()
Leaf = Monomial | Expr  # an expression is a Boolean one, and stands for its Iverson bracket
Affine = tuple[tuple[Leaf, Fraction], ...]
Polynomial = tuple[tuple[Monomial, Fraction], ...]


@dataclass(frozen=True)
class Bilinear:
    """score/τ = (Σ_r query_r(i) · key_r(j)) · inverse_temperature(n), without a common factor drawn out."""

    products: tuple[tuple[Affine, Affine], ...]
    inverse_temperature: Polynomial


@dataclass(frozen=True)
class _Term:
    coefficient: Fraction
    query: Leaf
    key: Leaf


def bilinear(construction: Construction, simulation: Simulation) -> Bilinear:
    """The score and the temperature of a simulation, with the parameters' values put in.

    Raises:
        CompileError: the score is not of the form above, or 1/τ is no polynomial in n and ln n.
    """
    try:
        values = {symbol(name): sympy.Rational(str(value)) for name, value in construction.values.items()}
        booleans = _booleans(simulation.score.expr)
        score = sympy.expand(to_sympy(simulation.score.expr).subs(values))
        inverse = sympy.expand(1 / to_sympy(simulation.temperature.expr).subs(values))
        terms = [_term(term, booleans) for term in sympy.Add.make_args(score)]
        polynomial = tuple(_length_part(term) for term in sympy.Add.make_args(inverse))
        return Bilinear(_grouped(terms), polynomial)
    except (Unconvertible, _Unsuitable) as fault:
        place = f"the simulation '{simulation.name}' of '{construction.name}'"
        raise CompileError(f"{place} has no fixed weights: {fault}") from None


class _Unsuitable(Exception):
    pass


def _booleans(score: Expr) -> dict[str, Expr]:
    """The conditions of the Iverson brackets by the names of the symbols that stand for them."""
    return {
        bracket_symbol(node.operands[0]).name: node.operands[0]
        for node in subexpressions(score)
        if isinstance(node, Apply) and node.operator == "iverson"
    }


def _term(term: sympy.Expr, booleans: Mapping[str, Expr]) -> _Term:
    coefficient = Fraction(1)
    length, query, key = ONE, ONE, ONE
    conditions: dict[str, list[Expr]] = {"i": [], "j": []}
    for factor in sympy.Mul.make_args(term):
        base, exponent = factor.as_base_exp()
        if factor.is_Rational:
            coefficient *= Fraction(int(factor.p), int(factor.q))
        elif not exponent.is_Integer:
            raise _Unsuitable(f"{factor} is no product of powers")
        elif base == symbol("n"):
            length = replace(length, length=int(exponent))
        elif base == sympy.log(symbol("n")):
            length = replace(length, logarithm=int(exponent))
        elif base == symbol("i"):
            query = Monomial(int(exponent))
        elif base == symbol("j"):
            key = Monomial(int(exponent))
        elif base.is_Symbol and base.name in booleans:
            condition = booleans[base.name]
            conditions["i" if mentions(condition, "i") else "j"].append(condition)
        else:
            raise _Unsuitable(f"{factor} is neither a power of a position or of n nor a Boolean")
    return _Term(coefficient, *_sides(term, length, query, key, conditions))


def _sides(
    term: sympy.Expr, length: Monomial, query: Monomial, key: Monomial, conditions: Mapping[str, list[Expr]]
) -> tuple[Leaf, Leaf]:
    """The query's and the key's feature. The length goes with a position; powers of 1/n first with the key's."""
    for condition, position in ((conditions["i"], query), (conditions["j"], key)):
        if len(condition) > 1 or (condition and position != ONE):
            raise _Unsuitable(f"the term {term} multiplies features of one side, which no affine map does")
    if not conditions["j"] and key != ONE:
        if conditions["i"]:
            return conditions["i"][0], _times(key, length)
        with_key = Monomial(length=max(length.length, -key.position) if length.length < 0 else length.length)
        rest = Monomial(length=length.length - with_key.length, logarithm=length.logarithm)
        return _times(query, rest), _times(key, with_key)
    if conditions["i"]:
        if length != ONE and conditions["j"]:
            raise _Unsuitable(f"the term {term} multiplies Booleans of both sides and the length")
        return conditions["i"][0], conditions["j"][0] if conditions["j"] else length
    return _times(query, length), conditions["j"][0] if conditions["j"] else key


def _times(one: Monomial, two: Monomial) -> Monomial:
    return Monomial(one.position + two.position, one.length + two.length, one.logarithm + two.logarithm)


def _length_part(term: sympy.Expr) -> tuple[Monomial, Fraction]:
    found = _term(term, {})
    if found.key != ONE or not isinstance(found.query, Monomial) or found.query.position:
        raise _Unsuitable(f"1/temperature has the term {term}")
    return found.query, found.coefficient


def _grouped(terms: Iterable[_Term]) -> tuple[tuple[Affine, Affine], ...]:
    """One product for each query feature, or one for each key feature, whichever are fewer."""
    by_query: dict[Leaf, dict[Leaf, Fraction]] = {}
    by_key: dict[Leaf, dict[Leaf, Fraction]] = {}
    for term in terms:
        keys, queries = by_query.setdefault(term.query, {}), by_key.setdefault(term.key, {})
        keys[term.key] = keys.get(term.key, Fraction(0)) + term.coefficient
        queries[term.query] = queries.get(term.query, Fraction(0)) + term.coefficient
    if len(by_key) < len(by_query):
        return tuple((tuple(queries.items()), ((key, Fraction(1)),)) for key, queries in by_key.items())
    return tuple((((query, Fraction(1)),), tuple(keys.items())) for query, keys in by_query.items())
