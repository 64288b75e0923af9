"""What the generated statements say: every field of the file is in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.coq.edited import edited, loaded
from verifier.coq import Unwritable, emit
from verifier.coq.theory import CoqTheory


def theorem(theory: CoqTheory, name: str) -> str:
    return next(one.statement for one in theory.theorems if one.name == name)


def test_until_in_full() -> None:
    theory = emit(loaded("until"), "temperature")
    assert [one.name for one in theory.theorems] == [
        "until_hard", "until_temperature", "until_temperature_rounded",
    ]  # fmt: skip
    assert "selects := fun j => psi j || negb (phi j);" in theory.definitions
    assert "masked := past;" in theory.definitions
    assert "2 * b2r (selects (hard_head c n phi psi i) j) - IZR j / IZR n." in theory.definitions
    assert "1 / (c * IZR n)." in theory.definitions
    assert theorem(theory, "until_temperature") == (
        "forall (c : R) (n : Z) (phi psi : Z -> bool) (i : Z),\n"
        "    2 <= c ->\n"
        "    c > 0 ->\n"
        "    (1 <= n)%Z ->\n"
        "    (1 <= i <= n)%Z ->\n"
        "    simulates (hard_head c n phi psi i) (score_temperature c n phi psi i)\n"
        "      (temperature_temperature c n) n i (claimed_error c n)"
    )


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (('mask   = "j >= i"', 'mask   = "none"'), "masked := no_mask;"),
        (('tie    = "leftmost"', 'tie    = "rightmost"'), "tied := rightmost;"),
        (('value  = "psi(j)"', 'value  = "not psi(j)"'), "value := fun j => b2r (negb (psi j));"),
        (('value  = "psi(j)"', 'value  = "psi(j)"\ndefault = "1/3"'), "default := 1 / 3;"),
        (('value  = "psi(j)"', 'value  = "psi(j)"\nbos = true'), "bos := true;"),
        (('value  = "psi(j)"', 'value  = "psi(j)"\noutput = "not value"'), "negated := true"),
        (('error    = "1/4"', 'error    = "1/8"'), "Definition claimed_error (c : R) (n : Z) : R := 1 / 8."),
    ],
)
def test_every_field_is_in_the_definitions(tmp_path: Path, change: tuple[str, str], line: str) -> None:
    assert line in emit(edited(tmp_path, "until", change)).definitions


def test_a_beginning_of_string_makes_inputs_false_there() -> None:
    assert "phi 0%Z = false" in theorem(emit(loaded("previous-lookup")), "previous_lookup_hard")
    assert "phi 0%Z = false" not in theorem(emit(loaded("previous")), "previous_hard")


def test_requires_is_supposed(tmp_path: Path) -> None:
    construction = edited(tmp_path, "until", ('name   = "until"', 'name   = "until"\nrequires = "n >= 2"'))
    assert "(n >= 2)%Z ->" in theorem(emit(construction), "until_hard")


def test_a_parameter_below_its_minimum_is_a_constant() -> None:
    theory = emit(loaded("until", c="7/5"))
    assert "Definition c : R := (7 / 5)." in theory.definitions
    assert theorem(theory, "until_hard").startswith("forall (n : Z) (phi psi")


def test_names_with_a_meaning_in_coq_are_kept_apart(tmp_path: Path) -> None:
    theory = emit(edited(tmp_path, "next", ("phi", "exists")))
    assert "value := fun j => b2r (exists' j);" in theory.definitions
    assert "(exists' : Z -> bool)" in theory.definitions


def test_computed_scores_are_any_within_the_error() -> None:
    statement = theorem(emit(loaded("average-attention-perturbed")), "average_attention_perturbed_temperature")
    assert "(computed : Z -> R)" in statement
    assert "Rabs (computed j - score_temperature c gamma n s v i j) <= score_error_temperature c gamma n" in statement


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("until", ('error    = "1/4"', 'error    = "exp(-c)"'), "not a rational number"),
        ("until", ('error    = "1/4"', 'error    = "2"'), "between 0 and 1"),
        ("until", ('computes = "phi U psi"', 'computes = "phi U X psi"'), "one temporal operator"),
        ("until", ('tie    = "leftmost"', 'tie    = "unique"'), "unique selection"),
        (
            "until",
            ('temperature = "1"', 'temperature = "1"\ndivide_by_sqrt_key_dimension = true'),
            "root of the key dimension",
        ),
        ("until", ('temperature = "1"', 'temperature = "1"\nscore_error = "1/9"'), "averages only"),
    ],
)
def test_what_has_no_template_is_said(tmp_path: Path, name: str, change: tuple[str, str], reason: str) -> None:
    theory = emit(edited(tmp_path, name, change))
    assert any(reason in one.unproved for one in theory.unproved)
    for one in theory.unproved:
        assert f"Definition {one.name}_claim : Prop :=" in theory.text
        assert f"Theorem {one.name} :" not in theory.text


def test_an_argmax_without_its_own_score_cannot_be_stated(tmp_path: Path) -> None:
    construction = edited(tmp_path, "leftmost-attention", ('score  = "s(i,j)"\n', ""))
    with pytest.raises(Unwritable, match="argmax"):
        emit(construction)


@pytest.mark.soundness
def test_free_text_cannot_leave_its_comment(tmp_path: Path) -> None:
    hostile = ('about  = "Attend', 'about  = "*) Axiom a : False. (* \\" Attend')
    text = emit(edited(tmp_path, "until", hostile)).text
    assert "* ) Axiom a : False. ( * ' Attend" in text
    assert text.index("( * ' Attend") < text.index("*)")
