"""A commented construction file to start from."""

from __future__ import annotations

import re
from importlib import resources

from verifier.spec.errors import SpecError
from verifier.spec.loader import LONGEST_NAME, NAME


def template(name: str) -> str:
    """The text of a construction file of this name, which is valid and proved as it stands.

    Raises:
        SpecError: no construction can have this name.
    """
    if not NAME.match(name) or len(name) > LONGEST_NAME:
        shown = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
        raise SpecError(
            f"expected a name of lower-case letters, digits and hyphens, such as 'strict-until', found '{shown}'"
        )
    text = resources.files(__package__).joinpath("template.toml").read_text(encoding="utf-8")
    # The comment beside the name stays where it is.
    return re.sub(r'^(name +=) "template"( +)', lambda found: _renamed(found, name), text, count=1, flags=re.MULTILINE)


def _renamed(found: re.Match[str], name: str) -> str:
    blanks = max(1, len(found[2]) + len("template") - len(name))
    return f'{found[1]} "{name}"{" " * blanks}'
