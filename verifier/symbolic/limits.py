"""Bounds on what SymPy is asked to do: files are untrusted, and a short expression can keep SymPy busy for days.

First a measure of the expressions, which is the same on every machine, so that a verdict does not depend on its load.
Then processor time as a backstop, for what the measure does not foresee. Either way the caller gets `Unconvertible`,
and the verdict is *undecided*. So it is where SymPy itself fails, since what it finds is proposed and never trusted.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FrameType
from typing import ParamSpec, TypeVar

import sympy

from verifier.spec.construction import Simulation
from verifier.spec.size import SizeFault, applied
from verifier.spec.types import size_of
from verifier.symbolic.translate import Unconvertible

SECONDS = 10.0
MOST_EXPONENT_TERMS = 64
AGAIN = 0.1  # where raising did not help, it is tried again after this time

P = ParamSpec("P")
R = TypeVar("R")


class TooLong(Unconvertible):
    """SymPy would take, or has taken, more time than it is given."""


class _Overrun(BaseException):
    """Raised within SymPy when the time is over; no Exception, so that nothing in there takes it for its own."""


def bounded(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function that calls SymPy run for at most `SECONDS` of processor time.

    Raises:
        TooLong: the time was not enough.
        Unconvertible: SymPy raised an exception of its own.
    """

    @wraps(function)
    def inside(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            with deadline(SECONDS):
                return function(*args, **kwargs)
        except Unconvertible:
            raise
        except _Overrun:
            raise TooLong(f"SymPy did not finish within {SECONDS:.0f} seconds") from None
        except Exception as error:
            raise Unconvertible(f"SymPy cannot handle the expression ({type(error).__name__})") from error

    return inside


def demand_moderate(simulation: Simulation) -> None:
    """Refuse a score and a temperature whose quotient would have too many terms.

    Raises:
        TooLong: it would.
    """
    try:
        applied("/", [size_of(simulation.score.expr), size_of(simulation.temperature.expr)])
    except SizeFault as fault:
        raise TooLong(f"the score divided by the temperature is too large: {fault}") from None


def moderate(exponent: sympy.Expr) -> sympy.Expr:
    """The exponent as it is, if it has few enough terms: of long ones many candidates would be tried, each for long.

    Raises:
        TooLong: it has too many.
    """
    terms = len(sympy.Add.make_args(exponent))
    if terms > MOST_EXPONENT_TERMS:
        raise TooLong(f"the exponent of a region has {terms} terms, more than the {MOST_EXPONENT_TERMS} that are tried")
    return exponent


_running = False


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise `_Overrun` in the body once it has used this much processor time; within another deadline, that one holds.

    Works by a signal, which Python delivers to the main thread only: in other threads there is no deadline, and the
    measure alone bounds the work.
    """
    global _running  # noqa: PLW0603
    if _running or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _overrun)
    _running = True
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN)
    try:
        yield
    finally:
        _running = False  # from here on the signal does nothing
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before if before is not None else signal.SIG_DFL)


def _overrun(signum: int, frame: FrameType | None) -> None:
    """Stop what runs, unless an object is being finalised, where Python would print the exception and go on."""
    finalising = False
    while frame is not None and not finalising:
        finalising = frame.f_code.co_name == "__del__"
        frame = frame.f_back
    if _running and not finalising:
        raise _Overrun
