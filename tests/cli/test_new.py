"""`verify new`: a file to start from, whole or not at all, and never in place of another."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from verifier.cli import main
from verifier.cli.new import write_new
from verifier.spec.loader import load_file

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)

    def in_folder(*arguments: str) -> tuple[int, str, str]:
        code = main(["new", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return in_folder


def test_the_file_is_called_as_the_construction(run: Run, tmp_path: Path) -> None:
    code, out, err = run("mine")
    assert (code, err) == (0, "")
    assert out == "mine.toml is written; check it with `verify audit mine.toml`\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]
    assert load_file(tmp_path / "mine.toml").name == "mine"
    assert (tmp_path / "mine.toml").stat().st_nlink == 1


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_the_file_may_be_elsewhere(run: Run, tmp_path: Path, option: str) -> None:
    (tmp_path / "folder").mkdir()
    assert run("mine", option, "folder/other.toml")[0] == 0
    assert load_file(tmp_path / "folder" / "other.toml").name == "mine"


@pytest.mark.parametrize("kind", ["file", "link to nothing", "folder"])
def test_what_is_there_is_left_alone(run: Run, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "mine.toml"
    if kind == "file":
        path.write_text("mine", encoding="utf-8")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("elsewhere.toml")
    code, out, err = run("mine")
    assert (code, out) == (2, "")
    assert err == "verify: mine.toml exists already and is left as it is; -o FILE chooses another\n"
    assert [found.name for found in tmp_path.iterdir()] == ["mine.toml"]
    assert kind != "file" or path.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", ["../mine", "a/b", "Mine", "", "mine.toml"])
def test_a_name_is_no_path(run: Run, tmp_path: Path, name: str) -> None:
    code, _, err = run(name)
    assert code == 2
    assert "expected a name of lower-case letters, digits and hyphens" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("nowhere/mine.toml", "cannot write nowhere/mine.toml: No such file or directory"),
        ("", "--output: expected the name of a file, found ''"),
        ("a\0b", "cannot write a\\x00b: embedded null byte"),
        ("x" * 300, "File name too long"),
        (".", "exists already"),
    ],
)
def test_a_place_that_cannot_be_written_is_named(run: Run, tmp_path: Path, file: str, reason: str) -> None:
    code, out, err = run("mine", "-o", file)
    assert (code, out) == (2, "")
    assert reason in err and err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_failure_half_way_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(OSError, match="No space left"):
        write_new(tmp_path / "mine.toml", b"content")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_a_failed_run(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", failing)
    code, _, err = run("mine")
    assert (code, err) == (4, "verify: mine.toml: No space left on device\n")


def test_of_two_writers_one_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is taken between the look and the writing."""
    path = tmp_path / "mine.toml"
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    path.write_bytes(b"the other's")
    with pytest.raises(FileExistsError):
        write_new(path, b"ours")
    assert path.read_bytes() == b"the other's"
    assert [found.name for found in tmp_path.iterdir()] == ["mine.toml"]
