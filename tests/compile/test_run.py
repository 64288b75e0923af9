"""The compiled transformers on strings: handed cases, random formulas, scans against dense attention, memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from verifier.compile import run as running
from verifier.compile.attention import dense, evaluate, hard, soft
from verifier.compile.check import run_strings
from verifier.compile.run import embed, forward, output, run, runner
from verifier.compile.scores import Monomial
from verifier.compile.transformer import Kind
from verifier.logic.errors import WordError
from verifier.logic.syntax import Formula

from .helpers import ALPHABET, ROUTES, WORST, cases, compile_formula, compiled, formulas, worst_string

# The largest bound that is proved of any head: R/(1 + R) at n = 2, R = e^-2/(1 - e^-2) + e^-6.
PROVED = 0.1373

LANGUAGES = [case for case in cases() if case["group"] in ("lang", "longlang")]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_every_handed_case(case: dict[str, Any], route: str) -> None:
    ready = runner(compiled(case["formula"], case["alphabet"], route).transformer)
    outcome = run(ready, [case["string"]])
    assert outcome.soft[0].tolist() == case["values"]
    assert outcome.hard[0].tolist() == case["values"]
    assert outcome.values[0].tolist() == case["values"]
    assert outcome.largest_error <= PROVED


def test_the_handed_cases_have_the_star_free_languages_of_the_literature() -> None:
    names = {case["name"] for case in LANGUAGES}
    assert any("flip-flop" in name for name in names)
    assert any("Tomita" in name for name in names)
    assert any("D_2" in name for name in names)
    assert len(LANGUAGES) == 74


@pytest.mark.parametrize("route", ROUTES)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(formula=formulas(), words=st.lists(st.text(ALPHABET, min_size=1, max_size=12), min_size=1, max_size=4))
def test_random_formulas_have_the_values_of_the_semantics(route: str, formula: Formula, words: list[str]) -> None:
    ready = runner(compile_formula(formula, ALPHABET, route).transformer)
    for one in run_strings(ready, words):
        assert one.differences == ()
        assert one.soft == one.hard == one.values


@pytest.mark.parametrize("route", ROUTES)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(formula=formulas(), word=st.text(ALPHABET, min_size=1, max_size=40))
def test_scans_agree_with_dense_attention_and_booleans_are_exact(route: str, formula: Formula, word: str) -> None:
    transformer = compile_formula(formula, ALPHABET, route).transformer
    ready = runner(transformer)
    streams = [forward(ready, embed(transformer, [word]), attend) for attend in (soft, dense, hard)]
    assert np.allclose(streams[0], streams[1], rtol=0, atol=1e-12)
    exact = [at for at, one in enumerate(transformer.coordinates) if one.kind in (Kind.EXACT, Kind.TOKEN)]
    for stream in streams:
        assert np.isin(stream[exact], (0.0, 1.0)).all()  # exactly, not nearly


@pytest.mark.parametrize("route", ROUTES)
def test_the_scan_is_what_runs(route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every head of the library separates; a quadratic fallback would go unnoticed but for the time."""
    monkeypatch.setattr("verifier.compile.attention.dense", lambda *_: pytest.fail("fell back to all n² scores"))
    text = "(a U b) & (a S b) & (a sU b) & (a sS b) & X a & Y a & F a & G a & O a & H a"
    output(runner(compiled(text, "ab", route).transformer), ["abba" * 50], soft)


@pytest.mark.parametrize("route", ROUTES)
def test_chunks_do_not_change_the_result(route: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ready = runner(compiled("G (a -> (b U c)) & sH (a -> Y b)", "abc", route).transformer)
    random = np.random.default_rng(3)
    words = ["".join(row) for row in random.choice(list("abc"), (17, 30))]
    whole = run(ready, words)
    monkeypatch.setattr(running, "CHUNK_ELEMENTS", 1000)
    parts = run(ready, words)
    assert (whole.soft == parts.soft).all()
    assert (whole.values == parts.values).all()
    assert whole.largest_error == parts.largest_error


@pytest.mark.parametrize("route", ROUTES)
def test_the_margin_is_that_of_the_theory(route: str) -> None:
    """On a string of its worst kind the head of F errs by (n-1)/n · e^-2, which the run must show."""
    n = 200
    ready = runner(compiled("O a", "ab", route).transformer)
    outcome = run(ready, ["a" + "b" * (n - 1)])
    assert outcome.largest_error == pytest.approx(1 - 1 / (1 + (n - 1) / n * np.exp(-2)), abs=1e-9)


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("op", WORST)
def test_worst_strings_attain_the_exact_supremum_and_are_rounded_right(op: str, route: str) -> None:
    ready = runner(compiled(WORST[op], "abcd", route).transformer)
    for n in (2, 3, 5, 17, 64):
        word, error = worst_string(op, route, n)
        outcome = run(ready, [word])
        assert outcome.differences == 0
        assert outcome.largest_error == pytest.approx(error, abs=1e-9)


def test_empty_rows_give_false() -> None:
    ready = runner(compiled("X true | Y true | (true sU true) | (true sS true)", "a", "temperature").transformer)
    assert run(ready, ["a"]).soft.tolist() == [[False]]
    assert run(ready, ["aa"]).soft.tolist() == [[True, True]]


def test_strings_of_several_lengths_keep_their_order() -> None:
    ready = runner(compiled("a S b", "ab", "temperature").transformer)
    found = run_strings(ready, ["ba", "a", "baa", "ab"])
    assert [one.string for one in found] == ["ba", "a", "baa", "ab"]
    assert [one.accepted for one in found] == [True, False, True, True]
    ready = runner(compiled("F b", "ab", "temperature").transformer)
    assert [one.accepted for one in run_strings(ready, ["ba", "aab", "aa"])] == [True, True, False]


@pytest.mark.parametrize("words", [[""], ["ad"], ["a", "ab"], []])
def test_wrong_strings_are_refused(words: list[str]) -> None:
    with pytest.raises(WordError):
        run(runner(compiled("a", "ab", "temperature").transformer), words)


def test_monomials() -> None:
    positions = np.array([1.0, 2.0, 4.0])
    assert evaluate(Monomial(1, -1), positions, 4).tolist() == [0.25, 0.5, 1.0]
    assert evaluate(Monomial(2), positions, 4).tolist() == [1.0, 4.0, 16.0]
    assert evaluate(Monomial(0, 1), positions, 4).tolist() == [4.0] * 3
    assert evaluate(Monomial(0, 0, 1), positions, 4).tolist() == [np.log(4.0)] * 3


@pytest.mark.slow
def test_a_thousand_strings_of_length_a_thousand_in_seconds() -> None:
    import time

    ready = runner(compiled("G (a -> (b U c)) & sH (a -> F c)", "abc", "temperature").transformer)
    random = np.random.default_rng(0)
    words = ["".join(row) for row in random.choice(list("abc"), (1000, 1000))]
    started = time.perf_counter()
    outcome = run(ready, words)
    assert time.perf_counter() - started < 20
    assert outcome.differences == 0
