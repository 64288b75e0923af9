"""Scores, weights, regions and exponents of one simulation, derived by SymPy as functions of n and the temperature."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import sympy

from verifier.spec.construction import Construction, InputKind, Mask, Simulation, Text, Tie
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, Selected, mentions, subexpressions
from verifier.symbolic.limits import bounded, demand_moderate, moderate
from verifier.symbolic.translate import bracket_symbol, symbol, to_sympy

MOST_ATOMS = 5
TAU = sympy.Symbol("tau", positive=True)


class Side(StrEnum):
    """Where a key stands beside the target; ANY where targets are averaged, and so have no one place."""

    LEFT = "left"
    RIGHT = "right"
    ANY = "any"


@dataclass(frozen=True)
class Region:
    """The keys on one side of the target at which the score's Boolean atoms have given values.

    Args:
        side: of the target.
        atoms: each Boolean expression in brackets in the score, about the key j, with its value.
        exponents: (s(i, j*) - s(i, j)) / tau, one for each assignment to the target's atoms, in SymPy symbols
            n, i, j, j* and the parameters.
        logarithms: factors of 1/tau that are logarithms or sums with one, such as c + ln n.
    """

    side: Side
    atoms: tuple[tuple[Expr, bool], ...]
    exponents: tuple[sympy.Expr, ...]
    logarithms: tuple[sympy.Expr, ...] = ()

    @property
    def name(self) -> str:
        """Such as ``right, selected``."""
        words = [] if self.side is Side.ANY else [self.side.value]
        words += [("" if holds else "not ") + _word(atom) for atom, holds in self.atoms]
        return ", ".join(words) if words else "all other keys"


@dataclass(frozen=True)
class Derivation:
    """What SymPy derives of one simulation.

    Args:
        scaled_score: s(i, j) / tau(n).
        temperature: tau(n), the root of the key dimension included where the simulation divides by it.
        weight: alpha(i, j) as a function of n, i, j and tau, with the normalising sum written out.
        regions: every side with every assignment to the score's atoms; which of them can occur, the solver says.
        last_row: whether i = n is assumed, since every row is the last row of a prefix (see `prefix_closed`).
    """

    scaled_score: sympy.Expr
    temperature: sympy.Expr
    weight: sympy.Expr
    regions: tuple[Region, ...]
    last_row: bool = False


def prefix_closed(construction: Construction, simulation: Simulation) -> bool:
    """Whether every row is also the last row of a shorter string, so that i = n may be assumed for every n.

    So it is where no key after the query is visible and nothing but the claim's formula mentions n.
    """
    head = construction.head
    texts: tuple[Text | None, ...]
    texts = (head.select, head.score, head.gap, head.value, head.default, construction.claim.error)
    texts += (simulation.score, simulation.temperature, simulation.score_error, construction.requires)
    return (
        head.mask in (Mask.CAUSAL, Mask.STRICT_CAUSAL)
        and all(given.kind is not InputKind.INTEGER for given in construction.inputs)
        and not any(text is not None and mentions(text.expr, "n") for text in texts)
    )


@bounded
def derive(construction: Construction, simulation: Simulation, key_dimension: int = 1) -> Derivation:
    """Derive the symbolic description of a simulation.

    Args:
        construction: the whole construction.
        simulation: one of its simulations.
        key_dimension: d_key, by whose root the scores are divided where the simulation asks for that.

    Raises:
        Unconvertible: SymPy would take too long, or fails.
    """
    demand_moderate(simulation)
    root = sympy.sqrt(key_dimension) if simulation.divide_by_sqrt_key_dimension else sympy.Integer(1)
    temperature = to_sympy(simulation.temperature.expr) * root
    score = sympy.expand(to_sympy(simulation.score.expr))
    scaled = sympy.expand(score / temperature)
    regions = tuple(_regions(construction, simulation, temperature))
    weight = _weight(construction, score)
    return Derivation(scaled, temperature, weight, regions, prefix_closed(construction, simulation))


def key_range(construction: Construction) -> tuple[sympy.Expr, sympy.Expr]:
    """The first and last key that the query i sees."""
    i, n = symbol("i"), symbol("n")
    first = sympy.Integer(construction.first_key)
    return {
        Mask.NONE: (first, n),
        Mask.CAUSAL: (first, i),
        Mask.STRICT_CAUSAL: (first, i - 1),
        Mask.PAST: (i, n),
        Mask.STRICT_PAST: (i + 1, n),
    }[construction.head.mask]


def _weight(construction: Construction, score: sympy.Expr) -> sympy.Expr:
    """alpha(i, j) = exp(s(i,j)/tau) / sum_k exp(s(i,k)/tau), brackets and inputs at k renamed accordingly."""
    scaled = score / TAU
    k = sympy.Symbol("k", integer=True)
    first, last = key_range(construction)
    renamed = {
        found: sympy.Symbol(found.name.replace("(j)", "(k)").replace("[selected]", "[selected(k)]"), real=True)
        for found in scaled.free_symbols
        if "[" in found.name or "(" in found.name
    }
    at_k = scaled.subs({symbol("j"): k, **renamed}, simultaneous=True)
    return sympy.exp(scaled) / sympy.Sum(sympy.exp(at_k), (k, first, last))


def atoms(simulation: Simulation, *, argmax: bool) -> tuple[Expr, ...]:
    """The Boolean expressions about the key in the score's brackets, each once; for argmax also whether it is a
    maximum, on which the score depends without saying so."""
    found: dict[Expr, None] = {Selected(): None} if argmax else {}
    for node in subexpressions(simulation.score.expr):
        if isinstance(node, Apply) and node.operator == "iverson":
            about_key = any(isinstance(leaf, Selected) for leaf in subexpressions(node)) or mentions(node, "j")
            if about_key:
                found[node.operands[0]] = None
    return tuple(found)


def _regions(construction: Construction, simulation: Simulation, temperature: sympy.Expr) -> list[Region]:
    averaged = construction.head.tie is Tie.AVERAGE
    sides = [Side.ANY] if averaged else [Side.LEFT, Side.RIGHT]
    names = atoms(simulation, argmax=construction.head.select is None)
    if len(names) > MOST_ATOMS:
        names = ()
    at_target = [
        dict(zip(names, values, strict=True))
        for values in itertools.product((True, False), repeat=len(names))
        if not any(isinstance(name, Selected) and not holds for name, holds in zip(names, values, strict=True))
    ]
    logarithms = tuple(factor for factor in sympy.Mul.make_args(1 / temperature) if factor.has(sympy.log))
    found = []
    for side, values in itertools.product(sides, itertools.product((True, False), repeat=len(names))):
        here = dict(zip(names, values, strict=True))
        exponents = [_exponent(construction, simulation, temperature, here, target) for target in at_target]
        found.append(Region(side, tuple(here.items()), tuple(dict.fromkeys(exponents)), logarithms))
    return found


def _exponent(
    construction: Construction,
    simulation: Simulation,
    temperature: sympy.Expr,
    at_key: dict[Expr, bool],
    at_target: dict[Expr, bool],
) -> sympy.Expr:
    """(s(i, j*) - s(i, j)) / tau with the brackets' values put in."""

    at_j = to_sympy(simulation.score.expr, _brackets(at_key))
    at_t = to_sympy(simulation.score.expr, _brackets(at_target))
    renamed = {
        found: sympy.Symbol(found.name.replace("(j)", "(j*)").replace("j)", "j*)"), real=True)
        for found in at_t.free_symbols
        if "(" in found.name
    }
    at_t = at_t.subs({symbol("j"): symbol("j*"), **renamed}, simultaneous=True)
    difference = at_t - at_j
    if construction.head.select is None:
        difference = _with_gap(construction, difference, selected=at_key[Selected()])
    perturbed = sympy.Integer(0)
    if simulation.score_error is not None:
        perturbed = sympy.simplify(2 * to_sympy(simulation.score_error.expr) / temperature)
    return moderate(sympy.expand(difference / temperature) - perturbed)


def _brackets(values: dict[Expr, bool]) -> Callable[[Expr], sympy.Expr]:
    return lambda condition: sympy.Integer(values[condition]) if condition in values else bracket_symbol(condition)


def _with_gap(construction: Construction, difference: sympy.Expr, *, selected: bool) -> sympy.Expr:
    """For argmax: a selected key's own score equals the target's, another's is at least the gap below it. The least
    difference is the candidate; whether it is the least, the solver says."""
    assert construction.head.gap is not None
    gap = sympy.Integer(0) if selected else to_sympy(construction.head.gap.expr)
    scores = {found for found in difference.free_symbols if found.name.endswith("(i, j)")}
    targets = {sympy.Symbol(found.name.replace("(i, j)", "(i, j*)"), real=True): found + gap for found in scores}
    return difference.subs(targets)


def _word(atom: Expr) -> str:
    return "selected" if isinstance(atom, Selected) else to_text(atom)
