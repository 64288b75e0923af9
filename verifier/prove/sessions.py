"""Sessions for the solvers a user chose: Z3, cvc5, or both, with one process of cvc5 for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from verifier.prove.solver import Limits, Session
from verifier.solvers.process import SolverProcess

CHOICES = ("z3", "cvc5", "both")


@contextmanager
def sessions(choice: str, limits: Limits | None = None) -> Iterator[Callable[[], Session]]:
    """Makes sessions, one for each construction; the process of cvc5 ends with the context.

    Args:
        choice: one of `CHOICES`.
        limits: for each call.

    Raises:
        MissingSolverError: cvc5 is wanted and is not installed.
    """
    limits = limits or Limits()
    if choice == "z3":
        yield lambda: Session(limits=limits)
        return
    with SolverProcess("cvc5", limits.milliseconds) as second:
        _ = second.version  # starts it, so that a missing cvc5 is noticed before any work
        yield lambda: Session(limits=limits, second=second, z3_decides=choice == "both")
