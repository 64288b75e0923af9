"""Reading JSON output strictly, and holding it against the schema that ships."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from jsonschema import Draft202012Validator

SCHEMA = json.loads(files("verifier.report").joinpath("schema.json").read_text(encoding="utf-8"))


def validate(document: Any, shape: str | None = None) -> None:
    """Against the whole schema, or against one of its shapes."""
    wanted = SCHEMA if shape is None else {"$ref": f"#/$defs/{shape}", "$defs": SCHEMA["$defs"]}
    Draft202012Validator(wanted).validate(document)


def read(text: str) -> Any:
    """Parse one document, without the constants that Python's parser would let pass."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is not JSON")

    return json.loads(text, parse_constant=refuse)
