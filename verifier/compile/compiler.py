"""The compiler: one call per stage, top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from verifier.compile.circuit import Attention, Circuit
from verifier.compile.emit import emit
from verifier.compile.lower import lower, written_out
from verifier.compile.operators import CONSTRUCTIONS, construction_for
from verifier.compile.schedule import schedule
from verifier.compile.transformer import Transformer
from verifier.logic.parser import parse
from verifier.logic.syntax import Formula
from verifier.logic.words import check_alphabet


@dataclass(frozen=True)
class Compiled:
    """A transformer and how it came about.

    `circuit` is that of the formula without operators that are short for others.
    """

    formula: Formula
    circuit: Circuit
    transformer: Transformer


def compile_text(text: str, alphabet: Sequence[str], route: str = "temperature") -> Compiled:
    """Compile the text of a formula; see `compile_formula`.

    Raises:
        FormulaError: the text is no formula over the alphabet.
        WordError: the alphabet is wrong.
        CompileError: as `compile_formula`.
    """
    check_alphabet(alphabet)
    return compile_formula(parse(text, alphabet), alphabet, route)


def compile_formula(formula: Formula, alphabet: Sequence[str], route: str = "temperature") -> Compiled:
    """Compile a formula to a softmax transformer that computes its value at every position.

    Args:
        formula: its atoms must be symbols of the alphabet.
        alphabet: distinct symbols, each a single character.
        route: ``temperature`` (bounded position features) or ``position-embedding`` (constant temperature).

    Raises:
        WordError: the alphabet is wrong.
        CompileError: the transformer would be wider than `emit.WIDEST`, or the library lacks a construction.
    """
    check_alphabet(alphabet)
    circuit = lower(written_out(formula), route)
    stages = schedule(circuit)
    by_name = {name: construction_for(op) for op, name in CONSTRUCTIONS.items()}
    used = {name: by_name[name] for name in _names(circuit)}
    transformer = emit(formula, circuit, stages, route, tuple(alphabet), used)
    return Compiled(formula, circuit, transformer)


def _names(circuit: Circuit) -> list[str]:
    return list(dict.fromkeys(node.construction for node in circuit.nodes if isinstance(node, Attention)))
