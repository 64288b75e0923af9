from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.execute.examples import from_library, library_simulations, written
from verifier.execute import heads, sample, strings
from verifier.execute.batch import Batch
from verifier.spec.construction import Construction, InputKind


def rows(batch: Batch) -> set[tuple[float, ...]]:
    return {tuple(row) for row in np.concatenate(list(batch.inputs.values()), axis=1).astype(float)}


@pytest.mark.parametrize(
    ("construction", "n", "total"),
    [
        (from_library("until"), 3, 64),
        (from_library("table-lookup"), 2, 36),
        (from_library("parity"), 2, 9),
        (written(select="k(j) = 1", inputs={"k": "integer in 2..n"}), 1, 0),
        (written(select="true", value="1", score="j"), 4, 1),
        (written(select="true", value="1", score="j"), 4000, 1),
        (from_library("parity"), 1_000_000, strings.UNCOUNTED),
        (from_library("average-attention"), 3, None),
    ],
)
def test_all_strings_are_all_and_different(construction: Construction, n: int, total: int | None) -> None:
    assert strings.count(construction, n) == total
    if total is not None and 1 < total < 100:
        batch = strings.all_strings(construction, n)
        assert batch.size == total == len(rows(batch))
        for given in construction.inputs:
            assert batch.inputs[given.name].shape == (total, n + 1 - construction.first_key)


def test_position_zero_is_false_or_zero() -> None:
    construction = written(select="phi(j)", value="v(j) > k(j)", head={"bos": "true"})
    for batch in (
        strings.random_strings(construction, 5, 40, np.random.default_rng(0)),
        strings.structured_strings(construction, 5, 1000),
    ):
        assert batch is not None
        assert all(not values[:, 0].any() for values in batch.inputs.values())
        assert all(values[:, 1:].any() for values in batch.inputs.values())


def test_random_strings_depend_on_the_seed_alone() -> None:
    construction = from_library("until")
    first, again, other = (
        strings.random_strings(construction, 30, 20, np.random.default_rng(seed)).inputs["phi"]
        for seed in (1, 1, 2)
    )
    assert (first == again).all()
    assert (first != other).any()


def test_random_strings_are_sparse_and_dense_and_in_runs() -> None:
    planes = strings.random_strings(from_library("once"), 200, 300, np.random.default_rng(0)).inputs["phi"]
    density = planes.mean(axis=1)
    assert density.min() < 0.03
    assert density.max() > 0.97
    changes = (planes[:, 1:] != planes[:, :-1]).mean(axis=1)
    middling = (density > 0.3) & (density < 0.7)
    assert changes[middling].min() < 0.2
    assert changes[middling].max() > 0.4


@pytest.mark.parametrize("tie", ["leftmost", "average", "unique"])
@pytest.mark.parametrize("gap", ["1/10", "1/3", "2/(3*n)", "1/(c + ln(n))"])
def test_random_scores_keep_the_promise_of_the_gap(tie: str, gap: str) -> None:
    construction = written(
        select="argmax", mask="j <= i", tie=tie, score="s(i,j)", value="v(j)", head={"gap": gap}
    )
    one = construction.simulations[0]
    for n in (1, 2, 9):
        batch = strings.random_strings(construction, n, 50, np.random.default_rng(n))
        assert heads.admissible(construction, one, batch).all()
    counts = heads.selected_counts(construction, one, batch)
    assert counts.min() == 1
    assert bool(counts.max() > 1) is (tie != "unique")


def test_structured_strings_hold_the_plain_ones() -> None:
    batch = strings.structured_strings(from_library("once"), 6, 100)
    assert batch is not None
    found = rows(batch)
    for text in ("000000", "111111", "100000", "000001", "010101", "000111"):
        assert tuple(map(float, text)) in found
    assert strings.structured_strings(from_library("average-attention"), 6, 100) is None
    few = strings.structured_strings(from_library("until"), 6, 5)
    assert few is not None
    assert few.size <= 5


@pytest.mark.parametrize("n", [1, 2, 7])
def test_every_kind_of_string_fits_every_construction(n: int) -> None:
    for _, construction, one in library_simulations():
        parts = [
            strings.random_strings(construction, n, 7, np.random.default_rng(0)),
            strings.structured_strings(construction, n, 9),
        ]
        batch = strings.concatenated(part for part in parts if part is not None)
        assert heads.hard_outputs(construction, one, batch).shape == (batch.size, n)
        for given in construction.inputs:
            values = batch.inputs[given.name]
            if given.kind is InputKind.INTEGER:
                assert values[:, -n:].max() <= n


def test_the_ladder_ends_with_the_greatest_length() -> None:
    assert sample.ladder(1) == [1]
    assert sample.ladder(64) == list(range(1, 65))
    long = sample.ladder(1000)
    assert long[:64] == list(range(1, 65))
    assert long[-1] == 1000
    assert all(one < other for one, other in itertools.pairwise(long))
    assert len(sample.ladder(10**6)) < 110
