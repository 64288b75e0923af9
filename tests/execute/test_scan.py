from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.execute.examples import constructions, from_library, written
from verifier.execute import heads, scan, strings
from verifier.execute.batch import Batch
from verifier.execute.evaluate import ExecutionError
from verifier.execute.scan import Separation, Sums
from verifier.spec.construction import Construction


def separation(construction: Construction) -> Separation | None:
    return scan.separate(construction, construction.simulations[0])


def differences(construction: Construction, batch: Batch) -> tuple[float, float]:
    """How far linear and dense form are apart, soft and hard."""
    found, one = separation(construction), construction.simulations[0]
    assert found is not None
    soft = scan.soft_outputs(construction, one, found, batch) - heads.soft_outputs(construction, one, batch)
    hard = scan.hard_outputs(construction, batch) - heads.hard_outputs(construction, one, batch)
    return float(np.abs(soft).max()), float(np.abs(hard).max())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(constructions(), st.integers(1, 40), st.integers(0, 99))
def test_agrees_with_the_definition(construction: Construction, n: int, seed: int) -> None:
    if separation(construction) is not None:
        batch = strings.random_strings(construction, n, 4, np.random.default_rng(seed))
        assert max(differences(construction, batch)) <= 1e-12


@pytest.mark.parametrize("mask", ["none", "j <= i", "j < i", "j >= i", "j > i"])
@pytest.mark.parametrize(
    "score",
    ["3*j*[selected] - 2*j", "n*(i - j)/2", "-(j - i/2 - [phi(j)])*c", "[phi(j)]*i - [selected]*j + ln(n)*i"],
)
def test_each_mask_with_values_of_either_sign(mask: str, score: str) -> None:
    for tie in ("leftmost", "rightmost", "average"):
        construction = written(mask=mask, tie=tie, score=score, value="j*(2*v(j) - 1)", head={"bos": "true"})
        for n in (1, 2, 3, 30):
            batch = strings.random_strings(construction, n, 5, np.random.default_rng(n))
            soft, hard = differences(construction, batch)
            assert soft <= 1e-12 * n
            assert hard <= 1e-12 * n


@pytest.mark.parametrize(
    ("score", "select", "parts"),
    [
        ("2*[selected] - j/n", "phi(j)", 1),
        ("c*(2*n*[selected] - j) + i^2", "phi(j)", 1),
        ("(i + 3*j)/n", "phi(j)", 1),
        ("c*(2*i*[selected] + j)", "phi(j)", 2),
        ("i*[selected] - i*[psi(j)] + j", "phi(j)", 4),
        ("abs(i - j)", "phi(j)", None),
        ("2*i*j - j^2", "phi(j)", None),
        ("[selected]", "j = i - 1", None),
        ("i*[phi(i) and psi(j)]", "phi(j)", None),
        ("j/i", "phi(j)", None),
        ("exp(i + j)", "phi(j)", None),
    ],
)
def test_which_scores_separate(score: str, select: str, parts: int | None) -> None:
    found = separation(written(score=score, select=select))
    assert (None if found is None else len(found.parts)) == parts


def test_argmax_is_not_separated() -> None:
    assert separation(written(select="argmax", score="[phi(j)]", head={"gap": "1"})) is None


def test_whole_means_that_the_query_plays_no_part() -> None:
    for score, whole in (("c*[selected] - j", True), ("i - j", False), ("i*[selected]", False)):
        found = separation(written(score=score))
        assert found is not None
        assert found.whole is whole


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.lists(st.tuples(st.floats(-800, 800), st.floats(-1, 1)), min_size=1, max_size=30), st.booleans())
def test_partial_sums_against_plain_ones(keys: list[tuple[float, float]], backwards: bool) -> None:
    exponent, value = (np.array([list(column)]) for column in zip(*keys, strict=True))
    sums = scan.partial(Sums(exponent, np.ones_like(exponent), value), backwards=backwards)
    for count in range(len(keys) + 1):
        part = slice(count, None) if backwards else slice(count)
        inside, worth = exponent[0, part], value[0, part]
        if not len(inside):
            assert sums.total[0, count] == 0
            continue
        weights = np.exp(inside - inside.max())
        assert sums.top[0, count] == inside.max()
        assert sums.total[0, count] == pytest.approx(weights.sum(), rel=1e-13)
        assert sums.weighted[0, count] == pytest.approx((weights * worth).sum(), abs=1e-12)


def test_long_strings_are_fast_and_right() -> None:
    n = 100_000
    for name in ("until", "since", "once"):
        construction = from_library(name)
        batch = strings.random_strings(construction, n, 3, np.random.default_rng(0))
        queries = np.array([1, 2, n // 2, n - 1, n])
        for one in construction.simulations:
            found = scan.separate(construction, one)
            assert found is not None
            started = time.process_time()
            soft = scan.soft_outputs(construction, one, found, batch)
            hard = scan.hard_outputs(construction, batch)
            assert time.process_time() - started < 3
            at = queries - 1
            assert np.abs(soft[:, at] - heads.soft_outputs(construction, one, batch, queries)).max() <= 1e-11
            assert (hard[:, at] == heads.hard_outputs(construction, one, batch, queries)).all()


def test_undefined_scores_are_refused_where_some_query_sees_the_key() -> None:
    construction = written(score="1/j", mask="j <= i", head={"bos": "true"})
    found, one = separation(construction), construction.simulations[0]
    assert found is not None
    batch = Batch(3, 0, {"phi": np.zeros((1, 4), dtype=bool)})
    with pytest.raises(ExecutionError, match="divides by zero"):
        scan.soft_outputs(construction, one, found, batch)
    unseen = written(score="1/j", mask="j >= i", head={"bos": "true"})
    found = separation(unseen)
    assert found is not None
    assert np.isfinite(scan.soft_outputs(unseen, unseen.simulations[0], found, batch)).all()


def test_strings_are_run_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    construction = from_library("since")
    batch = strings.random_strings(construction, 20, 7, np.random.default_rng(4))
    monkeypatch.setattr(scan, "BLOCK", 50)
    assert max(differences(construction, batch)) <= 1e-15
