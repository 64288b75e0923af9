"""Solvers in processes of their own: killed when they overrun, restarted, and their absence a clear message."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from verifier.solvers.process import MissingSolverError, SolverProcess

UNSAT = "(set-logic QF_LRA)(declare-fun x () Real)(assert (< x x))(check-sat)"
SAT = "(set-logic QF_LRA)(declare-fun x () Real)(assert (< x 1.0))(check-sat)"
HARD = """(set-logic QF_NIA)(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 114))(check-sat)"""
STUBBORN = """
import time
__version__ = "0"
class TermManager: pass
class Solver:
    def __init__(self, terms): pass
    def setOption(self, name, value): pass
class SymbolManager:
    def __init__(self, terms): pass
class InputLanguage:
    SMT_LIB_2_6 = None
class InputParser:
    def __init__(self, solver, symbols): pass
    def setStringInput(self, language, text, name):
        if "die" in text:
            import os
            os._exit(1)
        if "sleep" in text:
            time.sleep(600)
    def nextCommand(self):
        raise RuntimeError("no such command")
"""


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose modules take the place of installed ones in the solver's process."""
    before = os.environ.get("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(part for part in (str(tmp_path), before) if part))
    return tmp_path


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_plain_answers(name: str) -> None:
    with SolverProcess(name) as process:
        assert process.ask(UNSAT).answer == "unsat"
        assert process.ask(SAT).answer == "sat"
        assert process.ask(UNSAT).answer == "unsat"
        assert process.restarts == 0
        assert process.version


@pytest.mark.parametrize("name", ["z3", "cvc5"])
@pytest.mark.parametrize(
    "text",
    [
        "", "(check-sat", "unsat", "(assert false)(check-sat)(check-sat)", "(check-sat) x",
        "(set-logic QF_LRA)(assert (< y 0))(check-sat)", "(exit)", "(set-logic NOPE)(assert false)(check-sat)(foo)",
    ],
)  # fmt: skip
def test_anything_but_one_answer_is_an_error(name: str, text: str) -> None:
    with SolverProcess(name) as process:
        assert process.ask(text).answer not in ("sat", "unsat")
        assert process.ask(UNSAT).answer == "unsat"


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_a_hard_question_ends_in_time_and_is_not_decided(name: str) -> None:
    with SolverProcess(name, milliseconds=500) as process:
        started = time.monotonic()
        assert process.ask(HARD).answer in ("unknown", "time-out", "error")
        assert time.monotonic() - started < 20
        assert process.ask(UNSAT).answer == "unsat"


def test_a_process_that_overruns_is_killed(fake: Path) -> None:
    (fake / "cvc5.py").write_text(STUBBORN)
    with SolverProcess("cvc5", milliseconds=200) as process:
        found = process.ask_once("sleep", {})
        assert (found.answer, process.restarts) == ("time-out", 1)
        assert process.ask_once("", {}).answer == "error"  # a new process answers


def test_a_process_that_dies_is_an_error_and_is_replaced(fake: Path) -> None:
    (fake / "cvc5.py").write_text(STUBBORN)
    with SolverProcess("cvc5") as process:
        assert process.ask_once("die", {}).answer == "error"
        assert process.restarts == 1
        assert "no such command" in process.ask_once("", {}).detail


def test_a_missing_solver_is_named_with_the_way_to_install_it(fake: Path) -> None:
    (fake / "cvc5.py").write_text("raise ImportError('not here')")
    with pytest.raises(MissingSolverError, match=r"pip install 'hard-attention-verifier\[cvc5\]'"):
        SolverProcess("cvc5").ask(UNSAT)


def test_a_proof_without_trusted_steps() -> None:
    from verifier.certify.proofs import plain, trusted_steps

    text = "(set-logic QF_NRA)(declare-fun n () Real)(assert (>= n 1.0))(assert (< (* n n) n))(check-sat)"
    with SolverProcess("cvc5") as process:
        found = process.prove(text)
        assert found.answer == "unsat"
        assert trusted_steps(plain(found.proof)) == 0
        assert process.prove(SAT).proof == ""
    assert trusted_steps("(step @p1 :rule trust :args (false))") == 1
    assert trusted_steps("") == -1
