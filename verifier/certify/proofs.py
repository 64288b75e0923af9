"""cvc5's proofs in its Cooperating Proof Calculus (CPC): their trusted steps, and the independent checker ethos."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

SIGNATURE = "ETHOS_CPC"
SECONDS = 120
_RULE = re.compile(r":rule ([A-Za-z0-9_-]+)")


def plain(proof: str) -> str:
    """The proof as ethos reads it: without the parentheses around the whole that the SMT-LIB output has."""
    text = proof.strip()
    if text.startswith("(\n") and text.endswith("\n)"):
        text = text[2:-2]
    return text.strip() + "\n"


def trusted_steps(proof: str) -> int:
    """How many steps rest on cvc5's word alone; -1 for a text that is no proof."""
    rules = _RULE.findall(proof)
    return sum(rule.startswith("trust") for rule in rules) if rules else -1


def available() -> bool:
    """Whether ethos is on the PATH, with the calculus it needs named by the environment variable ETHOS_CPC."""
    return shutil.which("ethos") is not None and Path(os.environ.get(SIGNATURE, "")).is_file()


def check_proof(proof: str) -> bool | None:
    """Whether ethos accepts a proof; None where ethos or its signature of the calculus is not there."""
    ethos = shutil.which("ethos")
    if ethos is None or not available():
        return None
    signature = Path(os.environ[SIGNATURE]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "proof.eo"
        file.write_text(f'(include "{signature}")\n{proof}', encoding="utf-8")
        try:
            done = subprocess.run(
                [ethos, str(file)], capture_output=True, text=True, timeout=SECONDS, check=False, cwd=folder
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
    return done.returncode == 0 and done.stdout.strip() == "correct"
