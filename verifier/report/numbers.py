"""Numbers as a reader wants them: few digits, but enough to tell apart what differs."""

from __future__ import annotations

MOST_DIGITS = 17


def decimal(value: float | None, digits: int = 6) -> str:
    """A number with at most so many significant digits; a dash where there is none."""
    return "-" if value is None else f"{value:.{digits}g}"


def weight(value: float) -> str:
    """A weight between 0 and 1, with decimals that line up in a column."""
    return f"{value:.0e}" if 0 < value < 0.00005 else f"{value:.4f}" if value else "0"


def apart(left: float, right: float, digits: int = 4) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to see that they differ."""
    for count in range(digits, MOST_DIGITS):
        if decimal(left, count) != decimal(right, count):
            return decimal(left, count), decimal(right, count)
    return decimal(left, MOST_DIGITS), decimal(right, MOST_DIGITS)


def duration(seconds: float) -> str:
    """A time span, from milliseconds to minutes."""
    if seconds < 0.0005:
        return "<1 ms"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s"


def counted(number: int, one: str, several: str) -> str:
    """A number with its noun: ``1 string``, ``12,345 strings``."""
    return f"{number:,} {one if number == 1 else several}"
