"""Constructions for tests: of the library, written here, and drawn at random from parts that go together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from hypothesis import strategies as st

from verifier.spec import library
from verifier.spec.construction import Construction, Simulation
from verifier.spec.loader import construct, load_file
from verifier.spec.source import decode

INPUTS = {
    "phi": "boolean",
    "psi": "boolean",
    "k": "integer in 0..n",
    "v": "real in 0..1",
    "s": "score",
}


def from_library(name: str, **parameters: str) -> Construction:
    return load_file(library.find(name), parameters)


def library_simulations() -> list[tuple[str, Construction, Simulation]]:
    found = [from_library(name) for name in library.names()]
    return [(f"{one.name}/{each.name}", one, each) for one in found for each in one.simulations]


def written(
    *,
    mask: str = "none",
    select: str = "phi(j)",
    tie: str = "leftmost",
    value: str = "phi(j)",
    score: str = "c*[selected]",
    temperature: str = "1",
    error: str = "1/4",
    computes: str | None = None,
    c: str = "2",
    head: Mapping[str, str] | None = None,
    inputs: Mapping[str, str] | None = None,
    requires: str | None = None,
    simulation: str = "",
) -> Construction:
    """A construction with one simulation, `s`; the inputs are those that the expressions read."""
    head = head or {}
    texts = " ".join((select, value, score, computes or "", *head.values()))
    kinds = {**INPUTS, **(inputs or {})}
    used = "\n".join(f'{name} = "{kind}"' for name, kind in kinds.items() if re.search(rf"\b{name}\b", texts))
    extra = "\n".join(f"{key} = {text if key == 'bos' else repr(text)}" for key, text in head.items())
    text = f"""
name = "written"
{f"requires = '{requires}'" if requires else ""}
[inputs]
{used}
[parameters]
c = {{ about = "scale", default = "{c}" }}
[head]
mask = "{mask}"
select = "{select}"
tie = "{tie}"
value = "{value}"
{extra}
[simulations.s]
score = "{score}"
temperature = "{temperature}"
{simulation}
[claim]
error = "{error}"
{f"computes = '{computes}'" if computes else ""}
"""
    return construct(decode(text.encode(), "written.toml"))


def only(construction: Construction, name: str) -> Construction:
    """The construction with one of its simulations."""
    return replace(
        construction, simulations=tuple(one for one in construction.simulations if one.name == name)
    )


MASKS = ("none", "j <= i", "j < i", "j >= i", "j > i")
TIES = ("leftmost", "rightmost", "average", "unique")
SELECTIONS = (
    "phi(j)", "psi(j) or not phi(j)", "true", "false", "j = i - 1", "j <= 2", "phi(j) and psi(i)", "phi(j) = phi(i)",
    "j mod 2 = 0", "phi(i) or j > 1", "j = k(i)", "k(j) > k(i)", "2*j >= n + 1", "j = i or phi(j)",
)  # fmt: skip
VALUES = (
    "phi(j)", "not psi(j)", "phi(j) and psi(j)", "[phi(j)]/2 + 1/4", "j mod 2", "j/n", "v(j)", "v(j)*[phi(j)]", "1",
    "k(j) mod 2", "2*v(j) - 1",
)  # fmt: skip
SCORES = (
    "2*[selected] - j/n", "c*(2*n*[selected] - j)", "c*(2*i*[selected] + j)", "c*[selected]", "-c*j",
    "[selected] + [phi(j)]", "c*(2*k(i)*j - j^2)", "2*[selected]*[psi(i)] + [psi(j)]", "0", "-abs(i - j)",
    "(c + ln(n))*[selected] + i", "[selected] - [phi(j)]*j/n", "3*[selected and psi(j)] - j",
    "j/n - 2*[selected]",
)  # fmt: skip
TEMPERATURES = ("1", "1/(c*n)", "1/(c + ln(n))")
DEFAULTS = ("1", "1/2", "true", "2", "n")


@st.composite
def constructions(draw: st.DrawFn) -> Construction:
    """Constructions right and wrong; the score may have nothing to do with the selection."""
    head = {}
    if draw(st.booleans()):
        head["bos"] = "true"
    if draw(st.booleans()):
        head["output"] = "not value"
    if draw(st.booleans()):
        head["default"] = draw(st.sampled_from(DEFAULTS))
    return written(
        mask=draw(st.sampled_from(MASKS)),
        select=draw(st.sampled_from(SELECTIONS)),
        tie=draw(st.sampled_from(TIES)),
        value=draw(st.sampled_from(VALUES)),
        score=draw(st.sampled_from(SCORES)),
        temperature=draw(st.sampled_from(TEMPERATURES)),
        c=draw(st.sampled_from(("2", "7/5", "1/3"))),
        inputs={"k": draw(st.sampled_from(("integer in 0..n", "integer in 1..2", "integer in 1..n")))},
        head=head,
    )


ARGMAX_SCORES = ("2*[phi(j)] + [psi(j)]", "[phi(j)]", "j", "-abs(i - j)", "[phi(j) and psi(i)]")


@st.composite
def argmax_constructions(draw: st.DrawFn) -> Construction:
    """Constructions that select by argmax over scores computed from Booleans and positions."""
    maximised = draw(st.sampled_from(ARGMAX_SCORES))
    own = draw(st.booleans())
    head = {"gap": draw(st.sampled_from(("1", "1/2", "2")))} | ({} if own else {"score": maximised})
    if draw(st.booleans()):
        head["bos"] = "true"
    return written(
        mask=draw(st.sampled_from(MASKS)),
        select="argmax",
        tie=draw(st.sampled_from(TIES)),
        value=draw(st.sampled_from(VALUES)),
        score=maximised if own else draw(st.sampled_from((f"c*({maximised})", "3*[phi(j)] - j/n"))),
        temperature=draw(st.sampled_from(TEMPERATURES)),
        head=head,
    )
