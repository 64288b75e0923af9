"""Formulas, alphabets and strings from the command line and from files, with errors that name the place."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from verifier.logic.errors import FormulaError, WordError
from verifier.spec.errors import SpecError


@contextmanager
def formula_errors() -> Iterator[None]:
    """Within this context, errors in a formula or an alphabet become errors of the command line."""
    from verifier.compile.errors import CompileError

    try:
        yield
    except FormulaError as error:
        raise SpecError(error.message, field="FORMULA", text=error.text, position=error.position) from None
    except WordError as error:
        raise SpecError(f"--alphabet: {error.message}") from None
    except CompileError as error:
        raise SpecError(str(error), field="FORMULA") from None


def strings(given: Sequence[str], file: str | None, alphabet: str) -> list[str]:
    """The strings of --string, then those of --strings.

    Raises:
        SpecError: a string is empty or has a symbol outside the alphabet; for a file, with its line.
    """
    from verifier.logic.words import check_alphabet, check_word

    with formula_errors():
        check_alphabet(alphabet)
    found: list[str] = []
    for word in given:
        try:
            check_word(word, alphabet)
        except WordError as error:
            raise SpecError(error.message, field="--string", text=word or None, position=error.position) from None
        found.append(word)
    if file is not None:
        found += _lines(file, alphabet)
    return found


def _lines(file: str, alphabet: str) -> list[str]:
    """One string a line; a line end at the end of the file is none of its own."""
    from verifier.logic.words import check_word

    shown = "standard input" if file == "-" else file or "''"
    raw = _read(file, shown).split(b"\n")
    if not raw[-1]:
        raw.pop()
    if not raw:
        raise SpecError("expected one string a line, found an empty file", file=shown)
    found = []
    for number, line in enumerate(raw, 1):
        try:
            word = line.removesuffix(b"\r").decode("utf-8")
            check_word(word, alphabet)
        except UnicodeDecodeError as error:
            message = f"expected UTF-8, found the byte 0x{line[error.start]:02x} at byte {error.start + 1} of the line"
            raise SpecError(message, file=shown, line=number) from None
        except WordError as error:
            raise SpecError(
                error.message, file=shown, line=number, text=word or None, position=error.position
            ) from None
        found.append(word)
    return found


def _read(file: str, shown: str) -> bytes:
    if file == "-":
        if sys.stdin is None:
            raise SpecError("--strings: standard input is closed")
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SpecError(f"--strings: cannot read {shown}: {reason}") from None
