"""L3 against numbers: softmax with scores off by up to kappa, chosen at random and adversarially."""

from __future__ import annotations

import numpy as np
import pytest

from tests.prove.examples import changed
from verifier.prove.balls import precision
from verifier.prove.budget import Bound
from verifier.prove.proof import prove

C, DELTA = 2.0, 1 / 8


def worst_error(n: int, m: int, generator: np.random.Generator) -> float:
    """The greatest |soft - hard| met with m maxima and a gap of 1, scores off by kappa in the worst directions."""
    tau = 1 / (C + np.log(n))
    kappa = DELTA * tau
    scores = np.where(np.arange(n) < m, 0.0, -1.0)
    worst = 0.0
    for ones in range(m + 1):
        values = (np.arange(n) < ones).astype(float)
        for outside in (0.0, 1.0):
            values[m:] = outside
            # Raising what has one value and lowering the rest pulls the output towards that value.
            for off in (np.where(values == outside, kappa, -kappa), kappa * generator.uniform(-1, 1, n)):
                weights = np.exp((scores + off) / tau)
                worst = max(worst, abs(weights @ values / weights.sum() - values[:m].mean()))
    return worst


@pytest.mark.parametrize("n", [1, 2, 3, 8, 40, 300])
def test_errors_stay_below_the_bound(n: int) -> None:
    construction = changed("average-attention-perturbed")
    one = construction.simulations[1]
    proof = prove(construction, one, 1)
    with precision():
        bound = float(Bound(construction, one, proof.total, 1).error(n).mid())
    generator = np.random.default_rng(n)
    worst = max(worst_error(n, m, generator) for m in {1, 2, 3, n // 2, n - 1, n} if 1 <= m <= n)
    assert worst <= bound
    if n > 8:
        assert worst >= 0.6 * bound


@pytest.mark.soundness
@pytest.mark.parametrize("delta", ["1/4", "1/2", "1"])
def test_too_large_an_error_is_not_proved(delta: str) -> None:
    construction = changed("average-attention-perturbed", delta=delta)
    assert not any(prove(construction, one, 16).every_n for one in construction.simulations)


@pytest.mark.soundness
def test_the_spread_among_targets_counts() -> None:
    """Where there are no other keys than targets the whole error is kappa / (2 tau) and the like."""
    construction = changed("average-attention-perturbed", ('"1/4"', '"1/1000 + exp(-c + 2*delta)"'), delta="1/4")
    assert not any(prove(construction, one, 16).every_n for one in construction.simulations)
    assert worst_error(40, 39, np.random.default_rng(0)) > 0.05


FLAG = ('temperature = "1"', 'temperature = "1"\ndivide_by_sqrt_key_dimension = true')


@pytest.mark.parametrize(("c", "proved"), [("2", False), ("3", True)])
def test_dividing_by_the_root_of_the_key_dimension_flattens_the_scores(c: str, proved: bool) -> None:
    """d_key = 2, so c = 3 is as sharp as c = 2.12 without the division, and c = 2 as c = 1.41."""
    construction = changed("previous-lookup", FLAG, c=c)
    proof = prove(construction, construction.simulations[0], 16)
    assert proof.factorization.key_dimension == 2
    assert proof.every_n is proved
