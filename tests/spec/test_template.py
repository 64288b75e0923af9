"""The template of a construction file: valid, complete, and proved as it stands."""

from __future__ import annotations

import pytest

from verifier.check import check
from verifier.spec.errors import SpecError
from verifier.spec.loader import construct
from verifier.spec.source import decode
from verifier.spec.template import template
from verifier.verdict import Verdict


def test_the_template_is_valid_and_has_the_name() -> None:
    construction = construct(decode(template("strict-mine").encode(), "strict-mine.toml"))
    assert construction.name == "strict-mine"
    assert construction.title == "once φ"


@pytest.mark.strength
def test_the_template_is_proved_as_it_stands() -> None:
    result = check(construct(decode(template("mine").encode(), "mine.toml")), max_n=40)
    assert result.verdict is Verdict.PROVED
    assert [one.scope for one in result.simulations] == ["every n", "every n"]
    assert result.cross_check.disagreements == 0


@pytest.mark.parametrize("name", ["a", "mine", "a" * 60])
def test_the_lines_stay_within_a_screen(name: str) -> None:
    assert all(len(line) <= 120 for line in template(name).splitlines())
    assert f'name   = "{name}" ' in template(name)


NO_NAMES = ["", "Mine", "../mine", "a/b", "mine.toml", "a b", "a\n", "\x00", "é", "-a", "a" * 61, "\\1"]


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_can_be_no_name_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="expected a name of lower-case letters, digits and hyphens"):
        template(name)
