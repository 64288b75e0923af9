"""Writing to the two streams, whatever they are connected to."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO

from verifier.spec.errors import printable


def tolerate_encodings() -> None:
    """Let streams escape the symbols that their encoding lacks, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def emit(text: str) -> None:
    """Write a result to standard output.

    Raises:
        OSError: it cannot be written in full, or standard output is closed.
    """
    if sys.stdout is None:
        raise OSError("standard output is closed")
    sys.stdout.write(text)
    sys.stdout.flush()


def flush() -> None:
    """Write out what is buffered, so that a full disk or a closed pipe is noticed in time."""
    if sys.stdout is not None:
        sys.stdout.flush()


def say(message: str, excerpt: str | None = None) -> None:
    """Write one line `verify: message` to standard error, an excerpt below it; never raises."""
    if sys.stderr is None:
        return
    line = "".join(printable(symbol) for symbol in message)
    try:
        sys.stderr.write(f"verify: {line}\n" + (f"{excerpt}\n" if excerpt else ""))
        sys.stderr.flush()
    except (OSError, ValueError):
        abandon(sys.stderr)


def abandon(stream: TextIO | None) -> None:
    """Connect a stream that failed to nothing, so that the interpreter does not complain about it at exit."""
    if stream is None:
        return
    with suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, stream.fileno())
        os.close(nothing)
