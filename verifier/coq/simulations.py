"""Proofs that a soft head stays within the claimed error: one tactic for each shape of head."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verifier.coq.budgets import Budget, average, both_sides, near_and_far, near_side, perturbed
from verifier.coq.shapes import lookup_position
from verifier.coq.statement import Statement
from verifier.spec.construction import Mask, Simulation, Tie
from verifier.spec.syntax import Expr, Leaf, Number, Variable, substitute
from verifier.spec.types import constant
from verifier.symbolic.translate import symbol, to_sympy

BOTH_SIDES_AT_TWO = Fraction(239, 1000)


def simulation_proof(statement: Statement, simulation: Simulation) -> tuple[str, ...] | str:
    """The proof for one simulation, or the reason why there is none."""
    if simulation.divide_by_sqrt_key_dimension:
        return "scores divided by the root of the key dimension have no template"
    error = claimed(statement)
    if error is None:
        return "a claimed error that is not a rational number has no template"
    if not 0 < error < 1:
        return f"a claimed error of {error} has no template; it must lie between 0 and 1"
    averaged = statement.construction.head.tie is Tie.AVERAGE
    if simulation.score_error is not None:
        if not averaged:
            return "scores that are known only to within an error have a template for averages only"
        return _perturbed(statement, simulation, error)
    if averaged:
        return _averaged(statement, error)
    return _one_key(statement, error)


def claimed(statement: Statement) -> Fraction | None:
    """The claimed error, if it is a rational number once the constant parameters are put in."""
    values = {parameter.name: Number(parameter.value) for parameter in statement.fixed}

    def value(leaf: Leaf) -> Expr:
        return values.get(leaf.name, leaf) if isinstance(leaf, Variable) else leaf

    return constant(substitute(statement.construction.claim.error.expr, value))


def rounds(statement: Statement) -> bool:
    """Whether the claim is a Boolean and its error small enough to be rounded away."""
    error = claimed(statement)
    return statement.boolean_claim() is not None and error is not None and error <= Fraction(1, 4)


def _averaged(statement: Statement, error: Fraction) -> tuple[str, ...] | str:
    budget = average(error)
    if budget is None:
        return "the claimed error is too small for the template's budget"
    kind = "greatest" if statement.construction.head.select is None else "selected"
    return ("intros.", f"averaged_{kind} {budget[0]}.", budget[1])


def _perturbed(statement: Statement, simulation: Simulation, error: Fraction) -> tuple[str, ...] | str:
    part = _part_of_temperature(statement, simulation)
    if part is None or not 0 <= part < 1:
        return "the error of a score has a template only where it is a constant part, below 1, of the temperature"
    budget = perturbed(error, part)
    if budget is None:
        return "the claimed error is too small for the template's budget with this error of a score"
    kind = "greatest" if statement.construction.head.select is None else "selected"
    return ("intros.", f"perturbed_{kind} {budget[0]}.", budget[1])


def _part_of_temperature(statement: Statement, simulation: Simulation) -> Fraction | None:
    """The error of a score divided by the temperature, where that is a number."""
    assert simulation.score_error is not None
    fixed = {symbol(one.name): sympy.Rational(one.value.numerator, one.value.denominator) for one in statement.fixed}
    ratio = to_sympy(simulation.score_error.expr) / to_sympy(simulation.temperature.expr)
    part = sympy.simplify(ratio.subs(fixed))
    return Fraction(int(part.p), int(part.q)) if part.is_Rational else None


def _one_key(statement: Statement, error: Fraction) -> tuple[str, ...] | str:
    construction = statement.construction
    looked_up = lookup_position(construction)
    if construction.head.select is None:
        tactic = "single_greatest"
    elif looked_up is not None:
        tactic = f"single_lookup {statement.writer.integer(looked_up).within(0)}%Z"
    elif construction.head.tie is Tie.UNIQUE:
        return "a unique selection has a template only where it is j = a position"
    else:
        tactic = "single_target"
    budgets = _budgets(statement, error)
    if not budgets:
        return "the claimed error is too small for the template's budget"
    if len(budgets) == 1:
        return ("intros.", f"{tactic} {budgets[0].left} {budgets[0].right}.", budgets[0].proof)
    tries = [f"{tactic} {one.left} {one.right}; {one.proof.removesuffix('.')}" for one in budgets]
    return ("intros.", "first", *(f"{'|' if at else '['} {text}" for at, text in enumerate(tries)), "].")


def _budgets(statement: Statement, error: Fraction) -> list[Budget]:
    """Where exponents may grow on both sides alike, one budget; for a claim that this does not reach with a slope of
    2, that of the library, also those that use what the tie says of one side."""
    head = statement.construction.head
    found = [both_sides(error)]
    if error < BOTH_SIDES_AT_TWO and head.tie in (Tie.LEFTMOST, Tie.RIGHTMOST) and not head.bos:
        leftmost = head.tie is Tie.LEFTMOST
        last = "i" if head.mask in (Mask.CAUSAL, Mask.STRICT_CAUSAL) else "n"
        found += [near_and_far(error, last, leftmost=leftmost), near_side(error, leftmost=leftmost)]
    return [one for one in found if one is not None]
