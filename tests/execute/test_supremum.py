from __future__ import annotations

import itertools
import math
import time
from dataclasses import replace

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
from verifier.execute import heads, strings
from verifier.execute import supremum as module
from verifier.execute.batch import Batch
from verifier.execute.supremum import NoSupremum, Supremum, affordable, cost, supremum
from verifier.spec.construction import Construction, Simulation

FEW = 5_000


def largest_error(construction: Construction, simulation: Simulation, n: int) -> float:
    """The greatest error of all strings, by running both heads on them."""
    batch = strings.all_strings(construction, n)
    soft = heads.soft_outputs(construction, simulation, batch)
    hard = heads.hard_outputs(construction, simulation, batch)
    meant = heads.admissible(construction, simulation, batch)
    return float(np.where(meant, np.abs(soft - hard), 0.0).max())


def exact(construction: Construction, simulation: Simulation | None = None, n: int = 5) -> Supremum:
    found = supremum(construction, simulation or construction.simulations[0], n)
    assert isinstance(found, Supremum), found
    return found


def check_attained(construction: Construction, simulation: Simulation, found: Supremum) -> None:
    queries = np.array([found.query])
    soft = heads.soft_outputs(construction, simulation, found.batch, queries)
    hard = heads.hard_outputs(construction, simulation, found.batch, queries)
    assert heads.admissible(construction, simulation, found.batch, queries).all()
    assert abs(abs(soft - hard)[0, 0] - found.error) <= 1e-12
    row = heads.attention_rows(construction, simulation, found.batch, found.query)
    assert found.targets == tuple(row.keys[row.hard > 0])


def check_against_all_strings(construction: Construction, simulation: Simulation, longest: int) -> int:
    """Compare at each length with few strings; at how many the supremum is known."""
    known = 0
    for n in range(1, longest + 1):
        total = strings.count(construction, n)
        if total is None or not 0 < total <= FEW:
            continue
        found = supremum(construction, simulation, n)
        if isinstance(found, Supremum):
            assert abs(found.error - largest_error(construction, simulation, n)) <= 1e-13
            check_attained(construction, simulation, found)
            known += 1
    return known


VARIED = {
    "until": from_library("until"),
    "strict until": from_library("strict-until"),
    "since": from_library("since", c="7/5"),
    "once": from_library("once"),
    "once, constant temperature": written(mask="j <= i", tie="average", score="c*[selected]"),
    "negated average": from_library("globally"),
    "previous by lookup": from_library("previous-lookup"),
    "table lookup": from_library("table-lookup"),
    "parity": from_library("parity"),
    "since, wrong tie": written(
        mask="j <= i", select="psi(j) or not phi(j)", tie="leftmost", value="psi(j)",
        score="2*[selected] + j/n", temperature="1/(c*n)",
    ),
    "until, wrong temperature": written(
        mask="j >= i", select="psi(j) or not phi(j)", value="psi(j)", score="2*[selected] - j/n", temperature="1/c"
    ),
    "until, psi alone": written(
        mask="j >= i", select="psi(j)", value="psi(j)", score="2*[selected] - j/n", temperature="1/(c*n)"
    ),
    "input at the query in the selection": written(
        select="phi(j) = phi(i)", value="psi(j)", score="c*([selected] - j/n)", head={"bos": "true"}
    ),
    "input at the query in the score": written(
        mask="j <= i", tie="rightmost", value="not phi(j)", score="[psi(i)]*[selected] + [psi(j)]*j/n"
    ),
    "default where nothing is selected": written(tie="unique", select="phi(j) and j = i", head={"default": "1/2"}),
    "two values other than 0 and 1": written(
        mask="j > i", value="3*[phi(j)] - 1", tie="rightmost", head={"default": "n"}
    ),
    "affine in a real input": written(value="1 - [phi(j)]*v(j)", select="phi(j)"),
    "a selected key weighs less": written(select="phi(j)", value="j mod 2", score="j/n - 2*[selected]"),
    "window average": written(select="j >= i - 1", mask="j <= i", tie="average", score="c*[selected]"),
    "average with the beginning": written(
        select="j = 0 or j = i", tie="average", score="[selected] - [psi(j)]/2*[j > 0 and j != i]", head={"bos": "true"}
    ),
    "average with a beginning that has one value": written(
        select="j = 0 or j = i", tie="average", value="phi(j) and j = n", score="[selected]/3", head={"bos": "true"}
    ),
    "uniform average": written(select="true", tie="average", value="v(j)", score="0"),
    "no choice, any values": written(select="j = k(i)", tie="unique", value="j/n", score="2*k(i)*j - j^2"),
    "integer at the key": written(
        select="k(j) = 1", value="k(j) mod 2", tie="leftmost", inputs={"k": "integer in 0..2"}
    ),
    "argmax over computed scores": written(
        select="argmax", score="c*(2*[phi(j)] + [psi(j)])", tie="leftmost", value="psi(j)",
        head={"gap": "1", "score": "2*[phi(j)] + [psi(j)]"},
    ),
    "argmax over positions": written(
        select="argmax", score="-abs(i - j)", value="v(j)", tie="unique", head={"gap": "1"}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VARIED)
def test_equals_the_greatest_error_of_all_strings(name: str) -> None:
    construction = VARIED[name]
    for one in construction.simulations:
        assert check_against_all_strings(construction, one, 6) >= 3


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.one_of(constructions(), constructions(), argmax_constructions()))
def test_random_constructions_against_all_strings(construction: Construction) -> None:
    check_against_all_strings(construction, construction.simulations[0], 4)


@pytest.mark.parametrize(("name", "construction", "simulation"), library_simulations())
def test_the_library_attains_it(name: str, construction: Construction, simulation: Simulation) -> None:
    if simulation.score_error is not None:
        assert isinstance(supremum(construction, simulation, 4), NoSupremum)
        return
    for n in (1, 2, 3, 9, 30):
        check_attained(construction, simulation, exact(construction, simulation, n))


@pytest.mark.parametrize("name", ["position-embedding", "temperature"])
def test_until_attains_it_at_every_length(name: str) -> None:
    construction = from_library("until")
    one = next(one for one in construction.simulations if one.name == name)
    for n in (*range(2, 65), 256, 1000):
        found = exact(construction, one, n)
        check_attained(construction, one, found)
        ratios = sum(math.exp(-2 * distance) for distance in range(1, n))
        assert found.error == pytest.approx(ratios / (1 + ratios), abs=1e-12)


def test_no_random_string_exceeds_it() -> None:
    for construction in (from_library("since"), from_library("rightmost-attention"), from_library("modulo")):
        for one in construction.simulations:
            batch = strings.random_strings(construction, 40, 60, np.random.default_rng(7))
            soft = heads.soft_outputs(construction, one, batch)
            hard = heads.hard_outputs(construction, one, batch)
            assert np.abs(soft - hard).max() <= exact(construction, one, 40).error + 1e-12


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("average-attention", lambda n: (n - 1) * math.exp(-2) / n / (1 + (n - 1) * math.exp(-2) / n)),
        ("leftmost-attention", lambda n: _odds(sum(math.exp(-2 * d) for d in range(1, n)))),
        ("once", lambda n: _odds((n - 1) * math.exp(-2) / n)),
    ],
)
def test_closed_forms(name: str, error: object) -> None:
    construction = from_library(name)
    for one in construction.simulations:
        for n in (2, 10, 200):
            assert exact(construction, one, n).error == pytest.approx(error(n), abs=1e-12)  # type: ignore[operator]


def _odds(ratio: float) -> float:
    return ratio / (1 + ratio)


@pytest.mark.parametrize("tie", ["leftmost", "rightmost"])
def test_given_scores_under_a_mask_and_fixed_values(tie: str) -> None:
    """The value leaves no choice, so that a key that agrees must lose its weight altogether."""
    construction = written(
        mask="j <= i", select="argmax", tie=tie, value="j mod 2", score="c*s(i,j) + j/8",
        head={"gap": "1", "score": "s(i,j)"},
    )  # fmt: skip
    one = construction.simulations[0]
    for n in (1, 2, 5, 8):
        found = exact(construction, one, n)
        check_attained(construction, one, found)
        # In the limit only keys of the other parity count: those beyond the tie at the maximum, others the gap below.
        worst = 0.0
        for i in range(1, n + 1):
            for target in range(1, i + 1):
                others = [j for j in range(1, i + 1) if (j - target) % 2]
                tied = [j for j in others if (j > target) == (tie == "leftmost")]
                ratio = sum(math.exp((j - target) / 8 - (0 if j in tied else 2)) for j in others)
                worst = max(worst, _odds(ratio))
        assert found.error == pytest.approx(worst, abs=1e-12)


@pytest.mark.parametrize("mask", ["none", "j <= i", "j > i"])
@pytest.mark.parametrize("tie", ["leftmost", "rightmost", "average", "unique"])
@pytest.mark.parametrize(
    ("score", "value"),
    [
        ("c*s(i,j)", "v(j)"),
        ("s(i,j) - j/n", "phi(j)"),
        ("2*s(i,j) + [phi(j)]/2", "j mod 2"),
        ("s(i,j)", "j*[phi(j)]"),
    ],
)
def test_given_scores_against_a_grid_of_them(mask: str, tie: str, score: str, value: str) -> None:
    construction = written(
        mask=mask, select="argmax", tie=tie, value=value, score=score, head={"gap": "1/2", "score": "s(i,j)"}
    )
    one = construction.simulations[0]
    for n in (1, 2, 3):
        others = [given for given in construction.inputs if given.name != "s"]
        plain = strings.all_strings(replace(construction, inputs=tuple(others)), n)
        rows = np.array(list(itertools.product((0.0, -0.5, -1.0, -5e5), repeat=n)))
        scores = np.repeat(rows[:, None, :], n, axis=1)
        batch = Batch(
            n,
            1,
            {name: np.repeat(values, len(rows), axis=0) for name, values in plain.inputs.items()}
            | {"s": np.tile(scores, (plain.size, 1, 1))},
        )
        found = supremum(construction, one, n)
        if isinstance(found, NoSupremum):
            assert "more than two values" in found.reason or "scores differ" in found.reason
            continue
        error = np.abs(
            heads.soft_outputs(construction, one, batch) - heads.hard_outputs(construction, one, batch)
        )
        meant = heads.admissible(construction, one, batch)
        assert abs(found.error - np.where(meant, error, 0.0).max()) <= 1e-12
        check_attained(construction, one, found)


def test_rows_that_differ_by_what_is_visible_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shortcut and the search of all rows give the same."""
    names = (
        "until",
        "since",
        "strict-since",
        "strict-until",
        "previous",
        "next",
        "once",
        "globally-leftmost",
    )
    for name in names:
        construction = from_library(name)
        one = construction.simulations[-1]
        for default in ("0", "1"):
            text = replace(
                construction.head.default, expr=written(head={"default": default}).head.default.expr
            )
            changed = replace(construction, head=replace(construction.head, default=text))
            for n in (1, 2, 7, 20):
                fast = exact(changed, one, n)
                with monkeypatch.context() as patch:
                    patch.setattr(module, "query_free", lambda _: False)
                    slow = exact(changed, one, n)
                assert fast.error == pytest.approx(slow.error, abs=1e-14)


def test_speed() -> None:
    construction = from_library("until")
    for one in construction.simulations:
        for n, seconds in ((1000, 0.3), (100_000, 3.0)):
            assert affordable(construction, one, n)
            started = time.process_time()
            found = exact(construction, one, n)
            assert time.process_time() - started < seconds
            assert found.error == pytest.approx(math.exp(-2), abs=1e-10)


def test_what_is_affordable() -> None:
    since = from_library("since")
    embedding, temperature = since.simulations
    assert affordable(since, embedding, 1000)
    assert not affordable(since, embedding, 100_000)
    assert affordable(since, temperature, 100_000)
    lookup = from_library("table-lookup")
    assert affordable(lookup, lookup.simulations[0], 1000)
    assert not affordable(lookup, lookup.simulations[0], 10_000)
    given_scores = from_library("average-attention")
    assert affordable(given_scores, given_scores.simulations[0], 1000)
    assert not affordable(given_scores, given_scores.simulations[0], 100_000)
    computed = written(select="argmax", score="-abs(i - j)", value="v(j)", head={"gap": "1"})
    assert affordable(computed, computed.simulations[0], 64)
    assert not affordable(computed, computed.simulations[0], 1000)
    # Depends on the row after all: the value alternates, and keys of either kind may err or not.
    mixed = written(mask="j <= i", value="j mod 2 = 1", select="phi(j)", score="[selected]", tie="rightmost")
    assert isinstance(supremum(mixed, mixed.simulations[0], 50_000), NoSupremum)
    assert (cost(mixed, mixed.simulations[0], 10) or 0) > 0


@pytest.mark.parametrize(
    ("construction", "reason"),
    [
        (written(value="[phi(j)] + [psi(j)]"), "more than two values"),
        (written(value="v(j)^2"), "not affine in the real input v"),
        (written(select="v(j) > 1/2"), "the real input v in a score or a selection"),
        (written(tie="average", score="[selected] + [psi(j)]"), "averaging over keys whose scores differ"),
        (
            written(tie="average", select="phi(j) or j = 1", score="[selected]", value="psi(j)"),
            "some keys are always selected",
        ),
        (
            written(tie="average", score="-[selected]", value="[phi(j)]*[psi(j)]", head={"bos": "true"}),
            "outweighs those that are",
        ),
        (written(select="s(i,j) > 0", score="[selected]"), "not themselves what the hard head maximises"),
        (
            written(select="argmax", score="j*s(i,j)", head={"gap": "1", "score": "s(i,j)"}),
            "times a constant",
        ),
        (written(select="argmax", score="-s(i,j)", head={"gap": "1", "score": "s(i,j)"}), "does not rise"),
        (
            written(
                select="argmax", score="s(i,j)/10^5", value="j mod 2", head={"gap": "1", "score": "s(i,j)"}
            ),
            "or too little",
        ),
        (written(select="argmax", score="[j > 9]", head={"gap": "2"}), "keeps the promises"),
        (written(select="argmax", score="[j > 9]", head={"gap": "2"}, tie="average"), "keeps the promises"),
        (written(select="argmax", score="j + [phi(j)]", head={"gap": "1"}), "takes many values"),
        (written(score="[selected]", requires="n > 100"), "not about strings of length 30"),
        (written(value="k(j) = 1", inputs={"k": "integer in n + 1..2"}), "there is no string of length 30"),
        (written(simulation="score_error = '1/8'"), "within an error"),
    ],
)
def test_reasons_for_having_none(construction: Construction, reason: str) -> None:
    found = supremum(construction, construction.simulations[0], 30)
    assert isinstance(found, NoSupremum)
    assert reason in found.reason


def test_the_key_dimension_enters() -> None:
    divided = written(simulation="divide_by_sqrt_key_dimension = true", score="4*[selected]")
    plain = written(score="2*[selected]")
    found = supremum(divided, divided.simulations[0], 6, key_dimension=lambda *_: 4)
    assert isinstance(found, Supremum)
    assert found.error == exact(plain, n=6).error
    assert affordable(divided, divided.simulations[0], 6)
