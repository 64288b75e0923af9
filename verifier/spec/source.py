"""Reading a construction file: bounded, as UTF-8 TOML, with the line on which each field stands."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifier.spec.errors import SpecError

LARGEST_FILE = 100_000

_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(#.*)?$")
_KEY = re.compile(r"\s*([A-Za-z0-9_.\-\"' ]+?)\s*=")


@dataclass(frozen=True)
class Source:
    """A file's data and where its fields stand.

    Args:
        file: the name as the user gave it.
        data: the TOML document.
        lines: the line, from 1, of each dotted field and table.
        digest: the SHA-256 of the bytes, in hexadecimal.
    """

    file: str
    data: Mapping[str, Any]
    lines: Mapping[str, int]
    digest: str

    def line(self, field: str) -> int | None:
        """The line of a field, or of the nearest table around it that has one."""
        while field:
            if field in self.lines:
                return self.lines[field]
            field = field.rpartition(".")[0]
        return None


def read(path: Path, shown: str | None = None) -> Source:
    """Read a construction file.

    Raises:
        SpecError: the file cannot be read, is too large, or is not UTF-8 or TOML.
    """
    file = shown if shown is not None else str(path)
    try:
        # Opened without blocking, so that a named pipe is refused and not waited for.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as stream:
            if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise SpecError("expected a regular file", file=file)
            raw = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SpecError(f"cannot be read: {reason}", file=file) from None
    return decode(raw, file)


def decode(raw: bytes, file: str) -> Source:
    """Decode the bytes of a construction file; raises as `read` does."""
    if len(raw) > LARGEST_FILE:
        raise SpecError(f"expected a file of at most {LARGEST_FILE} bytes", file=file)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SpecError(f"expected UTF-8, found the byte 0x{raw[error.start]:02x}", file=file, line=line) from None
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise _toml_error(str(error), file) from None
    return Source(file, data, _field_lines(text), hashlib.sha256(raw).hexdigest())


def _toml_error(message: str, file: str) -> SpecError:
    if "recursion" in message:
        return SpecError("not valid TOML: nested too deep", file=file)
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    line = int(place[1]) if place and place[1] else None
    return SpecError(f"not valid TOML: {message}", file=file, line=line)


def _field_lines(text: str) -> dict[str, int]:
    """Where each key stands, by a scan of lines that start a table or a key; multi-line strings cannot mislead
    a verdict, only the line named in a message."""
    lines: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = _dotted(header[1])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            lines.setdefault(f"{table}.{_dotted(key[1])}".lstrip("."), number)
    return lines


def _dotted(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))
