"""The file format's documentation: its example is a file, its limits are those of the code, its errors occur."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.spec.files import ROOT, changed, load, refusal
from tests.spec.test_wrong_fields import with_value
from verifier.logic import parser as formulas
from verifier.spec import fields, loader, parser, size, source, types
from verifier.symbolic import limits

TEXT = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
HEADS = re.findall(r"^```toml head\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
ERRORS = re.findall(r"^\| `([\w.]+) = (.+?)` \| (.+) \|$", TEXT, re.MULTILINE)


def test_the_examples_are_together_one_file() -> None:
    construction = load("\n".join(EXAMPLES))
    assert construction.name == "example"
    assert [one.name for one in construction.simulations] == ["position-embedding", "temperature"]


def test_the_example_of_a_head_over_scores_is_one() -> None:
    (head,) = HEADS
    whole = "\n".join(head if text.startswith("[head]") else text for text in EXAMPLES)
    construction = load(whole.replace('computes = "phi U psi"\n', "").replace("[selected]", "s(i,j)"))
    assert construction.head.select is None


FIELDS = [loader.TOP, loader.HEAD, loader.SIMULATION, loader.CLAIM, loader.PARAMETER]


@pytest.mark.parametrize("known", FIELDS)
def test_every_field_has_an_example_and_a_row(known: tuple[str, ...]) -> None:
    examples = "\n".join([*EXAMPLES, *HEADS])
    for field in known:
        assert re.search(rf"\b{field}\b( *=|\]|\.)", examples), field
        assert f"`{field}`" in TEXT or f"[{field}" in TEXT, field


@pytest.mark.parametrize(
    ("row", "limit"),
    [
        ("bytes of a file", source.LARGEST_FILE),
        ("characters before the last `=` of a line", source.LONGEST_KEY),
        ("entries in `[inputs]`, in `[parameters]`, and simulations", loader.MOST_ENTRIES),
        ("characters of an expression", parser.LONGEST_TEXT),
        ("digits of a number", parser.LONGEST_NUMBER),
        ("bits of the bounds of an integer input, alone", loader.BITS_ALONE),
        ("bits of the bounds of an integer input, beside n; they are linear in n", loader.BITS_BESIDE_N),
        ("operators nested in an expression", parser.DEEPEST),
        ("degree of an expression, as a polynomial", size.LARGEST_DEGREE),
        ("terms of an expression when multiplied out", size.MOST_TERMS),
        ("bits of an expression's constants when multiplied out", size.MOST_BITS),
        ("characters of a formula", formulas.LONGEST_TEXT),
        ("operators, and parentheses, nested in a formula", formulas.DEEPEST),
    ],
)
def test_a_limit_is_that_of_the_code(row: str, limit: int) -> None:
    assert f"| {row} | {limit} |" in TEXT


def test_limits_that_are_named_in_sentences_are_those_of_the_code() -> None:
    flowing = " ".join(TEXT.split())
    assert f"starting with a letter; at most {loader.LONGEST_NAME} |" in flowing
    assert f"printable text of at most {fields.LONGEST_PROSE} characters" in flowing
    assert f"a whole exponent from −{types.LARGEST_EXPONENT} to {types.LARGEST_EXPONENT}" in flowing
    assert f"SymPy is given {limits.SECONDS:.0f} seconds" in flowing
    assert f"exponents of up to {limits.MOST_EXPONENT_TERMS} terms" in flowing
    assert f"`{' '.join(sorted(types.RESERVED))}`" in flowing
    for message in re.findall(r"`(expected (?:a file|at most 4000)[^`]*)`", flowing):
        assert str(source.LARGEST_FILE) in message or str(source.LONGEST_KEY) in message


@pytest.mark.parametrize(("field", "value", "message"), ERRORS)
def test_an_error_occurs_as_it_is_told(field: str, value: str, message: str) -> None:
    error = refusal(with_value(field, value))
    assert error.message.startswith(message)
    assert error.field is not None and field.startswith(error.field)


def test_there_are_enough_errors() -> None:
    assert len(ERRORS) > 35


def test_the_error_that_is_shown_is_shown_so(tmp_path: Path) -> None:
    shown = re.search(r"^\$ verify audit mine.toml\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    assert shown is not None
    (tmp_path / "mine.toml").write_text(changed(("psi(j) or not phi(j)", "psi(j) or not phi")), encoding="utf-8")
    found = subprocess.run(
        [sys.executable, "-m", "verifier", "audit", "mine.toml"], cwd=tmp_path, capture_output=True, encoding="utf-8",
        check=False, env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert found.returncode == 2
    assert found.stderr == shown[1]
