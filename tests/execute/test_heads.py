from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.execute.examples import (
    argmax_constructions,
    constructions,
    from_library,
    library_simulations,
    written,
)
from tests.execute.naive import Row
from verifier.execute import batch as batches
from verifier.execute import heads, strings
from verifier.execute.batch import Batch
from verifier.execute.evaluate import ExecutionError
from verifier.execute.heads import (
    admissible,
    attention_rows,
    claimed_outputs,
    hard_outputs,
    selected_counts,
    soft_outputs,
)
from verifier.spec.construction import Construction, Simulation


def drawn(construction: Construction, n: int, seed: int, size: int = 3) -> Batch:
    return strings.random_strings(construction, n, size, np.random.default_rng(seed))


def compare(construction: Construction, simulation: Simulation, batch: Batch) -> None:
    hard = hard_outputs(construction, simulation, batch)
    soft = soft_outputs(construction, simulation, batch)
    counts = selected_counts(construction, simulation, batch)
    meant = admissible(construction, simulation, batch)
    assert hard.shape == soft.shape == meant.shape == (batch.size, batch.n)
    for string in range(batch.size):
        for i in range(1, batch.n + 1):
            row = Row(construction, simulation, batch, string, i)
            at = string, i - 1
            assert meant[at] == row.keeps_gap()
            if meant[at]:
                assert math.isclose(hard[at], row.hard(), abs_tol=1e-12)
                assert counts[at] == sum(row.selected().values())
            assert math.isclose(
                soft[at], row.soft() if row.keys else float(construction.head.negated), abs_tol=1e-12
            )


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.one_of(constructions(), constructions(), argmax_constructions()), st.integers(1, 6), st.integers(0, 99)
)
def test_random_constructions_against_the_definitions(construction: Construction, n: int, seed: int) -> None:
    compare(construction, construction.simulations[0], drawn(construction, n, seed))


@pytest.mark.parametrize("mask", ["none", "j <= i", "j < i", "j >= i", "j > i"])
@pytest.mark.parametrize("tie", ["leftmost", "rightmost", "average", "unique"])
@pytest.mark.parametrize("bos", ["true", "false"])
def test_every_mask_and_tie_with_given_scores(mask: str, tie: str, bos: str) -> None:
    construction = written(
        mask=mask, select="argmax", tie=tie, value="v(j)", score="s(i,j)", temperature="1/(c + ln(n))",
        head={"gap": "1/3", "bos": bos},
    )  # fmt: skip
    for n in (1, 2, 5):
        batch = drawn(construction, n, n)
        compare(construction, construction.simulations[0], batch)
        assert admissible(construction, construction.simulations[0], batch).all()


@pytest.mark.parametrize(("name", "construction", "simulation"), library_simulations())
def test_the_library_against_the_definitions(
    name: str, construction: Construction, simulation: Simulation
) -> None:
    batch = drawn(construction, 6, 1)
    compare(construction, simulation, batch)
    claimed = claimed_outputs(construction, batch)
    if claimed is not None:
        assert (claimed == hard_outputs(construction, simulation, batch)).all()


@pytest.mark.parametrize("mask", ["j < i", "j > i"])
def test_an_empty_row_is_zero_before_negation(mask: str) -> None:
    for output, expected in (("value", 0.0), ("not value", 1.0)):
        construction = written(mask=mask, head={"default": "1", "output": output})
        empty = 0 if mask == "j < i" else -1
        batch = Batch(3, 1, {"phi": np.zeros((1, 3), dtype=bool)})
        one = construction.simulations[0]
        assert hard_outputs(construction, one, batch)[0, empty] == expected
        assert soft_outputs(construction, one, batch)[0, empty] == expected
        # The other rows are not empty: nothing is selected, and the default is 1.
        assert hard_outputs(construction, one, batch)[0, 1] == 1 - expected


def test_queries_can_be_chosen() -> None:
    construction = from_library("since")
    one = construction.simulations[0]
    batch = drawn(construction, 20, 3)
    chosen = np.array([20, 1, 7])
    for run in (hard_outputs, soft_outputs):
        expected = run(construction, one, batch)[:, chosen - 1]
        assert np.allclose(run(construction, one, batch, chosen), expected, rtol=0, atol=1e-15)


def test_blocks_do_not_change_outputs(monkeypatch: pytest.MonkeyPatch) -> None:
    construction = from_library("average-attention")
    one = construction.simulations[1]
    batch = drawn(construction, 9, 5, size=7)
    whole = [run(construction, one, batch) for run in (hard_outputs, soft_outputs)]
    for block in (1, 10, 30, 100):
        monkeypatch.setattr(heads, "BLOCK", block)
        for run, expected in zip((hard_outputs, soft_outputs), whole, strict=True):
            assert np.allclose(run(construction, one, batch), expected, rtol=0, atol=1e-15)


def test_claims_that_are_no_formula() -> None:
    construction = written(
        select="j = k(i)", tie="unique", value="j mod 3 = 1", computes="k(i) mod 3 = 1", score="2*k(i)*j - j^2",
        head={"bos": "true"},
    )  # fmt: skip
    batch = strings.all_strings(construction, 3)
    claimed = claimed_outputs(construction, batch)
    assert claimed is not None
    assert (claimed == (batch.inputs["k"][:, 1:] % 3 == 1)).all()
    assert claimed_outputs(written(), batch) is None
    constant = claimed_outputs(
        written(computes="true | false"), Batch(2, 1, {"phi": np.zeros((4, 2), dtype=bool)})
    )
    assert constant is not None
    assert constant.shape == (4, 2)


def test_a_construction_without_inputs() -> None:
    construction = written(
        select="j = i - 1",
        tie="unique",
        value="j mod 2 = 1",
        score="c*(2*(i - 1)*j - j^2)",
        head={"bos": "true"},
    )
    batch = strings.all_strings(construction, 4)
    assert batch.size == 1
    assert hard_outputs(construction, construction.simulations[0], batch).tolist() == [[0, 1, 0, 1]]
    compare(construction, construction.simulations[0], batch)


def test_rounding_does_not_split_a_tie_of_computed_scores() -> None:
    construction = written(
        select="argmax", tie="average", value="j", score="j", temperature="1",
        head={"gap": "1/2", "score": "[j = 1]*3/10 + [j = 2]*(1/10 + 2/10)"},
    )  # fmt: skip
    batch = Batch(3, 1, {})
    one = construction.simulations[0]
    assert selected_counts(construction, one, batch).tolist() == [[2, 2, 2]]
    assert hard_outputs(construction, one, batch).tolist() == [[1.5, 1.5, 1.5]]


def test_rows_that_break_the_promise_of_the_gap_are_not_meant() -> None:
    construction = written(
        select="argmax", tie="unique", value="phi(j)", score="s(i,j)", head={"gap": "1"}, temperature="1"
    )
    scores = np.array([[[0.0, -1.0], [0.0, -0.99]], [[0.0, 0.0], [-3.0, 0.0]]])
    batch = Batch(2, 1, {"phi": np.zeros((2, 2), dtype=bool), "s": scores})
    assert admissible(construction, construction.simulations[0], batch).tolist() == [
        [True, False],
        [False, True],
    ]


def test_the_attention_row_of_a_query() -> None:
    construction = from_library("until")
    one = construction.simulations[0]
    batch = Batch(
        4, 1, {"phi": np.array([[1, 1, 0, 1]], dtype=bool), "psi": np.array([[0, 0, 1, 1]], dtype=bool)}
    )
    row = attention_rows(construction, one, batch, 2)
    assert row.keys.tolist() == [2, 3, 4]
    assert row.hard.tolist() == [0, 1, 0]
    assert row.values.tolist() == [0, 1, 1]
    assert row.soft.sum() == pytest.approx(1, abs=1e-15)
    assert row.soft @ row.values == pytest.approx(soft_outputs(construction, one, batch)[0, 1], abs=1e-15)
    averaged = from_library("once")
    weights = attention_rows(
        averaged, averaged.simulations[0], Batch(3, 1, {"phi": np.array([[1, 1, 0]]) > 0}), 3
    )
    assert weights.hard.tolist() == [0.5, 0.5, 0]
    nothing = attention_rows(
        averaged, averaged.simulations[0], Batch(3, 1, {"phi": np.array([[0, 0, 0]]) > 0}), 3
    )
    assert nothing.hard.tolist() == [0, 0, 0]


def test_large_exponents_do_not_overflow() -> None:
    construction = written(score="1000*j*[selected]", select="phi(j)", tie="rightmost", value="not phi(j)")
    batch = Batch(50, 1, {"phi": np.ones((1, 50), dtype=bool)})
    assert soft_outputs(construction, construction.simulations[0], batch).tolist() == [[0.0] * 50]


def test_a_score_without_value_names_simulation_query_key_and_length() -> None:
    construction = written(score="1/(i + j - 5)", mask="j <= i")
    batch = Batch(4, 1, {"phi": np.zeros((1, 4), dtype=bool)})
    place = "the score of simulation 's' divides by zero at i = 3, j = 2, n = 4"
    with pytest.raises(ExecutionError, match=f"^written.toml: {place}$"):
        soft_outputs(construction, construction.simulations[0], batch)
    # Where no query sees the key, it does not matter.
    strict = written(score="1/(i - j)", mask="j < i")
    assert np.isfinite(soft_outputs(strict, strict.simulations[0], batch)).all()


@pytest.mark.parametrize(
    ("temperature", "message"), [("1 - n", "not positive"), ("1/ln(n)", "divides by zero")]
)
def test_a_temperature_must_be_positive(temperature: str, message: str) -> None:
    construction = written(temperature=temperature)
    with pytest.raises(ExecutionError, match=f"the temperature of simulation 's' .*{message}.* at n = 1"):
        soft_outputs(
            construction, construction.simulations[0], Batch(1, 1, {"phi": np.zeros((1, 1), dtype=bool)})
        )


def test_division_by_the_root_of_the_key_dimension() -> None:
    construction = written(simulation="divide_by_sqrt_key_dimension = true", score="4*[selected]")
    plain = written(score="2*[selected]")
    one = construction.simulations[0]
    batch = drawn(construction, 6, 2)
    with pytest.raises(ExecutionError, match="a key dimension that is not known"):
        soft_outputs(construction, one, batch)
    found = soft_outputs(construction, one, batch, key_dimension=lambda *_: 4)
    assert (found == soft_outputs(plain, plain.simulations[0], batch)).all()


def test_masks_see_what_they_say() -> None:
    construction = written(mask="j > i")
    seen = batches.visible(construction.head.mask, np.array([1, 3]), np.arange(0, 4))
    assert seen.tolist() == [[False, False, True, True], [False] * 4]
