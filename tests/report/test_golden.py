"""What is printed for each kind of result, byte for byte; UPDATE_GOLDEN=1 writes the files anew."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import sample_results as sample
from verifier.report.fault import Fault, Unchecked
from verifier.report.json_report import dumps, fault_document, result_document, results_document
from verifier.report.look import Look
from verifier.report.summary_text import summary_text
from verifier.report.text_report import text_report
from verifier.verdict import Result, Verdict

GOLDEN = Path(__file__).parent / "golden"
RESULTS: dict[str, Callable[[], Result]] = {
    "proved": sample.proved,
    "refuted": sample.refuted,
    "bounded": sample.bounded,
    "undecided": sample.undecided,
}
FAULT = Fault(
    Verdict.INVALID,
    "expected an operand, found the end",
    "mine.toml:12: head.select, column 8: expected an operand, found the end",
    file="mine.toml",
    line=12,
    field="head.select",
    text="psi(j) or",
    position=9,
)


def agree(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RESULTS)
def test_text_in_a_pipe(name: str) -> None:
    agree(f"{name}.txt", text_report(Look(), RESULTS[name]()))


@pytest.mark.parametrize("name", RESULTS)
def test_text_on_a_terminal(name: str) -> None:
    agree(f"{name}.terminal.txt", text_report(Look(ruled=True, width=100), RESULTS[name]()))


@pytest.mark.parametrize("name", RESULTS)
def test_json(name: str) -> None:
    agree(f"{name}.json", dumps(result_document(RESULTS[name]())))


def test_several() -> None:
    entries = [
        sample.proved(),
        sample.proved(construction="since", title="φ S ψ", simulations=(sample.TEMPERATURE,)),
        sample.undecided(construction="mine"),
        Unchecked("mine.toml", FAULT),
    ]
    agree("several.txt", summary_text(Look(), entries, ["offset"]))
    agree("several.terminal.txt", summary_text(Look(ruled=True, width=80), entries, ["offset"]))
    agree("several.json", dumps(results_document(entries, ["offset"])))


def test_fault() -> None:
    agree("fault.json", dumps(fault_document(FAULT)))
