"""The proof of the whole: what is right is proved, and every wrong weight, note or meaning keeps it from being so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from verifier.compile.check import check_formula
from verifier.compile.compiler import Compiled
from verifier.compile.operators import SHORT
from verifier.compile.scores import Monomial
from verifier.compile.transformer import AttentionLayer, FeedForward, Layer
from verifier.compile.verify import FormulaProof, prove_formula
from verifier.logic.parser import parse
from verifier.logic.syntax import Formula, Unary
from verifier.spec.construction import Mask, Tie
from verifier.verdict import Verdict

from .helpers import ALPHABET, ROUTES, compile_formula, compiled, failures, formulas

TEXT = "G (a -> (b U c)) <-> sH (a & Y b)"


@pytest.mark.strength
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize(
    "text",
    [
        TEXT, "(a U b) & (a S b) & (a sU b) & (a sS b)", "X a | Y b | F c | G a", "O a -> H b", "sF a & sG b & sO c",
        "a", "true", "a | !a", "F true", "G false", "false U b", "a U true", "true U false", "false sU b",
        "(a U b) & ((a & !b) U b)", "F (a -> b) & F (!a | b)",
    ],
)  # fmt: skip
def test_formulas_are_proved_for_every_n(text: str, route: str) -> None:
    proof = prove_formula(compiled(text, "abc", route), 20)
    assert [one for one in proof.obligations if one.verdict is not Verdict.PROVED] == []
    assert all(head.every_n for head in proof.heads)
    assert proof.every_n


@pytest.mark.strength
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(formula=formulas())
def test_the_matrices_of_random_formulas_are_proved(formula: Formula) -> None:
    for route in ROUTES:
        assert failures(compile_formula(formula, ALPHABET, route)) == []


def _with_layer(made: Compiled, at: int, layer: Layer) -> Compiled:
    layers = (*made.transformer.layers[:at], layer, *made.transformer.layers[at + 1 :])
    return replace(made, transformer=replace(made.transformer, layers=layers))


def _mutants(made: Compiled) -> Iterator[tuple[str, Compiled]]:
    """Every weight that is not zero made a little larger, and one zero of each matrix made a weight."""
    for at, layer in enumerate(made.transformer.layers):
        names = (
            ("query", "query_bias", "key", "key_bias", "value", "value_bias", "output")
            if isinstance(layer, AttentionLayer)
            else ("inner", "inner_bias", "outer")
        )
        for name in names:
            matrix = getattr(layer, name)
            places = [tuple(place) for place in np.argwhere(matrix != 0).tolist()]
            places += [tuple(place) for place in np.argwhere(matrix == 0).tolist()[:1]]
            for place in places:
                changed = matrix.copy()
                changed[place] += 0.75
                yield f"{at}.{name}{place}", _with_layer(made, at, replace(layer, **{name: changed}))
    for name in ("embedding", "readout"):
        changed = getattr(made.transformer, name).copy()
        changed.flat[0] += 1.0
        yield name, replace(made, transformer=replace(made.transformer, **{name: changed}))
    yield "readout bias", replace(made, transformer=replace(made.transformer, readout_bias=0.5))


# The head of G has one product where another head of its layer has two: the second key is 0, whatever the query is.
HARMLESS = {"temperature": [], "position-embedding": ["4.query_bias(0, 1)"]}


@pytest.mark.soundness
@pytest.mark.parametrize("route", ROUTES)
def test_no_mutant_of_the_weights_is_proved(route: str) -> None:
    made = compiled(TEXT, "abc", route)
    assert failures(made) == []
    mutants = dict(_mutants(made))
    assert len(mutants) > 80
    assert [name for name, mutant in mutants.items() if not failures(mutant)] == HARMLESS[route]


def _attention(made: Compiled) -> tuple[int, AttentionLayer]:
    return next((at, one) for at, one in enumerate(made.transformer.layers) if isinstance(one, AttentionLayer))


def _noted(made: Compiled, **changes: object) -> Compiled:
    at, layer = _attention(made)
    notes = (replace(layer.notes[0], **changes), *layer.notes[1:])  # type: ignore[arg-type]
    return _with_layer(made, at, replace(layer, notes=notes))


def _masked(made: Compiled) -> Compiled:
    at, layer = _attention(made)
    return _with_layer(made, at, replace(layer, masks=(Mask.CAUSAL, *layer.masks[1:])))


def _warm(made: Compiled) -> Compiled:
    """Half the sharpness, as if c were 1: the error would be e^-1, more than 1/4."""
    at, layer = _attention(made)
    inverse = tuple((monomial, factor / 2) for monomial, factor in layer.inverse_temperature[0])
    return _with_layer(made, at, replace(layer, inverse_temperature=(inverse, *layer.inverse_temperature[1:])))


def _constant_temperature(made: Compiled) -> Compiled:
    at, layer = _attention(made)
    constant = ((Monomial(), 2.0),)
    return _with_layer(made, at, replace(layer, inverse_temperature=(constant, *layer.inverse_temperature[1:])))


def _other_formula(made: Compiled) -> Compiled:
    return replace(made, formula=parse("G (a -> (c U b)) <-> sH (a & Y b)"))


def _other_meaning(made: Compiled) -> Compiled:
    coordinates = list(made.transformer.coordinates)
    for at, one in enumerate(coordinates):
        if one.meaning == parse("b U c"):
            coordinates[at] = replace(one, meaning=parse("b U a"))
    return replace(made, transformer=replace(made.transformer, coordinates=tuple(coordinates)))


def _no_first_layer(made: Compiled) -> Compiled:
    return replace(made, transformer=replace(made.transformer, layers=made.transformer.layers[1:]))


def _no_rounding(made: Compiled) -> Compiled:
    """The feed-forward layer after the first attention passes soft values on as they are."""
    at, _ = _attention(made)
    layer = made.transformer.layers[at + 1]
    assert isinstance(layer, FeedForward)
    inner, bias, outer = layer.inner.copy(), layer.inner_bias.copy(), layer.outer.copy()
    inner[inner == 2.0] = 1.0
    bias[:] = 0.0
    outer[outer == -1.0] = 0.0
    return _with_layer(made, at + 1, FeedForward(inner, bias, outer))


WRONG: list[Callable[[Compiled], Compiled]] = [
    lambda made: _noted(made, tie=Tie.RIGHTMOST),
    lambda made: _noted(made, select=None),
    lambda made: _noted(made, select=0),
    lambda made: _noted(made, brackets=()),
    lambda made: _noted(made, construction="strict-until"),
    _masked, _warm, _constant_temperature, _other_formula, _other_meaning, _no_first_layer, _no_rounding,
]  # fmt: skip


@pytest.mark.soundness
@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.__name__)
def test_wrong_transformers_are_not_proved(wrong: Callable[[Compiled], Compiled]) -> None:
    assert failures(wrong(compiled(TEXT, "abc", "temperature"))) != []


@pytest.mark.soundness
def test_a_wrong_short_form_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("verifier.compile.verify.SHORT", {**SHORT, "sG": lambda operand: Unary("X", operand)})
    assert [one.name for one in failures(compiled("sG a", "ab", "temperature"))] == ["operator sG"]


@pytest.mark.soundness
def test_a_head_that_is_not_proved_keeps_the_formula_from_being_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.compile import verify

    real = verify.prove

    def weaker(*arguments: object, **options: object) -> object:
        return replace(real(*arguments, **options), every_n=False, holds_to=7)  # type: ignore[arg-type]

    monkeypatch.setattr(verify, "prove", weaker)
    proof: FormulaProof = prove_formula(compiled("a U b", "ab", "temperature"), 20)
    assert not proof.every_n
    assert proof.holds_to == 7
    assert check_formula("a U b", "ab", max_n=5).verdict is Verdict.BOUNDED
    assert check_formula("a U b", "ab", max_n=9).verdict is Verdict.UNDECIDED


@pytest.mark.soundness
def test_numbers_that_differ_are_never_outvoted_by_the_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    from verifier.compile import run

    monkeypatch.setattr(run, "values", lambda formula, inputs: np.zeros_like(next(iter(inputs.values()))))
    result = check_formula("F a", "ab", max_n=5)
    assert result.verdict is Verdict.UNDECIDED
    assert "THE PROOF SAYS OTHERWISE" in result.reason


@pytest.mark.parametrize("route", ROUTES)
def test_the_result_reports_the_size(route: str) -> None:
    result = check_formula("G (a -> (b U c))", "abc", route=route, strings=["abc"], max_n=30)
    assert result.verdict is Verdict.PROVED
    assert result.scope == "every n"
    assert (result.size.depth, result.size.heads) == (2, 2)
    growth = dict(result.size.position_features)
    growing = {"p": "linear", "n": "linear", "ln(n)": "logarithmic"}
    assert growth == ({"p/n": "bounded"} if route == "temperature" else growing)
    assert result.check.exhaustive_to >= 5
    assert result.check.longest == 30
    assert result.check.largest_error <= 0.1373
