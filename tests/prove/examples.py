"""Constructions for the tests: library files, with texts replaced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from verifier.spec.construction import Construction, Simulation
from verifier.spec.loader import construct
from verifier.spec.source import decode

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = sorted(path.stem for path in (ROOT / "constructions").glob("*.toml"))


def changed(name: str, *changes: tuple[str, str], ranged: bool = False, **parameters: str) -> Construction:
    """A library construction with each text replaced by another; the text must be there."""
    text = (ROOT / "constructions" / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{old!r} is not in {name}.toml"
        text = text.replace(old, new)
    return replace(construct(decode(text.encode(), f"{name}.toml"), parameters), ranged=ranged)


def simulation(construction: Construction, name: str) -> Simulation:
    """The simulation of this name."""
    return next(one for one in construction.simulations if one.name == name)
