"""Compiling generated files: what the kernel accepts, and on which axioms it says that each theorem rests."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from verifier.coq.theory import CoqTheory
from verifier.coq.toolchain import Toolchain
from verifier.verdict import Verdict

SECONDS = 300
LONGEST_MESSAGE = 2_000

REALS = frozenset(
    (
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
    )
)
"""The axioms of the standard library's real numbers."""

LOGARITHMS = frozenset(("Classical_Prop.classic",))
"""What the standard library's ln needs besides; permitted where ln occurs, or a lemma on averages that speaks of it."""

_LOGARITHMIC = re.compile(r"\b(ln|averaged_\w+|perturbed_\w+)\b")

_FORBIDDEN = re.compile(
    r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Hypothes[ie]s|Variables?|Context|Unset|bypass_check|give_up)\b"
)
_COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)


@dataclass(frozen=True)
class CompileResult:
    """What became of one file.

    Args:
        name: the construction's name.
        verdict: PROVED where every theorem that has a proof compiles and rests on permitted axioms alone, and every
            claim has one; UNDECIDED otherwise.
        theorems: the theorems that the kernel accepted, with the axioms of each.
        unproved: the claims without a proof, with the reason.
        reason: in a sentence, why the verdict is not PROVED; empty when it is.
        seconds: the time that took.
    """

    name: str
    verdict: Verdict
    theorems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unproved: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    seconds: float = 0.0

    def __bool__(self) -> bool:
        raise TypeError("a CompileResult has no truth value; compare its .verdict with Verdict.PROVED")


def compile_theories(
    theories: Iterable[CoqTheory], toolchain: Toolchain, seconds: float = SECONDS
) -> tuple[CompileResult, ...]:
    """Compile each theory in a folder of its own and ask the kernel for the axioms of each theorem.

    Args:
        theories: from `emit`.
        toolchain: from `Toolchain.find`.
        seconds: the time limit for each file.
    """
    return tuple(_compile(theory, toolchain, seconds) for theory in theories)


def recheck(
    theory: CoqTheory, text: str, toolchain: Toolchain, seconds: float = SECONDS
) -> CompileResult:  # fmt: skip
    """Check a certificate: the text of a file must be that of the theory, and the theory must compile.

    Nothing of a foreign text is run: where it differs it is refused, and where it does not it is our own.
    """
    fault = differs(theory, text)
    if fault:
        return CompileResult(
            theory.name, Verdict.UNDECIDED, reason=f"the file is not what its construction yields: {fault}"
        )
    return _compile(theory, toolchain, seconds)


def differs(theory: CoqTheory, text: str) -> str:
    """Where a file's text is not that of the theory, its first such line; empty where they agree.

    A certificate says what it should only if it is the very text that the construction file yields.
    """
    wanted, found = theory.text.splitlines(), text.splitlines()
    for number, (one, other) in enumerate(zip(wanted, found, strict=False), 1):
        if one != other:
            return f"line {number}: expected '{one}', found '{other}'"
    if len(wanted) != len(found):
        return f"expected {len(wanted)} lines, found {len(found)}"
    return ""


def _compile(theory: CoqTheory, toolchain: Toolchain, seconds: float) -> CompileResult:
    started = time.monotonic()
    unproved = {theorem.name: theorem.unproved for theorem in theory.unproved}

    def result(reason: str, theorems: Mapping[str, tuple[str, ...]] | None = None) -> CompileResult:
        verdict = Verdict.UNDECIDED if reason else Verdict.PROVED
        return CompileResult(
            theory.name, verdict, theorems or {}, unproved, reason, time.monotonic() - started
        )  # fmt: skip

    word = _FORBIDDEN.search(_COMMENT.sub("", theory.text))
    if word is not None:
        return result(f"the text has the word '{word.group()}', which could leave something unproved")
    with tempfile.TemporaryDirectory(prefix="verify-coq-") as folder:
        said, failed = _run(theory, toolchain, Path(folder), seconds)
    if failed:
        return result(failed)
    theorems = _axioms(said)
    permitted = REALS | LOGARITHMS if _LOGARITHMIC.search(theory.text) else REALS
    for name in theory.proved_names:
        if name not in theorems:
            return result(f"the kernel says nothing of {name}", theorems)
        extra = [axiom for axiom in theorems[name] if axiom not in permitted]
        if extra:
            return result(f"{name} rests on {', '.join(extra)}", theorems)
    if unproved:
        name, why = next(iter(unproved.items()))
        return result(f"{name} has no proof: {why}", theorems)
    return result("" if theorems else "there is no theorem", theorems)


def _run(theory: CoqTheory, toolchain: Toolchain, folder: Path, seconds: float) -> tuple[str, str]:
    """What Coq printed, and why it failed; one of the two is empty."""
    questions = "".join(
        f'Definition asked_{number} : True. idtac "@ {name}". exact I. Defined.\nPrint Assumptions {name}.\n'
        for number, name in enumerate(theory.proved_names)
    )
    file = folder / f"{theory.module}.v"
    file.write_text(f"{theory.text}\n{questions}", encoding="utf-8")
    command = [*toolchain.arguments, str(file)]
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return "", f"Coq took longer than {seconds:g} seconds"
    if process.returncode:
        return "", f"Coq refuses the proof: {_message(err, theory)}"
    return out, ""


def _message(err: str, theory: CoqTheory) -> str:
    """Coq's error with the theorem in which it lies, without the folder's name."""
    place = re.search(r"line (\d+), characters", err)
    where = ""
    if place is not None:
        before = theory.text.splitlines()[: int(place.group(1))]
        names = [found.group(1) for line in before if (found := re.match(r"Theorem (\S+)", line))]
        where = f"in {names[-1]}: " if names else ""
    text = err[place.end() :].partition("\n")[2] if place is not None else err
    return where + " ".join(text.split())[:LONGEST_MESSAGE]


def _axioms(said: str) -> dict[str, tuple[str, ...]]:
    """The axioms of each theorem, from what `Print Assumptions` printed."""
    found: dict[str, tuple[str, ...]] = {}
    current = ""
    for line in said.splitlines():
        if line.startswith("@ "):
            current = line[2:].strip()
        elif line.startswith(("Closed under the global context", "Axioms:")):
            found[current] = ()
        elif line and not line[0].isspace() and current in found:
            found[current] = (*found[current], line.split()[0])
    return found


def texts(folder: Path, theories: Sequence[CoqTheory]) -> tuple[Path, ...]:
    """Write each theory to a file of the folder; the files' paths."""
    written = []
    for theory in theories:
        path = folder / f"{theory.module}.v"
        path.write_text(theory.text, encoding="utf-8")
        written.append(path)
    return tuple(written)
