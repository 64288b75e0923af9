"""What the exit codes mean, for `--help` and for every command."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.verdict import EXIT_CODES, Verdict

MEANINGS: Mapping[Verdict, str] = {
    Verdict.PROVED: "every obligation is discharged, for every n",
    Verdict.REFUTED: "a string breaks the claim, and is shown",
    Verdict.INVALID: "the file or the command line is wrong, or nothing was checked",
    Verdict.BOUNDED: "proved for n <= N only; 0 with --accept bounded",
    Verdict.UNDECIDED: "some obligation got no answer",
    Verdict.FAILED: "the run broke off: interrupted, out of memory or disk, a crash",
}


def exit_code(verdict: Verdict, *, accept_bounded: bool = False) -> int:
    """The exit code for a verdict."""
    return 0 if accept_bounded and verdict is Verdict.BOUNDED else EXIT_CODES[verdict]


def table() -> str:
    """The exit codes as they stand in the help; the first line keeps the lines from being joined."""
    lines = [
        f"  {EXIT_CODES[verdict]}  {verdict.value:<9}  {meaning}" for verdict, meaning in MEANINGS.items()
    ]
    return "\n".join(["\b", "Exit codes:", *lines])
