from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.execute.examples import from_library, only, written
from verifier.execute import cross_check as module
from verifier.execute import sample, scan
from verifier.execute.cross_check import cross_check
from verifier.execute.evaluate import ExecutionError
from verifier.execute.heads import claimed_outputs, hard_outputs, soft_outputs
from verifier.execute.supremum import NoSupremum, Supremum, supremum
from verifier.spec import library
from verifier.spec.loader import load_file

TRAPS = Path(__file__).parents[1] / "data" / "traps"
ONCE = {"mask": "j <= i", "tie": "average", "score": "[selected]", "temperature": "1/(c + ln(n))"}


@pytest.mark.parametrize("name", library.names())
def test_the_library_holds_up(name: str) -> None:
    result, counterexamples = cross_check(from_library(name), 24)
    assert counterexamples == ()
    assert result.claim_violations == result.disagreements == 0
    assert result.longest == 24
    assert 0 < result.largest_error <= 0.25
    assert result.largest_error == max(result.largest_errors.values())


def test_until_to_a_thousand() -> None:
    construction = from_library("until")
    started = time.process_time()
    result, counterexamples = cross_check(construction, 1000)
    assert time.process_time() - started < 4
    assert counterexamples == ()
    assert result.strings >= 10_000
    assert result.exhaustive_to == 8
    assert result.longest == 1000
    assert result.largest_errors == pytest.approx(
        {"position-embedding": 0.1353352832366127, "temperature": 0.1353352832366127}, abs=1e-12
    )


@pytest.mark.parametrize(("name", "n"), [("until", 100_000), ("previous-lookup", 30_000)])
def test_long_strings_in_little_memory(name: str, n: int) -> None:
    construction = from_library(name)
    tracemalloc.start()
    try:
        result, counterexamples = cross_check(construction, n)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert result.longest == n
    assert result.disagreements == 0
    assert counterexamples == ()
    assert peak < 250e6


@pytest.mark.parametrize(
    ("construction", "n"),
    [
        (only(from_library("until", c="1"), "temperature"), 2),
        (only(from_library("until", c="1"), "position-embedding"), 2),
        (written(**{**ONCE, "temperature": "1/c"}), 4),  # type: ignore[arg-type]
        (load_file(TRAPS / "stale-gap.toml"), 3),
        (load_file(TRAPS / "stale-gap-reciprocal.toml"), 3),
    ],
)
def test_a_wrong_claim_is_broken_at_the_smallest_length(construction, n: int) -> None:  # type: ignore[no-untyped-def]
    result, (counterexample,) = cross_check(construction, 20)
    assert counterexample.kind == "error"
    assert counterexample.n == n
    assert result.claim_violations > 0
    assert result.disagreements == 0
    one = construction.simulations[0]
    smaller = supremum(construction, one, n - 1)
    assert isinstance(smaller, Supremum)
    assert smaller.error <= 0.25 < counterexample.error
    at = counterexample.query - 1
    soft = soft_outputs(construction, one, counterexample.batch)
    hard = hard_outputs(construction, one, counterexample.batch)
    assert counterexample.batch.size == 1
    assert counterexample.error == pytest.approx(abs(soft - hard)[0, at], abs=1e-12)


def test_between_the_lengths_that_are_run_the_smallest_is_found() -> None:
    """The error n exp(-9)/(1 + n exp(-9)) passes 0.1 between two rungs of the ladder."""
    construction = written(mask="none", tie="average", score="9*[selected]", error="1/10")
    (counterexample,) = cross_check(construction, 2000)[1]
    at = counterexample.n
    assert supremum(construction, construction.simulations[0], at).error > 0.1  # type: ignore[union-attr]
    assert supremum(construction, construction.simulations[0], at - 1).error <= 0.1  # type: ignore[union-attr]
    assert at == int(np.ceil(np.exp(9) / 9)) + 1


def test_a_hard_head_that_computes_something_else() -> None:
    construction = written(
        mask="j >= i", select="psi(j)", value="psi(j)", score="2*[selected] - j/n", temperature="1/(c*n)",
        computes="phi U psi",
    )  # fmt: skip
    result, counterexamples = cross_check(construction, 30)
    (found,) = [one for one in counterexamples if one.kind == "semantics"]
    assert found.n == 2
    assert found.error == 1
    claimed = claimed_outputs(construction, found.batch)
    assert claimed is not None
    hard = hard_outputs(construction, construction.simulations[0], found.batch)
    assert abs(hard - claimed)[0, found.query - 1] == 1
    assert result.claim_violations > 0


def test_a_unique_tie_that_is_not_unique() -> None:
    construction = written(tie="unique", value="phi(j)", score="c*(2*n*[selected] - j)")
    (found,) = cross_check(construction, 20)[1]
    assert (found.kind, found.n) == ("unique", 2)
    assert found.batch.inputs["phi"].all()


def test_a_claim_that_is_exactly_the_supremum_is_not_broken_by_rounding() -> None:
    exact = "((n - 1)*exp(-c)/n)/(1 + (n - 1)*exp(-c)/n)"
    result, counterexamples = cross_check(written(**ONCE, error=exact), 300)  # type: ignore[arg-type]
    assert (result.claim_violations, counterexamples) == (0, ())
    _, (found,) = cross_check(written(**ONCE, error=f"{exact} - [n > 20]/10^9"), 300)  # type: ignore[arg-type]
    assert found.n == 21


@pytest.mark.parametrize("shift", [-1e-11, 1e-11])
def test_numbers_that_contradict_each_other_are_counted(
    monkeypatch: pytest.MonkeyPatch, shift: float
) -> None:
    construction = only(from_library("until"), "temperature")

    def shifted(*arguments: object, **options: object) -> Supremum:
        found = supremum(*arguments, **options)  # type: ignore[arg-type]
        assert isinstance(found, Supremum)
        return replace(found, error=found.error + shift)

    monkeypatch.setattr(module, "supremum", shifted)
    disagreements = cross_check(construction, 10)[0].disagreements
    # At each length the worst string does not attain what is claimed; where that is too little, strings exceed it.
    assert disagreements == 10 if shift > 0 else disagreements > 20


def test_linear_and_direct_outputs_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    construction = only(from_library("since"), "position-embedding")
    monkeypatch.setattr(module, "supremum", lambda *_, **__: NoSupremum("not asked for"))
    assert cross_check(construction, 3)[0].disagreements == 0
    direct = scan.soft_outputs
    monkeypatch.setattr(scan, "soft_outputs", lambda *a, **o: direct(*a, **o) + 1e-9)
    assert cross_check(construction, 3)[0].disagreements > 0


def test_lengths_that_the_claim_is_not_about_are_skipped() -> None:
    construction = written(
        mask="j <= i",
        tie="average",
        score="[selected]",
        temperature="1/ln(n)",
        error="1/2",
        requires="n >= 3",
    )
    result, counterexamples = cross_check(construction, 12)
    assert counterexamples == ()
    assert result.strings > 0
    with pytest.raises(ExecutionError, match="temperature of simulation 's' divides by zero at n = 1"):
        cross_check(replace(construction, requires=None), 12)
    nothing, _ = cross_check(replace(construction, requires=written(requires="n > 99").requires), 12)
    assert (nothing.strings, nothing.longest) == (0, 0)


def test_lengths_at_which_numbers_overflow_are_left_out() -> None:
    construction = written(score="exp(j^2)*[selected]", tie="rightmost", value="phi(j)")
    result, _ = cross_check(construction, 100)
    assert result.longest == 26
    assert any("lengths from 27 on are left out" in note and "exp" not in note for note in result.notes)


def test_the_seed_decides_the_strings() -> None:
    construction = written(value="v(j)", score="[selected] + v(j)", tie="average", error="1/1000")
    first, again, other = (cross_check(construction, 12, seed=seed)[0].claim_violations for seed in (1, 1, 2))
    assert first == again != other


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    cross_check(from_library("next"), 70, progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == list(range(told[0][1] + 1))
    assert {total for _, total in told} == {told[0][1]}


def test_notes_say_what_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    perturbed, _ = cross_check(from_library("average-attention-perturbed"), 5)
    assert any("not those within the score error" in note for note in perturbed.notes)
    assert any("the exact supremum is not known" in note for note in perturbed.notes)
    monkeypatch.setattr(sample, "LARGEST_SCORES", 500)
    long, _ = cross_check(from_library("average-attention"), 40)
    assert long.longest == 21
    assert any("more than two million numbers" in note for note in long.notes)


def test_neither_solvers_nor_proofs_are_imported() -> None:
    code = (
        "import sys, verifier.execute.cross_check\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('sympy', 'z3', 'flint', 'cvc5')"
        " or m.startswith(('verifier.prove', 'verifier.symbolic', 'verifier.report'))))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
