"""How numbers are written."""

from __future__ import annotations

import math

import pytest

from verifier.report.numbers import apart, counted, decimal, duration, weight


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0.0, "<1 ms"),
        (0.0004, "<1 ms"),
        (0.0024, "2 ms"),
        (0.9994, "999 ms"),
        (0.9996, "1.0 s"),
        (59.94, "59.9 s"),
        (59.96, "1 min 00 s"),
        (3725, "62 min 05 s"),
    ],
)
def test_durations(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0"),
        (1.0, "1.0000"),
        (0.25, "0.2500"),
        (0.00006, "0.0001"),
        (2.3e-22, "2e-22"),
        (math.nan, "nan"),
    ],
)
def test_weights(value: float, shown: str) -> None:
    assert weight(value) == shown


def test_decimals() -> None:
    assert [decimal(None), decimal(0.1353352832), decimal(1000.0), decimal(math.inf)] == [
        "-",
        "0.135335",
        "1000",
        "inf",
    ]


def test_apart() -> None:
    assert apart(0.5, 0.25) == ("0.5", "0.25")
    assert apart(0.2500001, 0.25) == ("0.2500001", "0.25")
    assert apart(0.25, 0.25) == ("0.25", "0.25")
    assert apart(math.nextafter(0.25, 1), 0.25) == ("0.2500000000000001", "0.25")


def test_counts() -> None:
    assert [counted(n, "string", "strings") for n in (0, 1, 12345)] == [
        "0 strings",
        "1 string",
        "12,345 strings",
    ]
