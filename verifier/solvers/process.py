"""A solver in a process of its own: it answers many queries, is killed when it overruns, and then started anew."""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

WORKER = Path(__file__).with_name("worker.py")
START_SECONDS = 60.0
GRACE_SECONDS = 2.0
NAMES = ("z3", "cvc5")
Options = Mapping[str, str]
# Coverings decide every obligation of the library; linearization, tried where they do not, writes better proofs.
COVERINGS: Options = {"nl-cov": "true", "nl-ext": "none"}
LINEARIZATION: Options = {"nl-cov": "false", "nl-ext": "full", "nl-ext-tplanes": "true"}
PROOFS: Options = {**LINEARIZATION, "produce-proofs": "true", "proof-granularity": "dsl-rewrite"}
STRATEGIES: Mapping[str, tuple[Options, ...]] = {"z3": ({},), "cvc5": (COVERINGS, LINEARIZATION)}
RESOURCES: Mapping[str, int] = {"z3": 20_000_000, "cvc5": 2_000_000}


class MissingSolverError(RuntimeError):
    """The solver is not installed; the message says how to install it."""


@dataclass(frozen=True)
class Answer:
    """What a solver said: sat, unsat, unknown, error or time-out; in `detail` why, in `proof` a proof if asked for."""

    answer: str
    detail: str = ""
    proof: str = ""


@dataclass
class SolverProcess:
    """One solver's process.

    Args:
        name: z3 or cvc5.
        milliseconds: the time for one query; a process that takes longer is killed.
        resources: the solver's own deterministic limit for one query.
        restarts: how often the process was killed or died.
    """

    name: str
    milliseconds: int = 20_000
    resources: int = 0
    restarts: int = 0
    _process: subprocess.Popen[bytes] | None = None
    _version: str = ""
    _pending: bytes = b""

    def __post_init__(self) -> None:
        self.resources = self.resources or RESOURCES[self.name]

    def __enter__(self) -> SolverProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def version(self) -> str:
        """The solver's version. Raises `MissingSolverError`."""
        if not self._version:
            self._start()
        return self._version

    def ask(self, text: str) -> Answer:
        """The answer to the text's check-sat: by the first of the solver's strategies that decides it.

        A process that overruns or dies is an answer too, and never `unsat`.

        Raises:
            MissingSolverError: the solver is not installed.
        """
        answers = []
        for options in STRATEGIES[self.name]:
            answers.append(self.ask_once(text, options))
            if answers[-1].answer in ("sat", "unsat"):
                return answers[-1]
        return answers[0]

    def prove(self, text: str) -> Answer:
        """cvc5's answer with its proof."""
        return self.ask_once(text, PROOFS, proof=True)

    def ask_once(self, text: str, options: Options, *, proof: bool = False) -> Answer:
        """The answer with these options of the solver. Raises `MissingSolverError`."""
        if self._process is None:
            self._start()
        assert self._process is not None and self._process.stdin is not None
        request = {
            "text": text, "proof": proof, "options": dict(options),
            "milliseconds": self.milliseconds, "resources": self.resources,
        }  # fmt: skip
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            reply = self._read(self.milliseconds / 1000 + GRACE_SECONDS)
        except TimeoutError:
            self.close()
            self.restarts += 1
            return Answer("time-out", f"killed after {self.milliseconds / 1000:g} s")
        except OSError:
            reply = None
        except BaseException:  # interrupted: the reply must not be taken for that to a later query
            self.close()
            raise
        if reply is None:
            self.close()
            self.restarts += 1
            return Answer("error", f"{self.name} ended without an answer")
        return Answer(reply["answer"], reply["detail"], reply["proof"])

    def close(self) -> None:
        """End the process; it is started again when asked."""
        if self._process is not None:
            _end(self._process)
            self._process = None
        self._pending = b""

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", str(WORKER), self.name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        weakref.finalize(self, _end, self._process)
        try:
            hello = self._read(START_SECONDS)
        except TimeoutError:
            hello = None
        if hello is None:
            self.close()
            raise OSError(f"the process of {self.name} does not start")
        if not hello["version"]:
            self.close()
            raise MissingSolverError(_missing(self.name))
        self._version = hello["version"]

    def _read(self, seconds: float) -> dict[str, str] | None:
        """The next line of the process, None if it ended. Raises `TimeoutError`."""
        assert self._process is not None and self._process.stdout is not None
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise TimeoutError
                piece = self._process.stdout.read1(1 << 16)  # type: ignore[attr-defined]
                if not piece:
                    return None
                self._pending += piece
        line, _, self._pending = self._pending.partition(b"\n")
        found: dict[str, str] = json.loads(line)
        return found


def _missing(name: str) -> str:
    package = "hard-attention-verifier[cvc5]" if name == "cvc5" else "z3-solver"
    return f"the solver {name} is not installed; install it by: pip install '{package}'"


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
