"""Runs that break off: exit code 4, one clear line, never a traceback unless it is asked for."""

from __future__ import annotations

import errno
import io
from collections.abc import Callable

import pytest

from tests import sample_results as sample
from tests.json_output import read, validate
from verifier.cli import output
from verifier.cli.faults import asks_for_json

from .conftest import Run, StandIn

Verify = Callable[..., Run]
Mine = Callable[..., str]

ERRORS = [
    (KeyboardInterrupt(), "interrupted"),
    (MemoryError(), "out of memory"),
    (OSError(errno.ENOSPC, "No space left on device", "/tmp/x"), "/tmp/x: No space left on device"),
    (RecursionError("maximum recursion depth exceeded"), "internal error, RecursionError: maximum"),
    (ValueError("two\nlines \x1b[31m"), "internal error, ValueError: two\\nlines \\x1b[31m (VERIFY_DEBUG=1"),
    (AssertionError(), "internal error, AssertionError (VERIFY_DEBUG=1 shows where)"),
    (SystemExit(0), "the output was closed"),
    (GeneratorExit(), "internal error, GeneratorExit"),
]


@pytest.mark.parametrize(("error", "message"), ERRORS)
def test_a_run_that_breaks_off(verify: Verify, check: StandIn, error: BaseException, message: str) -> None:
    check.raises(error)
    ran = verify("construction", "until")
    assert (ran.code, ran.out) == (4, "")
    assert ran.err.startswith(f"verify: {message}") and ran.err.count("\n") == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), ValueError("x")])
def test_the_same_as_json(verify: Verify, check: StandIn, error: BaseException) -> None:
    check.raises(error)
    ran = verify("construction", "until", "--format", "json")
    document = read(ran.out)
    validate(document, "fault")
    assert (ran.code, document["verdict"]) == (4, "failed")


def test_a_crash_in_one_does_not_spare_the_others(verify: Verify, check: StandIn, mine: Mine) -> None:
    def answer(name: str) -> object:
        if name == "b":
            raise MemoryError
        return sample.proved(construction=name)

    check.answer = answer  # type: ignore[assignment]
    files = [mine(name) for name in "abc"]
    ran = verify("audit", *files)
    assert (ran.code, ran.err) == (4, f"verify: {files[1]}: out of memory\n")
    assert "2 proved, 1 failed" in ran.out
    assert [one.name for one, _ in check.calls] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("error", "message"), [(KeyboardInterrupt(), "interrupted"), (BrokenPipeError(), "the output was closed")]
)
def test_what_stops_all(verify: Verify, check: StandIn, mine: Mine, error: BaseException, message: str) -> None:
    check.raises(error)
    ran = verify("audit", mine("a"), mine("b"))
    assert (ran.code, len(check.calls)) == (4, 1)
    assert ran.err.startswith(f"verify: {message}") and ran.err.count("\n") == 1


def test_the_traceback_is_there_for_those_who_ask(
    verify: Verify, check: StandIn, monkeypatch: pytest.MonkeyPatch, mine: Mine
) -> None:
    check.raises(ValueError("odd"))
    monkeypatch.setenv("VERIFY_DEBUG", "1")
    for arguments in (["construction", "until"], ["audit", mine()]):
        ran = verify(*arguments)
        assert ran.code == 4
        assert "Traceback" in ran.err
        assert ran.err.splitlines()[-1].endswith("internal error, ValueError: odd (VERIFY_DEBUG=1 shows where)")


def test_closed_streams(check: StandIn, verify: Verify, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", None)
    ran = verify("construction", "until")
    assert (ran.code, ran.err) == (4, "verify: standard output is closed\n")
    monkeypatch.setattr("sys.stderr", None)
    assert verify("construction", "until").code == 4


def test_streams_escape_what_they_lack(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, encoding="ascii"))
    output.tolerate_encodings()
    output.emit("φ\n")
    assert raw.getvalue() == b"\\u03c6\n"


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        ("", False),
        ("--format", False),
        ("--format json", True),
        ("--format=json", True),
        ("--format json --format text", False),
        ("--format=text --format=json", True),
        ("-- --format json", False),
        ("json", False),
    ],
)
def test_json_is_recognised_in_any_command_line(arguments: str, asked: bool) -> None:
    assert asks_for_json(arguments.split()) is asked
