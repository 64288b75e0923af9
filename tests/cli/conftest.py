"""The command line run within the test process, with a stand-in for the check itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import sample_results as sample
from verifier.cli import main
from verifier.verdict import Result

CONSTRUCTION = """
name = "{name}"
title = "mine"
[inputs]
phi = "boolean"
[parameters]
c = {{ about = "scale", default = "2", domain = "c > 0" }}
[head]
mask = "none"
select = "phi(j)"
tie = "average"
value = "phi(j)"
[simulations.temperature]
score = "[selected]"
temperature = "1/(c + ln(n))"
[claim]
error = "1/4"
"""


@dataclass
class StandIn:
    """Takes the place of `verifier.check.check`: notes what it is asked, answers what it is told to."""

    answer: Callable[[str], Result]
    calls: list[tuple[Any, dict[str, Any]]] = field(default_factory=list)

    def __call__(self, construction: Any, **options: Any) -> Result:
        self.calls.append((construction, options))
        return self.answer(construction.name)

    def returns(self, result: Result) -> None:
        self.answer = lambda name: result

    def raises(self, error: BaseException) -> None:
        def answer(name: str) -> Result:
            raise error

        self.answer = answer


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    stand_in = StandIn(lambda name: sample.proved(construction=name))
    module = ModuleType("verifier.check")
    module.check = stand_in  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "verifier.check", module)
    monkeypatch.delenv("VERIFY_DEBUG", raising=False)
    return stand_in


@dataclass(frozen=True)
class Run:
    """The outcome of one command."""

    code: int
    out: str
    err: str


@pytest.fixture
def verify(check: StandIn, capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    def run(*arguments: str) -> Run:
        code = main(arguments)
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return run


@pytest.fixture
def mine(tmp_path: Path) -> Callable[..., str]:
    """Writes a construction file and returns its path."""

    def write(name: str = "mine", **changes: str) -> str:
        text = CONSTRUCTION.format(name=name)
        for old, new in changes.items():
            assert f"{old} = " in text
            text = text.replace(f"{old} = ", f"{new} = ")
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write
