"""Cases whose values independent public programs agree on, and texts and strings that must be refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from verifier.logic import FormulaError, WordError
from verifier.logic.parser import parse
from verifier.logic.syntax import depth, is_past_only, size, temporal_depth
from verifier.logic.values import values
from verifier.logic.words import inputs

DATA = Path(__file__).parent.parent / "data"

# Where a case leaves the choice, the text is accepted with this meaning, or else refused.
CHOICES = {"bad-065": "(a U b)", "bad-066": "(a -> (b -> a))"}


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


GOOD = read("ltl_cases.jsonl")
BAD = read("bad_cases.jsonl")


def test_all_cases_are_there() -> None:
    assert len(GOOD) == len({case["id"] for case in GOOD}) == 262
    assert len(BAD) == len({case["id"] for case in BAD}) == 46
    assert {case["part"] for case in BAD} == {"formula", "string"}
    assert {case["expect"] for case in BAD} == {"error", "error_or_value"}


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case["id"])
def test_values(case: dict[str, Any]) -> None:
    formula = parse(case["formula"], case["alphabet"])
    assert values(formula, inputs([case["string"]], case["alphabet"])).tolist() == [case["values"]]
    assert depth(formula) == case["depth"]
    assert temporal_depth(formula) == case["temporal_depth"]
    assert is_past_only(formula) == (case["kind"] in ("past", "bool"))
    assert size(formula) >= depth(formula) + 1


@pytest.mark.parametrize("case", BAD, ids=lambda case: case["id"])
def test_bad_cases(case: dict[str, Any]) -> None:
    if case["part"] == "string":
        formula = parse(case["formula"], case["alphabet"])
        with pytest.raises(WordError) as wrong:
            values(formula, inputs([case["string"]], case["alphabet"]))
        assert wrong.value.position is not None
        assert case["string"][wrong.value.position] not in case["alphabet"]
    elif case["id"] in CHOICES:
        assert case["expect"] == "error_or_value"
        assert parse(case["formula"], case["alphabet"]) == parse(CHOICES[case["id"]])
    else:
        with pytest.raises(FormulaError) as refused:
            parse(case["formula"], case["alphabet"])
        error = refused.value
        assert 0 <= error.position <= len(case["formula"])
        assert str(error).startswith(("column ", "line "))
        assert "expected" in error.message or "unknown atom" in error.message
        assert error.excerpt().isascii()
