"""The command that writes a construction file to start from."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from verifier.cli import output
from verifier.spec.errors import SpecError, printable

NewName = Annotated[str, typer.Argument(metavar="NAME", help="What the construction is to be called.")]
NewFile = Annotated[
    str | None, typer.Option("-o", "--output", metavar="FILE", help="Where to write it, if not to NAME.toml.")
]
# What is wrong with the machine, rather than with the path.
_MACHINE = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO))


def new(name: NewName, *, file: NewFile = None) -> int:
    """Write a commented construction file to start from.

    It is valid, and proved as it stands: `verify new mine`, then `verify audit mine.toml`. A file that is there
    already is left alone.
    """
    from verifier.spec.template import template

    text = template(name)
    if file == "":
        raise SpecError("--output: expected the name of a file, found ''")
    shown = file if file is not None else f"{name}.toml"
    try:
        write_new(Path(shown), text.encode())
    except FileExistsError:
        raise SpecError(f"{shown} exists already and is left as it is; -o FILE chooses another") from None
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in _MACHINE:
            raise OSError(error.errno, error.strerror, shown) from None
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SpecError(f"cannot write {shown}: {reason}") from None
    shown = "".join(map(printable, shown))
    output.emit(f"{shown} is written; check it with `verify audit {shown}`\n")
    return 0


def write_new(path: Path, content: bytes) -> None:
    """Write a file that is not there yet: whole or not at all, and never in place of another.

    Raises:
        FileExistsError: something of that name is there, if only a link that leads nowhere.
        OSError: it cannot be written; nothing is left behind.
    """
    if os.path.lexists(path):
        raise FileExistsError(path)
    part = path.with_name(f".{path.name[:40]}.{os.getpid()}.part")
    try:
        with part.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        path.hardlink_to(part)  # which fails where the name has been taken meanwhile, as a renaming would not
    finally:
        with suppress(OSError):
            part.unlink()
