"""Factoring a score into query and key features: is it a dot product, and what must the position features be?

A score is realizable when it is a finite sum of products q_r(i) k_r(j) whose features are affine in position features
and in Booleans. SymPy multiplies the score out; every term must then be a factor of the query times one of the key.
The factorization is a proposal: that it equals the score, Z3 says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import sympy

from verifier.spec.construction import Construction, InputKind, Simulation
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, InputAt, expand_selected, leaves, mentions, subexpressions
from verifier.symbolic.limits import bounded
from verifier.symbolic.translate import (
    Unconvertible,
    bracket_symbol,
    from_sympy,
    input_symbol,
    symbol,
    to_sympy,
)

LONGEST_SHOWN = 80


@dataclass(frozen=True)
class Feature:
    """A position feature: a function of one position and n, with its growth in n."""

    text: str
    growth: str


@dataclass(frozen=True)
class Factorization:
    """score = sum of query * key over `products`.

    Args:
        products: pairs of expressions, the first about i, the second about j, both about n and the parameters.
        features: the position features that the products read.
        fault: why the score is no dot product, naming the term; empty if it is one.
    """

    products: tuple[tuple[Expr, Expr], ...]
    features: tuple[Feature, ...]
    fault: str = ""

    @property
    def key_dimension(self) -> int:
        """d_key, the number of products; at least 1."""
        return max(1, len(self.products))


class _Fault(Unconvertible):
    pass


def factor(construction: Construction, simulation: Simulation) -> Factorization:
    """Factor a simulation's score; a score that is no dot product gets a `fault` and no products."""
    score = simulation.score.expr
    given = any(isinstance(leaf, InputAt) and len(leaf.positions) == 2 for leaf in leaves(score))
    try:
        return _beside_given_scores(construction, score) if given else _factored(construction, score)
    except Unconvertible as fault:
        return Factorization((), (), str(fault))


@bounded
def _factored(construction: Construction, score: Expr) -> Factorization:
    names = _names(construction, score)
    terms = sympy.Add.make_args(sympy.expand(to_sympy(score)))
    split = [_split(construction, term, names) for term in terms]
    grouped = _grouped(split)
    products = tuple((from_sympy(query, names), from_sympy(key, names)) for query, key in grouped)
    return Factorization(products, _features(split))


@bounded
def _beside_given_scores(construction: Construction, score: Expr) -> Factorization:
    """A score given as an input is taken to be realizable; only what is added to it is factored."""
    names = _names(construction, score)
    expanded = sympy.expand(to_sympy(score))
    scores = [given.name for given in construction.inputs if given.kind is InputKind.SCORE]
    given = [input_symbol(InputAt(name, ("i", "j"))) for name in scores]
    rest = sympy.expand(expanded.subs(dict.fromkeys(given, 0)))
    for one in given:
        if expanded.coeff(one).free_symbols & {symbol("i"), symbol("j")} or expanded.coeff(one, 2) != 0:
            raise _Fault(f"the given score {one} is not added as it is")
    scaled = [_Term(expanded.coeff(one), sympy.Integer(1), sympy.Integer(1), False, False) for one in given]
    split = [_split(construction, term, names) for term in sympy.Add.make_args(rest) if term != 0]
    own = tuple((from_sympy(query, names), from_sympy(key, names)) for query, key in _grouped(split))
    kept = tuple(
        (from_sympy(expanded.coeff(one), names), InputAt(name, ("i", "j")))
        for name, one in zip(scores, given, strict=True)
    )
    return Factorization((*kept, *own), _features([*scaled, *split]))


def _names(construction: Construction, score: Expr) -> dict[str, Expr]:
    """What the symbols for brackets and inputs in the translated score stand for."""
    names: dict[str, Expr] = {}
    for node in subexpressions(score):
        if isinstance(node, Apply) and node.operator == "iverson":
            names[bracket_symbol(node.operands[0]).name] = node
        if isinstance(node, InputAt):
            names[input_symbol(node).name] = node
    return names


@dataclass(frozen=True)
class _Term:
    """One term of the score: a coefficient in n and parameters, and what belongs to the query and to the key."""

    coefficient: sympy.Expr
    query: sympy.Expr
    key: sympy.Expr
    key_is_position: bool
    query_is_position: bool


def _split(construction: Construction, term: sympy.Expr, names: dict[str, Expr]) -> _Term:
    coefficient, query, key = sympy.Integer(1), sympy.Integer(1), sympy.Integer(1)
    kinds: dict[str, set[str]] = {"i": set(), "j": set()}
    for base in sympy.Mul.make_args(term):
        where, kind = _place(construction, base, names, term)
        if where == "":
            coefficient *= base
            continue
        kinds[where].add(kind)
        if where == "i":
            query *= base
        else:
            key *= base
    for where, found in kinds.items():
        if len(found) > 1:
            whose = "query" if where == "i" else "key"
            message = f"multiplies a position and an input of the {whose}, which no affine map does"
            raise _Fault(f"the term {_short(term)} {message}")
    if kinds["j"] == {"input"}:
        # The length is a position feature like any other: no affine map multiplies it with a Boolean of the key.
        fixed, varying = coefficient.as_independent(symbol("n"))
        if "input" in kinds["i"] and varying != 1:
            raise _Fault(f"the term {_short(term)} multiplies the length and inputs of both query and key")
        coefficient, query = fixed, query * varying
    return _Term(coefficient, query, key, "position" in kinds["j"], "position" in kinds["i"] or query.has(symbol("n")))


def _place(construction: Construction, base: sympy.Expr, names: dict[str, Expr], term: sympy.Expr) -> tuple[str, str]:
    """Whether a factor belongs to the query, the key or neither, and whether it is a position or an input."""
    positions: set[str] = set()
    kind = "position"
    for found in base.free_symbols:
        if found in (symbol("i"), symbol("j")):
            positions.add(found.name)
        elif found.name in names:
            written = _written(construction, names[found.name])
            positions |= {position for position in ("i", "j") if mentions(written, position)}
            if any(isinstance(leaf, InputAt) for leaf in leaves(written)):
                kind = "input"
    if len(positions) == 2:
        message = f"is no product of a query feature and a key feature: {_short(base)} depends on both"
        raise _Fault(f"the term {_short(term)} {message}")
    return (positions.pop() if positions else ""), kind


def _short(expr: sympy.Expr) -> str:
    shown = str(expr)
    return shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}..."


def _written(construction: Construction, named: Expr) -> Expr:
    select = construction.head.select
    return expand_selected(named, select.expr) if select is not None else named


def _grouped(terms: Iterable[_Term]) -> list[tuple[sympy.Expr, sympy.Expr]]:
    """One product for each query part: (query, sum of the keys with their coefficients); or the other way round,
    whichever needs fewer."""
    terms = list(terms)
    by_query: dict[sympy.Expr, sympy.Expr] = {}
    by_key: dict[sympy.Expr, sympy.Expr] = {}
    for term in terms:
        by_query[term.query] = by_query.get(term.query, 0) + term.coefficient * term.key
        by_key[term.key] = by_key.get(term.key, 0) + term.coefficient * term.query
    if len(by_key) < len(by_query):
        return [(query, key) for key, query in by_key.items()]
    return list(by_query.items())


def _features(terms: Iterable[_Term]) -> tuple[Feature, ...]:
    """The position features of the products: powers of 1/n go to the query as far as they keep it bounded, and
    to the key beyond that; a coefficient that varies with n and meets no position is a feature of the query."""
    found: dict[str, Feature] = {}
    n = symbol("n")
    for term in terms:
        varying = term.coefficient.as_independent(n)[1]
        query, key = term.query, term.key
        shared = min(_power_of_n(query), -_power_of_n(varying))
        if shared > 0:
            query, varying = query / n**shared, varying * n**shared
        if term.key_is_position:
            _record(found, varying * key)
        elif varying.has(n):
            query = query * varying
        if term.query_is_position or (not term.key_is_position and varying.has(n)):
            _record(found, query)
    return tuple(found.values())


def _power_of_n(expr: sympy.Expr) -> int:
    """The whole power of n with which an expression grows, or falls (negative), positions and counts being up to n."""
    order = _order(expr)
    return 0 if order is None else round(order)


def _record(found: dict[str, Feature], expr: sympy.Expr) -> None:
    try:
        text = to_text(from_sympy(expr))
    except Unconvertible:
        text = str(expr)
    found[text] = Feature(text, growth(expr))


def growth(expr: sympy.Expr) -> str:
    """How the greatest size of an expression in n, with i and j up to n, grows; by sampling, for the report alone."""
    try:
        order = bounded(_order)(expr)
    except Unconvertible:
        order = None
    if order is None:
        return "unknown"
    if order < 0.02:
        return "bounded"
    if order < 0.2:
        return "logarithmic"
    names = {1: "linear", 2: "quadratic", 3: "cubic"}
    whole = round(order)
    return names.get(whole, f"n^{whole}") if abs(order - whole) < 0.05 else f"n^{order:.2g}"


def _order(expr: sympy.Expr) -> float | None:
    """The exponent with which an expression grows from n = 10^6 to 10^12; None where that makes no sense."""
    n = symbol("n")
    expr = expr.subs(dict.fromkeys(expr.atoms(sympy.sin, sympy.cos), 1))  # no sample tells how large they become
    at_end = {found: n for found in expr.free_symbols if found in (symbol("i"), symbol("j")) or "(i)" in found.name}
    curve = expr.subs(at_end)
    curve = curve.subs({found: sympy.Integer(1) for found in curve.free_symbols - {n}})
    if n not in curve.free_symbols:
        return 0.0 if curve.is_finite else None
    # Floats, since SymPy would write out 2^(10^12) exactly.
    sizes = [abs(complex(curve.subs(n, sympy.Float(10**power)).evalf())) for power in (6, 12)]
    if 0 in sizes or not all(map(math.isfinite, sizes)):
        return None
    return math.log10(sizes[1] / sizes[0]) / 6


def key_dimension(construction: Construction, simulation: Simulation) -> int:
    """d_key, the number of products in the score's factorization; 1 where the score is no dot product."""
    return factor(construction, simulation).key_dimension


def inverse_temperature_growth(simulation: Simulation) -> str:
    """The growth of 1/tau(n)."""
    return growth(1 / to_sympy(simulation.temperature.expr))
