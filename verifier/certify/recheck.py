"""Re-checking a certificate from its files alone: digests, the form of every file, every lemma instance, every answer.

Nothing here imports what wrote the certificate. A solver reads each SMT-LIB file with its own parser, in a process
that can be killed; only its plain `unsat` counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from verifier.certify.lemma_check import faults
from verifier.certify.manifest import (
    CONSTRUCTION,
    LARGEST_MANIFEST,
    MANIFEST,
    README,
    SUMS,
    Entry,
    Malformed,
    Manifest,
    loads,
)
from verifier.certify.proofs import check_proof, trusted_steps
from verifier.certify.scripts import Script, read
from verifier.solvers.process import Answer, SolverProcess
from verifier.verdict import Verdict

Progress = Callable[[int, int], None]
FOLDERS = ("obligations", "assumptions", "proofs")
OTHERS = (MANIFEST, CONSTRUCTION, README)
LARGEST_FILE = 64 << 20


class Tampered(ValueError):
    """The files are not those that were written; the message says which one differs."""


@dataclass(frozen=True)
class FileReport:
    """One SMT-LIB file: each solver's answer, and whether these are as they must be."""

    file: str
    expected: str
    answers: Mapping[str, Answer]
    fine: bool


@dataclass(frozen=True)
class Recheck:
    """What re-checking a certificate found.

    Args:
        manifest: what the certificate claims.
        digest: of its SHA256SUMS, to be compared with the one that `verify certify` printed.
        files: the answers, obligations first.
        faults: what is wrong with lemma instances or with what the manifest lists; empty if nothing is.
        lemmas: how many lemma instances were checked.
        proofs: how many of cvc5's proofs are there, their trusted steps, and how many ethos accepted (None without it).
        versions: of the solvers asked.
    """

    manifest: Manifest
    digest: str
    files: tuple[FileReport, ...]
    faults: tuple[str, ...]
    lemmas: int
    proofs: tuple[int, int, int | None]
    versions: Mapping[str, str]

    @property
    def verdict(self) -> Verdict:
        """PROVED if everything that a certificate must show is shown by every solver asked; INVALID for a false lemma
        or a part that is missing, UNDECIDED for an answer that is missing or is another one."""
        if self.faults or not self.files:
            return Verdict.INVALID
        return Verdict.PROVED if all(report.fine for report in self.files) else Verdict.UNDECIDED


def recheck(
    directory: Path,
    solvers: Sequence[str] = ("z3", "cvc5"),
    *,
    milliseconds: int = 60_000,
    progress: Progress | None = None,
) -> Recheck:
    """Check a certificate.

    Args:
        directory: the certificate's folder.
        solvers: which solvers to ask; each alone must answer.
        milliseconds: the time for one file.
        progress: told how many files are done, of how many.

    Raises:
        Tampered: a file is missing, is not listed, or is not what was written.
        Malformed: the manifest or a file is not that of a certificate.
        MissingSolverError: a solver is not installed.
        OSError: a file cannot be read.
    """
    contents, digest = _contents(directory)
    manifest = loads(_text(contents[MANIFEST], MANIFEST))
    _demand_complete(manifest, contents)
    scripts = {
        name: read(_text(content, name), name) for name, content in contents.items() if name.endswith(".smt2")
    }
    wrong, instances = _lemma_faults(manifest, scripts)
    wrong += _form_faults(manifest, scripts)
    wrong += _proof_faults(manifest, contents)
    with ExitStack() as stack:
        processes = [stack.enter_context(SolverProcess(name, milliseconds)) for name in solvers]
        versions = {process.name: process.version for process in processes}
        files = _answers(manifest, contents, scripts, processes, progress)
    checked, trusted, accepted = _proofs(manifest, contents)
    if accepted is not None and accepted < checked:
        wrong.append(f"ethos rejects {checked - accepted} of {checked} proofs")
    return Recheck(manifest, digest, files, tuple(wrong), instances, (checked, trusted, accepted), versions)


def _contents(directory: Path) -> tuple[dict[str, bytes], str]:
    """Every file by name, after comparing each with its digest. Links and stray files are refused."""
    if not directory.is_dir():
        raise Malformed(f"{directory} is not the folder of a certificate")
    if not (directory / SUMS).is_file():
        raise Malformed(f"{directory} is not a certificate: {SUMS} is missing")
    found: dict[str, bytes] = {}
    for path in sorted(directory.rglob("*")):
        name = path.relative_to(directory).as_posix()
        if path.is_symlink() or not (path.is_file() or (path.is_dir() and name in FOLDERS)):
            raise Tampered(f"{name} has no place in a certificate")
        if path.is_file():
            if path.stat().st_size > LARGEST_FILE:
                raise Tampered(f"{name} is too large")
            found[name] = path.read_bytes()
    total = found.pop(SUMS)
    expected = "".join(f"{hashlib.sha256(found[name]).hexdigest()}  {name}\n" for name in sorted(found)).encode()
    if expected != total:
        raise Tampered(_difference(total, found))
    for name in OTHERS:
        if name not in found:
            raise Malformed(f"{name} is missing")
    return found, hashlib.sha256(total).hexdigest()


def _difference(total: bytes, found: Mapping[str, bytes]) -> str:
    """The first thing by which files and digests differ."""
    listed = {}
    for line in total.decode("utf-8", "replace").splitlines():
        digest, _, name = line.partition("  ")
        listed[name] = digest
    for name in sorted(found):
        if name not in listed:
            return f"{name} is not listed in {SUMS}"
        if listed[name] != hashlib.sha256(found[name]).hexdigest():
            return f"{name} is not what was written: its SHA-256 differs from that in {SUMS}"
    missing = [name for name in listed if name not in found]
    return f"{missing[0]} is missing" if missing else f"{SUMS} is not what was written"


def _text(content: bytes, name: str) -> str:
    if name == MANIFEST and len(content) > LARGEST_MANIFEST:
        raise Malformed(f"{name}: too large")
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Malformed(f"{name}: not UTF-8") from None


def _demand_complete(manifest: Manifest, contents: Mapping[str, bytes]) -> None:
    """The manifest lists exactly the files that are there, and the construction is the one it names."""
    named = manifest.files()
    for name in named:
        if name not in contents:
            raise Tampered(f"{name} is listed in {MANIFEST} and is missing")
    for name in contents:
        if name not in named and name not in OTHERS:
            raise Tampered(f"{name} is not listed in {MANIFEST}")
    if hashlib.sha256(contents[CONSTRUCTION]).hexdigest() != manifest.digest:
        raise Tampered(f"{CONSTRUCTION} is not the construction that {MANIFEST} names")
    if not manifest.simulations or not all(one.obligations for one in manifest.simulations):
        raise Malformed(f"{MANIFEST}: no obligations, so that nothing is certified")


def _lemma_faults(manifest: Manifest, scripts: Mapping[str, Script]) -> tuple[list[str], int]:
    wrong: list[str] = []
    checked = set()
    for one in manifest.simulations:
        for entry in one.obligations:
            for lemma in entry.lemmas:
                key = (entry.file, lemma.kind, lemma.symbol, lemma.numerator, lemma.conditions)
                if entry.file and key not in checked:
                    checked.add(key)
                    wrong += [f"{entry.file}: {fault}" for fault in faults(lemma, scripts[entry.file], scripts)]
    return wrong, len(checked)


def _form_faults(manifest: Manifest, scripts: Mapping[str, Script]) -> list[str]:
    """Each obligation expects `unsat`, has the assumptions that its other file shows satisfiable, and knows nothing
    of a function's value but what lemmas say; each simulation has the parts that a proof must have."""
    wrong = []
    for one in manifest.simulations:
        names = [entry.name.split(":")[0] for entry in one.obligations]
        for part in ("values", "realizability", "defined", "coverage", "budget"):
            if part not in names:
                wrong.append(f"{one.name}: no obligation '{part}'")
        for entry in one.obligations:
            if entry.file:
                wrong += [f"{entry.file}: {fault}" for fault in _entry_faults(entry, scripts)]
            elif not entry.recheck:
                wrong.append(f"{one.name}: '{entry.name}' has neither a file nor a word on how it is checked")
    return list(dict.fromkeys(wrong))


def _entry_faults(entry: Entry, scripts: Mapping[str, Script]) -> list[str]:
    script = scripts[entry.file]
    wrong = [] if script.status == "unsat" else ["does not expect unsat"]
    if entry.assumptions:
        possible = scripts[entry.assumptions]
        assumed = script.assertions[:-1]
        if possible.status != "sat" or possible.assertions[: len(assumed)] != assumed:
            wrong.append(f"{entry.assumptions} does not show its assumptions satisfiable")
    return wrong


def _answers(
    manifest: Manifest,
    contents: Mapping[str, bytes],
    scripts: Mapping[str, Script],
    processes: Sequence[SolverProcess],
    progress: Progress | None,
) -> tuple[FileReport, ...]:
    names = [name for name in manifest.files() if name.endswith(".smt2")]
    names.sort(key=lambda name: (not name.startswith("obligations"), name))
    reports = []
    for at, name in enumerate(names):
        expected = scripts[name].status
        answers = {process.name: process.ask(contents[name].decode()) for process in processes}
        found = [answer.answer for answer in answers.values()]
        fine = all(one == "unsat" for one in found) if expected == "unsat" else _possible(found)
        reports.append(FileReport(name, expected, answers, fine))
        if progress is not None:
            progress(at + 1, len(names))
    return tuple(reports)


def _possible(found: Sequence[str]) -> bool:
    """Assumptions are satisfiable if some solver says so and none denies it: quantified ones are hard to satisfy."""
    return "sat" in found and "unsat" not in found


def _proof_faults(manifest: Manifest, contents: Mapping[str, bytes]) -> list[str]:
    wrong = []
    for one in manifest.simulations:
        for entry in one.obligations:
            if entry.proof and trusted_steps(contents[entry.proof].decode(errors="replace")) != entry.trusted_steps:
                wrong.append(f"{entry.proof}: the number of trusted steps is not {entry.trusted_steps}")
    return list(dict.fromkeys(wrong))


def _proofs(manifest: Manifest, contents: Mapping[str, bytes]) -> tuple[int, int, int | None]:
    names = list(dict.fromkeys(e.proof for one in manifest.simulations for e in one.obligations if e.proof))
    trusted = sum(trusted_steps(contents[name].decode(errors="replace")) for name in names)
    verdicts = [check_proof(contents[name].decode(errors="replace")) for name in names]
    if not verdicts or any(verdict is None for verdict in verdicts):
        return len(names), trusted, None
    return len(names), trusted, sum(verdict is True for verdict in verdicts)
