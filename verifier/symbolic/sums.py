"""Sums of the weights of a region's keys, relative to the target's, in closed form where SymPy has one."""

from __future__ import annotations

import sympy

from verifier.spec.construction import Construction
from verifier.symbolic.derive import Region, Side, key_range
from verifier.symbolic.translate import DISTANCE, symbol


def distance_form(region: Region, exponent: sympy.Expr) -> sympy.Expr:
    """The exponent as a function of the distance d >= 1 of the key from the target."""
    d, j, t = DISTANCE, symbol("j"), symbol("j*")
    if region.side is Side.ANY:
        return exponent
    return sympy.expand(exponent.subs(j, t - d if region.side is Side.LEFT else t + d))


def key_count(construction: Construction, region: Region) -> sympy.Expr:
    """How many keys the region has at most, given the target."""
    first, last = key_range(construction)
    t = symbol("j*")
    return {Side.LEFT: t - first, Side.RIGHT: last - t, Side.ANY: last - first}[region.side]


def region_sum(construction: Construction, region: Region, exponent: sympy.Expr) -> sympy.Expr:
    """The sum of exp(-exponent) over all keys on the region's side, were they all in it.

    Geometric sums (an exponent linear in the distance) and constant ones are written in closed form; others, such as
    Gaussian sums, have none and stay sums.
    """
    d, m = DISTANCE, key_count(construction, region)
    along = distance_form(region, exponent)
    polynomial = along.as_poly(d)
    if not along.has(d):
        return m * sympy.exp(-along)
    if polynomial is None or polynomial.degree() != 1:
        return sympy.Sum(sympy.exp(-along), (d, 1, m))
    slope, rest = polynomial.coeff_monomial(d), polynomial.coeff_monomial(1)
    return sympy.exp(-rest) * sympy.exp(-slope) * (1 - sympy.exp(-slope * m)) / (1 - sympy.exp(-slope))
