"""The committed files are what the construction files yield, and nothing in the library lacks a proof."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.coq.edited import loaded
from verifier.coq import emit
from verifier.spec import library

PROOFS = Path(__file__).resolve().parents[2] / "proofs" / "coq"


@pytest.mark.parametrize("name", library.names())
def test_committed_file_is_the_emitted_one(name: str) -> None:
    theory = emit(loaded(name))
    committed = PROOFS / "constructions" / f"{theory.module}.v"
    assert committed.read_text(encoding="utf-8") == theory.text


@pytest.mark.strength
@pytest.mark.parametrize("name", library.names())
def test_every_claim_has_a_proof(name: str) -> None:
    construction = loaded(name)
    theory = emit(construction)
    assert not theory.unproved
    for simulation in construction.simulations:
        assert simulation.name in {theorem.simulation for theorem in theory.theorems}
    assert (construction.claim.computes is not None) == any(not theorem.simulation for theorem in theory.theorems)


def test_there_is_no_other_file() -> None:
    expected = {emit(loaded(name)).module for name in library.names()}
    assert {path.stem for path in (PROOFS / "constructions").glob("*.v")} == expected


def test_permitted_axioms_are_those_of_the_script() -> None:
    from verifier.coq.compile import LOGARITHMS, REALS

    script = (PROOFS / "check.sh").read_text(encoding="utf-8")
    always = re.search(r"^always='([^']*)'", script, re.MULTILINE)
    logarithms = re.search(r"^logarithms='([^']*)'", script, re.MULTILINE)
    assert always is not None
    assert logarithms is not None
    assert set(always.group(1).split()) == REALS
    assert set(logarithms.group(1).split()) == LOGARITHMS
