"""`verify formula` on the command line."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from verifier.cli import main

from .helpers import bad_cases, cases, validate

SMALL = ("--max-n", "20")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["formula", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert (code, err) == (0, "")
    found = dict(json.loads(out))
    validate(found, "verifier.compile")
    return found


def test_the_document_has_what_the_design_promises(capsys: pytest.CaptureFixture[str]) -> None:
    found = document(capsys, "F b", "--alphabet", "ab", "--string", "aba", "--string", "aa", *SMALL)
    assert (found["formula"], found["verdict"], found["scope"]) == ("F b", "proved", "every n")
    assert found["strings"] == [
        {"string": "aba", "soft": [True, True, False], "hard": [True, True, False],
         "values": [True, True, False], "accepted": True, "differences": []},
        {"string": "aa", "soft": [False] * 2, "hard": [False] * 2, "values": [False] * 2,
         "accepted": False, "differences": []},
    ]  # fmt: skip
    assert (found["depth"], found["heads"], found["d_key"]) == (1, 1, 1)
    assert all(one["verdict"] == "proved" for one in found["obligations"])


@pytest.mark.parametrize("case", cases()[::25], ids=lambda case: case["id"])
def test_handed_cases(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (case["formula"], "--alphabet", case["alphabet"], "--string", case["string"], *SMALL)
    (string,) = document(capsys, *arguments)["strings"]
    assert string["soft"] == string["hard"] == string["values"] == case["values"]


@pytest.mark.parametrize("case", bad_cases(), ids=lambda case: case["id"])
def test_bad_cases_end_in_one_clear_message(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(
        capsys, case["formula"], "--alphabet", case["alphabet"], f"--string={case['string']}", "--max-n", "4"
    )
    if code == 0 and case["expect"] == "error_or_value":
        assert "proved" in out
        return
    assert code == 2
    assert out == ""
    assert err.startswith("verify: ")
    assert "Traceback" not in err
    assert "internal error" not in err
    assert len(err.splitlines()) <= 3


def test_strings_from_a_file_and_from_standard_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "strings"
    file.write_bytes(b"ab\r\nba\nb")
    found = document(capsys, "Y b", "--alphabet", "ab", "--strings", str(file), "--string", "bb", *SMALL)
    assert [one["string"] for one in found["strings"]] == ["bb", "ab", "ba", "b"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("äb\n".encode())))
    found = document(capsys, "Y b", "--alphabet", "äb", "--strings", "-", *SMALL)
    assert [one["string"] for one in found["strings"]] == ["äb"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected one string a line, found an empty file"),
        (b"ab\n\nab\n", ":2: expected a string of at least one symbol, found the empty string"),
        (b"ab\nba\nabc\n", ":3: column 3: unknown symbol 'c' at position 3"),
        (b"ab\na\xff\n", ":2: expected UTF-8, found the byte 0xff at byte 2 of the line"),
    ],
)
def test_errors_in_a_file_name_the_line(
    content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "strings"
    file.write_bytes(content)
    code, out, err = run(capsys, "a", "--alphabet", "ab", "--strings", str(file))
    assert (code, out) == (2, "")
    assert err.startswith(f"verify: {file}")
    assert message in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a",), "missing option '--alphabet'"),
        (("a", "--alphabet", ""), "--alphabet: expected an alphabet of at least one symbol"),
        (("a", "--alphabet", "aba"), "--alphabet: the symbol 'a' stands twice"),
        (("c", "--alphabet", "ab"), "FORMULA, column 1: unknown atom 'c'"),
        (("a U", "--alphabet", "ab"), "FORMULA, column 4: expected a formula, found the end"),
        (("a", "--alphabet", "ab", "--string", ""), "--string: expected a string of at least one symbol"),
        (("a", "--alphabet", "ab", "--route", "warm"), "--route: expected temperature or position-embedding"),
        (("a", "--alphabet", "ab", "--strings", "/nonexistent"), "--strings: cannot read /nonexistent"),
        (("a", "--alphabet", "ab", "--max-n", "0"), "--max-n: expected a whole number from 1"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_text_shows_the_values_below_the_string(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "F b", "--alphabet", "ab", "--string", "aba", *SMALL)
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert ["string", "aba"] in lines
    for name in ("soft", "hard", "semantics"):
        assert [name, "110"] in lines
    assert out.startswith("F b: proved for every n\n")


def test_help_is_fast_and_loads_nothing_heavy() -> None:
    program = (
        "import sys; from verifier.cli import main; main(['formula', '--help']);"
        "print([name for name in ('numpy', 'z3', 'sympy', 'lark', 'onnx', 'ml_dtypes') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"
