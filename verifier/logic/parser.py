"""Text to formula, by the grammar beside this file; bounded in length and depth, and nothing in it recurses.

From tightest to loosest: the unary operators; U S sU sS; &; |; ->; <->. The operators & and | group to the
left, the other binary ones to the right: `a -> b -> c` is `a -> (b -> c)`. Blanks, tabs and line ends
separate words; `Xa` is one name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache
from importlib import resources

from lark import Lark, Token, Transformer
from lark.exceptions import UnexpectedInput, UnexpectedToken

from verifier.logic import diagnosis
from verifier.logic.errors import FormulaError
from verifier.logic.syntax import Atom, Binary, Constant, Formula, Unary, depth
from verifier.logic.syntax import atoms as atoms_of

LONGEST_TEXT = 100_000
DEEPEST = 500


def parse(text: str, atoms: Collection[str] | None = None) -> Formula:
    """Read a formula.

    Args:
        text: at most `LONGEST_TEXT` characters, in which parentheses, and likewise operators, nest at most
            `DEEPEST` deep.
        atoms: the names that atoms may have, such as the symbols of an alphabet; None permits every
            identifier that is not an operator, a constant or another tool's spelling of one (`TRUE`, `and`).

    Raises:
        FormulaError: the text is no formula, or exceeds a bound, or uses an atom that does not exist.
    """
    _check_bounds(text)
    if error := diagnosis.foreign_word(text):
        raise error
    try:
        formula = _lark().parse(text)
    except UnexpectedInput as refusal:
        at_end = isinstance(refusal, UnexpectedToken) and refusal.token.type == "$END"
        raise diagnosis.syntax_error(text, None if at_end else refusal.pos_in_stream) from None
    except _TooDeepError as fault:
        message = f"expected operators nested at most {DEEPEST} deep (a chain of them nests too)"
        raise FormulaError(message, text, fault.position) from None
    assert isinstance(formula, Formula)
    if atoms is not None:
        unknown = atoms_of(formula).difference(atoms)
        if unknown:
            raise diagnosis.unknown_atom(text, unknown, atoms)
    return formula


@cache
def _lark() -> Lark:
    grammar = resources.files(__package__).joinpath("grammar.lark").read_text(encoding="utf-8")
    # The basic lexer: the contextual one would read an operator as an atom where no operator can stand.
    return Lark(grammar, parser="lalr", lexer="basic", transformer=_Builder())


class _TooDeepError(Exception):
    """The tree below the operator at this position is too deep; raised where the text is not at hand."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class _Builder(Transformer[Token, Formula]):
    """One method per rule; the parser calls it as it goes, so that there is no tree to walk afterwards."""

    def atom(self, children: tuple[Token]) -> Formula:
        return Atom(str(children[0]))

    def constant(self, children: tuple[Token]) -> Formula:
        return Constant(children[0] == "true")

    def unary(self, children: tuple[Token, Formula]) -> Formula:
        token, operand = children
        return _bounded(Unary(str(token), operand), token)

    def binary(self, children: tuple[Formula, Token, Formula]) -> Formula:
        left, token, right = children
        return _bounded(Binary(str(token), left, right), token)


def _bounded(formula: Formula, token: Token) -> Formula:
    if depth(formula) > DEEPEST:
        assert token.start_pos is not None
        raise _TooDeepError(token.start_pos)
    return formula


def _check_bounds(text: str) -> None:
    if len(text) > LONGEST_TEXT:
        message = f"expected a formula of at most {LONGEST_TEXT} characters, found {len(text)}"
        raise FormulaError(message, text, LONGEST_TEXT)
    nesting = 0
    for parenthesis in re.finditer(r"[()]", text):
        nesting += 1 if parenthesis[0] == "(" else -1
        if nesting > DEEPEST:
            message = f"expected parentheses nested at most {DEEPEST} deep"
            raise FormulaError(message, text, parenthesis.start())
