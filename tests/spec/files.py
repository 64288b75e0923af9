"""A construction file with every field, and ways to change it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from verifier.spec.construction import Construction
from verifier.spec.errors import SpecError
from verifier.spec.loader import construct
from verifier.spec.source import decode

ROOT = Path(__file__).resolve().parents[2]
FILE = "mine.toml"

FULL = """\
name = "mine"
title = "φ U ψ"
about = "What it does."
source = "where it is from"
requires = "n >= 2"

[inputs]
phi = "boolean"
psi = "boolean"
k = "integer in 0..n"
v = "real in 0..1"

[parameters]
c = { about = "score scale", default = "2", domain = "c > 0", minimum = "2" }
m = { type = "integer", default = "3" }

[head]
mask = "j >= i"
select = "psi(j) or not phi(j)"
tie = "leftmost"
value = "psi(j)"
default = "0"
output = "value"
bos = false

[simulations.one]
score = "c*(2*n*[selected] - j)"
temperature = "1"

[simulations.two]
score = "2*[selected] - j/n"
temperature = "1/(c*n)"
divide_by_sqrt_key_dimension = true
score_error = "1/100"

[claim]
error = "1/4"
computes = "phi U psi"
"""

ARGMAX = """\
name = "mine"
[inputs]
s = "score"
v = "real in 0..1"
[head]
mask = "none"
select = "argmax"
score = "s(i,j)"
gap = "1"
tie = "average"
value = "v(j)"
[simulations.one]
score = "s(i,j)"
temperature = "1/(2 + ln(n))"
[claim]
error = "1/4"
"""


def changed(*changes: tuple[str, str], text: str = FULL) -> str:
    """The file with each text, which must be there once, replaced by another."""
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    return text


def load(text: str, overrides: Mapping[str, str] | None = None) -> Construction:
    return construct(decode(text.encode("utf-8", "surrogatepass"), FILE), overrides)


def refusal(text: str, overrides: Mapping[str, str] | None = None) -> SpecError:
    with pytest.raises(SpecError) as caught:
        load(text, overrides)
    return caught.value


def line_of(text: str, part: str) -> int:
    """The number of the line on which a text first stands."""
    return text.count("\n", 0, text.index(part)) + 1
