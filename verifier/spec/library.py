"""The constructions that ship with the package: names and files, nothing else."""

from __future__ import annotations

import difflib
from pathlib import Path

from verifier.spec.errors import SpecError

_PACKAGE = Path(__file__).resolve().parent.parent


def directory() -> Path:
    """The folder of the library: inside the installed package, or at the top level of a checkout.

    Raises:
        FileNotFoundError: the installation lacks it.
    """
    for folder in (_PACKAGE / "constructions", _PACKAGE.parent / "constructions"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError("the library of constructions is missing from this installation")


def names() -> list[str]:
    """The names of all constructions of the library, in alphabetical order."""
    return sorted(path.stem for path in directory().glob("*.toml") if path.is_file())


def shown(name: str) -> str:
    """What the file of a construction is called in messages and results, wherever it is installed."""
    return f"constructions/{name}.toml"


def find(name: str) -> Path:
    """The file of a construction of the library.

    The name is only ever compared with the names there are; it never becomes part of a path by itself.

    Raises:
        SpecError: there is no construction of this name; the message names close matches.
        FileNotFoundError: the installation lacks the library.
    """
    known = names()
    if name in known:
        return directory() / f"{name}.toml"
    if "/" in name or "\\" in name or name.endswith(".toml"):
        raise SpecError(f"expected a name such as 'until', found '{_short(name)}'; use `verify audit FILE` for a file")
    close = difflib.get_close_matches(name[:80], known, n=3)
    hint = f"; did you mean {' or '.join(repr(match) for match in close)}?" if close else ";"
    raise SpecError(f"unknown construction '{_short(name)}'{hint} `verify list` shows them all")


def _short(name: str, most: int = 60) -> str:
    return name if len(name) <= most else f"{name[:most]}..."
