"""What to tell about a text that is no formula: what was expected, what was found, what was perhaps meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection

from verifier.logic.errors import FormulaError, describe, place
from verifier.logic.syntax import BINARY, FOREIGN, UNARY, is_atom_name

_BLANKS = " \t\r\n"
_LONGEST_SHOWN_NAME = 40
_MOST_SHOWN_ATOMS = 30
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LAST_WORD = re.compile(r"[A-Za-z0-9_]+\Z")
_OPERATOR = re.compile("|".join(sorted(map(re.escape, BINARY), key=len, reverse=True)))

# Spellings of other tools and logics; where one begins with another, the longer comes first.
_SPELLINGS = {
    "<=>": "write '<->'", "==>": "write '->'", "=>": "write '->'", "==": "write '<->'", "=": "write '<->'",
    "&&": "write a single '&'", "||": "write a single '|'", "/\\": "write '&'", "\\/": "write '|'",
    "[]": "write 'G'", "<>": "write 'F'", "<-": "turn the implication round and write '->'",
    "-": "the implication is '->', without a blank", "<": "the equivalence is '<->', without a blank",
    "!=": "write '!(a <-> b)'", "~": "write '!'", "^": "exclusive or is '!(a <-> b)'",
    "[": "there are no square brackets and no intervals", "]": "group with '(' and ')'",
    "{": "group with '(' and ')'", "}": "group with '(' and ')'",
    "'": "atoms stand without quotes", '"': "atoms stand without quotes",
    "\N{LOGICAL AND}": "write '&'", "\N{LOGICAL OR}": "write '|'", "\N{NOT SIGN}": "write '!'",
    "\N{RIGHTWARDS ARROW}": "write '->'", "\N{RIGHTWARDS DOUBLE ARROW}": "write '->'",
    "\N{LEFT RIGHT ARROW}": "write '<->'", "\N{LEFT RIGHT DOUBLE ARROW}": "write '<->'",
    "\N{WHITE SQUARE}": "write 'G'", "\N{WHITE DIAMOND}": "write 'F'", "\N{DIAMOND OPERATOR}": "write 'F'",
    "\N{WHITE CIRCLE}": "write 'X'", "\N{DOWN TACK}": "write 'true'", "\N{UP TACK}": "write 'false'",
}  # fmt: skip
_WORDS = {
    "R": "release, 'a R b', is '!(!a U !b)'", "V": "release, 'a V b', is '!(!a U !b)'",
    "W": "weak until, 'a W b', is '(a U b) | G a'", "xor": "exclusive or is '!(a <-> b)'",
}  # fmt: skip


def syntax_error(text: str, position: int | None) -> FormulaError:
    """The error for a text that the grammar refuses at `position`, or at its end if that is None."""
    at = len(text.rstrip(_BLANKS)) if position is None else position
    before = text[:at].rstrip(_BLANKS)
    unclosed = _unclosed(before)
    if not _ends_a_formula(before):
        expected: tuple[str, ...] = ("a formula",)
    else:
        expected = ("a binary operator", "the end" if unclosed is None else "')'")
    if position is None:
        found = "the end"
        hint = "" if unclosed is None else f"the '(' at {place(text, unclosed)} is not closed"
    else:
        at, found, hint = _found(text, at)
        if found == "')'" and unclosed is None:
            hint = "no '(' is open"
    message = f"expected {' or '.join(expected)}, found {found}"
    return FormulaError(f"{message} ({hint})" if hint else message, text, at, expected)


def foreign_word(text: str) -> FormulaError | None:
    """The error for the first word that is another tool's spelling of something, or None."""
    for word in _WORD.finditer(text):
        if word[0] in FOREIGN:
            ours = FOREIGN[word[0]]
            return FormulaError(f"expected '{ours}', found '{word[0]}'", text, word.start(), (f"'{ours}'",))
    return None


def unknown_atom(text: str, unknown: Collection[str], known: Collection[str]) -> FormulaError:
    """The error for the first of the unknown atoms in the text; it says which atoms exist."""
    first = next(word for word in _WORD.finditer(text) if word[0] in unknown)
    name = first[0]
    usable = sorted(filter(is_atom_name, set(known)))
    shown = ", ".join(usable[:_MOST_SHOWN_ATOMS]) + (", ..." if len(usable) > _MOST_SHOWN_ATOMS else "")
    close = difflib.get_close_matches(name[:_LONGEST_SHOWN_NAME], [*usable, "true", "false"], n=1)
    hint = ""
    if name[0] in UNARY and name[1:] in usable:
        hint = f"; write '{name[0]} {name[1:]}' with a blank"
    elif close:
        hint = f"; did you mean '{close[0]}'?"
    message = f"unknown atom '{_shortened(name)}' (the atoms are: {shown or 'none'}){hint}"
    return FormulaError(message, text, first.start(), tuple(usable))


def _found(text: str, at: int) -> tuple[int, str, str]:
    """Where the offending token begins, how to show it, and a hint or the empty string."""
    operator = _OPERATOR.match(text, at)
    # The parser stops at the second half of &&, so look one character back, too.
    for start in (at - 1, at) if at else (at,):
        for spelling, hint in _SPELLINGS.items():
            ours = len(operator[0]) if operator and start == at else 0
            if text.startswith(spelling, start) and start + len(spelling) > at and len(spelling) > ours:
                return start, f"'{spelling}'" if spelling.isascii() else describe(spelling), hint
    if operator:
        return at, f"'{operator[0]}'", ""
    if word := _WORD.match(text, at):
        return at, f"'{_shortened(word[0])}'", _WORDS.get(word[0], "")
    return at, describe(text[at]), ""


def _unclosed(text: str) -> int | None:
    """The place of the innermost parenthesis that is open at the end of the text."""
    opened: list[int] = []
    for parenthesis in re.finditer(r"[()]", text):
        if parenthesis[0] == "(":
            opened.append(parenthesis.start())
        elif opened:
            opened.pop()
    return opened[-1] if opened else None


def _ends_a_formula(text: str) -> bool:
    word = _LAST_WORD.search(text[-3:])  # no operator has three letters
    return text.endswith(")") or (word is not None and word[0] not in UNARY + BINARY)


def _shortened(name: str) -> str:
    return name if len(name) <= _LONGEST_SHOWN_NAME else f"{name[:_LONGEST_SHOWN_NAME]}..."
