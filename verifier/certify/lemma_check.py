"""Checking lemma instances from a manifest: exact numbers by ball arithmetic, texts and conditions by comparison."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction

from flint import arb, ctx, fmpq

from verifier.certify.lemma_text import LemmaText, assertions, demands
from verifier.certify.scripts import Script

LARGEST_DEGREE = 64
LARGEST_OFFSET = 1_000_000
_NUMERAL_DEMAND = re.compile(r"\((>|>=) ([0-9]+)\.0 0\.0\)")


def faults(lemma: LemmaText, script: Script, scripts: Mapping[str, Script]) -> list[str]:
    """What is wrong with an instance; nothing if it holds.

    Args:
        lemma: the instance.
        script: the file that uses it.
        scripts: every obligation by its file's name.
    """
    try:
        stated = assertions(_sane(lemma))
    except (KeyError, ValueError) as error:
        return [f"the lemma '{lemma.kind}' of {lemma.symbol} is incomplete: {error}"]
    found = [f"'{text[:80]}' is not asserted" for text in stated if text not in script.assertions]
    if lemma.symbol not in script.symbols:
        found.append(f"{lemma.symbol} is not declared")
    found += _NUMBERS[lemma.kind](lemma) if lemma.kind in _NUMBERS else []
    found += [
        f"nothing shows '{demand[:80]}', on which the lemma '{lemma.kind}' of {lemma.symbol} rests"
        for demand in demands(lemma)
        if not _shown(demand, lemma, script, scripts)
    ]
    return found


def _sane(lemma: LemmaText) -> LemmaText:
    if lemma.kind == "exp tail":
        degree, offset = lemma.numbers["degree"], lemma.numbers["offset"]
        if degree.denominator != 1 or not 0 <= degree <= LARGEST_DEGREE:
            raise ValueError("the degree is no whole number in range")
        if abs(offset) > LARGEST_OFFSET:
            raise ValueError("the offset is out of range")
    return lemma


def _shown(demand: str, lemma: LemmaText, script: Script, scripts: Mapping[str, Script]) -> bool:
    """Whether some condition's file proves the demand from no more than this file assumes; numerals speak for
    themselves."""
    plain = _NUMERAL_DEMAND.fullmatch(demand)
    if plain:
        return int(plain[2]) > 0 or plain[1] == ">="
    assumed = frozenset(script.assertions)
    for name in lemma.conditions:
        other = scripts.get(name)
        if other is not None and other.assertions and other.assertions[-1] == f"(not {demand})":
            return assumed.issuperset(other.assertions[:-1])
    return False


def _tail(lemma: LemmaText) -> list[str]:
    """U >= exp(-q)."""
    offset, upper = lemma.numbers["offset"], lemma.numbers["upper"]
    # Enough for the size of exp(-q) and of U's numerator.
    bits = 256 + upper.numerator.bit_length() + upper.denominator.bit_length() + 2 * math.ceil(abs(offset))
    if _surely(bits, lambda: ball(upper) >= (-ball(offset)).exp()):
        return []
    return [f"ball arithmetic does not show that {_short(upper)} >= exp(-({_short(offset)}))"]


def _logarithm(lemma: LemmaText) -> list[str]:
    """low <= ln(value) <= high."""
    value, low, high = (lemma.numbers[name] for name in ("value", "low", "high"))
    inside = _surely(512, lambda: ball(low) <= ball(value).log() and ball(value).log() <= ball(high))
    if value > 0 and inside:
        return []
    return [f"ball arithmetic does not show that {_short(low)} <= ln({_short(value)}) <= {_short(high)}"]


def _pi(_: LemmaText) -> list[str]:
    """333/106 < pi < 355/113."""
    inside = _surely(128, lambda: ball(Fraction(333, 106)) < arb.pi() and arb.pi() < ball(Fraction(355, 113)))
    return [] if inside else ["ball arithmetic does not show the bounds of pi"]


_NUMBERS: Mapping[str, Callable[[LemmaText], list[str]]] = {"exp tail": _tail, "ln constant": _logarithm, "pi": _pi}


def _surely(bits: int, compared: Callable[[], object]) -> bool:
    """A comparison of balls at a precision; True only if it holds for all numbers in them."""
    before = ctx.prec
    ctx.prec = bits
    try:
        return bool(compared())
    finally:
        ctx.prec = before


def ball(value: Fraction) -> arb:
    """The ball of a rational number."""
    return arb(fmpq(value.numerator, value.denominator))


def _short(value: Fraction) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
