"""Any change to any file is noticed before a solver is asked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from verifier.certify.manifest import Malformed
from verifier.certify.recheck import Tampered, recheck

from .conftest import find

KINDS = (
    "obligations/*.smt2", "assumptions/*.smt2", "manifest.json", "construction.toml", "README.txt", "SHA256SUMS",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [0.0, 0.3, 0.7, 1.0])
def test_a_changed_byte(copy: Path, kind: str, place: float) -> None:
    path = copy / find(copy, kind)
    content = bytearray(path.read_bytes())
    at = min(int(place * len(content)), len(content) - 1)
    content[at] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises((Tampered, Malformed)):
        recheck(copy)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "change", [lambda content: content + b"\n", lambda content: content[:-1], lambda content: b""]
)
def test_a_longer_shorter_or_empty_file(copy: Path, kind: str, change: Callable[[bytes], bytes]) -> None:
    path = copy / find(copy, kind)
    path.write_bytes(change(path.read_bytes()))
    with pytest.raises((Tampered, Malformed)):
        recheck(copy)


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_file(copy: Path, kind: str) -> None:
    (copy / find(copy, kind)).unlink()
    with pytest.raises((Tampered, Malformed), match="missing"):
        recheck(copy)


def test_the_message_names_the_file(copy: Path) -> None:
    name = find(copy, "obligations/*budget*")
    (copy / name).write_text("(check-sat)\n")
    with pytest.raises(Tampered, match=name):
        recheck(copy)


def test_a_stray_file(copy: Path) -> None:
    (copy / "obligations" / "999-more.smt2").write_text("(check-sat)\n")
    with pytest.raises(Tampered, match="999-more"):
        recheck(copy)


def test_a_link_a_pipe_and_a_folder(copy: Path) -> None:
    for make in (
        lambda path: path.symlink_to(copy / "README.txt"),
        os.mkfifo,
        lambda path: path.mkdir(),
    ):
        path = copy / "stray"
        make(path)
        with pytest.raises(Tampered, match="stray"):
            recheck(copy)
        path.rmdir() if path.is_dir() else path.unlink()


def test_swapped_files(copy: Path) -> None:
    first, second = sorted((copy / "obligations").iterdir())[:2]
    texts = first.read_bytes(), second.read_bytes()
    first.write_bytes(texts[1])
    second.write_bytes(texts[0])
    with pytest.raises(Tampered):
        recheck(copy)


@pytest.mark.parametrize("make", [lambda path: None, lambda path: path.mkdir(), lambda path: path.write_text("x")])
def test_not_a_certificate(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / "there")
    with pytest.raises(Malformed):
        recheck(tmp_path / "there")
