"""Temporal logic over finite strings: syntax, value at each position, and translation to first-order logic.

The semantics is that of docs/theory.md, section on finite-string LTL. This module exports what costs nothing
to import; `parser` (lark), `words` and `values` (numpy) and `first_order` (z3) are imported by those who need
them.
"""

from verifier.logic.errors import FormulaError, WordError
from verifier.logic.syntax import Atom, Binary, Constant, Formula, Unary, to_text

__all__ = ["Atom", "Binary", "Constant", "Formula", "FormulaError", "Unary", "WordError", "to_text"]
