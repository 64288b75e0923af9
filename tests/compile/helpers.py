"""What the tests of the compiler share."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from verifier.compile.compiler import Compiled, compile_formula, compile_text
from verifier.compile.operators import construction_for, simulation_for
from verifier.compile.transformer import AttentionLayer, FeedForward, Transformer
from verifier.compile.verify import whole
from verifier.execute.supremum import Supremum, supremum
from verifier.logic.syntax import BINARY, UNARY, Atom, Binary, Constant, Formula, Unary, depth
from verifier.prove.solver import Session
from verifier.verdict import ObligationResult, Verdict

ROUTES = ("temperature", "position-embedding")
DATA = Path(__file__).parent.parent / "data"
ALPHABET = "abc"


@cache
def cases() -> tuple[dict[str, Any], ...]:
    lines = (DATA / "ltl_cases.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@cache
def bad_cases() -> tuple[dict[str, Any], ...]:
    lines = (DATA / "bad_cases.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@cache
def compiled(text: str, alphabet: str, route: str) -> Compiled:
    return compile_text(text, alphabet, route)


def validate(document: Any, package: str) -> None:
    """Hold a document against the schema that ships in a package."""
    schema = json.loads(files(package).joinpath("schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(document)


def formulas(deepest: int = 5) -> st.SearchStrategy[Formula]:
    """Formulas of every operator, of depth up to `deepest`."""
    leaves: st.SearchStrategy[Formula] = st.one_of(
        st.builds(Atom, st.sampled_from(ALPHABET)), st.builds(Constant, st.booleans())
    )

    def grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
        return st.one_of(
            st.builds(Unary, st.sampled_from(UNARY), inner),
            st.builds(Binary, st.sampled_from(BINARY), inner, inner),
        )

    return st.recursive(leaves, grow, max_leaves=12).filter(lambda formula: depth(formula) <= deepest)


# Each pair of values of two inputs is one symbol: neither is c, both are d.
WORST = {"U": "(a | d) U (b | d)", "S": "(a | d) S (b | d)", "sU": "(a | d) sU (b | d)", "sS": "(a | d) sS (b | d)"}
PAIRS = {(False, False): "c", (True, False): "a", (False, True): "b", (True, True): "d"}


def worst_string(op: str, route: str, n: int) -> tuple[str, float]:
    """The string over abcd that is worst in exact arithmetic for the head of an operator, and the error on it."""
    construction = construction_for(op)
    found = supremum(construction, simulation_for(construction, route), n)
    assert isinstance(found, Supremum)
    phi, psi = (found.batch.inputs[name][0].tolist() for name in ("phi", "psi"))
    return "".join(PAIRS[pair] for pair in zip(phi, psi, strict=True)), found.error


def failures(made: Compiled) -> list[ObligationResult]:
    """The obligations about the whole that are not proved."""
    return [one for one in whole(made, Session()) if one.verdict is not Verdict.PROVED]


def weights(transformer: Transformer) -> dict[str, np.ndarray[Any, Any]]:
    """Every matrix by a name."""
    found = {"embedding": transformer.embedding, "readout": transformer.readout}
    for at, layer in enumerate(transformer.layers):
        names = (
            ("query", "query_bias", "key", "key_bias", "value", "value_bias", "output")
            if isinstance(layer, AttentionLayer)
            else ("inner", "inner_bias", "outer")
        )
        found |= {f"{at}.{name}": getattr(layer, name) for name in names}
    return found


__all__ = [
    "ALPHABET",
    "ROUTES",
    "WORST",
    "FeedForward",
    "bad_cases",
    "cases",
    "compile_formula",
    "compiled",
    "failures",
    "formulas",
    "validate",
    "weights",
    "worst_string",
]
