"""Certificates to tamper with, and the means to seal them again as a forger would."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from verifier.certify.collect import gather
from verifier.certify.write import certificate, write
from verifier.prove.solver import Session
from verifier.spec import library
from verifier.spec.loader import load_file


def write_certificate(name: str, directory: Path) -> str:
    """Write the certificate of a construction of the library, and return its digest."""
    path = library.find(name)
    construction = load_file(path)
    gathered = [gather(construction, one, Session()) for one in construction.simulations]
    return write(directory, certificate(construction, path.read_bytes(), gathered, {"python": "3"}))


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The certificate of a construction, written once; not to be changed."""
    folder = tmp_path_factory.mktemp("certificates")

    def of(name: str) -> Path:
        if not (folder / name).exists():
            write_certificate(name, folder / name)
        return folder / name

    return of


@pytest.fixture
def copy(written: Callable[[str], Path], tmp_path: Path) -> Path:
    """A certificate of `once` that may be changed."""
    return Path(shutil.copytree(written("once"), tmp_path / "certificate"))


def seal(directory: Path) -> None:
    """Write the digests again, so that only the content can give a forgery away."""
    names = sorted(
        path.relative_to(directory).as_posix()
        for path in directory.rglob("*")
        if path.is_file() and path.name != "SHA256SUMS"
    )
    lines = [f"{hashlib.sha256((directory / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (directory / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def change_manifest(directory: Path, change: Callable[[Any], None]) -> None:
    """Change the manifest and seal the certificate again."""
    path = directory / "manifest.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    change(document)
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    seal(directory)


def change_file(directory: Path, name: str, old: str, new: str) -> None:
    """Replace a text in a file and seal the certificate again."""
    path = directory / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    seal(directory)


def deny_claim(directory: Path, name: str) -> None:
    """Let an obligation claim something false, and seal the certificate again."""
    mark = "; the negation of the claim\n(assert "
    change_file(directory, name, mark, f"{mark}(<= n n))\n;")


def find(directory: Path, pattern: str) -> str:
    """The name of the first file that matches."""
    return next(path.relative_to(directory).as_posix() for path in sorted(directory.glob(pattern)))


def entries(document: Any) -> list[Any]:
    """Every obligation of a manifest."""
    return [entry for one in document["simulations"] for entry in one["obligations"]]
