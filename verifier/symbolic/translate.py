"""Expressions to SymPy and back. Only the shape of a SymPy result is used, and every use of it is checked elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import sympy

from verifier.spec import build
from verifier.spec.printer import to_text
from verifier.spec.syntax import Apply, Expr, InputAt, Leaf, Number, Pi, Selected, Variable, depth


class Unconvertible(Exception):
    """A SymPy expression has a part that the expression language does not have."""


SYMBOLS: Mapping[str, dict[str, bool]] = {
    "n": {"integer": True, "positive": True},
    "i": {"integer": True, "positive": True},
    "j": {"integer": True, "nonnegative": True},
    "j*": {"integer": True, "nonnegative": True},
}
# No parameter's symbol, even of that name: SymPy tells symbols apart by their assumptions, too.
DISTANCE = sympy.Symbol("d", integer=True, positive=True)
FAR_DISTANCE = sympy.Symbol("e", integer=True, positive=True)
DEEPEST = 150


def symbol(name: str) -> sympy.Symbol:
    """The SymPy symbol of a variable; positions and the length are integers, parameters real."""
    return sympy.Symbol(name, **SYMBOLS.get(name, {"real": True}))


def input_symbol(leaf: InputAt) -> sympy.Symbol:
    """The SymPy symbol of an input at positions, such as ``phi(j)``."""
    return sympy.Symbol(f"{leaf.name}({', '.join(leaf.positions)})", real=True)


SELECTED = sympy.Symbol("[selected]", real=True)


def to_sympy(expr: Expr, bracket: Callable[[Expr], sympy.Expr | None] | None = None) -> sympy.Expr:
    """A numeric expression in SymPy.

    Args:
        expr: the expression; Booleans may occur within brackets only.
        bracket: the value of [P] given P, or None to leave that bracket as a symbol.
    """
    if isinstance(expr, Apply) and expr.operator == "iverson":
        known = bracket(expr.operands[0]) if bracket is not None else None
        return known if known is not None else bracket_symbol(expr.operands[0])
    if isinstance(expr, Apply):
        return _APPLY[expr.operator](*(to_sympy(operand, bracket) for operand in expr.operands))
    return _leaf(expr)


def bracket_symbol(condition: Expr) -> sympy.Symbol:
    """The symbol that stands for [P]."""
    return SELECTED if isinstance(condition, Selected) else sympy.Symbol(f"[{to_text(condition)}]", real=True)


def _leaf(leaf: Leaf) -> sympy.Expr:
    if isinstance(leaf, Number):
        return sympy.Rational(leaf.value.numerator, leaf.value.denominator)
    if isinstance(leaf, Pi):
        return sympy.pi
    if isinstance(leaf, Variable):
        return symbol(leaf.name)
    if isinstance(leaf, InputAt):
        return input_symbol(leaf)
    raise Unconvertible(f"{to_text(leaf)} is a Boolean")


_APPLY: Mapping[str, Callable[..., sympy.Expr]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "^": lambda base, exponent: base**exponent,
    "neg": lambda operand: -operand,
    "mod": sympy.Mod,
    "abs": sympy.Abs,
    "min": sympy.Min,
    "max": sympy.Max,
    "exp": sympy.exp,
    "ln": sympy.log,
    "sqrt": sympy.sqrt,
    "sin": sympy.sin,
    "cos": sympy.cos,
}


def from_sympy(expr: sympy.Expr, names: Mapping[str, Expr] | None = None) -> Expr:
    """A SymPy expression as one of ours.

    Args:
        expr: the SymPy expression.
        names: what symbols for brackets and inputs stand for; without it they are refused.

    Raises:
        Unconvertible: the expression language does not have all of its parts, or it is nested too deep.
    """
    found = _Converter(names or {}).convert(expr)
    if depth(found) > DEEPEST:
        raise Unconvertible(f"an expression of more than {DEEPEST} terms, or nested deeper than that")
    return found


class _Converter:
    def __init__(self, names: Mapping[str, Expr]) -> None:
        self._names = names

    def convert(self, expr: sympy.Expr) -> Expr:
        if expr.is_Rational:
            return Number(Fraction(int(expr.p), int(expr.q)))
        if expr.is_Symbol:
            return self._symbol(expr)
        if expr is sympy.pi:
            return Pi()
        if expr.is_Add:
            return self._sum(expr)
        if expr.could_extract_minus_sign():
            return build.negate(self.convert(-expr))
        if expr.is_Mul:
            return self._product(expr)
        if expr.is_Pow:
            return self._power(*expr.args)
        function = _FUNCTIONS.get(expr.func)
        if function is None:
            raise Unconvertible(f"no operator for {expr.func}")
        return Apply(function, tuple(self.convert(argument) for argument in expr.args))

    def _sum(self, expr: sympy.Expr) -> Expr:
        """Positive terms first, so that the sum reads `c*n - c` and not `-c + c*n`."""
        ordered = expr.as_ordered_terms()
        negative = [term for term in ordered if term.could_extract_minus_sign()]
        positive = [term for term in ordered if term not in negative]
        if not positive:
            return build.negate(self.convert(-expr))
        total = build.add(*(self.convert(term) for term in positive))
        for term in negative:
            total = build.subtract(total, self.convert(-term))
        return total

    def _product(self, expr: sympy.Expr) -> Expr:
        """Negative powers go below one fraction bar."""
        below = [factor for factor in expr.args if factor.is_Pow and factor.args[1].could_extract_minus_sign()]
        above = [factor for factor in expr.args if factor not in below]
        top = build.multiply(*(self.convert(factor) for factor in above))
        return build.divide(top, build.multiply(*(self.convert(1 / factor) for factor in below)))

    def _symbol(self, found: sympy.Symbol) -> Expr:
        if found.name in self._names:
            return self._names[found.name]
        if "(" in found.name or "[" in found.name:
            raise Unconvertible(f"an input, {found.name}")
        return Variable(found.name)

    def _power(self, base: sympy.Expr, exponent: sympy.Expr) -> Expr:
        if base == sympy.E:
            return build.exp(self.convert(exponent))
        if exponent.is_Rational and exponent.q == 2:
            root = build.power(Apply("sqrt", (self.convert(base),)), abs(int(exponent.p)))
            return root if exponent > 0 else build.divide(build.ONE, root)
        if exponent.is_Integer and exponent < 0:
            return build.divide(build.ONE, build.power(self.convert(base), -int(exponent)))
        if exponent.is_Integer:
            return build.power(self.convert(base), int(exponent))
        if base.is_Rational and base > 0 and exponent.free_symbols:
            return Apply("^", (self.convert(base), self.convert(exponent)))
        raise Unconvertible(f"the exponent {exponent}")


_FUNCTIONS = {
    sympy.exp: "exp", sympy.log: "ln", sympy.sin: "sin", sympy.cos: "cos", sympy.Abs: "abs",
    sympy.Min: "min", sympy.Max: "max", sympy.Mod: "mod",
}  # fmt: skip
