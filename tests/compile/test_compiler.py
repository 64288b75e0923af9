"""The compiler's stages: sharing, layers, limits, and that nothing depends on the hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from verifier.compile.circuit import Conjunction, Difference
from verifier.compile.compiler import compile_formula, compile_text
from verifier.compile.errors import CompileError
from verifier.compile.lower import written_out
from verifier.compile.operators import CONSTRUCTIONS, ROUTES, SHORT, construction_for, simulation_for
from verifier.compile.scores import Monomial, bilinear
from verifier.compile.transformer import AttentionLayer, Kind, Transformer
from verifier.logic.errors import FormulaError, WordError
from verifier.logic.parser import parse
from verifier.logic.syntax import TEMPORAL, Atom, Binary, Formula, temporal_depth, to_text

from .helpers import compiled, weights


def test_every_temporal_operator_has_a_construction_or_is_short_for_one() -> None:
    assert set(CONSTRUCTIONS) | set(SHORT) == TEMPORAL
    for op in CONSTRUCTIONS:
        claim = construction_for(op).claim.computes
        assert getattr(claim, "op", None) == op


def test_short_operators_are_written_out() -> None:
    texts = {"sF a": "true sU a", "sG a": "!(true sU !a)", "sO a": "true sS a", "sH a": "!(true sS !a)"}
    for short, long in texts.items():
        assert to_text(written_out(parse(short))) == long
    formula = parse("a U X b")
    assert written_out(formula) is formula


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    ("text", "heads", "depth"),
    [
        ("(a U b) & ((a U b) | c)", 1, 1),  # equal subformulas
        ("F (a -> b) & F (!a | b)", 1, 1),  # equal operands
        ("(a U b) | ((a & !b) U b)", 1, 1),  # the same keys selected, the same values read
        ("F a & G b & X c", 3, 1),  # side by side
        ("F G X a", 3, 3),
        ("F a & F F a", 2, 2),
        ("sF a & sG b & sO c & sH a", 4, 1),
        ("a & !b", 0, 0),
    ],
)
def test_heads_and_layers(text: str, heads: int, depth: int, route: str) -> None:
    transformer = compiled(text, "abc", route).transformer
    assert (transformer.heads, transformer.depth) == (heads, depth)
    assert transformer.depth == temporal_depth(parse(text))


@pytest.mark.parametrize(
    "text", ["a | !a", "a & !a", "a <-> a", "(a & b) & !a", "true", "a -> true", "!(a <-> !a) | b & false"]
)
def test_constant_formulas_need_no_gate(text: str) -> None:
    transformer = compiled(text, "ab", "temperature").transformer
    assert transformer.layers == ()


def test_conjunctions_are_merged() -> None:
    circuit = compiled("(a & !b) & (!c & a)", "abc", "temperature").circuit
    gates = [node for node in circuit.nodes if isinstance(node, Conjunction)]
    assert max(len(gate.operands) for gate in gates) == 3
    assert len(compiled("a & b & c & !X a", "abc", "temperature").transformer.layers) == 3


@pytest.mark.parametrize("signs", [("", ""), ("!", ""), ("", "!"), ("!", "!")])
def test_equivalence_of_literals(signs: tuple[str, str]) -> None:
    circuit = compiled(f"{signs[0]}a <-> {signs[1]}b", "ab", "temperature").circuit
    assert [type(node) for node in circuit.nodes[-1:]] == [Difference]
    assert circuit.root.negated == (signs[0] == signs[1])


def test_features_are_bounded_on_the_temperature_route() -> None:
    text = "(a U b) & (a S b) & (a sU b) & (a sS b) & X a & Y a & F a & G a & O a & H a"
    found = [feature for _, feature in compiled(text, "ab", "temperature").transformer.features]
    assert found == [Monomial(1, -1)]
    grow = compiled(text, "ab", "position-embedding").transformer
    assert {feature for _, feature in grow.features} == {Monomial(1), Monomial(0, 1), Monomial(0, 0, 1)}
    for layer in grow.attention_layers():
        assert set(layer.inverse_temperature) == {((Monomial(), 1.0),)}


def test_the_length_never_multiplies_a_boolean_within_one_feature() -> None:
    for op in CONSTRUCTIONS:
        for route in ROUTES:
            construction = construction_for(op)
            for query, key in bilinear(construction, simulation_for(construction, route)).products:
                assert all(isinstance(leaf, Monomial) or leaf for leaf, _ in (*query, *key))
                assert query and key


def test_coordinates_are_written_once_and_matrices_are_read_only() -> None:
    transformer = compiled("G (a -> (b U c)) & sH (a <-> Y b)", "abc", "temperature").transformer
    written = np.zeros(transformer.width, dtype=int)
    for layer in transformer.layers:
        matrix = layer.output if isinstance(layer, AttentionLayer) else layer.outer
        written += (matrix != 0).any(axis=0)
    kinds = [coordinate.kind for coordinate in transformer.coordinates]
    assert [int(kind in (Kind.SOFT, Kind.EXACT)) for kind in kinds] == written.tolist()
    for matrix in weights(transformer).values():
        with pytest.raises(ValueError, match="read-only"):
            matrix[...] = 0


def _balanced(operators: int) -> Formula:
    """A formula with so many operators, half of them temporal, no two subformulas equal."""
    names = ["U", "S", "&", "sU", "->", "sS", "<->", "U"]
    layer: list[Formula] = [Atom(f"p{at}") for at in range(operators + 1)]
    made = 0
    while len(layer) > 1:
        pairs = [
            Binary(names[(made + at) % len(names)], layer[2 * at], layer[2 * at + 1])
            for at in range(len(layer) // 2)
        ]
        made += len(pairs)
        layer = [*pairs, *layer[2 * len(pairs) :]]
    return layer[0]


@pytest.mark.parametrize("route", ROUTES)
def test_two_hundred_operators_in_seconds(route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.compile.compiler.check_alphabet", lambda alphabet: None)
    formula = _balanced(200)
    started = time.perf_counter()
    transformer = compile_formula(formula, [f"p{at}" for at in range(201)], route).transformer
    assert time.perf_counter() - started < 10
    assert transformer.heads > 90


def test_too_wide_a_formula_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.compile.emit.WIDEST", 20)
    compile_text("F a & F b", "ab")
    with pytest.raises(CompileError, match=r"width 2\d; expected at most 20"):
        compile_text("F a & F b & F (a & X b) & F (b & X a) & G X X a & H Y Y b", "ab")


def test_wrong_formulas_and_alphabets_are_refused() -> None:
    for text, alphabet in (("a &", "ab"), ("c", "ab"), ("", "ab")):
        with pytest.raises(FormulaError):
            compile_text(text, alphabet)
    for alphabet in ("", "aa"):
        with pytest.raises(WordError):
            compile_text("a", alphabet)
    with pytest.raises(CompileError, match="no simulation 'other'"):
        compile_text("F a", "ab", "other")


def digest(transformer: Transformer) -> str:
    """One number for every matrix and note."""
    total = hashlib.sha256()
    for name, matrix in weights(transformer).items():
        total.update(f"{name}{matrix.shape}{matrix.tolist()}".encode())
    notes = [layer.notes for layer in transformer.attention_layers()]
    total.update(repr((transformer.coordinates, transformer.features, notes)).encode())
    return total.hexdigest()


def test_the_result_does_not_depend_on_the_hash_seed() -> None:
    text = "(G (a -> (b U c)) & sH (a <-> Y b)) | (F (c & X a) S (O b & !H c))"
    program = (
        "from tests.compile.test_compiler import digest; from verifier.compile.compiler import compile_text;"
        f"print(digest(compile_text({text!r}, 'abc', 'position-embedding').transformer))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert found == {digest(compiled(text, "abc", "position-embedding").transformer) + "\n"}
