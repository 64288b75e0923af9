"""The constraints that CI installs under: complete, exact, and within what pyproject.toml permits."""

from __future__ import annotations

import os
import subprocess
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]


def constraints() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("==") for line in lines if not line.startswith("#")]
    return {canonicalize_name(name): version for name, version in pairs}


def test_what_is_required_is_pinned_within_its_range() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    pinned = constraints()
    every = [*project["dependencies"], *(text for extra in extras.values() for text in extra)]
    for requirement in map(Requirement, every):
        if requirement.name == project["name"]:  # another extra of this project
            continue
        assert requirement.specifier.contains(pinned[canonicalize_name(requirement.name)]), requirement


def test_the_script_is_one() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    subprocess.run(["bash", "-n", script], check=True)
