"""Number formats: rounding, the first wrong length, its cause, and that a failure can be repeated by hand."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.compile.helpers import compiled, validate
from verifier import load
from verifier.cli import main
from verifier.precision.attend import HeadData, outputs, steps
from verifier.precision.causes import Cause, explain
from verifier.precision.formats import FORMATS, MissingFormatError, format_of
from verifier.precision.of_construction import ConstructionSubject
from verifier.precision.of_formula import FormulaSubject
from verifier.precision.report import longest
from verifier.precision.search import EVERY, Survival, ladder, survivals
from verifier.precision.subject import Failure
from verifier.spec.errors import SpecError

pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")


def subjects(name: str) -> dict[str, ConstructionSubject]:
    construction = load(name)
    return {one.name: ConstructionSubject(construction, one, 0) for one in construction.simulations}


def firsts(name: str, formats: tuple[str, ...], max_n: int) -> dict[tuple[str, str], Survival]:
    return {(one.subject, one.format): one for one in survivals(subjects(name), formats, max_n)}


@pytest.mark.parametrize(
    ("name", "number", "rounded"),
    [
        ("bfloat16", 257.0, 256.0), ("bfloat16", 259.0, 260.0), ("float16", 2049.0, 2048.0),
        ("float32", 2.0**24 + 1, 2.0**24), ("float64", 2.0**24 + 1, 2.0**24 + 1),
        ("float16", 1e5, np.inf), ("float16", 1e-9, 0.0), ("bfloat16", 1e38, 9.9692e37),
    ],
)  # fmt: skip
def test_rounding(name: str, number: float, rounded: float) -> None:
    with np.errstate(over="ignore"):
        assert format_of(name).round(np.array(number)) == pytest.approx(rounded, rel=1e-4)


def head(key: list[float], value: list[float], sharpness: float = 1.0) -> HeadData:
    return HeadData(
        query=np.ones((1, 1, 1)), key=np.array(key)[None, :, None], value=np.array(value)[None],
        sharpness=sharpness, seen=np.ones((1, len(key)), dtype=bool),
    )  # fmt: skip


def test_float64_steps_are_softmax() -> None:
    random = np.random.default_rng(0)
    data = HeadData(
        random.normal(size=(3, 5, 2)), random.normal(size=(3, 5, 2)), random.random((3, 5)), 1.7,
        np.tril(np.ones((5, 5), dtype=bool), -1),
    )  # fmt: skip
    scores = 1.7 * data.query @ data.key.transpose(0, 2, 1)
    weights = np.where(data.seen, np.exp(scores), 0)
    totals = weights.sum(axis=2)
    expected = (weights * data.value[:, None]).sum(axis=2) / np.where(totals == 0, 1, totals)
    assert np.allclose(steps(format_of("float64"), data).output, expected)
    assert np.allclose(outputs(format_of("float64"), data), expected)
    assert (expected[:, 0] == 0).all()  # the empty row


@pytest.mark.parametrize(
    ("name", "data", "target", "cause"),
    [
        ("float16", head([1e5, 1e5 - 4], [1, 0]), 0, Cause.OVERFLOW),
        ("float16", head([300, 298], [1, 0], 300), 0, Cause.OVERFLOW),
        ("bfloat16", head([257, 256], [1, 0]), 0, Cause.FEATURE),
        ("bfloat16", head([2.0, 1.0], [1, 0], 1e-45), 0, Cause.TIE),
        ("bfloat16", head([258, 256], [1, 0], 0.3), 0, Cause.GAP),
        ("bfloat16", head([2, 1], [1, 0]), 0, Cause.SUM),
    ],
)
def test_causes(name: str, data: HeadData, target: int, cause: Cause) -> None:
    assert explain(format_of(name), data, target, 1).cause is cause


def test_ties_and_swapped_scores_are_told_apart() -> None:
    def pair(target: list[float], rival: list[float]) -> HeadData:
        key = np.array([[target, rival]])
        return HeadData(np.ones((1, 1, 2)), key, np.array([[1.0, 0.0]]), 1.0, np.ones((1, 2), dtype=bool))

    assert explain(format_of("bfloat16"), pair([256, 0.9], [256, 0]), 0, 1).cause is Cause.TIE
    # 129.4 is stored as 129; 64 + 65.3 as 64 + 65.5, and their sum as 130.
    found = explain(format_of("bfloat16"), pair([129.4, 0], [64, 65.3]), 0, 1)
    assert found.cause is Cause.ORDER
    assert "keys 1 (attended) and 2" in found.detail


def test_lost_weights_are_an_underflow() -> None:
    n = 3_000_000
    data = head([0.0] + [-17.5] * n, [0.0] + [1.0] * n)  # exp(-17.5) is below half the least positive float16
    assert float(outputs(format_of("float64"), data)[0, 0]) > 0.05
    assert float(outputs(format_of("float16"), data)[0, 0]) == 0
    assert explain(format_of("float16"), data, None, 1).cause is Cause.UNDERFLOW


def test_the_ladder() -> None:
    assert ladder(5) == [1, 2, 3, 4, 5]
    found = ladder(1000)
    assert found[:EVERY] == list(range(1, EVERY + 1))
    assert found[-1] == 1000
    assert all(one < other <= one * 1.1 + 1 for one, other in zip(found[EVERY:], found[EVERY + 1 :], strict=False))


def test_until_in_bfloat16() -> None:
    found = firsts("until", ("bfloat16", "float32"), 300)
    position, temperature = (found[route, "bfloat16"] for route in ("position-embedding", "temperature"))
    # c(2n - j) = 4n - 2j needs more than eight bits beyond n = 128: the scores of keys 1 and 2 are stored as one.
    assert position.first_wrong == 129
    assert position.explanation is not None
    assert position.explanation.cause is Cause.TIE
    assert temperature.first_wrong is not None
    assert temperature.first_wrong < 129
    assert found["temperature", "float32"].failure is None
    assert longest(list(found.values()), "bfloat16") == "position-embedding"
    assert longest(list(found.values()), "float32") is None


def test_the_lookup_ties_in_float16_where_its_scores_exceed_the_significand() -> None:
    found = firsts("previous-lookup", ("float16",), 60)
    survival = found["position-embedding", "float16"]
    assert survival.first_wrong is not None
    # 4(i - 1)j - 2j² is about 2n²: beyond 4096 = 2·45² its last bit is lost.
    assert 40 <= survival.first_wrong <= 50
    assert survival.explanation is not None
    assert survival.explanation.cause is Cause.TIE


def test_the_failing_row_can_be_repeated_by_hand() -> None:
    """In float16, every step by NumPy's own scalars, on the string and at the position that are reported."""
    survival = firsts("until", ("float16",), 400)["temperature", "float16"]
    failure = survival.failure
    assert isinstance(failure, Failure)
    n, half = failure.n, np.float16
    assert isinstance(failure.string, dict)
    phi, psi = failure.string["phi"], failure.string["psi"]
    keys = range(failure.position, n + 1)
    chosen = [psi[j - 1] == 1 or phi[j - 1] == 0 for j in keys]
    exponents = [
        half(half(float(2 * Fraction(int(sel)) - Fraction(j, n))) * half(2 * n))
        for j, sel in zip(keys, chosen, strict=True)
    ]
    weights = [np.exp(np.float32(half(one - max(exponents)))).astype(half) for one in exponents]
    total = np.float32(sum(map(float, weights)))
    normalized = [half(np.float32(one) / total) for one in weights]
    output = half(sum(float(one) * psi[j - 1] for one, j in zip(normalized, keys, strict=True)))
    assert float(output) == pytest.approx(failure.output, abs=2e-3)
    assert abs(float(output) - failure.expected) > 0.25 - 2e-3


def test_averaging_heads_survive() -> None:
    for survival in survivals(subjects("once"), FORMATS, 300):
        assert survival.failure is None


def test_a_formula_in_both_routes() -> None:
    made = {
        route: FormulaSubject(compiled("a U b", "abc", route), 0) for route in ("temperature", "position-embedding")
    }
    found = {(one.subject, one.format): one for one in survivals(made, ("bfloat16", "float64"), 140)}
    for route, subject in made.items():
        assert found[route, "float64"].failure is None
        survival = found[route, "bfloat16"]
        assert survival.failure is not None
        assert survival.failure.head == "a U b"
        assert isinstance(survival.failure.string, str)
        assert len(survival.failure.string) == survival.first_wrong
        assert abs(survival.failure.output - survival.failure.expected) > 0.25
        # The same length fails again, a much smaller one does not.
        assert subject.failure(format_of("bfloat16"), survival.failure.n) is not None
        assert subject.failure(format_of("bfloat16"), 10) is None


def test_rounded_booleans_stay_exact_in_every_format() -> None:
    """ρ and the gates are exact in floating point, so that a right transformer puts out 0 and 1 and nothing else."""
    subject = FormulaSubject(compiled("G (a -> (b U c)) & sH (a <-> Y b)", "abc", "position-embedding"), 0)
    for name in FORMATS:
        output, _ = subject._run(format_of(name), ["abcabcbbca"])
        assert np.isin(output, (0.0, 1.0)).all()


def test_scores_that_are_given_are_refused() -> None:
    construction = load("leftmost-attention")
    with pytest.raises(SpecError, match="are given"):
        ConstructionSubject(construction, construction.simulations[0], 0)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["precision", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "until", "--dtype", "bfloat16, float64", "--max-n", "140", "--format", "json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    validate(document, "verifier.precision")
    assert (document["target"], document["kind"], document["max_n"]) == ("until", "construction", 140)
    assert document["survives_longer"] == {"bfloat16": "position-embedding", "float64": None}
    by_place: dict[tuple[str, str], Any] = {(one["simulation"], one["dtype"]): one for one in document["results"]}
    assert len(by_place) == 4
    failure = by_place["position-embedding", "bfloat16"]["failure"]
    assert failure["cause"] == "score ties"
    assert len(failure["string"]["psi"]) == 129
    code, out, _ = run(capsys, "a U b", "--alphabet", "ab", "--dtype", "float16", "--max-n", "20")
    assert code == 0
    assert out.startswith("a U b: the first n, up to 20,")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("until", "--dtype", "float8"), "--dtype: expected float16 or bfloat16"),
        (("until", "--dtype", ""), "--dtype: expected"),
        (("untl",), "'untl' is no construction of the library; for a formula, give --alphabet"),
        (("a U", "--alphabet", "ab"), "FORMULA, column 4"),
        (("until", "--simulation", "warm"), "--simulation: unknown simulation 'warm'"),
        (("a", "--alphabet", "ab", "--simulation", "warm"), "--simulation: expected temperature"),
        (("a", "--alphabet", "ab", "--param", "c=3"), "--param: a formula has no parameters"),
        (("until", "--max-n", "0"), "--max-n: expected a whole number"),
        (("leftmost-attention",), "are given"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_missing_package_is_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ml_dtypes", None)
    with pytest.raises(MissingFormatError):
        format_of("bfloat16")
    code, _, err = run(capsys, "until", "--dtype", "bfloat16", "--max-n", "4")
    assert code == 2
    assert "pip install 'hard-attention-verifier[precision]'" in err
