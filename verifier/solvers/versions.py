"""The versions of solvers and of the interpreter, for certificates."""

from __future__ import annotations

import platform
from collections.abc import Iterable

from verifier.solvers.process import SolverProcess


def solver_versions(names: Iterable[str]) -> dict[str, str]:
    """What each solver's process says its version is, and Python's. Raises `MissingSolverError`."""
    found = {"python": platform.python_version()}
    for name in names:
        with SolverProcess(name) as process:
            found[name] = process.version
    return found
