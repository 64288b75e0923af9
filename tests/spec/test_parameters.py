"""Values of parameters: exact, within their domains, and set from outside."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.spec.files import FULL, changed, load, refusal


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", Fraction(3)), ("1.4", Fraction(7, 5)), ("7/5", Fraction(7, 5)), ("0.1", Fraction(1, 10)),
        ("10^-3", Fraction(1, 1000)), ("(1 + 2)*3", Fraction(9)), ("2^64", Fraction(2**64)),
    ],
)  # fmt: skip
def test_a_value_is_exact(text: str, value: Fraction) -> None:
    given = load(FULL, {"c": text}).parameters[0]
    assert given.value == value
    assert given.default == 2


@pytest.mark.parametrize(
    "text",
    ["", "two", "1e5", "nan", "inf", "1/0", "n", "c", "pi", "sqrt(4)", "1,5", "1 2", "9" * 41, "2^(10^9)", "\x00"],
)
def test_what_is_no_rational_number_is_refused(text: str) -> None:
    message = refusal(FULL, {"c": text}).message
    assert message.startswith("--param c: expected a rational number such as 2, 1.4 or 7/5, found '")
    assert len(message) < 120


def test_an_integer_parameter_takes_integers_only() -> None:
    assert load(FULL, {"m": "4"}).values["m"] == 4
    assert refusal(FULL, {"m": "4.5"}).message == "--param m: expected an integer, found '4.5'"


def test_an_unknown_parameter_is_refused_with_those_there_are() -> None:
    assert refusal(FULL, {"x": "1"}).message == "--param: no parameter 'x' in this construction (it has c, m)"
    assert "did you mean 'gamma'?" in refusal(changed(("m = {", "gamma = {")), {"gama": "1"}).message
    without = changed(('m = { type = "integer", default = "3" }\n', ""))
    assert "it has c" in refusal(without, {"m": "1"}).message


class TestDomain:
    def with_domain(self, domain: str) -> str:
        return changed(('"c > 0"', f'"{domain}"'))

    @pytest.mark.parametrize(
        ("domain", "value", "within"),
        [
            ("c > 0", "0", False), ("c >= 0", "0", True), ("0 < c <= 1", "1", True), ("0 < c <= 1", "1.01", False),
            ("c != 3", "3", False), ("not c = 3", "4", True), ("c = 1 or c > 2", "1", True),
            ("c = 1 or c > 2", "2", False), ("c > m", "4", True), ("c > m", "3", False),
            ("c^2 < 10 and c > 0", "4", False),
            ("true", "-1", True), ("false", "1", False),
        ],
    )  # fmt: skip
    def test_a_value_lies_within_it_or_is_refused(self, domain: str, value: str, within: bool) -> None:
        text = self.with_domain(domain).replace('default = "2"', f'default = "{value}"')
        if within:
            assert load(text).values["c"] == Fraction(value)
        else:
            error = refusal(text)
            assert error.message == f"c = {Fraction(value)} is outside its domain: expected {domain}"
            assert error.field == "parameters.c" and error.line is not None

    def test_a_value_from_outside_is_refused_without_a_place_in_the_file(self) -> None:
        error = refusal(FULL, {"c": "-1"})
        assert error.message == "--param: c = -1 is outside its domain: expected c > 0"
        assert error.line is None

    def test_a_domain_may_speak_of_other_parameters(self) -> None:
        text = self.with_domain("c > m").replace('default = "2"', 'default = "4"')
        assert load(text).values["c"] == 4
        assert "outside its domain" in refusal(text, {"m": "4"}).message


class TestMinimum:
    def test_opens_a_parameter_only_where_it_is_to_range(self) -> None:
        mine = load(FULL)
        assert mine.open_parameters == ()
        ranged = replace(mine, ranged=True)
        assert [parameter.name for parameter in ranged.open_parameters] == ["c"]
        assert ranged.least_values == {"c": 2, "m": 3}

    def test_a_value_below_it_stands_for_itself(self) -> None:
        below = replace(load(FULL, {"c": "1"}), ranged=True)
        assert below.open_parameters == ()
        assert below.least_values["c"] == 1
