"""Reading the SMT-LIB files of a certificate: a strict form, so that nothing but assertions and one check-sat runs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from verifier.certify.manifest import Malformed

_SYMBOL = r"(?:n|i|j|k|target|[A-Za-z][A-Za-z0-9_]*\.[A-Za-z0-9_.]+)"
_DECLARATION = re.compile(rf"\(declare-fun ({_SYMBOL}) \(((?:Int|Real)(?: Int| Real)*)?\) (?:Int|Real|Bool)\)")
_STATUS = re.compile(r"\(set-info :status (sat|unsat)\)")
_LOGIC = re.compile(r"\(set-logic ([A-Z_]+)\)")
_TOKENS = re.compile(r"[()]|[^\s()]+")
_NUMERAL = re.compile(r"[0-9]+(\.[0-9]+)?")
_BOUND = re.compile(r"bound\.[0-9]+")
WORDS = frozenset(
    ("true", "false", "and", "or", "not", "=>", "xor", "=", "ite", "distinct", "<=", "<", ">=", ">", "+", "-", "*",
     "/", "mod", "to_real", "forall", "exists", "Int", "Real")
)  # fmt: skip


@dataclass(frozen=True)
class Script:
    """A script: the answer it expects, its logic, its symbols and its assertions."""

    status: str
    logic: str
    symbols: tuple[str, ...]
    assertions: tuple[str, ...]


def read(text: str, name: str) -> Script:
    """The script of a file.

    Raises:
        Malformed: it has a command, a symbol or an operator that no file of a certificate has.
    """
    lines = [line for line in text.split("\n") if line and not line.startswith(";")]
    status = _STATUS.fullmatch(lines[0]) if lines else None
    logic = _LOGIC.fullmatch(lines[1]) if len(lines) > 1 else None
    if status is None or logic is None or lines[-1] != "(check-sat)":
        raise Malformed(f"{name}: expected a status, a logic, declarations, assertions and (check-sat)")
    symbols: list[str] = []
    asserted: list[str] = []
    for line in lines[2:-1]:
        declared = _DECLARATION.fullmatch(line)
        if declared and not asserted:
            symbols.append(declared[1])
        elif line.startswith("(assert ") and line.endswith(")"):
            asserted.append(line.removeprefix("(assert ")[:-1])
        else:
            raise Malformed(f"{name}: unexpected line '{line[:60]}'")
    known = WORDS | frozenset(symbols)
    for body in asserted:
        _demand_plain(body, known, name)
    return Script(status[1], logic[1], tuple(symbols), tuple(asserted))


def _demand_plain(body: str, known: frozenset[str], name: str) -> None:
    """One term made of known symbols; its only quotients are of numerals."""
    tokens = _TOKENS.findall(body)
    depth = 0
    for at, token in enumerate(tokens):
        depth += (token == "(") - (token == ")")
        if depth < 0 or (depth == 0 and at + 1 < len(tokens)):
            raise Malformed(f"{name}: expected one term in each assertion")
        if token in "()" or token in known or _NUMERAL.fullmatch(token) or _BOUND.fullmatch(token):
            continue
        raise Malformed(f"{name}: unknown symbol '{token[:40]}'")
    if depth or not tokens:
        raise Malformed(f"{name}: expected one term in each assertion")
    for at, token in enumerate(tokens):
        if token == "/" and not all(_NUMERAL.fullmatch(other) for other in tokens[at + 1 : at + 3]):
            raise Malformed(f"{name}: a division by more than a numeral")
