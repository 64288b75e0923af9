"""Coverage-guided fuzzing of what reads untrusted text: construction files, expressions and temporal formulas.

Not part of the normal test run: it needs `atheris` from the package index. Run `python tests/fuzz/fuzz_spec.py
-max_total_time=600 CORPUS`, where CORPUS is a folder to keep what it finds (the library's files are added to it).
Anything but a `SpecError` or a `FormulaError` with a message of one line is a finding, and so is an input that takes
longer than libFuzzer's `-timeout`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["verifier", "lark", "tomllib"]):
    from verifier.logic.errors import FormulaError
    from verifier.logic.parser import parse as parse_formula
    from verifier.spec.errors import SpecError
    from verifier.spec.loader import construct
    from verifier.spec.parser import parse
    from verifier.spec.printer import to_text
    from verifier.spec.source import decode
    from verifier.spec.types import Scope, Type

SCOPE = Scope(
    {"n": Type.INTEGER, "i": Type.INTEGER, "j": Type.INTEGER, "c": Type.REAL},
    {"phi": (Type.BOOLEAN, 1), "k": (Type.INTEGER, 1), "s": (Type.REAL, 2)},
    ("i", "j"),
    selected=True,
)


def one_input(data: bytes) -> None:
    """The first byte says what the rest is read as."""
    kind, rest = data[:1], data[1:]
    try:
        if kind in (b"e", b"f"):
            _text(kind, rest.decode("utf-8", "surrogateescape"))
        else:
            construct(decode(data, "file.toml"), {"c": "3"} if len(data) % 2 else None)
    except SpecError as error:
        _demand_message(str(error), error.excerpt())
    except FormulaError as error:
        _demand_message(str(error), error.excerpt())


def _text(kind: bytes, text: str) -> None:
    if kind == b"f":
        parse_formula(text, ("a", "b"))
        return
    typed = parse(text, SCOPE)
    shown = to_text(typed.expr)
    # What is printed is longer where parentheses are added, and so may exceed the limit on a text's length.
    if len(shown) <= len(text):
        assert to_text(parse(shown, SCOPE).expr) == shown


def _demand_message(message: str, excerpt: str | None) -> None:
    assert message.strip(), "an empty message"
    assert excerpt is None or len(excerpt.splitlines()) == 2, excerpt


def _seeds(corpus: Path) -> None:
    corpus.mkdir(parents=True, exist_ok=True)
    for file in (Path(__file__).resolve().parents[2] / "constructions").glob("*.toml"):
        (corpus / file.name).write_bytes(file.read_bytes())
    expressions = (
        "c*(2*n*[selected] - j)",
        "phi(i) or not phi(j) and j <= i < n",
        "2^(-j)/ln(3) + max(k(i) mod 2, s(i,j))",
    )
    for number, text in enumerate(expressions):
        (corpus / f"expression-{number}").write_text(f"e{text}", encoding="utf-8")
    (corpus / "formula").write_text("f(X a U (b sS !a)) <-> G true", encoding="utf-8")


if __name__ == "__main__":
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    if folders:
        _seeds(Path(folders[0]))
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()
