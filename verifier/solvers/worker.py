"""The program that runs in a solver's process: SMT-LIB text in, the answer to its check-sat out.

It is started by its file name and imports nothing of this package, so that a solver sees SMT-LIB text only. Each
request and each reply is one line of JSON. The solver's own parser reads the text and its own printer answers.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

MEMORY = 4 << 30
ANSWERS = ("sat", "unsat", "unknown")
Request = dict[str, Any]
Reply = dict[str, str]


def z3_solver() -> tuple[str, Callable[[Request], Reply]]:
    """Z3's version, and how it answers a request."""
    z3 = import_module("z3")

    def answer(request: Request) -> Reply:
        context = z3.Context()
        limits = f"(set-option :rlimit {request['resources']})(set-option :timeout {request['milliseconds']})\n"
        said = z3.Z3_eval_smtlib2_string(context.ref(), limits + request["text"])
        return _reply(said.split("\n"))

    return z3.get_version_string(), answer


def cvc5_solver() -> tuple[str, Callable[[Request], Reply]]:
    """cvc5's version, and how it answers a request."""
    cvc5 = import_module("cvc5")

    def answer(request: Request) -> Reply:
        terms = cvc5.TermManager()
        solver = cvc5.Solver(terms)
        solver.setOption("rlimit-per", str(request["resources"]))
        solver.setOption("tlimit-per", str(request["milliseconds"]))
        for name, value in request["options"].items():
            solver.setOption(name, value)
        symbols = cvc5.SymbolManager(terms)
        parser = cvc5.InputParser(solver, symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, request["text"], "obligation")
        said = []
        while not (command := parser.nextCommand()).isNull():
            said.append(command.invoke(solver, symbols).strip())
        return _reply(said, proof=_proof(cvc5, solver, said) if request.get("proof") else "")

    return cvc5.__version__, answer


def _proof(cvc5: Any, solver: Any, said: list[str]) -> str:
    """The proof of an `unsat` in the CPC format."""
    if [line for line in said if line] != ["unsat"]:
        return ""
    proofs = solver.getProof()
    texts = (solver.proofToString(proof, cvc5.ProofFormat.CPC) for proof in proofs)
    return "".join(text.decode() if isinstance(text, bytes) else str(text) for text in texts)


def _reply(said: list[str], proof: str = "") -> Reply:
    """What the solver printed, as an answer; anything but one plain answer is an error."""
    lines = [line.strip() for line in said if line.strip()]
    if len(lines) == 1 and lines[0].startswith("unknown ("):  # cvc5 adds the reason
        return {"answer": "unknown", "detail": lines[0].removeprefix("unknown").strip(" ()"), "proof": ""}
    if len(lines) == 1 and lines[0] in ANSWERS:
        return {"answer": lines[0], "detail": "", "proof": proof}
    return {"answer": "error", "detail": " ".join(lines)[:400] or "no answer", "proof": ""}


def _limit_processor_time(milliseconds: int) -> None:
    """The kernel ends this process some time after its limit, even if nobody is there any more to kill it."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime) + milliseconds // 1000 + 10
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds if hard == resource.RLIM_INFINITY else min(seconds, hard), hard))


def _limit_memory() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard), hard))


def main(name: str) -> None:
    """Answer requests until the input ends."""
    # What a solver prints must not get between the replies.
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    _limit_memory()
    try:
        version, answer = {"z3": z3_solver, "cvc5": cvc5_solver}[name]()
    except ImportError:
        version, answer = "", None
    _send(replies, {"version": version})
    if answer is None:
        return
    for line in sys.stdin:
        request = json.loads(line)
        _limit_processor_time(request["milliseconds"])
        try:
            reply = answer(request)
        except Exception as error:
            reply = {"answer": "error", "detail": f"{type(error).__name__}: {error}"[:400], "proof": ""}
        _send(replies, reply)


def _send(replies: Any, message: Reply) -> None:
    replies.write(json.dumps(message) + "\n")
    replies.flush()


if __name__ == "__main__":
    main(sys.argv[1])
