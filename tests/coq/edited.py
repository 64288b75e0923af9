"""Constructions of the library with some of their text replaced."""

from __future__ import annotations

from pathlib import Path

from verifier.spec import library
from verifier.spec.construction import Construction
from verifier.spec.loader import load_file


def loaded(name: str, **parameters: str) -> Construction:
    return load_file(library.find(name), parameters, library.shown(name))


def edited(folder: Path, name: str, *changes: tuple[str, str]) -> Construction:
    """The construction with each old text replaced by the new one; the old one must be there."""
    text = library.find(name).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return load_file(path)
