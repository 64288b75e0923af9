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
LONGEST_KEY = 4_000  # reading a key takes time quadratic in its length

_STRINGS = re.compile(r'"""|\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'|#.*')


@dataclass(frozen=True)
class Source:
    """A file's data and where its fields stand.

    Args:
        file: the name as the user gave it.
        data: the TOML document.
        lines: the line, from 1, of each dotted field and table.
        digest: the SHA-256 of the bytes, in hexadecimal.
        text: the whole text.
    """

    file: str
    data: Mapping[str, Any]
    lines: Mapping[str, int]
    digest: str
    text: str

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
        raw = _bytes(path)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise SpecError(f"cannot be read: {reason}", file=file) from None
    if raw is None:
        raise SpecError("expected a regular file", file=file)
    return decode(raw, file)


def _bytes(path: Path) -> bytes | None:
    """The file's beginning, one byte more than is permitted; None for what is no regular file."""
    # Opened without blocking, so that a named pipe is refused and not waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            return stream.read(LARGEST_FILE + 1)
    finally:
        os.close(descriptor)


def decode(raw: bytes, file: str) -> Source:
    """Decode the bytes of a construction file; raises as `read` does."""
    if len(raw) > LARGEST_FILE:
        raise SpecError(f"expected a file of at most {LARGEST_FILE} bytes", file=file)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = raw.count(b"\n", 0, error.start) + 1
        raise SpecError(f"expected UTF-8, found the byte 0x{raw[error.start]:02x}", file=file, line=number) from None
    lines = text.split("\n")
    for number, line in enumerate(lines, start=1):
        before, equals, _ = line.rpartition("=")
        if len(before if equals else line) > LONGEST_KEY:
            message = f"expected at most {LONGEST_KEY} characters before the last '=' of a line"
            raise SpecError(message, file=file, line=number)
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise SpecError("not valid TOML: nested too deep", file=file) from None
    except ValueError as error:  # which a TOMLDecodeError is
        raise _toml_error(str(error), file, len(lines)) from None
    return Source(file, data, _field_lines(lines), hashlib.sha256(raw).hexdigest(), text)


def _toml_error(message: str, file: str, last: int) -> SpecError:
    if "integer string conversion" in message:
        return SpecError("not valid TOML: an integer with too many digits", file=file)
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    line = None if place is None else int(place[1] or last)
    return SpecError(f"not valid TOML: {message}", file=file, line=line)


def _field_lines(lines: list[str]) -> dict[str, int]:
    """Where each key stands: the lines of valid TOML that start a table or a key, outside of multi-line strings."""
    found: dict[str, int] = {}
    table, quote = "", ""
    for number, line in enumerate(lines, start=1):
        if not quote:
            key, equals, _ = line.partition("=")
            if line.lstrip().startswith("["):
                table = _dotted(line.strip().strip("[").partition("]")[0])
                found.setdefault(table, number)
            elif equals:
                found.setdefault(f"{table}.{_dotted(key)}".lstrip("."), number)
        quote = _open_quote(line, quote)
    return found


def _open_quote(line: str, quote: str) -> str:
    """The delimiter of the multi-line string that is open at the end of the line, given the one open before it."""
    at = 0
    while True:
        if quote:
            end = line.find(quote, at)
            if end < 0:
                return quote
            at, quote = end + len(quote), ""
        token = _STRINGS.search(line, at)
        if token is None:
            return ""
        at = token.end()
        quote = token[0] if token[0] in ('"""', "'''") else ""


def _dotted(name: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in name.split("."))
