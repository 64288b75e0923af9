"""JSON output: strict, in step with its schema, and the schema with its documentation."""

from __future__ import annotations

import copy
import math
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from tests import sample_results as sample
from tests.json_output import SCHEMA, read, validate
from verifier.report.fault import Fault, Unchecked
from verifier.report.json_report import dumps, fault_document, result_document, results_document
from verifier.verdict import Cell, CrossCheck, ObligationResult, SimulationResult, Verdict, Witness

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "json.md"
FAULT = Fault(Verdict.FAILED, "out of memory", "out of memory")


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("make", [sample.proved, sample.refuted, sample.bounded, sample.undecided])
def test_results_fit_the_schema(make: Any) -> None:
    document = read(dumps(result_document(make())))
    validate(document)
    validate(document, "result")


def test_sparse_results_fit_the_schema() -> None:
    bare = sample.proved(
        verdict=Verdict.INVALID,
        simulations=(),
        cross_check=None,
        file="",
        digest="",
        claim_computes="",
        versions={},
    )
    document = read(dumps(result_document(bare)))
    validate(document, "result")
    assert (document["cross_check"], document["file"], document["claim"]["computes"]) == (None, None, None)


def test_several_and_faults_fit_the_schema() -> None:
    entries = [sample.proved(), Unchecked("mine.toml", FAULT)]
    document = read(dumps(results_document(entries)))
    validate(document, "results")
    assert document["verdict"] == "failed"
    assert document["error"]["message"] == document["results"][1]["error"]["message"] == "out of memory"
    validate(read(dumps(fault_document(FAULT))), "fault")
    assert "error" not in results_document([sample.proved()])


def test_the_schema_notices_what_is_missing_unknown_or_wrong() -> None:
    good = read(dumps(result_document(sample.refuted())))
    for place in (
        [],
        ["simulations", 0],
        ["simulations", 0, "obligations", 0],
        ["simulations", 0, "witness"],
    ):
        for change in ("drop", "add", "spoil"):
            document = copy.deepcopy(good)
            spot: Any = document
            for step in place:
                spot = spot[step]
            key = next(iter(spot))
            if change == "drop":
                del spot[key]
            else:
                spot["unheard-of" if change == "add" else key] = 7
            with pytest.raises(ValidationError):
                validate(document, "result")


def test_every_field_of_a_result_is_in_the_json() -> None:
    document = result_document(sample.refuted())
    simulation = document["simulations"][0]
    shapes = {
        SimulationResult: simulation,
        ObligationResult: simulation["obligations"][0],
        Witness: simulation["witness"],
        Cell: simulation["witness"]["row"][0],
        CrossCheck: document["cross_check"],
    }
    for kind, shape in shapes.items():
        replayed = {"simulation", "parameters", "construction_text"} if kind is Witness else set()
        assert set(shape) == {field.name for field in fields(kind)} | replayed


def test_numbers_that_are_not_finite_become_null() -> None:
    for value in (math.nan, math.inf, -math.inf):
        spoilt = sample.witness(error=value, soft=value, inputs={"phi": (value, 1.0)})
        result = sample.refuted(simulations=(sample.simulation(witness=spoilt, bound_at_max_n=value),))
        result = replace(result, cross_check=replace(sample.CROSS_CHECK, largest_error=value))
        document = read(dumps(result_document(result)))
        validate(document, "result")
        witness = document["simulations"][0]["witness"]
        assert witness["error"] is witness["inputs"]["phi"][0] is document["cross_check"]["largest_error"] is None


def test_text_of_any_kind_comes_out_as_ascii_json() -> None:
    title = 'φ "quoted" \x1b[31m \u202e \ud800 \x00 😀\n'
    text = dumps(result_document(sample.proved(title=title)))
    assert text.isascii()
    assert read(text)["title"] == title.replace("\ud800", "\\ud800")


def test_score_inputs_have_a_row_per_query() -> None:
    rows = ((0.5, 1.0), (0.25, 0.0))
    result = sample.refuted(simulations=(sample.simulation(witness=sample.witness(inputs={"s": rows})),))
    document = read(dumps(result_document(result)))
    validate(document, "result")
    assert document["simulations"][0]["witness"]["inputs"] == {"s": [[0.5, 1.0], [0.25, 0.0]]}


def test_the_documentation_names_every_key() -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    keys = {key for shape in SCHEMA["$defs"].values() for key in shape.get("properties", {})}
    keys |= set(SCHEMA["$defs"]["library"]["properties"]["constructions"]["items"]["properties"])
    assert {key for key in keys if f"`{key}`" not in text} == set()
