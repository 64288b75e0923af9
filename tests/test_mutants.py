"""No wrong construction is believed: every mutant of the library that enumeration shows to be false is refuted, with a
witness, and no mutant that is false is proved.

The whole run takes a quarter of an hour and is marked slow; a sample runs always. `pytest -m slow -s` prints how many
mutants there are, how many are false, refuted and undecided.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass

import numpy as np
import pytest

from tests.mutants import Mutant, mutants
from tests.prove.examples import LIBRARY, changed
from verifier.check import check
from verifier.execute import heads, strings
from verifier.execute.batch import required, scalar
from verifier.execute.evaluate import ExecutionError
from verifier.spec.construction import Construction, Tie
from verifier.symbolic.factor import key_dimension
from verifier.verdict import Verdict

LENGTHS = range(1, 7)
MOST_STRINGS = 50_000
# Beyond what float64 can be wrong by at these lengths, and far below what separates a false claim from a true one.
ROUNDING = 1e-9


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant; `false` is what enumeration says, None where strings cannot be enumerated."""

    name: str
    change: str
    false: bool | None
    verdict: str
    witnessed: bool


def false_by_enumeration(construction: Construction) -> bool | None:
    """Whether some string of length at most 6 breaks the claim, by running both heads on all of them."""
    one = construction.simulations[0]
    for n in LENGTHS:
        total = strings.count(construction, n)
        if total is None:
            return None
        if total > MOST_STRINGS or not required(construction, n):
            continue
        batch = strings.all_strings(construction, n)
        soft = heads.soft_outputs(construction, one, batch, key_dimension=key_dimension)
        hard = heads.hard_outputs(construction, one, batch)
        claimed = heads.claimed_outputs(construction, batch)
        allowed = claimed_error(construction, n) + ROUNDING
        if (np.abs(soft - hard) > allowed).any() or (claimed is not None and (hard != claimed).any()):
            return True
        unique = construction.head.tie is Tie.UNIQUE and construction.head.select is not None
        if unique and (heads.selected_counts(construction, one, batch) > 1).any():
            return True
    return False


def claimed_error(construction: Construction, n: int) -> float:
    return scalar(construction, "the claimed error", construction.claim.error.expr, n)


def outcome(name: str, mutant: Mutant) -> Outcome:
    try:
        false = false_by_enumeration(mutant.construction)
        result = check(mutant.construction, max_n=LENGTHS[-1])
    except ExecutionError:
        return Outcome(name, mutant.change, None, Verdict.INVALID.value, False)
    witnessed = all(one.witness is not None for one in result.simulations)
    return Outcome(name, mutant.change, false, result.verdict.value, witnessed)


def outcomes_of(name: str) -> list[Outcome]:
    return [outcome(name, mutant) for mutant in mutants(changed(name))]


def assert_sound(found: Outcome) -> None:
    if found.false:
        assert found.verdict == Verdict.REFUTED.value, found
        assert found.witnessed, found
    if found.false is False:
        assert found.verdict != Verdict.REFUTED.value, found


SAMPLE = [(name, mutant) for name in LIBRARY for mutant in list(mutants(changed(name)))[7::41]]


@pytest.mark.soundness
@pytest.mark.parametrize(("name", "mutant"), SAMPLE, ids=[f"{name}: {mutant.change}" for name, mutant in SAMPLE])
def test_a_sample_of_mutants(name: str, mutant: Mutant) -> None:
    assert_sound(outcome(name, mutant))


@pytest.mark.slow
@pytest.mark.soundness
def test_all_mutants() -> None:
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        everything = [found for batch in pool.map(outcomes_of, LIBRARY) for found in batch]
    verdicts = Counter(found.verdict for found in everything)
    false = [found for found in everything if found.false]
    refuted = sum(found.verdict == Verdict.REFUTED.value for found in false)
    print(f"{len(everything)} mutants, {len(false)} false by enumeration, {refuted} of them refuted; {dict(verdicts)}")
    for found in everything:
        assert_sound(found)
    assert len(everything) >= 500
