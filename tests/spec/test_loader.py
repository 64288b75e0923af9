"""What is read from a file, which names are free, and bad formulas in its claim."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tests.spec.files import ARGMAX, FILE, FULL, ROOT, changed, load, refusal
from verifier.logic.parser import parse as parse_formula
from verifier.spec import library
from verifier.spec.construction import Input, InputKind, Mask, Text, Tie
from verifier.spec.errors import SpecError
from verifier.spec.loader import load_file
from verifier.spec.syntax import Number, Variable
from verifier.spec.types import Type


class TestWhatIsRead:
    def test_the_texts(self) -> None:
        mine = load(FULL)
        assert (mine.name, mine.title, mine.about, mine.source) == (
            "mine", "φ U ψ", "What it does.", "where it is from",
        )  # fmt: skip
        assert mine.file == FILE and len(mine.digest) == 64

    def test_the_inputs(self) -> None:
        phi, _, k, v = load(FULL).inputs
        assert phi == Input("phi", InputKind.BOOLEAN)
        assert k == Input("k", InputKind.INTEGER, Number(Fraction(0)), Variable("n"))
        assert v.kind is InputKind.REAL
        assert load(ARGMAX).input("s").kind is InputKind.SCORE

    @pytest.mark.parametrize("bounds", ["1..n", "0..2*n + 1", "0..50257", "-100..100", "0..max(n, 3)", "n mod 2..n"])
    def test_bounds_of_integers(self, bounds: str) -> None:
        assert load(changed(('"integer in 0..n"', f'"integer in {bounds}"'))).input("k").kind is InputKind.INTEGER

    def test_the_parameters(self) -> None:
        c, m = load(FULL).parameters
        assert (c.value, c.default, c.minimum, c.type, c.domain_text) == (2, 2, 2, Type.REAL, "c > 0")
        assert (m.value, m.minimum, m.type, m.about, m.domain) == (3, None, Type.INTEGER, "", None)

    def test_the_head(self) -> None:
        head = load(FULL).head
        assert (head.mask, head.tie, head.negated, head.bos) == (Mask.PAST, Tie.LEFTMOST, False, False)
        assert head.value.text == "psi(j)" and head.value.type is Type.BOOLEAN
        assert head.score is None and head.gap is None
        assert load(changed(('output = "value"', 'output = "not value"'))).head.negated
        with_bos = load(changed(("bos = false", "bos = true")))
        assert with_bos.head.bos and with_bos.first_key == 0

    def test_the_argmax_head(self) -> None:
        head = load(ARGMAX).head
        assert head.select is None
        assert head.score is not None and head.score.text == "s(i,j)"
        assert head.gap is not None and head.gap.text == "1"
        assert load(changed(('score = "s(i,j)"\ngap', "gap"), text=ARGMAX)).head.score is None

    def test_the_simulations(self) -> None:
        one, two = load(FULL).simulations
        assert (one.name, one.divide_by_sqrt_key_dimension, one.score_error) == ("one", False, None)
        assert two.divide_by_sqrt_key_dimension
        assert two.score_error is not None and two.score_error.text == "1/100"

    def test_the_claim(self) -> None:
        claim = load(FULL).claim
        assert claim.error.text == "1/4"
        assert claim.computes == parse_formula("phi U psi", ("phi", "psi"))
        assert load(changed(('computes = "phi U psi"\n', ""))).claim.computes is None
        arithmetic = load(changed(('"phi U psi"', '"k(i) mod m = 1"'))).claim.computes
        assert isinstance(arithmetic, Text) and arithmetic.type is Type.BOOLEAN

    def test_what_may_be_left_out(self) -> None:
        short = load(ARGMAX)
        assert (short.title, short.about, short.source, short.requires) == ("mine", "", "", None)
        assert short.parameters == () and short.head.default.expr == Number(Fraction(0))

    def test_blanks_and_line_breaks_within_a_text(self) -> None:
        folded = load(
            changed(('"psi(j) or not phi(j)"', '"""\npsi(j)\n  or not phi(j)\n"""'), ('"j >= i"', '"j  >=  i"'))
        )
        assert folded.head.select is not None and folded.head.select.text == "psi(j) or not phi(j)"
        assert folded.head.select.expr == load(FULL).head.select.expr  # type: ignore[union-attr]

    @pytest.mark.parametrize("name", library.names())
    def test_every_file_of_the_library(self, name: str) -> None:
        assert load_file(library.find(name)).name == name


RESERVED_NAMES = ["exp", "min", "mod", "and", "not", "true", "selected", "pi", "i", "j", "n", "value"]
NO_IDENTIFIERS = ['"j*"', '"a b"', '"../x"', '""', '"é"', '"a\\u0000"', "x" * 41, "_x", "9a"]


class TestNames:
    @pytest.mark.parametrize("name", RESERVED_NAMES)
    def test_that_shadow_the_language_are_refused(self, name: str) -> None:
        error = refusal(changed(('v = "real in 0..1"', f'{name} = "boolean"')))
        assert f"the name '{name}' is reserved" in error.message and error.field == f"inputs.{name}"
        error = refusal(changed(("m = {", f"{name} = {{")))
        assert f"the name '{name}' is reserved" in error.message and error.field == f"parameters.{name}"

    @pytest.mark.parametrize("name", NO_IDENTIFIERS)
    def test_that_are_no_identifiers_are_refused(self, name: str) -> None:
        error = refusal(changed(('v = "real in 0..1"', f'{name} = "boolean"')))
        assert "letters, digits and underscores" in error.message

    def test_of_inputs_and_parameters_are_different(self) -> None:
        assert "already that of an input" in refusal(changed(("m = {", "phi = {"))).message

    @pytest.mark.parametrize("name", ["A", '"a/b"', '"a b"', "a_b", "-a"])
    def test_of_simulations_have_a_form(self, name: str) -> None:
        error = refusal(changed(("[simulations.one]", f"[simulations.{name}]")))
        assert "lower-case letters, digits and hyphens" in error.message

    def test_all_is_the_name_of_no_simulation(self) -> None:
        assert "means every simulation" in refusal(changed(("[simulations.one]", "[simulations.all]"))).message

    @pytest.mark.parametrize("name", ["d", "e", "t", "tau", "E", "I", "lambda", "class", "S"])
    def test_that_mean_something_elsewhere_are_free(self, name: str) -> None:
        assert load(changed(("m = {", f"{name} = {{"))).values[name] == 3


class TestArgmax:
    def test_needs_a_gap(self) -> None:
        error = refusal(changed(('gap = "1"\n', ""), text=ARGMAX))
        assert "needs a field 'gap'" in error.message and error.field == "head"

    @pytest.mark.parametrize("field", ["gap", "score"])
    def test_alone_has_a_gap_and_a_score(self, field: str) -> None:
        error = refusal(changed(('tie = "leftmost"', f'tie = "leftmost"\n{field} = "1"')))
        assert 'goes with select = "argmax" only' in error.message and error.field == f"head.{field}"

    @pytest.mark.parametrize("wrong", ["s(j,i)", "s(j)", "s"])
    def test_scores_are_those_of_a_query_and_a_key(self, wrong: str) -> None:
        error = refusal(changed(('score = "s(i,j)"\ngap', f'score = "{wrong}"\ngap'), text=ARGMAX))
        assert "s(i,j)" in error.message and error.field == "head.score"

    def test_a_score_is_no_value(self) -> None:
        assert refusal(changed(('"v(j)"', '"s(i,j)"'), text=ARGMAX)).field == "head.value"

    def test_selected_is_not_known_to_the_score(self) -> None:
        score = "[simulations.one]\nscore = "
        wrong = changed((f'{score}"s(i,j)"', f'{score}"[selected]"'), text=ARGMAX)
        assert "unknown name 'selected'" in refusal(wrong).message


class TestNumberOfEntries:
    @pytest.mark.parametrize(
        ("table", "entry"), [("[inputs]", 'x{} = "boolean"'), ("[parameters]", 'x{} = {{ default = "1" }}')]
    )
    def test_of_inputs_and_parameters(self, table: str, entry: str) -> None:
        more = "\n".join(entry.format(number) for number in range(12))
        assert "expected at most 12 entries" in refusal(changed((table, f"{table}\n{more}"))).message

    def test_of_simulations(self) -> None:
        more = "\n".join(f'[simulations.x{number}]\nscore = "1"\ntemperature = "1"' for number in range(12))
        assert "expected at most 12 entries, found 14" in refusal(FULL + more).message
        start, end = (ARGMAX.index(table) for table in ("[simulations.one]", "[claim]"))
        none = f"{ARGMAX[:start]}[simulations]\n{ARGMAX[end:]}"
        assert "at least one table [simulations.NAME]" in refusal(none).message


def bad_formulas() -> list[object]:
    lines = (ROOT / "tests" / "data" / "bad_cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    return [pytest.param(case, id=case["id"]) for case in cases if case["part"] == "formula" or "part" not in case]


@pytest.mark.parametrize("case", bad_formulas())
def test_a_bad_formula_is_refused_with_its_position_also_in_a_file(case: dict[str, str]) -> None:
    formula = case["formula"]
    inputs = "".join(f'{name} = "boolean"\n' for name in case["alphabet"])
    text = changed(('"phi U psi"', quoted(formula)), ("[inputs]\n", f"[inputs]\n{inputs}"))
    try:
        load(text)
    except SpecError as error:
        assert error.file == FILE
        assert error.line is not None
        if any("\ud800" <= symbol <= "\udfff" for symbol in formula):
            assert "expected UTF-8" in error.message  # no TOML file can hold it
            return
        assert error.field == "claim.computes"
        assert error.position is not None and error.excerpt() is not None
        assert f"column {error.position + 1}" in str(error)
        return
    assert case["expect"] == "error_or_value", f"accepted: {case['reason']}"


def quoted(text: str) -> str:
    """The text as a TOML string."""
    return '"' + "".join(f"\\u{ord(s):04x}" if ord(s) < 32 or s in '"\\' else s for s in text) + '"'


def test_the_caret_stands_below_the_fault() -> None:
    excerpt = refusal(changed(('"psi(j) or not phi(j)"', '"psi(j) or not chi(j)"'))).excerpt()
    assert excerpt is not None
    text, caret = excerpt.splitlines()
    assert text[caret.index("^") :].startswith("chi(j)")


def test_the_library_finds_only_its_own_names(tmp_path: Path) -> None:
    for name in ("../until", "/etc/passwd", "until.toml", "a\\b"):
        with pytest.raises(SpecError, match="use `verify audit FILE` for a file"):
            library.find(name)
    with pytest.raises(SpecError, match="did you mean 'until'"):
        library.find("untill")
    with pytest.raises(SpecError) as caught:
        library.find("x" * 10_000)
    assert len(str(caught.value)) < 200
