"""The PyTorch module of docs/export.md, run as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.compile.helpers import ROUTES, cases, compiled
from verifier.compile.run import run, runner
from verifier.compile.strings import long_strings
from verifier.export.files import npz_bytes
from verifier.export.onnx_check import tokens

DOCS = Path(__file__).parent.parent.parent / "docs" / "export.md"


def program() -> str:
    (found,) = re.findall(r"<!-- tested: .*?-->\n```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def test_the_module_is_thirty_lines() -> None:
    body = program().partition("class Transformer")[2].partition("\n\n\nmodel")[0]
    assert len(body.splitlines()) <= 30


@pytest.mark.parametrize("route", ROUTES)
def test_pytorch_computes_what_we_do(route: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    monkeypatch.chdir(tmp_path)
    chosen = [*cases()[::40], {"formula": "G (a -> (b U c)) & sH (a <-> Y b)", "alphabet": "abc"}]
    for case in chosen:
        made = compiled(case["formula"], case["alphabet"], route)
        Path("g.npz").write_bytes(npz_bytes(made.transformer))
        names: dict[str, Any] = {}
        source = program().replace('"abbc"', repr(case["alphabet"]))
        exec(source, names)  # noqa: S102
        model = names["Transformer"]("g.npz")
        for n in (1, 2, 40):
            words = long_strings(list(case["alphabet"])[:3], n, 0)
            theirs = model(torch.from_numpy(tokens(case["alphabet"], words))).numpy()
            assert np.isin(theirs, (0.0, 1.0)).all()
            assert ((theirs > 0.5) == run(runner(made.transformer), words).soft).all()
