"""The tutorial's files are written, its commands are run, and their output is as it says."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)(?: (\w+)=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks() -> list[tuple[str, str, str, str]]:
    """The fenced blocks: language, `file` or `edit` or nothing, the file's name, and the text."""
    return BLOCK.findall(TUTORIAL.read_text(encoding="utf-8"))


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block, with the output it is said to have."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def pattern(output: str) -> re.Pattern[str]:
    """A line of three dots stands for any lines, three dots within a line for any text."""
    lines = []
    for line in output.splitlines():
        if line == "...":
            lines.append(r"(?:.*\n)*?")
        else:
            lines.append(r"[^\n]*".join(map(re.escape, re.split(r" ?\.\.\. ?| ?\.\.\.$", line))) + r"\n")
    return re.compile("".join(lines))


class Shell:
    """Runs `verify` in a folder and remembers its exit code, as `echo $?` tells it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.code = folder, 0

    def run(self, command: str) -> str:
        if command == "echo $?":
            return f"{self.code}\n"
        name, *arguments = command.split()
        assert name == "verify", command
        found = subprocess.run(
            [sys.executable, "-m", "verifier", *arguments], cwd=self.folder, capture_output=True, encoding="utf-8",
            check=False, timeout=300, env={"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        self.code = found.returncode
        return found.stdout + found.stderr


@pytest.mark.slow
def test_every_command_of_the_tutorial_does_what_it_says(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    ran = []
    for language, action, file, text in blocks():
        if action == "file":
            (tmp_path / file).write_text(text, encoding="utf-8")
        elif action == "edit":
            replace_field(tmp_path / file, text)
        elif language == "console":
            for command, output in commands(text):
                found = shell.run(command)
                assert pattern(output).fullmatch(found), f"$ {command}\n{found}\nis not\n{output}"
                ran.append(command)
    assert len([command for command in ran if command.startswith("verify")]) >= 5


def replace_field(path: Path, line: str) -> None:
    """Put a line in the place of the one that sets the same field."""
    field = line.partition("=")[0]
    before = path.read_text(encoding="utf-8").splitlines(keepends=True)
    assert sum(old.startswith(field) for old in before) == 1
    path.write_text("".join(line if old.startswith(field) else old for old in before), encoding="utf-8")


def test_a_wrong_output_would_be_noticed() -> None:
    assert pattern("a\n...\nc ... d\n").fullmatch("a\nb\nb\nc 12 d\n")
    assert pattern("0.13...\n").fullmatch("0.1353\n")
    assert not pattern("a\nc\n").fullmatch("a\nb\nc\n")
    assert not pattern("a\n...\nc\n").fullmatch("a\nb\nd\n")
