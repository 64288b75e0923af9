"""What must be proved for every n, and what must not."""

from __future__ import annotations

from pathlib import Path

import pytest
from flint import arb

from tests.prove.examples import LIBRARY, ROOT, changed, simulation
from verifier.prove.balls import precision
from verifier.prove.budget import Bound
from verifier.prove.proof import prove
from verifier.prove.supremum import supremum
from verifier.spec.construction import Construction
from verifier.spec.loader import load_file
from verifier.verdict import Verdict

TRAPS = ROOT / "tests" / "data" / "traps"


def routes(construction: Construction) -> list[bool]:
    """Whether each simulation is proved for every n."""
    return [prove(construction, one, 32).every_n for one in construction.simulations]


@pytest.mark.strength
@pytest.mark.parametrize("name", LIBRARY)
def test_the_library_is_proved_for_every_n_and_every_parameter_from_its_minimum(name: str) -> None:
    construction = changed(name, ranged=True)
    for one in construction.simulations:
        proof = prove(construction, one, 32)
        left = [(found.name, found.detail) for found in proof.obligations if found.verdict != Verdict.PROVED]
        assert proof.every_n, (one.name, left)
        assert proof.holds_to == 32


@pytest.mark.strength
@pytest.mark.parametrize("c", ["1.3863", "1.387", "1.4", "2", "7/3", "50"])
def test_until_is_proved_for_every_scale_above_ln_4(c: str) -> None:
    assert routes(changed("until", c=c)) == [True, True]


@pytest.mark.strength
def test_scales_below_need_the_exact_supremum_at_small_lengths() -> None:
    construction = changed("until", c="1.4")
    proof = prove(construction, construction.simulations[0], 32)
    below = next(found for found in proof.obligations if found.name.startswith("budget: n <"))
    assert below.verdict == Verdict.PROVED
    assert below.by == "balls"
    assert "exact supremum at n = 1, 2" in below.detail


@pytest.mark.soundness
@pytest.mark.parametrize("c", ["1/10", "1", "1.386", "1.3862"])
def test_until_is_not_proved_for_any_scale_below_ln_4(c: str) -> None:
    assert routes(changed("until", c=c)) == [False, False]


@pytest.mark.soundness
def test_until_is_not_proved_over_a_range_that_begins_too_low() -> None:
    """At the given value c = 2 the claim is true; from 1.3 on it is not."""
    assert routes(changed("until", ('minimum = "2"', 'minimum = "1.3"'), ranged=True)) == [False, False]


WRONG = [
    ("until", ('"psi(j) or not phi(j)"', '"psi(j)"')),
    ("until", ('"leftmost"', '"rightmost"')),
    ("until", ('"j >= i"', '"j <= i"')),
    ("until", ('"j >= i"', '"j > i"')),
    ("until", ('"1/4"', '"1/8"')),
    ("until", ('"1/4"', '"exp(-2) - 1/100"')),
    ("until", ('"phi U psi"', '"psi U phi"')),
    ("until", ('"phi U psi"', '"phi sU psi"')),
    ("until", ('value  = "psi(j)"', 'value  = "phi(j)"')),
    ("until", ('value  = "psi(j)"', 'value  = "psi(j)"\ndefault = "1"')),
    ("until", ('value  = "psi(j)"', 'value  = "psi(j)"\noutput = "not value"')),
    ("since", ('"rightmost"', '"leftmost"')),
    ("strict-until", ('"phi sU psi"', '"phi U psi"')),
    ("strict-until", ('"j > i"', '"j >= i"')),
    ("previous", ('"rightmost"', '"leftmost"')),
    ("next", ('"X phi"', '"F phi"')),
    ("next", ('"j > i"', '"j >= i"')),
    ("previous-lookup", ("bos    = true\n", "")),
    ("previous-lookup", ('"j = i - 1"', '"j = i"')),
    ("next-lookup", ('"j = (i + 1)*[i < n]"', '"j = i + 1"')),
    ("once", ('"j <= i"', '"j >= i"')),
    ("once", ('"average"', '"unique"')),
    ("historically", ('output = "not value"\n', "")),
    ("offset", ('"j = max(i - m, 0)"', '"j = i - m"')),
    ("parity", ('"j mod 2 = 1"', '"j mod 2 = 0"')),
    ("parity", ('"k(i) mod 2 = 1"', '"k(i) mod 3 = 1"')),
    ("majority", ('"2*k(i) > n"', '"2*k(i) >= n"')),
    ("threshold", ('"j >= t"', '"j > t"')),
    ("modulo", ('"j mod m = r"', '"j mod m = 1"')),
    ("leftmost-attention", ('"leftmost"', '"rightmost"')),
    ("average-attention", ('"1/4"', '"1/10"')),
    ("average-attention-perturbed", ('default = "1/8"', 'default = "1"')),
]  # fmt: skip


@pytest.mark.soundness
@pytest.mark.parametrize(("name", "change"), WRONG, ids=lambda value: str(value)[:60])
def test_a_wrong_head_or_claim_is_not_proved_by_any_route(name: str, change: tuple[str, str]) -> None:
    assert not any(routes(changed(name, change)))


WRONG_SCORES = [
    ("until", "position-embedding", ("c*(2*n*[selected] - j)", "c*([selected] - j)")),
    ("until", "position-embedding", ("c*(2*n*[selected] - j)", "c*(2*n*[selected] + j)")),
    ("until", "position-embedding", ("c*(2*n*[selected] - j)", "c*(n/2*[selected] - j)")),
    ("until", "temperature", ("1/(c*n)", "1/c")),
    ("until", "temperature", ("2*[selected] - j/n", "2*[selected] + j/n")),
    ("since", "temperature", ("1/(c*n)", "1/c")),
    ("previous-lookup", "temperature", ("1/(c*n^2)", "1/(c*n)")),
    ("once", "position-embedding", ("(c + ln(n))*", "c*")),
    ("once", "temperature", ("1/(c + ln(n))", "1/c")),
    ("parity", "temperature", ("2*k(i)*j", "k(i)*j")),
    ("average-attention", "temperature", ("gamma/(c + ln(n))", "gamma/c")),
    ("leftmost-attention", "temperature", ("gamma*j/(2*n)", "gamma*j")),
    ("leftmost-attention", "temperature", ("s(i,j) - gamma", "s(i,j) + gamma")),
]  # fmt: skip


@pytest.mark.soundness
@pytest.mark.parametrize(("name", "route", "change"), WRONG_SCORES, ids=lambda value: str(value)[:60])
def test_a_wrong_score_or_temperature_is_not_proved(name: str, route: str, change: tuple[str, str]) -> None:
    construction = changed(name, change)
    assert not prove(construction, simulation(construction, route), 32).every_n


@pytest.mark.strength
@pytest.mark.parametrize("name", ["cookbook-4n", "cookbook-8n", "recomputed-gap", "recomputed-gap-reciprocal"])
def test_gap_lemmas_with_the_right_temperature_are_proved(name: str) -> None:
    assert routes(load_file(TRAPS / f"{name}.toml")) == [True]


@pytest.mark.soundness
@pytest.mark.parametrize("path", sorted(TRAPS.glob("stale*")) + sorted(TRAPS.glob("pred*")), ids=lambda path: path.stem)
def test_traps_are_not_proved(path: Path) -> None:
    assert not any(routes(load_file(path)))


@pytest.mark.soundness
def test_a_score_that_is_no_dot_product_is_named() -> None:
    construction = changed("previous", ('"c*j"', '"-c*abs(i - j)"'))
    proof = prove(construction, construction.simulations[0], 8)
    found = next(one for one in proof.obligations if one.name == "realizability")
    assert found.verdict == Verdict.UNDECIDED
    assert "Abs(i - j)" in found.detail
    assert not proof.every_n


@pytest.mark.soundness
def test_a_position_times_a_boolean_is_named() -> None:
    construction = changed("until", ("c*(2*n*[selected] - j)", "c*(2*n*[selected] - j*[selected])"))
    proof = prove(construction, construction.simulations[0], 8)
    found = next(one for one in proof.obligations if one.name == "realizability")
    assert "[selected]*c*j" in found.detail
    assert not proof.every_n


@pytest.mark.soundness
def test_a_claim_above_one_quarter_does_not_round() -> None:
    construction = changed("until", ('"1/4"', '"1/3"'))
    proof = prove(construction, construction.simulations[0], 8)
    assert [one.name for one in proof.obligations if one.verdict != Verdict.PROVED] == ["rounding"]


@pytest.mark.soundness
def test_where_no_bound_is_found_the_budget_is_not_proved() -> None:
    construction = changed("until", ("c*(2*n*[selected] - j)", "c*sin(j)"))
    proof = prove(construction, construction.simulations[0], 8)
    assert proof.total is None
    budget = next(one for one in proof.obligations if one.name.startswith("budget: every n"))
    assert budget.verdict == Verdict.UNDECIDED


ARGMAX = 'select = "argmax"\nscore  = "s(i,j)"\ngap    = "gamma"'


@pytest.mark.soundness
@pytest.mark.parametrize(
    ("gap", "open_"),
    [("gamma*(n - 3)", "gap positive"), ("-gamma", "gap positive"), ("0*gamma", "gap positive")],
)
def test_a_gap_that_vanishes_is_no_hypothesis(gap: str, open_: str) -> None:
    """Where the gap is not positive nothing is assumed, so what follows from it is void."""
    construction = changed("leftmost-attention", (ARGMAX, ARGMAX.replace('"gamma"', f'"{gap}"')))
    for one in construction.simulations:
        proof = prove(construction, one, 8)
        assert not proof.every_n
        assert open_ in [found.name for found in proof.obligations if found.verdict != Verdict.PROVED]


@pytest.mark.soundness
@pytest.mark.parametrize(
    ("score", "open_"),
    [("-j", "gap of the scores"), ("0*s(i,j) - j", "gap possible"), ("s(i,j)*(j - j)", "gap possible")],
)
def test_scores_that_cannot_have_the_gap_are_no_hypothesis(score: str, open_: str) -> None:
    """Scores -j lie 1 apart, so that a gap of 5 would contradict itself, and prove everything."""
    changes = (ARGMAX, f'select = "argmax"\nscore  = "{score}"\ngap    = "5"')
    construction = changed("leftmost-attention", changes)
    proof = prove(construction, construction.simulations[0], 8)
    assert not proof.every_n
    assert open_ in [found.name for found in proof.obligations if found.verdict != Verdict.PROVED]


@pytest.mark.strength
def test_written_out_scores_with_a_gap_are_proved() -> None:
    changes = (ARGMAX, 'select = "argmax"\nscore  = "-j"\ngap    = "1"')
    scores = ("s(i,j) - gamma*j/(2*n)", "-j"), ('temperature = "gamma/(2*n*c)"', 'temperature = "1/c"')
    construction = changed("leftmost-attention", changes, *scores)
    assert prove(construction, simulation(construction, "temperature"), 8).every_n


@pytest.mark.soundness
def test_a_condition_on_the_length_that_no_length_meets_proves_nothing() -> None:
    construction = changed("until", ('name   = "until"', 'name   = "until"\nrequires = "n < 0"'))
    assert not any(routes(construction))


@pytest.mark.strength
@pytest.mark.parametrize("name", [name for name in LIBRARY if not name.endswith(("attention", "perturbed"))])
def test_bounds_are_within_5_percent_of_the_exact_supremum(name: str) -> None:
    """At n = 48, where balls compute it quickly; both bound and supremum have long settled there."""
    construction = changed(name)
    for one in construction.simulations:
        proof = prove(construction, one, 1)
        bound = Bound(construction, one, proof.total, proof.factorization.key_dimension)
        with precision():
            exact = supremum(construction, one, 48, proof.factorization.key_dimension)
            found = bound.greatest(48)
        assert not found < exact  # the two may be equal to all digits
        assert found <= arb("1.05") * exact


@pytest.mark.soundness
def test_no_key_need_agree_in_very_short_rows() -> None:
    """At n = 1 the key 1 errs beside the target 0 and nothing else is there: the error is exp(-c)/(1 + exp(-c))."""
    construction = changed("majority")
    one = construction.simulations[0]
    proof = prove(construction, one, 1)
    assert proof.search.agreeing is not None
    assert proof.search.agreeing.start > 1
    for n in range(1, 9):
        with precision():
            exact = supremum(construction, one, n, 2)
            assert exact <= Bound(construction, one, proof.total, 2).error(n)
