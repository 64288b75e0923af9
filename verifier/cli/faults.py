"""Exceptions become one line for a person, and a document for a program that asked for JSON."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence

from verifier.cli import output
from verifier.report.fault import Fault
from verifier.spec.errors import SpecError
from verifier.verdict import Verdict


def fault_of(error: BaseException) -> Fault:
    """What an exception means to the user: INVALID for an error of theirs, FAILED for anything else."""
    if isinstance(error, SpecError):
        return Fault(
            Verdict.INVALID, error.message, str(error), error.excerpt(),
            error.file, error.line, error.field, error.text, error.position,
        )  # fmt: skip
    if hasattr(error, "format_message"):  # an error of the command line that typer found
        message = _usage(error)
        return Fault(Verdict.INVALID, message, message)
    message = _failure(error)
    return Fault(Verdict.FAILED, message, message)


def _usage(error: BaseException) -> str:
    message = str(error.format_message()).strip().rstrip(".")  # type: ignore[attr-defined]
    command = getattr(getattr(error, "ctx", None), "command_path", None) or "verify"
    return f"{message[:1].lower()}{message[1:]} (see '{command} --help')"


def _failure(error: BaseException) -> str:
    if isinstance(error, KeyboardInterrupt) or type(error).__name__ == "Abort":
        return "interrupted"
    if isinstance(error, BrokenPipeError):
        return "the output was closed before all of it was written"
    if isinstance(error, MemoryError):
        return "out of memory"
    if isinstance(error, OSError):
        reason = error.strerror or str(error) or type(error).__name__
        return f"{error.filename}: {reason}" if error.filename else reason
    described = f": {error}" if str(error) else ""
    return f"internal error, {type(error).__name__}{described} (VERIFY_DEBUG=1 shows where)"


def report_fault(fault: Fault, error: BaseException, *, as_json: bool) -> None:
    """Write the line, and the document if JSON was asked for; with VERIFY_DEBUG=1 also the traceback."""
    show_traceback(error)
    output.say(fault.summary, fault.excerpt)
    if as_json and not isinstance(error, OSError):
        from verifier.report.json_report import dumps, fault_document

        try:
            output.emit(dumps(fault_document(fault)))
        except OSError:
            output.abandon(sys.stdout)
    elif isinstance(error, OSError):
        output.abandon(sys.stdout)


def show_traceback(error: BaseException) -> None:
    """Write the traceback to standard error when VERIFY_DEBUG asks for it."""
    if os.environ.get("VERIFY_DEBUG") == "1" and sys.stderr is not None:
        traceback.print_exception(error, file=sys.stderr)


def asks_for_json(arguments: Sequence[str]) -> bool:
    """Whether the arguments ask for JSON; needed even when they cannot be parsed."""
    asked = False
    for at, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument == "--format":
            asked = list(arguments[at + 1 : at + 2]) == ["json"]
        elif argument.startswith("--format="):
            asked = argument == "--format=json"
    return asked
