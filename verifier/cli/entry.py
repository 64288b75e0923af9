"""The entry point: runs a command and turns whatever happens into an exit code and one clear message."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from verifier.cli import output
from verifier.cli.exit_codes import exit_code
from verifier.cli.faults import asks_for_json, fault_of, report_fault

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `verify` with these arguments, or with those of the process, and return its exit code.

    No exception leaves this function.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        output.tolerate_encodings()
        code = _run(given)
        output.flush()
        return code
    except BaseException as error:  # what the user sees must never be a traceback
        fault = fault_of(error)
        report_fault(fault, error, as_json=asks_for_json(given))
        return exit_code(fault.verdict)


def _run(arguments: Sequence[str]) -> int:
    from typer.main import get_command

    from verifier.cli.app import app

    try:
        code = get_command(app).main(arguments, prog_name="verify", standalone_mode=False)
    except SystemExit:  # what typer makes of a broken pipe
        raise BrokenPipeError from None
    if code == INTERRUPTED:  # what typer makes of Ctrl-C
        raise KeyboardInterrupt
    return code or 0
