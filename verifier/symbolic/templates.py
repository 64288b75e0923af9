"""Candidate lower bounds of an exponent on a region, with the lemma that sums them. Nothing here is trusted.

A template bounds the exponent (s(i, j*) - s(i, j)) / tau from below by something whose exponentials have a closed
sum: a distance times a slope (S1, geometric), a constant (S2, counting) or a square of the distance (S3, Gaussian).
The distance is measured from the target, or from the far end of the row, where the exponent falls towards it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

import sympy

from verifier.spec import build
from verifier.spec.construction import Construction
from verifier.spec.syntax import Expr
from verifier.symbolic.derive import Region, Side, key_range
from verifier.symbolic.limits import bounded
from verifier.symbolic.translate import DISTANCE, FAR_DISTANCE, Unconvertible, from_sympy, symbol

MOST_CORNERS = 12


class Shape(StrEnum):
    """How the lower bound depends on the key, and so which lemma sums it."""

    NEAR = "geometric from the target"
    FAR = "geometric from the far end"
    SQUARE = "gaussian"
    CONSTANT = "counting"


LEMMAS = {Shape.NEAR: "S1", Shape.FAR: "S1", Shape.SQUARE: "S3", Shape.CONSTANT: "S2"}


@dataclass(frozen=True)
class Template:
    """The lower bound `first + slope * (d - 1)`, for SQUARE `first + slope * (d^2 - 1)`, for CONSTANT `first`.

    Args:
        side: on which side of the target.
        shape: how it depends on the key, and from where the distance d >= 1 is counted.
        slope: positive for every n, but for CONSTANT, where it is 0; in n and the parameters, as are the others.
        first: the bound at d = 1.
        count: for CONSTANT, how many keys there are at most; else 0.
    """

    side: Side
    shape: Shape
    slope: Expr
    first: Expr
    count: Expr


def distance(construction: Construction, template: Template) -> Expr:
    """The distance d >= 1 that the template counts, as an expression in i, j, j*, n."""
    j, t = build.variable("j"), build.variable("j*")
    first, last = (from_sympy(end) for end in key_range(construction))
    if template.shape is Shape.FAR:
        near, far = (first, j) if template.side is Side.LEFT else (j, last)
        return build.add(build.subtract(far, near), build.ONE)
    return build.subtract(t, j) if template.side is Side.LEFT else build.subtract(j, t)


def lower_bound(construction: Construction, template: Template) -> Expr:
    """The template as an expression in i, j, j*, n and the parameters."""
    if template.shape is Shape.CONSTANT:
        return template.first
    d = distance(construction, template)
    steps = build.subtract(build.power(d, 2) if template.shape is Shape.SQUARE else d, build.ONE)
    return build.add(template.first, build.multiply(template.slope, steps))


def summed(template: Template) -> Expr:
    """A bound on the sum of exp(-exponent) over the keys of the template's side, by its lemma."""
    first = build.exp(build.negate(template.first))
    if template.shape is Shape.CONSTANT:
        return build.multiply(template.count, first)
    ratio = build.multiply(build.number(3), template.slope) if template.shape is Shape.SQUARE else template.slope
    return build.divide(first, build.subtract(build.ONE, build.exp(build.negate(ratio))))


@bounded
def candidates(
    construction: Construction, side: Side, regions: Iterable[Region], *, last_row: bool = False
) -> list[Template]:
    """Templates that may bound every one of the given regions of a side, each once; with `last_row` for i = n.

    Raises:
        Unconvertible: SymPy would take too long, or fails.
    """
    found: dict[Template, None] = {}
    for region in regions:
        for exponent in region.exponents:
            if last_row:
                exponent = exponent.subs(symbol("i"), symbol("n"))  # noqa: PLW2901
            for template in _of_exponent(construction, side, exponent):
                found[template] = None
        # A logarithm alone is summed exactly, where a multiple of it that varies with n is not.
        logarithms = [sympy.expand(logarithm) for logarithm in region.logarithms]
        pairs = [(sympy.Integer(0), logarithm) for logarithm in logarithms]
        for template in _converted(side, Shape.CONSTANT, pairs, _most_keys(construction)):
            found[template] = None
    return list(found)


def _of_exponent(construction: Construction, side: Side, exponent: sympy.Expr) -> Iterator[Template]:
    if side is not Side.ANY:
        for shape, variable, along in _paths(construction, side):
            yield from _along(construction, side, shape, variable, exponent.subs(symbol("j"), along))
    yield from _constants(construction, side, exponent)


def _paths(construction: Construction, side: Side) -> list[tuple[Shape, sympy.Symbol, sympy.Expr]]:
    """The key j as a function of its distance from the target, and from the far end."""
    d, e, t = DISTANCE, FAR_DISTANCE, symbol("j*")
    first, last = key_range(construction)
    if side is Side.LEFT:
        return [(Shape.NEAR, d, t - d), (Shape.FAR, e, first - 1 + e)]
    return [(Shape.NEAR, d, t + d), (Shape.FAR, e, last + 1 - e)]


def _along(
    construction: Construction, side: Side, shape: Shape, variable: sympy.Symbol, exponent: sympy.Expr
) -> Iterator[Template]:
    """Linear and quadratic exponents in the distance: coefficients at the corners of the ranges of i and j*."""
    polynomial = sympy.expand(exponent).as_poly(variable)
    if polynomial is None or polynomial.degree() not in (1, 2):
        return
    constant, linear, square = (polynomial.coeff_monomial(variable**power) for power in range(3))
    shapes = [(shape, linear + square)]
    if square != 0 and shape is Shape.NEAR:
        shapes.append((Shape.SQUARE, square))
    for chosen, slope in shapes:
        pairs = itertools.product(corners(construction, slope), corners(construction, constant))
        yield from _converted(side, chosen, pairs, sympy.Integer(0))


def _constants(construction: Construction, side: Side, exponent: sympy.Expr) -> Iterator[Template]:
    j, t = symbol("j"), symbol("j*")
    first, last = key_range(construction)
    ends = {Side.LEFT: (first, t - 1), Side.RIGHT: (t + 1, last), Side.ANY: (first, last)}[side]
    least = [corner for end in ends for corner in corners(construction, exponent.subs(j, end))]
    pairs = ((sympy.Integer(0), corner) for corner in dict.fromkeys(least))
    yield from _converted(side, Shape.CONSTANT, pairs, _most_keys(construction))


def _most_keys(construction: Construction) -> sympy.Expr:
    """How many keys besides the target the widest row has."""
    first, last = key_range(construction)
    return max(corners(construction, last - first), key=lambda keys: keys.subs(symbol("n"), 9))


def _converted(
    side: Side, shape: Shape, pairs: Iterable[tuple[sympy.Expr, sympy.Expr]], count: sympy.Expr
) -> Iterator[Template]:
    for slope, rest in pairs:
        try:
            yield Template(side, shape, from_sympy(slope), from_sympy(sympy.expand(slope + rest)), from_sympy(count))
        except Unconvertible:
            continue


def corners(construction: Construction, expr: sympy.Expr) -> list[sympy.Expr]:
    """The expression at the ends of the ranges of i and j*, where what is monotone in them is least."""
    i, t, n = symbol("i"), symbol("j*"), symbol("n")
    first = sympy.Integer(construction.first_key)
    found: dict[sympy.Expr, None] = {}
    for query, target in itertools.product((i, sympy.Integer(1), n), (t, first, first + 1, n, n - 1, i - 1, i, i + 1)):
        corner = sympy.expand(expr.subs(t, target).subs(i, query))
        if not corner.free_symbols & {i, t}:
            found[corner] = None
    return list(found)[:MOST_CORNERS]
