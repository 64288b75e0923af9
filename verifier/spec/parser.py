"""Text to typed expression, by the grammar beside this file; every error says where in the text."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Token, Transformer_NonRecursive
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from verifier.spec.errors import SpecError, printable
from verifier.spec.size import Size, SizeFault, applied, leaf_size
from verifier.spec.syntax import Apply, Expr, InputAt, Number, Pi, Selected, Truth, Variable
from verifier.spec.types import FUNCTIONS, Scope, Type, TypeFault, constant, result_type

LONGEST_TEXT = 4_000
LONGEST_NUMBER = 40
DEEPEST = 100

_TOKENS = {
    "NUMBER": "a number", "NAME": "a name", "LPAR": "'('", "OPEN": "'['", "MINUS": "'-'", "NOT": "'not'",
    "RPAR": "')'", "RSQB": "']'", "COMMA": "','", "$END": "the end",
}  # fmt: skip
_OPERAND = {"NUMBER", "NAME", "LPAR"}


@dataclass(frozen=True)
class Typed:
    """An expression with its type, the place in the text where it begins, and bounds on its size."""

    expr: Expr
    type: Type
    start: int
    size: Size


def parse(text: str, scope: Scope) -> Typed:
    """Parse and type-check one expression.

    Args:
        text: the expression, at most `LONGEST_TEXT` characters.
        scope: the names it may use.

    Raises:
        SpecError: with the position in the text and what was expected there.
    """
    if len(text) > LONGEST_TEXT:
        raise SpecError(f"expected at most {LONGEST_TEXT} characters, found {len(text)}")
    if not text.strip():
        raise SpecError("expected an expression, found nothing", text=text, position=0)
    try:
        result = _Builder(text, scope).transform(_parser().parse(text))
    except UnexpectedInput as error:
        raise _syntax_error(text, error) from None
    except VisitError as error:
        if isinstance(error.orig_exc, SpecError):
            raise error.orig_exc from None
        raise
    assert isinstance(result, Typed)
    return result


@cache
def _parser() -> Lark:
    grammar = resources.files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    return Lark(grammar, parser="lalr", maybe_placeholders=False)


def _syntax_error(text: str, error: UnexpectedInput) -> SpecError:
    position = error.pos_in_stream if error.pos_in_stream is not None else len(text)
    found = "the end"
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        position = len(text)
    elif position < len(text):
        found = f"'{printable(text[position])}'"
    if isinstance(error, UnexpectedCharacters):
        return SpecError(f"unexpected character {found}{_hint(text, position)}", text=text, position=position)
    allowed = set(error.accepts or error.expected) if isinstance(error, UnexpectedToken) else set()
    if isinstance(error, UnexpectedToken) and error.token.type not in ("$END", ""):
        found = f"'{error.token}'"
    wanted = "an operand (a number, a name or '(')" if allowed >= _OPERAND else "an operator"
    closing = [shown for token, shown in _TOKENS.items() if token in allowed and token in ("RPAR", "RSQB", "COMMA")]
    expected = " or ".join([wanted, *closing])
    return SpecError(f"expected {expected}, found {found}{_hint(text, position)}", text=text, position=position)


_HINTS = {
    "==": "write =", "**": "write ^", "&": "write and", "|": "write or", "!": "write not, or != between numbers",
    "~": "write not", "%": "write mod", "{": "write ( or [", "≤": "write <=", "≥": "write >=", "≠": "write !=",
    "·": "write *", "∧": "write and", "∨": "write or", "¬": "write not", "−": "write -",
}  # fmt: skip


def _hint(text: str, position: int) -> str:
    """What to write instead of an operator of another language; the fault may be noticed at its second character."""
    for start in (text[position:], text[max(0, position - 1) :]):
        for foreign, hint in _HINTS.items():
            if start.startswith(foreign) and (start == text[position:] or len(foreign) > 1):
                return f" ({hint})"
    return ""


class _Builder(Transformer_NonRecursive[Token, Typed]):
    """One method per rule of the grammar; each receives the rule's children, tokens among them."""

    def __init__(self, text: str, scope: Scope) -> None:
        super().__init__()
        self._text = text
        self._scope = scope

    def _error(self, message: str, position: int) -> SpecError:
        return SpecError(message, text=self._text, position=position)

    def _apply(self, operator: str, operands: list[Typed], start: int, at: int) -> Typed:
        exprs = tuple(operand.expr for operand in operands)
        try:
            kind = result_type(operator, exprs, tuple(operand.type for operand in operands))
            exponent = constant(exprs[1]) if operator == "^" else None
            size = applied(operator, [operand.size for operand in operands], exponent)
        except (TypeFault, SizeFault) as fault:
            raise self._error(str(fault), at) from None
        expr = Apply(operator, exprs)
        if expr.depth > DEEPEST:
            raise self._error(f"expected operators nested at most {DEEPEST} deep", at)
        return Typed(expr, kind, start, size)

    def _leaf(self, leaf: Expr, kind: Type, start: int) -> Typed:
        return Typed(leaf, kind, start, leaf_size(leaf))

    def _binary(self, children: list[Any]) -> Typed:
        left, token, right = children
        return self._apply(str(token), [left, right], left.start, token.start_pos)

    disjunction = conjunction = sum = product = power = _binary

    def _prefix(self, children: list[Any]) -> Typed:
        token, operand = children
        operator = {"NOT": "not", "MINUS": "neg", "OPEN": "iverson"}[token.type]
        return self._apply(operator, [operand], token.start_pos, token.start_pos)

    negation = minus = iverson = _prefix

    def start(self, children: list[Any]) -> Typed:
        (typed,) = children
        assert isinstance(typed, Typed)
        return typed

    def comparison(self, children: list[Any]) -> Typed:
        """A chain `a <= b < c` is the conjunction of its links."""
        links = [
            self._apply(
                str(children[at]),
                [children[at - 1], children[at + 1]],
                children[0].start,
                children[at].start_pos,
            )
            for at in range(1, len(children), 2)
        ]
        result = links[0]
        for link in links[1:]:
            result = self._apply("and", [result, link], result.start, result.start)
        return result

    def number(self, children: list[Any]) -> Typed:
        (token,) = children
        if len(token) > LONGEST_NUMBER:
            raise self._error(f"expected a number of at most {LONGEST_NUMBER} digits", token.start_pos)
        value = Fraction(str(token))
        return self._leaf(Number(value), Type.INTEGER if value.denominator == 1 else Type.REAL, token.start_pos)

    def name(self, children: list[Any]) -> Typed:
        (token,) = children
        name, start = str(token), token.start_pos
        if name in ("true", "false"):
            return self._leaf(Truth(name == "true"), Type.BOOLEAN, start)
        if name == "pi":
            return self._leaf(Pi(), Type.REAL, start)
        if name == "selected" and self._scope.selected:
            return self._leaf(Selected(), Type.BOOLEAN, start)
        if name in self._scope.variables:
            return self._leaf(Variable(name), self._scope.variables[name], start)
        if name in self._scope.inputs and self._scope.positions:
            raise self._error(f"the input '{name}' needs a position, such as {self._example(name)}", start)
        raise self._unknown(name, start)

    def call(self, children: list[Any]) -> Typed:
        token, *arguments = children
        name, start = str(token), token.start_pos
        if name in FUNCTIONS:
            wanted = FUNCTIONS[name]
            if (wanted is None and len(arguments) < 2) or (wanted is not None and len(arguments) != wanted):
                shown = "two or more arguments" if wanted is None else "one argument"
                raise self._error(f"'{name}' expects {shown}, found {len(arguments)}", start)
            return self._apply(name, arguments, start, start)
        if name not in self._scope.inputs or not self._scope.positions:
            raise self._unknown(name, start)
        kind, arity = self._scope.inputs[name]
        positions = tuple(a.expr.name if isinstance(a.expr, Variable) else "" for a in arguments)
        permitted = self._scope.positions
        fits = positions == ("i", "j") if arity == 2 else len(positions) == 1 and positions[0] in permitted
        if not fits:
            choices = " or ".join(f"{name}({at})" for at in permitted) if arity == 1 else f"{name}(i,j)"
            raise self._error(f"expected {choices}", start)
        return self._leaf(InputAt(name, positions), kind, start)

    def _example(self, name: str) -> str:
        _, arity = self._scope.inputs[name]
        return f"{name}(i,j)" if arity == 2 else f"{name}({self._scope.positions[-1]})"

    def _unknown(self, name: str, start: int) -> SpecError:
        names = self._scope.names()
        bare = [shown.split("(")[0] for shown in names]
        close = difflib.get_close_matches(name, [*bare, *FUNCTIONS], n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        known = ", ".join(names) if names else "none"
        if name in self._scope.inputs and not self._scope.positions:
            return self._error(f"the input '{name}' cannot be used here (known here: {known})", start)
        return self._error(f"unknown name '{name[:40]}' (known here: {known}){hint}", start)
