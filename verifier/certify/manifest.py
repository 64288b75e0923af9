"""The manifest of a certificate as data, and its JSON form, read strictly."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verifier.certify.lemma_text import KINDS, LemmaText

FORMAT = "hard-attention-verifier certificate 1"
MANIFEST, SUMS, CONSTRUCTION, README = "manifest.json", "SHA256SUMS", "construction.toml", "README.txt"
LARGEST_MANIFEST = 64 << 20
_FILE = r"[a-z0-9][a-z0-9-]{0,120}"
_PATHS = {
    "file": re.compile(rf"obligations/{_FILE}\.smt2"),
    "assumptions": re.compile(rf"assumptions/{_FILE}\.smt2"),
    "proof": re.compile(rf"proofs/{_FILE}\.cpc"),
}
_RATIONAL = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?")


class Malformed(ValueError):
    """The certificate is not what a certificate is; the message says where."""


@dataclass(frozen=True)
class Entry:
    """One obligation as the manifest lists it.

    Args:
        name: such as ``gap: right``.
        statement: the claim in words.
        role: ``claim`` or ``side condition``.
        by: what decided it when the certificate was written.
        file: the SMT-LIB file; empty where a solver has no part in it.
        assumptions: the file that shows its hypotheses satisfiable; empty for a case that cannot occur.
        proof: cvc5's proof; empty where none was asked for.
        trusted_steps: how many steps of that proof the proof calculus does not justify.
        lemmas: the instances that the file uses.
        recheck: for an obligation without a file, how it is checked again, or ``no: ...`` with the reason.
    """

    name: str
    statement: str
    role: str
    by: str
    file: str = ""
    assumptions: str = ""
    proof: str = ""
    trusted_steps: int | None = None
    lemmas: tuple[LemmaText, ...] = ()
    recheck: str = ""


@dataclass(frozen=True)
class Certified:
    """One simulation, its scope, and all of its obligations."""

    name: str
    score: str
    temperature: str
    scope: str
    parameter_scope: str
    bound: str
    obligations: tuple[Entry, ...]


@dataclass(frozen=True)
class Manifest:
    """What a certificate says it proves, and what that rests on."""

    construction: str
    title: str
    digest: str
    parameters: Mapping[str, str]
    claim_error: str
    claim_computes: str
    versions: Mapping[str, str]
    simulations: tuple[Certified, ...]
    not_rechecked: tuple[str, ...]

    def files(self) -> list[str]:
        """Every file that some obligation names, each once."""
        named = [
            file
            for one in self.simulations
            for entry in one.obligations
            for file in (entry.file, entry.assumptions, entry.proof)
            if file
        ]
        return list(dict.fromkeys(named))


def dumps(manifest: Manifest) -> str:
    """The manifest as JSON, the same text for the same content."""
    document = {
        "format": FORMAT,
        "construction": {
            "name": manifest.construction, "title": manifest.title, "file": CONSTRUCTION, "sha256": manifest.digest,
            "parameters": dict(manifest.parameters),
        },
        "claim": {"error": manifest.claim_error, "computes": manifest.claim_computes},
        "versions": dict(manifest.versions),
        "simulations": [_simulation(one) for one in manifest.simulations],
        "not_rechecked": list(manifest.not_rechecked),
    }  # fmt: skip
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _simulation(one: Certified) -> dict[str, Any]:
    return {
        "name": one.name, "score": one.score, "temperature": one.temperature, "scope": one.scope,
        "parameter_scope": one.parameter_scope, "bound": one.bound,
        "obligations": [_entry(entry) for entry in one.obligations],
    }  # fmt: skip


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name, "statement": entry.statement, "role": entry.role, "by": entry.by, "file": entry.file,
        "expected": "unsat" if entry.file else "", "assumptions": entry.assumptions, "proof": entry.proof,
        "trusted_steps": entry.trusted_steps, "lemmas": [_lemma(lemma) for lemma in entry.lemmas],
        "recheck": entry.recheck,
    }  # fmt: skip


def _lemma(lemma: LemmaText) -> dict[str, Any]:
    return {
        "kind": lemma.kind, "symbol": lemma.symbol, "meaning": lemma.meaning, "numerator": lemma.numerator,
        "denominator": lemma.denominator,
        "factors": [{"numerator": top, "denominator": bottom, "power": power} for top, bottom, power in lemma.factors],
        "numbers": {name: str(value) for name, value in lemma.numbers.items()},
        "conditions": list(lemma.conditions),
    }  # fmt: skip


def loads(text: str) -> Manifest:
    """The manifest of a JSON text.

    Raises:
        Malformed: it is none; the message names the place.
    """
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {error}") from None
    top = _Reader(document, "")
    if top.text("format") != FORMAT:
        raise Malformed(f"format: expected '{FORMAT}', found '{top.text('format')[:60]}'")
    construction, claim = top.object("construction"), top.object("claim")
    return Manifest(
        construction=construction.text("name"),
        title=construction.text("title"),
        digest=construction.text("sha256"),
        parameters=construction.texts_by_name("parameters"),
        claim_error=claim.text("error"),
        claim_computes=claim.text("computes"),
        versions=top.texts_by_name("versions"),
        simulations=tuple(_read_simulation(one) for one in top.objects("simulations")),
        not_rechecked=top.texts("not_rechecked"),
    )


def _read_simulation(one: _Reader) -> Certified:
    return Certified(
        one.text("name"), one.text("score"), one.text("temperature"), one.text("scope"), one.text("parameter_scope"),
        one.text("bound"), tuple(_read_entry(entry) for entry in one.objects("obligations")),
    )  # fmt: skip


def _read_entry(entry: _Reader) -> Entry:
    return Entry(
        entry.text("name"), entry.text("statement"), entry.text("role"), entry.text("by"), entry.path("file"),
        entry.path("assumptions"), entry.path("proof"), entry.count("trusted_steps"),
        tuple(_read_lemma(lemma) for lemma in entry.objects("lemmas")), entry.text("recheck"),
    )  # fmt: skip


def _read_lemma(lemma: _Reader) -> LemmaText:
    if lemma.text("kind") not in KINDS:
        raise Malformed(f"{lemma.place}.kind: unknown lemma '{lemma.text('kind')[:40]}'")
    factors = []
    for factor in lemma.objects("factors"):
        power = factor.count("power")
        if power is None or not 1 <= power <= 1000:
            raise Malformed(f"{factor.place}.power: expected a number from 1 to 1000")
        factors.append((factor.text("numerator"), factor.text("denominator"), power))
    return LemmaText(
        lemma.text("kind"), lemma.text("symbol"), lemma.text("meaning"), lemma.text("numerator"),
        lemma.text("denominator"), tuple(factors), lemma.rationals("numbers"), lemma.texts("conditions"),
    )  # fmt: skip


@dataclass(frozen=True)
class _Reader:
    """An object of the document with its place, for messages."""

    value: Any
    place: str

    def _field(self, name: str, kind: type, words: str) -> Any:
        place = f"{self.place}.{name}".lstrip(".")
        if not isinstance(self.value, dict) or name not in self.value:
            raise Malformed(f"{place}: missing")
        found = self.value[name]
        if not isinstance(found, kind):
            raise Malformed(f"{place}: expected {words}")
        return found

    def text(self, name: str) -> str:
        return str(self._field(name, str, "a text"))

    def path(self, name: str) -> str:
        """A file of the certificate; an empty text for none. Nothing outside of the certificate is ever named."""
        found = self.text(name)
        if found and not _PATHS[name].fullmatch(found):
            raise Malformed(f"{self.place}.{name}: not the name of a file of a certificate")
        return found

    def count(self, name: str) -> int | None:
        found = self._field(name, object, "a number")
        if found is None or (isinstance(found, int) and not isinstance(found, bool) and found >= 0):
            return found
        raise Malformed(f"{self.place}.{name}: expected a number")

    def object(self, name: str) -> _Reader:
        return _Reader(self._field(name, dict, "an object"), f"{self.place}.{name}".lstrip("."))

    def objects(self, name: str) -> list[_Reader]:
        found = self._field(name, list, "a list")
        return [_Reader(one, f"{self.place}.{name}[{at}]".lstrip(".")) for at, one in enumerate(found)]

    def texts(self, name: str) -> tuple[str, ...]:
        found = self._field(name, list, "a list of texts")
        if not all(isinstance(one, str) for one in found):
            raise Malformed(f"{self.place}.{name}: expected a list of texts")
        return tuple(found)

    def texts_by_name(self, name: str) -> dict[str, str]:
        found = self._field(name, dict, "an object")
        if not all(isinstance(one, str) for one in found.values()):
            raise Malformed(f"{self.place}.{name}: expected texts")
        return dict(found)

    def rationals(self, name: str) -> dict[str, Fraction]:
        found = {}
        for key, text in self.texts_by_name(name).items():
            if not _RATIONAL.fullmatch(text) or text.endswith("/0"):
                raise Malformed(f"{self.place}.{name}.{key}: expected a rational number such as 7/5")
            found[key] = Fraction(text)
        return found
