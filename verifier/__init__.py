"""A checker for constructions in which softmax attention simulates hard attention, for every string length.

    from pathlib import Path
    from verifier import Verdict, load, verify

    result = verify(load("until"), max_n=200)            # a construction of the library
    result = verify(load(Path("mine.toml"), {"c": "3"}))   # a file of one's own
    assert result.verdict is Verdict.PROVED

Importing this package loads neither solvers nor parsers; the functions do so when they are called.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.verdict import Result, Verdict

if TYPE_CHECKING:
    from verifier.spec.construction import Construction

__version__ = "0.1.0"
__all__ = ["Result", "Verdict", "load", "verify"]


def load(source: str | Path, parameters: Mapping[str, str] | None = None) -> Construction:
    """Load a construction.

    Args:
        source: a text is the name of a construction of the library, a `Path` is a file.
        parameters: values instead of the defaults, as rational texts such as ``{"c": "7/5"}``.

    Raises:
        SpecError: the name is unknown, or the file or a parameter is wrong; the message says where and how.
    """
    from verifier.spec import library
    from verifier.spec.loader import load_file

    if isinstance(source, Path):
        return load_file(source, parameters)
    return load_file(library.find(source), parameters, library.shown(source))


def verify(
    construction: Construction, *, max_n: int = 1000, simulation: str | None = None, seed: int = 0
) -> Result:
    """Check every claim of a construction; the verdict is for every length n unless it says otherwise.

    Args:
        construction: what `load` returned.
        max_n: the greatest length at which the bound and the exact supremum are evaluated and heads are run.
        simulation: the one simulation to check, or None for all.
        seed: of the random strings that cross-check the proof; the verdict does not depend on it.

    Raises:
        SpecError: the construction has no simulation of that name.
    """
    from verifier.check import check

    return check(construction, max_n=max_n, simulation=simulation, seed=seed)
