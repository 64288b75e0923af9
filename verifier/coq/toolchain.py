"""Where Coq and the development are, and the development compiled once before generated files are."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
BUILD_SECONDS = 600


class Unavailable(Exception):
    """Coq, or the development that generated files build upon, cannot be used; the message says why."""


@dataclass(frozen=True)
class Toolchain:
    """A Coq compiler, and the compiled development.

    Args:
        coqc: the compiler.
        development: the folder of the lemmas, compiled.
        version: what the compiler says of itself.
    """

    coqc: str
    development: Path
    version: str

    @classmethod
    def find(
        cls, development: Path | None = None, *, composed: bool = False, seconds: float = BUILD_SECONDS
    ) -> Toolchain:
        """The compiler on the path, and the development compiled.

        Args:
            development: the folder `proofs/coq`; by default that of this installation.
            composed: whether the composed theorem is needed too, on which theories of formulas build.
            seconds: how long compiling it may take.

        Raises:
            Unavailable: there is no compiler, no development, or it does not compile.
        """
        coqc = shutil.which("coqc")
        if coqc is None or shutil.which("make") is None:
            raise Unavailable("Coq is not installed; Debian has it: apt-get install coq make")
        folder = development or _development()
        _build(folder, "composition" if composed else "lemmas", seconds)
        return cls(coqc, folder, _version(coqc))

    @property
    def arguments(self) -> tuple[str, ...]:
        """The start of every command line."""
        return (self.coqc, "-q", "-R", str(self.development), "HardAttention")


def _development() -> Path:
    """The development of a checkout; that of an installed package as a copy, so that nothing is compiled there."""
    checkout, installed = (folder / "proofs" / "coq" for folder in (_PACKAGE.parent, _PACKAGE))
    if (checkout / "Semantics.v").is_file():
        return checkout
    if (installed / "Semantics.v").is_file():
        return _copied(installed)
    raise Unavailable("the Coq development (proofs/coq) is missing from this installation")


def _copied(folder: Path) -> Path:
    sources = sorted(path for path in folder.rglob("*") if path.suffix == ".v" or path.name in ("Makefile", "check.sh"))
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.relative_to(folder).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    copy = caches / "hard-attention-verifier" / f"coq-{digest.hexdigest()[:16]}"
    try:
        for source in sources:
            target = copy / source.relative_to(folder)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, target)
    except OSError as error:
        raise Unavailable(f"the Coq development cannot be copied to {copy}: {error}") from None
    return copy


def _build(folder: Path, target: str, seconds: float) -> None:
    """Compile what is needed; does nothing where it is compiled."""
    try:
        with _locked(folder):
            done = subprocess.run(
                ["make", "--no-print-directory", "-C", str(folder), target],
                capture_output=True, text=True, timeout=seconds, check=False,
            )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Unavailable(f"the Coq development did not compile within {seconds:g} seconds") from None
    except OSError as error:
        raise Unavailable(f"the Coq development cannot be compiled in place: {error}") from None
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        raise Unavailable(f"the Coq development does not compile: {' '.join(last)}")


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Only one process compiles at a time."""
    with (folder / ".build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)


def _version(coqc: str) -> str:
    try:
        said = subprocess.run([coqc, "--print-version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"Coq does not answer: {error}") from None
    return said.stdout.split(" ")[0].strip() or "unknown"
