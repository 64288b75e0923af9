"""Hostile constructions through the whole of `verify audit`: each ends with a verdict or one clear message."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.prove.examples import ROOT
from verifier.cli import main

LIBRARY = ROOT / "constructions"
SCORE = ("until", '"c*(2*n*[selected] - j)"')
TEMPERATURE = ("until", 'temperature = "1"\n')

# Which file, what is replaced by what, the exit code, and a part of what is said.
CASES = {
    "temperature 0": (*TEMPERATURE, 'temperature = "0"\n', 2, "is not positive at n = 1"),
    "negative temperature": (*TEMPERATURE, 'temperature = "-1"\n', 2, "is not positive at n = 1"),
    "temperature 0 somewhere": (*TEMPERATURE, 'temperature = "abs(n - 3)"\n', 2, "is not positive at n = 3"),
    "tiny temperature": (*TEMPERATURE, 'temperature = "(10^-60)^4"\n', 3, "undecided"),
    "huge temperature": (*TEMPERATURE, 'temperature = "(10^60)^4"\n', 1, "refuted by a string"),
    "overflow": (*SCORE, '"exp(n^3)*[selected] - j"', 2, "is not a finite number at"),
    "division by zero": (*SCORE, '"1/(j - 3)"', 2, "divides by zero at i = 1, j = 3, n = 3"),
    "logarithm of zero": (*SCORE, '"ln(j - 1)"', 2, "takes the logarithm of a number that is not positive"),
    "long sum": (*SCORE, '"(1 + i + j)^18"', 1, "refuted by a string"),
    "deep brackets": (*SCORE, '"[' + "not " * 90 + 'selected]"', 1, "refuted by a string"),
    "no error at all": ("until", 'error    = "1/4"', 'error = "0"', 1, "refuted by a string"),
    "undefined error": ("until", 'error    = "1/4"', 'error = "1/(n - 2)"', 2, "error divides by zero at n = 2"),
    "no length": ("until", "[inputs]", 'requires = "n < 0"\n[inputs]', 3, "undecided"),
    "no values": ("parity", '"integer in 0..n"', '"integer in n + 1..n"', 3, "undecided"),
    "values without bound": ("parity", '"integer in 0..n"', '"integer in 0..10^30"', 2, "bounds of at most 20 bits"),
    "gap 0": ("average-attention", 'gap    = "gamma"', 'gap = "0"', 3, "undecided"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_hostile_construction_ends_with_a_verdict_or_one_clear_message(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library, old, new, code, said = CASES[name]
    text = (LIBRARY / f"{library}.toml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "hostile.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    found = main(["audit", str(path), "--max-n", "12", "--simulation", "position-embedding"])
    out, err = capsys.readouterr()
    assert found == code, err
    assert said in out + err
    assert "internal error" not in err and "Traceback" not in err
    if code == 2:
        assert err.startswith(f"verify: {path}") and out == ""
        assert len(err.splitlines()) in (1, 3)  # the message, and perhaps the text with a caret
