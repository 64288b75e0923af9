"""The versions of the packages a verdict rests on."""

from __future__ import annotations

from importlib import metadata

from verifier import __version__

PACKAGES = ("z3-solver", "sympy", "numpy", "python-flint", "lark")


def versions() -> dict[str, str]:
    """The versions of the packages a verdict rests on."""
    found = {"hard-attention-verifier": __version__}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "unknown"
    return found
