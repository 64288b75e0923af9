"""From numbers and proof to a verdict: what the two say together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.prove.examples import changed
from verifier import check as module
from verifier.check import check
from verifier.verdict import Trust, Verdict

RANGE = 'minimum = "2"'


def test_until_is_proved_for_every_n_and_every_scale_from_two_on() -> None:
    result = check(changed("until"), max_n=64)
    assert result.verdict == Verdict.PROVED
    assert result.trust == Trust.SOLVER
    for one in result.simulations:
        assert (one.scope, one.parameter_scope) == ("every n", "every c >= 2")
        assert one.bound_at_max_n == pytest.approx(one.supremum_at_max_n, rel=1e-9)
    assert result.cross_check is not None
    assert result.cross_check.strings >= 10_000
    assert (result.cross_check.disagreements, result.cross_check.claim_violations) == (0, 0)


@pytest.mark.soundness
def test_a_minimum_is_a_claim_about_every_value_from_there_on() -> None:
    """At c = 2 the claim is true; at c = 100 the score vanishes."""
    construction = changed("previous", ('"c*j"', '"c*j*(100 - c)"'), ('"1/(c*n)"', '"1/(c*n*(100 - c))"'))
    result = check(construction, max_n=16)
    assert result.verdict == Verdict.UNDECIDED
    assert "parameters" in result.simulations[0].reason
    below = check(changed("until", c="1.4"), max_n=16)
    assert below.verdict == Verdict.PROVED
    assert below.simulations[0].parameter_scope == ""


def test_a_condition_on_the_length_stands_in_the_scope() -> None:
    construction = changed("until", ('name   = "until"', 'name   = "until"\nrequires = "n >= 5"'))
    assert check(construction, max_n=16).simulations[0].scope == "every n with n >= 5"


@pytest.mark.soundness
def test_numbers_that_contradict_a_proof_make_it_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    """The executor is made to disagree; whatever the proof says, that is never smoothed over."""
    honest = module.cross_check

    def disagreeing(*arguments: object, **options: object) -> object:
        numbers, found = honest(*arguments, **options)  # type: ignore[arg-type]
        return replace(numbers, disagreements=1), found

    monkeypatch.setattr(module, "cross_check", disagreeing)
    result = check(changed("next"), max_n=8)
    assert result.verdict == Verdict.UNDECIDED
    assert "CONTRADICT" in result.simulations[0].reason


def test_results_have_no_truth_value() -> None:
    result = check(changed("next"), max_n=4)
    with pytest.raises(TypeError, match="no truth value"):
        bool(result)
    with pytest.raises(TypeError, match="no truth value"):
        bool(result.verdict)
