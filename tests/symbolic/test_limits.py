"""SymPy is stopped in time, whatever it is asked; and what stops it leaves no trace."""

from __future__ import annotations

import signal
import threading
import time

import pytest
import sympy

from tests.prove.examples import LIBRARY
from tests.prove.examples import changed as library_file
from tests.spec.files import changed, load
from verifier.spec.construction import Construction
from verifier.symbolic import limits
from verifier.symbolic.derive import derive
from verifier.symbolic.factor import factor
from verifier.symbolic.limits import TooLong, bounded, deadline
from verifier.symbolic.templates import candidates
from verifier.symbolic.translate import Unconvertible

STOPPED = 5.0  # seconds within which a deadline of a tenth of a second must have stopped what runs


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.1)
    monkeypatch.setattr(limits, "AGAIN", 0.05)


def nothing_is_left() -> bool:
    return (
        signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0) and signal.getsignal(signal.SIGVTALRM) == signal.SIG_DFL
    )


def endless() -> None:
    while True:
        time.process_time()


def expanding() -> sympy.Expr:
    return sympy.expand(sum(sympy.symbols("a:z")) ** 12)


def swallowing() -> None:
    """As code does that takes every exception for its own."""
    for _ in range(3):
        try:
            endless()
        except Exception:
            continue


class Finalised:
    """Takes its time to go."""

    def __del__(self) -> None:
        until = time.process_time() + 0.3
        while time.process_time() < until:
            pass


def finalising() -> None:
    Finalised()
    endless()


@pytest.mark.filterwarnings("error")  # such as that an exception in a finaliser was ignored
@pytest.mark.parametrize("work", [endless, expanding, swallowing, finalising])
def test_what_runs_too_long_is_stopped(work: object) -> None:
    started = time.process_time()
    with pytest.raises(TooLong, match="SymPy did not finish within"):
        bounded(work)()  # type: ignore[type-var]
    assert time.process_time() - started < STOPPED
    assert nothing_is_left()


def test_what_is_soon_done_is_left_alone() -> None:
    assert bounded(lambda value: value + 1)(1) == 2
    assert nothing_is_left()
    until = time.process_time() + 0.3
    while time.process_time() < until:
        pass


@pytest.mark.parametrize("error", [RecursionError(), ValueError("x"), ZeroDivisionError(), MemoryError()])
def test_an_exception_of_sympy_is_no_answer(error: Exception) -> None:
    def failing() -> None:
        raise error

    with pytest.raises(Unconvertible, match=f"SymPy cannot handle the expression .{type(error).__name__}."):
        bounded(failing)()
    assert nothing_is_left()


def test_our_own_reasons_pass_as_they_are() -> None:
    def refusing() -> None:
        raise Unconvertible("the reason")

    with pytest.raises(Unconvertible, match=r"^the reason$"):
        bounded(refusing)()


def test_a_deadline_within_another_changes_nothing() -> None:
    inner = bounded(lambda: 1)

    def outer() -> None:
        for _ in range(1_000_000_000):
            inner()

    with pytest.raises(TooLong):
        bounded(outer)()
    assert nothing_is_left()


def test_a_handler_that_was_there_is_there_again() -> None:
    seen = []
    before = signal.signal(signal.SIGVTALRM, lambda *_: seen.append(1))
    try:
        with pytest.raises(TooLong):
            bounded(endless)()
        signal.raise_signal(signal.SIGVTALRM)
        assert seen == [1]
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_other_threads_have_no_deadline_and_no_error() -> None:
    found = []
    thread = threading.Thread(target=lambda: found.append(bounded(lambda: sympy.expand(sympy.Symbol("x") ** 2))()))
    thread.start()
    thread.join()
    assert found == [sympy.Symbol("x") ** 2]


def test_a_deadline_ends_with_its_body() -> None:
    with deadline(5):
        assert not nothing_is_left()
    assert nothing_is_left()


# Scores and temperatures that are within the limits of the language.
HOSTILE = [
    ("(1 + i + j)^18", "1"),
    ("(i + j + n)^12*(1 + [selected])", "1"),
    ("*".join(f"(i + {at})" for at in range(7)), "1"),
    ("exp(i*j)*ln(1 + i*j)*sqrt(i + j)", "1/(c + ln(n))"),
    ("max(" + ", ".join(f"i*j - {at}*n" for at in range(90)) + ")", "1"),
    ("min(" * 45 + "j" + ", i*n)" * 45, "1"),
    ("abs(" * 60 + "i - j" + ")" * 60, "1"),
    ("(i*j^3 + n) mod (j^2 + i*n + 1)", "1"),
    ("sin(i*n^9)*cos(j^9)/(1 + exp(-i))", "1/n^64"),
    ("sqrt(" * 60 + "j" + ")" * 60, "n"),
    (" + ".join(f"[j = {at}]*[i = {at}]" for at in range(20)), "1"),
    (" + ".join(f"1/(i + j + {at})" for at in range(60)), "1"),
    ("9" * 40 + "^7*j", "1/" + "9" * 40),
    ("[" + "not " * 90 + "selected]", "1"),
]


def hostile(score: str, temperature: str) -> Construction:
    first = ('"c*(2*n*[selected] - j)"', f'"{score}"')
    return load(changed(first, ('temperature = "1"\n', f'temperature = "{temperature}"\n')))


@pytest.mark.parametrize(("score", "temperature"), HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_score_is_derived_or_given_up_soon(score: str, temperature: str) -> None:
    construction = hostile(score, temperature)
    one = construction.simulations[0]
    started = time.process_time()
    found = factor(construction, one)
    assert found.products or found.fault
    try:
        for region in derive(construction, one).regions[:2]:
            candidates(construction, region.side, [region])
    except Unconvertible:
        pass
    assert time.process_time() - started < STOPPED
    assert nothing_is_left()


def test_a_quotient_of_too_many_terms_is_not_even_tried() -> None:
    construction = hostile("(1 + i + j)^15", "1/(1 + n + c)^10")
    with pytest.raises(
        TooLong, match="the score divided by the temperature is too large: an expression must have at most"
    ):
        derive(construction, construction.simulations[0])


def test_an_exponent_of_too_many_terms_is_given_up() -> None:
    construction = hostile("(1 + i + j)^18", "1")
    with pytest.raises(TooLong, match="terms, more than the 64 that are tried"):
        derive(construction, construction.simulations[0])


def test_the_library_is_far_from_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 10.0)
    for name in LIBRARY:
        construction = library_file(name)
        for one in construction.simulations:
            started = time.process_time()
            derive(construction, one)
            assert time.process_time() - started < 5.0
