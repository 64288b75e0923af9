"""Text: safe to print, readable at any width, plain in a pipe, and saying what it must."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest

from tests import sample_results as sample
from verifier.report.fault import Fault, Unchecked
from verifier.report.look import Look, look_of, words
from verifier.report.summary_text import summary_text
from verifier.report.text_report import text_report
from verifier.verdict import CrossCheck, Trust, Verdict, Witness

PLAIN = Look()
ASCII = Look(symbols=False)
ALL = [sample.proved, sample.refuted, sample.bounded, sample.undecided]
LONG = sample.refuted(simulations=(sample.simulation(witness=sample.witness(n=5000, query=700, c=0.01)),))
BOXES = set("╭╮╰╯│─├┤┬┴┼")


def with_witness(witness: Witness) -> str:
    return text_report(PLAIN, sample.refuted(simulations=(sample.simulation(witness=witness),)))


@pytest.mark.parametrize("make", ALL)
def test_a_pipe_gets_plain_lines(make: Any) -> None:
    text = text_report(PLAIN, make())
    assert "\x1b" not in text
    assert not BOXES & set(text)
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_terminal_gets_lines_that_fit(make: Any, width: int) -> None:
    text = text_report(Look(ruled=True, width=width), make())
    assert max(map(len, text.splitlines())) <= width
    assert BOXES & set(text)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_summary_fits_and_loses_no_digit(width: int) -> None:
    text = summary_text(Look(ruled=True, width=width), [sample.proved(construction="unique-hard-leftmost")])
    assert max(map(len, text.splitlines())) <= width
    assert "0.1353" in text and "2.7 s" in text and "1/4" in text


def test_colour_says_the_same() -> None:
    coloured = text_report(Look(ruled=True, colour=True, width=100), sample.refuted())
    assert "\x1b[" in coloured
    assert words(PLAIN, "x").plain == "x"


@pytest.mark.parametrize("make", ALL)
def test_an_encoding_without_symbols(make: Any) -> None:
    text = text_report(ASCII, make())
    assert text.isascii()
    assert "phi U psi" in text and "|soft - hard| <= 1/4" in text
    assert text_report(Look(ruled=True, symbols=False, width=80), make()).isascii()


def test_hostile_text_stays_harmless() -> None:
    title = "[red]x[/red] \x1b]0;owned\x07 \u202e\u2028 a\nb \ud800 :smile:"
    failed = Unchecked("\x1b[2Jfile", Fault(Verdict.INVALID, "\x1b[31m bad", "bad"))
    for look in (PLAIN, ASCII, Look(ruled=True, width=80)):
        text = text_report(look, sample.proved(title=title)) + summary_text(look, [failed])
        assert "[red]x[/red]" in text and ":smile:" in text
        assert not any(symbol in text for symbol in "\x1b\x07\u202e\u2028\ud800")
        assert "a\nb" not in text
        text.encode()


def test_looks() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        @property
        def encoding(self) -> str:  # type: ignore[override]
            return "latin-1"

    assert look_of(None) == Look(symbols=False)
    assert look_of(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) == Look()
    assert look_of(io.TextIOWrapper(io.BytesIO(), encoding="ascii")) == Look(symbols=False)
    assert (look_of(Terminal()).ruled, look_of(Terminal()).symbols) == (True, False)


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_colour_can_be_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    stream = io.StringIO()
    stream.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert look_of(stream).colour
    monkeypatch.setenv(name, value)
    assert not look_of(stream).colour


def test_headlines() -> None:
    first = [text_report(PLAIN, make()).splitlines()[0] for make in ALL]
    assert first == [
        "until  φ U ψ: proved for every n",
        "until  φ U ψ: refuted by a string",
        "until  φ U ψ: proved for n <= 50 only",
        "until  φ U ψ: undecided",
    ]


def test_only_proved_results_say_so_for_every_n() -> None:
    for verdict in set(Verdict) - {Verdict.PROVED}:
        result = sample.proved(verdict=verdict, simulations=(sample.simulation(verdict=verdict, scope=""),))
        assert "every n:" not in text_report(PLAIN, result)
        assert "proved for every n" not in text_report(PLAIN, result)


def test_disagreements_are_loud() -> None:
    assert "NUMBERS AND PROOF DISAGREE" in text_report(PLAIN, sample.undecided())
    assert "DISAGREE" not in text_report(PLAIN, sample.proved())


def test_what_it_rests_on_is_said() -> None:
    assert "trust        numbers only, no proof" in text_report(PLAIN, sample.proved(trust=Trust.TESTED))
    assert "no string was run" in text_report(PLAIN, sample.proved(cross_check=None))
    one = CrossCheck(1, 0, 5, 0.1, {}, 1, 1)
    text = text_report(PLAIN, sample.proved(cross_check=one))
    assert "1 string run soft and hard: the longest n = 5" in text
    assert "1 violation of the claim, 1 disagreement with" in text


def test_open_obligations_are_stated_in_full() -> None:
    text = text_report(PLAIN, sample.undecided())
    assert "gap: right, selected claims: for every n >= 1, i, j, j*" in text
    assert "the statement of coverage" not in text


def test_a_short_witness_is_shown_whole() -> None:
    text = with_witness(sample.witness(n=5, query=2))
    assert "witness: |soft − hard| = 0.3561 > 0.25 at query i = 2 of this string of length n = 5" in text
    lines = [line.split() for line in text.splitlines()]
    assert ["j", "1", "2", "3", "4", "5"] in lines
    assert ["psi", "0", "1", "0", "0", "0"] in lines
    assert ["2", "0", "1", "0.6439", "█" * 13, "1", "1"] in lines
    query = next(line for line in text.splitlines() if "query  " in line and "▲" in line)
    heads = next(line for line in text.splitlines() if line.split()[:2] == ["j", "1"])
    assert query.index("▲") == heads.index("2")


def test_a_long_witness_is_abridged_about_what_matters() -> None:
    text = text_report(PLAIN, LONG)
    assert max(map(len, text.splitlines())) < 130
    heads = next(line.split() for line in text.splitlines() if line.split()[:2] == ["j", "1"])
    assert {"1", "699", "700", "701", "5000", "…"} <= set(heads)
    rows = [line.split() for line in text.splitlines()]
    shares = [
        float(row[3]) for row in rows if len(row) >= 6 and row[0].isdigit() and row[1:3] in (["0", "0"], ["0", "1"])
    ]
    shares += [float(row[1]) for row in rows if row[:1] == ["…"] and "together" in row]
    assert sum(shares) == pytest.approx(1, abs=0.01)
    assert any(row[:1] == ["…"] and row[2] == "4292" for row in rows if len(row) > 2)


def test_the_heaviest_key_is_shown_where_there_is_little_room() -> None:
    far = sample.witness(n=100, query=2, c=0.01)
    row = tuple(replace(cell, soft=0.9 if cell.key == 50 else 0.001) for cell in far.row)
    result = sample.refuted(simulations=(sample.simulation(witness=replace(far, row=row)),))
    text = text_report(Look(ruled=True, width=40), result)
    heads = next(line.split() for line in text.splitlines() if line.split()[:2] == ["j", "1"])
    assert {"2", "50", "100"} <= set(heads)


def test_a_million_keys_are_no_trouble() -> None:
    far = sample.witness(n=5, query=2, inputs={"phi": (0.0,) * 1_000_000})
    assert "1000000" in with_witness(Witness(**{**vars(far), "n": 1_000_000}))


def test_a_semantic_fault_is_called_one() -> None:
    fault = sample.witness(kind="semantics", hard=0.0, computes=1.0, error=1.0, claim=0.0)
    text = with_witness(fault)
    assert "|hard − claimed| = 1: the hard head does not compute what is claimed" in text
    assert "claimed value  1, of phi U psi" in text


def test_errors_close_to_the_claim_are_told_apart() -> None:
    assert "0.25000001 > 0.25" in with_witness(sample.witness(error=0.25000001))


def test_an_empty_row_and_scores() -> None:
    scores = tuple(tuple(float(i + j) for j in range(5)) for i in range(5))
    text = with_witness(sample.witness(n=5, query=2, row=(), inputs={"s": scores}))
    assert "no key is visible to this query" in text
    assert ["s(2,j)", "1", "2", "3", "4", "5"] in [line.split() for line in text.splitlines()]


def test_a_key_zero_is_shown() -> None:
    text = with_witness(sample.witness(n=3, query=2, first_key=0, inputs={"phi": (0.0, 1.0, 1.0, 0.5)}))
    lines = [line.split() for line in text.splitlines()]
    assert ["j", "0", "1", "2", "3"] in lines
    assert ["phi", "0", "1", "1", "0.5"] in lines
