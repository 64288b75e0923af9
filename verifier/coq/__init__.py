"""Coq: a construction file as definitions, theorems and proofs that the kernel of Coq checks on its own.

Nothing here decides anything: a theorem is proved when `coqc` accepts it, and unproved otherwise.
"""

from __future__ import annotations

from verifier.coq.compile import CompileResult, compile_theories, differs, recheck
from verifier.coq.composed import emit_formula
from verifier.coq.emit import emit
from verifier.coq.expressions import Unwritable
from verifier.coq.theory import CoqTheorem, CoqTheory
from verifier.coq.toolchain import Toolchain, Unavailable

__all__ = [
    "CompileResult", "CoqTheorem", "CoqTheory", "Toolchain", "Unavailable", "Unwritable", "compile_theories",
    "differs", "emit", "emit_formula", "recheck",
]  # fmt: skip
