"""Expressions in Coq: types, scopes and parentheses."""

from __future__ import annotations

import pytest

from verifier.coq.expressions import Writer
from verifier.spec.parser import parse
from verifier.spec.types import Scope, Type

TYPES = {
    "i": Type.INTEGER, "j": Type.INTEGER, "n": Type.INTEGER, "c": Type.REAL, "m": Type.INTEGER,
    "phi": Type.BOOLEAN, "k": Type.INTEGER, "v": Type.REAL,
}  # fmt: skip
SCOPE = Scope(
    {name: TYPES[name] for name in ("i", "j", "n", "c", "m")},
    {name: (TYPES[name], 1) for name in ("phi", "k", "v")},
    ("i", "j"),
    selected=True,
)
WRITER = Writer(TYPES, selected="selects h j")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-c*j", "- c * IZR j"),
        ("-(c*j)", "- (c * IZR j)"),
        ("c - (j - i)", "c - (IZR j - IZR i)"),
        ("c*(2*n*[selected] - j)", "c * (2 * IZR n * b2r (selects h j) - IZR j)"),
        ("c/(j/n)", "c / (IZR j / IZR n)"),
        ("2*k(i)*j - j^2", "2 * IZR (k i) * IZR j - IZR j ^ 2"),
        ("(-j)^2", "(- IZR j) ^ 2"),
        ("2^(-j)", "Rpower 2 (- IZR j)"),
        ("n^(-2)", "/ IZR n ^ 2"),
        ("max(i - m, 0)", "IZR (Z.max (i - m) 0)%Z"),
        ("max(c, 1/2, v(j))", "Rmax c (Rmax (1 / 2) (v j))"),
        ("[i < n]*(j mod m)", "b2r (i <? n)%Z * IZR (j mod m)%Z"),
        ("abs(i - j)/c", "IZR (Z.abs (i - j))%Z / c"),
        ("(c + ln(n))*exp(-j)", "(c + ln (IZR n)) * exp (- IZR j)"),
        ("-3/2 + pi", "- 3 / 2 + PI"),
    ],
)
def test_real(text: str, expected: str) -> None:
    assert WRITER.real(parse(text, SCOPE).expr).text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("phi(j) or not phi(i) and selected", "phi j || negb (phi i) && selects h j"),
        ("(phi(j) or phi(i)) and phi(j)", "(phi j || phi i) && phi j"),
        ("j = (i + 1)*[i < n]", "(j =? (i + 1) * Z.b2z (i <? n)%Z)%Z"),
        ("j != max(i, 0)", "negb (j =? Z.max i 0)%Z"),
        ("v(j) >= c", "Rleb c (v j)"),
        ("v(j) < 1/2", "Rltb (v j) (1 / 2)"),
        ("phi(i) = phi(j)", "Bool.eqb (phi i) (phi j)"),
        ("true", "true"),
    ],
)
def test_boolean(text: str, expected: str) -> None:
    assert WRITER.boolean(parse(text, SCOPE).expr).text == expected


def test_conjunctions_of_comparisons_become_propositions() -> None:
    expr = parse("0 < c and m <= n and phi(j)", SCOPE).expr
    assert WRITER.propositions(expr) == ["0 < c", "(m <= n)%Z", "phi j = true"]
