"""The kernel's word: right constructions compile, wrong ones do not, and dirty files are noticed."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.coq.edited import edited, loaded
from verifier.coq import CompileResult, CoqTheory, Toolchain, Unavailable, compile_theories, differs, emit, recheck
from verifier.coq.compile import LOGARITHMS, REALS
from verifier.verdict import Verdict


def compiled(theory: CoqTheory, toolchain: Toolchain, seconds: float = 300) -> CompileResult:
    return compile_theories([theory], toolchain, seconds)[0]


@pytest.mark.strength
@pytest.mark.parametrize("name", ["until", "parity", "leftmost-attention"])
def test_proved_on_the_axioms_of_real_numbers(name: str, toolchain: Toolchain) -> None:
    theory = emit(loaded(name))
    result = compiled(theory, toolchain)
    assert result.reason == ""
    assert result.verdict == Verdict.PROVED
    assert set(result.theorems) == set(theory.proved_names)
    assert all(set(axioms) <= REALS for axioms in result.theorems.values())


@pytest.mark.strength
@pytest.mark.parametrize("name", ["once", "average-attention-perturbed"])
def test_logarithms_rest_on_excluded_middle_besides(name: str, toolchain: Toolchain) -> None:
    result = compiled(emit(loaded(name)), toolchain)
    assert result.verdict == Verdict.PROVED
    assert {axiom for axioms in result.theorems.values() for axiom in axioms} <= REALS | LOGARITHMS


VARIED = [
    ("until", ('error    = "1/4"', 'error    = "1/6"')),
    ("since", ('error    = "1/4"', 'error    = "1/7"')),
    ("previous", ('error    = "1/4"', 'error    = "7/50"')),
    ("leftmost-attention", ('error = "1/4"', 'error = "1/7"')),
    ("until", ("c*(2*n*[selected] - j)", "c*(5*n*[psi(j) or not phi(j)] - j)")),
    ("once", ("(c + ln(n))*[selected]", "c*n*[selected]")),
    ("eventually", ('select = "phi(j)"', 'select = "not phi(j)"'), ('value  = "phi(j)"', 'value  = "not phi(j)"'),
     ("F phi", "F !phi")),
    ("eventually-leftmost", ("F phi", "sF phi"), ("j >= i", "j > i")),
    ("offset", ('default = "2", domain = "m', 'default = "7", domain = "m')),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.strength
@pytest.mark.parametrize("case", VARIED, ids=str)
def test_a_users_variations_are_proved(
    case: tuple[str, *tuple[tuple[str, str], ...]], toolchain: Toolchain, tmp_path: Path
) -> None:
    name, *changes = case
    result = compiled(emit(edited(tmp_path, name, *changes)), toolchain)
    assert result.reason == ""
    assert result.verdict == Verdict.PROVED


PE, T = "position-embedding", "temperature"
WRONG = [
    ("until", T, ('tie    = "leftmost"', 'tie    = "rightmost"')),
    ("since", PE, ('tie    = "rightmost"', 'tie    = "leftmost"')),
    ("until", T, ('temperature = "1/(c*n)"', 'temperature = "1/c"')),
    ("until", PE, ('error    = "1/4"', 'error    = "1/8"')),
    ("until", PE, ("c*(2*n*[selected] - j)", "c*([selected] - j)")),
    ("until", PE, ('select = "psi(j) or not phi(j)"', 'select = "psi(j)"')),
    ("until", PE, ('mask   = "j >= i"', 'mask   = "j > i"')),
    ("until", PE, ('default = "2", domain = "c > 0", minimum = "2"', 'default = "1", domain = "c > 0"')),
    ("until", PE, ('value  = "psi(j)"', 'value  = "psi(j)"\ndefault = "1"')),
    ("until", PE, ('computes = "phi U psi"', 'computes = "psi U phi"')),
    ("globally", T, ('output = "not value"', 'output = "value"')),
    ("once", T, ('temperature = "1/(c + ln(n))"', 'temperature = "1/c"')),
    ("previous-lookup", PE, ("bos    = true\n", "")),
    ("parity", T, ('temperature = "1/(c*n^2)"', 'temperature = "1/(c*n)"')),
    ("parity", PE, ("j mod 2 = 1", "j mod 2 = 0")),
    ("leftmost-attention", T, ('temperature = "gamma/(2*n*c)"', 'temperature = "gamma/c"')),
    ("average-attention-perturbed", T, ('"delta*gamma/(c + ln(n))"', '"3*delta*gamma/(c + ln(n))"')),
]


@pytest.mark.soundness
@pytest.mark.parametrize(("name", "simulation", "change"), WRONG)
def test_wrong_constructions_are_not_proved(
    name: str, simulation: str, change: tuple[str, str], toolchain: Toolchain, tmp_path: Path
) -> None:
    theory = emit(edited(tmp_path, name, change), simulation)
    result = compiled(theory, toolchain)
    assert result.verdict == Verdict.UNDECIDED
    assert result.reason


@pytest.mark.soundness
def test_a_claim_without_a_proof_is_not_proved(toolchain: Toolchain, tmp_path: Path) -> None:
    result = compiled(emit(edited(tmp_path, "until", ('"1/4"', '"exp(-c)"'))), toolchain)
    assert result.verdict == Verdict.UNDECIDED
    assert "until_position_embedding has no proof" in result.reason
    assert "until_hard" in result.theorems


@pytest.mark.soundness
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (("Admitted. Theorem until_other : True. Proof. exact I.",), "the word 'Admitted'"),
        (("intros. exact (proof_irrelevance _ _ _).",), "Coq refuses the proof: in until_hard"),
        (("intros. give_up.",), "the word 'give_up'"),
    ],
)
def test_open_proofs_are_refused(script: tuple[str, ...], reason: str, toolchain: Toolchain) -> None:
    theory = emit(loaded("until"))
    first = replace(theory.theorems[0], proof=script)
    result = compiled(replace(theory, theorems=(first, *theory.theorems[1:])), toolchain)
    assert result.verdict == Verdict.UNDECIDED
    assert reason in result.reason


@pytest.mark.soundness
def test_a_borrowed_axiom_is_named(toolchain: Toolchain) -> None:
    theory = emit(loaded("until"))
    definitions = theory.definitions.replace("Close Scope", "From Coq Require Import ProofIrrelevance.\nClose Scope", 1)
    first = replace(
        theory.theorems[0],
        binders="(P : Prop) (a b : P)", hypotheses=(), conclusion="a = b", proof=("intros. apply proof_irrelevance.",),
    )  # fmt: skip
    result = compiled(replace(theory, definitions=definitions, theorems=(first,)), toolchain)
    assert result.verdict == Verdict.UNDECIDED
    assert "proof_irrelevance" in result.reason


def test_a_time_limit_is_kept(toolchain: Toolchain) -> None:
    result = compiled(emit(loaded("until")), toolchain, seconds=0.05)
    assert result.verdict == Verdict.UNDECIDED
    assert "longer than" in result.reason


def test_results_are_not_truth_values(toolchain: Toolchain) -> None:
    with pytest.raises(TypeError, match="no truth value"):
        bool(CompileResult("until", Verdict.PROVED))


def test_a_changed_file_differs_from_its_theory() -> None:
    theory = emit(loaded("until"))
    assert differs(theory, theory.text) == ""
    assert "1 / 4" in differs(theory, theory.text.replace("R := 1 / 4", "R := 1 / 2"))
    assert "lines" in differs(theory, theory.text + "\nDefinition more := 1.")


@pytest.mark.soundness
def test_a_certificate_must_be_the_very_text(toolchain: Toolchain) -> None:
    theory = emit(loaded("until"), "temperature")
    assert recheck(theory, theory.text, toolchain).verdict == Verdict.PROVED
    weaker = recheck(theory, theory.text.replace("R := 1 / 4", "R := 1 / 2"), toolchain)
    assert weaker.verdict == Verdict.UNDECIDED
    assert "not what its construction yields" in weaker.reason


def test_without_coq_the_reason_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="not installed"):
        Toolchain.find()


@pytest.mark.soundness
@pytest.mark.parametrize("file", ["Unproved", "Assumed", "Borrowed"])
def test_dirty_files_are_noticed(file: str, toolchain: Toolchain) -> None:
    folder = toolchain.development
    compile_it = [*toolchain.arguments, f"dirty/{file}.v"]
    assert subprocess.run(compile_it, cwd=folder, capture_output=True, check=False).returncode == 0
    check = ["sh", "check.sh", f"dirty/{file}.v"]
    done = subprocess.run(check, cwd=folder, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.returncode == 1
    assert file in done.stdout


@pytest.mark.slow
def test_the_whole_development(toolchain: Toolchain) -> None:
    done = subprocess.run(
        ["make", "-C", str(toolchain.development), "check"], capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "every dirty file was noticed" in done.stdout
