"""The composed theorem: the transformer of a formula computes the formula."""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from verifier.coq import Toolchain, Unavailable, compile_theories, emit_formula
from verifier.logic.parser import parse
from verifier.logic.syntax import BINARY, UNARY, Atom, Formula, Unary
from verifier.logic.values import values
from verifier.verdict import Verdict

EVERYTHING = " | ".join([f"{op} p" for op in UNARY] + [f"(p {op} q)" for op in BINARY] + ["true"])


def test_every_subformula_is_defined_once() -> None:
    definitions = emit_formula(parse("a U (b & X a)", ["a", "b"])).definitions
    assert "0 is a, 1 is b" in definitions
    assert definitions.count("Atom 0") == 1
    assert definitions.rstrip().endswith("Definition the_formula : formula := f4.")


def test_deep_formulas_do_not_nest() -> None:
    formula: Formula = Atom("a")
    for _ in range(2000):
        formula = Unary("X", formula)
    text = emit_formula(formula).text
    assert text.count("Next") == 2000
    assert max(map(len, text.splitlines())) < 700


def test_one_route_only() -> None:
    theory = emit_formula(parse("F a", ["a"]), "temperature")
    assert [one.name for one in theory.theorems] == ["formula_temperature"]


@pytest.fixture(scope="module")
def composed() -> Toolchain:
    try:
        return Toolchain.find(composed=True)
    except Unavailable as reason:
        pytest.skip(f"Coq cannot be used here: {reason}")


@pytest.mark.strength
@pytest.mark.slow
def test_every_operator_is_proved(composed: Toolchain) -> None:
    theory = emit_formula(parse(EVERYTHING, ["p", "q"]))
    result = compile_theories([theory], composed)[0]
    assert result.reason == ""
    assert result.verdict == Verdict.PROVED
    assert set(result.theorems) == {"formula_position_embedding", "formula_temperature"}


@pytest.mark.soundness
@pytest.mark.slow
def test_coq_and_python_give_formulas_the_same_values(composed: Toolchain, tmp_path: Path) -> None:
    """Every operator on every string of length up to 4 over two atoms, by computation in Coq."""
    formulas = [parse(f"{op} p", ["p", "q"]) for op in UNARY]
    formulas += [parse(f"(p {op} q)", ["p", "q"]) for op in BINARY]
    lines = ["From Coq Require Import ZArith List Bool.", "From HardAttention.composition Require Import Formulas."]
    lines.append("Import ListNotations.")
    lines.append("Definition word (p q : list bool) a j := nth (Z.to_nat (j - 1)) (nth a [p; q] []) false.")
    for at, formula in enumerate(formulas):
        theory = emit_formula(formula)
        body = theory.definitions[theory.definitions.index("Definition f0") :]
        lines.append(f"Module M{at}.\n{body}\nEnd M{at}.")
    pairs = list(itertools.product((False, True), repeat=2))
    words = [word for n in range(1, 5) for word in itertools.product(pairs, repeat=n)]
    shown = "; ".join(f"({_booleans(p for p, _ in word)}, {_booleans(q for _, q in word)})" for word in words)
    lines.append(f"Definition words := [{shown}].")
    for at in range(len(formulas)):
        lines.append(
            "Eval vm_compute in flat_map (fun w => let n := Z.of_nat (length (fst w)) in"
            f" map (holds n (word (fst w) (snd w)) M{at}.the_formula) (positions 1 n)) words."
        )
    file = tmp_path / "values.v"
    file.write_text("\n".join(lines), encoding="utf-8")
    done = subprocess.run(
        [*composed.arguments, str(file)], cwd=tmp_path, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed = [re.findall(r"true|false", part.split(": list bool")[0]) for part in done.stdout.split("     = ")[1:]]
    assert len(printed) == len(formulas)
    for formula, said in zip(formulas, printed, strict=True):
        expected = []
        for word in words:
            planes = {name: np.array([[pair[at] for pair in word]]) for at, name in enumerate(("p", "q"))}
            expected += [str(bool(one)).lower() for one in values(formula, planes)[0]]
        assert said == expected, formula


def _booleans(bits: Iterable[bool]) -> str:
    return "[" + "; ".join(str(bit).lower() for bit in bits) + "]"
