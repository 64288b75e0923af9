"""The progress bar: on a terminal only, and only after a while."""

from __future__ import annotations

import io

import pytest

import verifier.report.progress as module
from verifier.report.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def work(steps: int) -> None:
    with progress() as shows:
        callback = shows("until [red]")
        for step in range(steps):
            assert callback is not None
            callback("gap", step, steps)


def test_nothing_in_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", pipe := io.StringIO())
    with progress() as shows:
        assert shows("until") is None
    assert pipe.getvalue() == ""
    monkeypatch.setattr("sys.stderr", None)
    with progress() as shows:
        assert shows("until") is None


def test_nothing_for_short_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    work(5)
    assert terminal.getvalue() == ""


def test_a_bar_for_long_work_that_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DELAY", -1.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", terminal := Terminal())
    work(5)
    assert "until [red]: gap" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")
