"""Writing a certificate: a folder that is there whole or not at all."""

from __future__ import annotations

import hashlib
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import z3

from verifier.certify.collect import SIDE_CONDITIONS, Gathered, NotProved
from verifier.certify.manifest import CONSTRUCTION, MANIFEST, README, SUMS, Certified, Entry, Manifest, dumps, loads
from verifier.certify.proofs import plain, trusted_steps
from verifier.certify.readme import readme
from verifier.certify.render import Rendered, Renderer
from verifier.prove.solver import Obligation
from verifier.solvers.process import SolverProcess
from verifier.spec.construction import Construction
from verifier.verdict import ObligationResult

POINTWISE = "budget: each n"
BUDGET, BELOW = "budget: n >=", "budget: n < "
EXPONENTIAL = "exponential: "
_PLAIN = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Placed:
    """An obligation with its result, its text, and the names of its files."""

    obligation: Obligation
    result: ObligationResult
    rendered: Rendered
    file: str
    assumptions: str


class Files:
    """The files of a certificate by name; equal texts share one file."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.assumptions: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def add_obligation(self, name: str, rendered: Rendered) -> tuple[str, str]:
        """The names of an obligation's two files; the same obligation keeps the values first found for it."""
        file = self.add("obligations", name, rendered.text)
        if file not in self.assumptions:
            self.assumptions[file] = self.add("assumptions", name, rendered.assumptions)
        return file, self.assumptions[file]

    def add(self, folder: str, name: str, text: str) -> str:
        """The name of a file with this text."""
        if not text:
            return ""
        key = f"{folder}\n{text}"
        if key not in self._names:
            number = sum(one.startswith(f"{folder}/") for one in self.texts) + 1
            self._names[key] = f"{folder}/{number:03}-{_PLAIN.sub('-', name.lower()).strip('-')[:60]}.smt2"
            self.texts[self._names[key]] = text
        return self._names[key]


def certificate(
    construction: Construction, source: bytes, simulations: Sequence[Gathered], versions: Mapping[str, str]
) -> dict[str, bytes]:
    """All files of a certificate by name, save for the sums of their digests.

    Args:
        construction: what was proved; `source` the bytes of its file.
        simulations: what was gathered.
        versions: of everything that the proof rests on.

    Raises:
        NotProved: the condition of some lemma is not among the obligations.
    """
    files = Files()
    certified = tuple(_certified(one, files) for one in simulations)
    manifest = Manifest(
        construction=construction.name,
        title=construction.title,
        digest=hashlib.sha256(source).hexdigest(),
        parameters={parameter.name: str(parameter.value) for parameter in construction.parameters},
        claim_error=construction.claim.error.text,
        claim_computes=construction.claim.computes_text or "",
        versions=versions,
        simulations=certified,
        not_rechecked=_not_rechecked(certified),
    )
    texts = {**files.texts, MANIFEST: dumps(manifest), README: readme(manifest)}
    return {name: text.encode() for name, text in texts.items()} | {CONSTRUCTION: source}


def _certified(found: Gathered, files: Files) -> Certified:
    renderer = Renderer(found.lemmas)
    placed = []
    for obligation, result in found.solved:
        rendered = renderer.render(obligation)
        placed.append(Placed(obligation, result, rendered, *files.add_obligation(obligation.name, rendered)))
    entries = [_solved(one, placed, renderer) for one in placed]
    distinct = {(entry.file, entry.name, entry.statement): entry for entry in entries}
    bound = [entry.statement for entry in entries if entry.name.startswith(BUDGET)]
    return Certified(
        name=found.simulation.name,
        score=found.simulation.score.text,
        temperature=found.simulation.temperature.text,
        scope="every n",
        parameter_scope=found.parameter_scope,
        bound=bound[0] if bound else "",
        obligations=(*distinct.values(), *(_other(one) for one in found.others if not one.name.startswith(POINTWISE))),
    )


def _solved(one: Placed, placed: Sequence[Placed], renderer: Renderer) -> Entry:
    demanded = renderer.demanded(one.obligation)
    lemmas = tuple(
        replace(lemma, conditions=tuple(file for goal in goals if (file := _condition(one, goal, placed))))
        for lemma, goals in zip(one.rendered.lemmas, demanded, strict=True)
    )
    return Entry(
        name=one.obligation.name,
        statement=one.obligation.statement,
        role="side condition" if one.obligation.name.split(":")[0] in SIDE_CONDITIONS else "claim",
        by=one.result.by,
        file=one.file,
        assumptions=one.assumptions,
        lemmas=lemmas,
    )


def _condition(one: Placed, goal: object, placed: Sequence[Placed]) -> str:
    """The file of the obligation that shows a lemma's condition; empty where it is a matter of numerals only.

    Raises:
        NotProved: there is none.
    """
    known = {formula.get_id() for formula in one.obligation.hypotheses}
    for other in placed:
        if other.obligation.goal.eq(goal) and all(
            formula.get_id() in known for formula in other.obligation.hypotheses
        ):
            return other.file
    if _only_numerals(goal):
        return ""
    raise NotProved(f"no obligation shows {goal}, on which a lemma in '{one.obligation.name}' rests")


def _only_numerals(goal: object) -> bool:
    return isinstance(goal, z3.BoolRef) and all(z3.is_rational_value(child) for child in goal.children())


def _other(result: ObligationResult) -> Entry:
    if result.name.startswith(EXPONENTIAL):
        recheck = "with the lemmas of the budget's obligation"
    elif result.name.startswith(BELOW):
        recheck = "no: lengths below n0 are evaluated in ball arithmetic from the construction itself"
    else:
        recheck = "no: a property of the construction's text"
    return Entry(result.name, result.statement, "claim", result.by, recheck=recheck)


def _not_rechecked(simulations: Sequence[Certified]) -> tuple[str, ...]:
    return tuple(
        f"{one.name}: {entry.name} ({entry.recheck.removeprefix('no: ')})"
        for one in simulations
        for entry in one.obligations
        if entry.recheck.startswith("no: ")
    )


def with_proofs(files: Mapping[str, bytes], milliseconds: int = 60_000) -> tuple[dict[str, bytes], list[str]]:
    """A certificate with cvc5's proof of each obligation, and the obligations of which it finds none.

    Raises:
        MissingSolverError: cvc5 is not installed.
    """
    found: dict[str, bytes] = {}
    steps: dict[str, tuple[str, int]] = {}
    missing = []
    with SolverProcess("cvc5", milliseconds) as cvc5:
        for name, content in files.items():
            if not name.startswith("obligations/"):
                continue
            answer = cvc5.prove(content.decode())
            if answer.answer != "unsat" or not answer.proof:
                missing.append(name)
                continue
            text = plain(answer.proof)
            place = name.replace("obligations/", "proofs/").replace(".smt2", ".cpc")
            found[place] = text.encode()
            steps[name] = place, trusted_steps(text)
    manifest = loads(files[MANIFEST].decode())
    proved = replace(manifest, simulations=tuple(_proved(one, steps) for one in manifest.simulations))
    return {**files, **found, MANIFEST: dumps(proved).encode()}, missing


def _proved(one: Certified, steps: Mapping[str, tuple[str, int]]) -> Certified:
    entries = (
        replace(entry, proof=steps[entry.file][0], trusted_steps=steps[entry.file][1])
        if entry.file in steps
        else entry
        for entry in one.obligations
    )
    return replace(one, obligations=tuple(entries))


def sums(files: Mapping[str, bytes]) -> bytes:
    """The digests of all files in the format of `sha256sum`."""
    return "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files)).encode()


def write(directory: Path, files: Mapping[str, bytes]) -> str:
    """Write a certificate as a new folder, and return the digest of the whole: that of its SHA256SUMS.

    Raises:
        FileExistsError: there is something there already.
        OSError: it cannot be written; nothing is left behind.
    """
    if directory.exists() or directory.is_symlink():
        raise FileExistsError(f"{directory} exists already")
    total = sums(files)
    temporary = Path(tempfile.mkdtemp(prefix=f".{directory.name[:40]}.", dir=directory.parent))
    try:
        for name, content in {**files, SUMS: total}.items():
            path = temporary / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        temporary.chmod(0o755)
        temporary.rename(directory)
    except BaseException:
        with suppress(OSError):
            shutil.rmtree(temporary)
        raise
    return hashlib.sha256(total).hexdigest()
