"""docs/formulas.md: its Python example runs, its command does, and it names every key of the JSON document."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from verifier.cli import main

DOCS = Path(__file__).parent.parent.parent / "docs" / "formulas.md"
TEXT = DOCS.read_text(encoding="utf-8")


def test_the_python_example_runs() -> None:
    (source,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(source, {})  # noqa: S102


def test_the_command_runs_and_every_key_is_documented(capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = re.findall(r"^    verify (formula .*)$", TEXT, re.MULTILINE)
    assert main([*shlex.split(command), "--format", "json", "--max-n", "20"]) == 0
    document = json.loads(capsys.readouterr().out)
    documented = set(re.findall(r"`([a-z_]+)`", TEXT.partition("## JSON")[2]))
    assert set(document) <= documented
    for key in ("constructions", "obligations", "strings"):
        assert set(document[key][0]) <= documented
    assert set(document["cross_check"]) <= documented
