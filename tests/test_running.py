"""Strings that a user gives, and witnesses re-executed from their JSON alone."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from tests.prove.examples import changed, simulation
from verifier.check import check
from verifier.replay import replays
from verifier.report.json_report import dumps, result_document
from verifier.running import parse_string, run_string
from verifier.spec.errors import SpecError


def test_a_string_is_read_for_every_input() -> None:
    batch = parse_string(changed("until"), "psi=001 phi=110")
    assert batch.n == 3
    assert batch.inputs["phi"].tolist() == [[True, True, False]]
    assert batch.inputs["psi"].tolist() == [[False, False, True]]


def test_a_beginning_of_string_is_put_before_the_values() -> None:
    assert parse_string(changed("parity"), "k=1,0,3").inputs["k"].tolist() == [[0.0, 1.0, 0.0, 3.0]]


def test_scores_are_rows_for_queries() -> None:
    batch = parse_string(changed("average-attention"), "s=0,-1;-2,0 v=1/4,1")
    assert batch.inputs["s"].tolist() == [[[0.0, -1.0], [-2.0, 0.0]]]
    assert batch.inputs["v"].tolist() == [[0.25, 1.0]]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("until", "", "expected values for phi, psi, found none"),
        ("until", "phi=01", "expected values for phi, psi, found phi"),
        ("until", "phi=01 psi=011", "same length"),
        ("until", "phi=01 psi=0x", "psi is Boolean: expected digits 0 and 1, found 'x'"),
        ("until", "phi=01 phi=01", "one NAME=VALUES for each input"),
        ("until", "phi= psi=", "one NAME=VALUES for each input"),
        ("parity", "k=1,4", "expected integers from 0 to 2"),
        ("parity", "k=1,1/2", "expected an integer"),
        ("parity", "k=1,1e99", "expected an integer"),
        ("table-lookup", "k=1,2 v=0,2", "expected numbers from 0 to 1"),
        ("table-lookup", "k=1,2 v=0,1/0", "expected a number such as"),
        ("average-attention", "s=0,1;0 v=0,0", "expected 2 rows of 2 scores"),
    ],
)
def test_a_wrong_string_is_refused_by_name(name: str, text: str, message: str) -> None:
    with pytest.raises(SpecError, match=r"^--string: ") as found:
        parse_string(changed(name), text)
    assert message in str(found.value)


def test_weights_are_rows_of_one_and_outputs_follow_from_them() -> None:
    construction = changed("until")
    one = simulation(construction, "temperature")
    run = run_string(construction, one, parse_string(construction, "phi=110111 psi=001001"))
    assert np.allclose(run.soft_weights.sum(axis=1), 1)
    assert (run.soft_weights[np.tril_indices(6, -1)] == 0).all()
    assert np.allclose(run.soft_weights @ run.values, run.soft)
    assert (run.hard_weights.argmax(axis=1) + 1).tolist() == [3, 3, 3, 6, 6, 6]
    assert run.claimed is not None
    assert run.claimed.tolist() == run.hard.tolist() == [1] * 6


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """The JSON report of a refuted construction."""
    result = check(changed("until", ('"leftmost"', '"rightmost"'), c="3"), max_n=8)
    document: dict[str, Any] = json.loads(dumps(result_document(result)))
    return document


def raw(document: object) -> bytes:
    return json.dumps(document).encode()


def test_a_report_is_replayed_from_its_json_alone(report: dict[str, Any]) -> None:
    found = replays(raw(report), "report.json")
    assert [one.simulation for one in found] == ["position-embedding", "temperature"]
    for one, given in zip(found, report["simulations"], strict=True):
        assert one.witness is not None
        assert one.witness.error == given["witness"]["error"]
        assert one.construction.values["c"] == 3


def test_a_changed_string_is_no_witness(report: dict[str, Any]) -> None:
    witness = deepcopy(report["simulations"][0]["witness"])
    witness["inputs"] = {name: [0.0] * witness["n"] for name in witness["inputs"]}
    (found,) = replays(raw(witness), "witness.json")
    assert found.witness is None


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("n", 0),
        ("n", True),
        ("n", 10**9),
        ("query", 99),
        ("query", "1"),
        ("simulation", "other"),
        ("parameters", {"c": 2}),
        ("parameters", {"d": "2"}),
        ("inputs", None),
        ("inputs", {"phi": [0.0]}),
        ("construction_text", "name = 1"),
        ("construction_text", 7),
    ],
)
def test_a_malformed_witness_is_refused(report: dict[str, Any], key: str, value: object) -> None:
    witness = deepcopy(report["simulations"][0]["witness"]) | {key: value}
    with pytest.raises(SpecError):
        replays(raw(witness), "witness.json")


@pytest.mark.parametrize("text", [b"", b"{}", b"[1", b"\xff", b"[" * 100_000, b'{"construction_text": "x"}'])
def test_what_is_no_witness_is_refused(text: bytes) -> None:
    with pytest.raises(SpecError):
        replays(text, "witness.json")
