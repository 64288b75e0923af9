"""The package itself loads no heavy library, so that start-up stays fast, and needs no other package here."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import verifier.logic

SOURCES = sorted(Path(verifier.logic.__file__).parent.glob("*.py"))


def test_the_package_loads_no_heavy_library() -> None:
    code = "import sys, verifier; old = {*sys.modules}; import verifier.logic; print(*{*sys.modules} - old)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "verifier.logic.syntax" in loaded
    assert loaded.isdisjoint({"z3", "lark", "numpy", "sympy"})


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_no_other_package_of_the_project_is_imported(source: Path) -> None:
    imported: list[str] = []
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            imported.append(str(node.module))
    assert all(name.startswith("verifier.logic") for name in imported if name.split(".")[0] == "verifier")


def test_every_module_is_looked_at() -> None:
    assert {"syntax", "parser", "words", "values", "first_order"} <= {source.stem for source in SOURCES}
