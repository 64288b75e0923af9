"""Certificates for Coq's kernel: a generated theory with the construction it is about, and its compilation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verifier.cli import output
from verifier.cli.exit_codes import exit_code
from verifier.spec.errors import SpecError

if TYPE_CHECKING:
    from verifier.coq.compile import CompileResult
    from verifier.coq.theory import CoqTheory
    from verifier.spec.construction import Construction

ABOUT = "coq.json"
SOURCE = "construction.toml"
LARGEST_FILE = 5_000_000


def certify_construction(loaded: Construction, simulation: str | None, target: Path, *, as_json: bool) -> int:
    """Write the theory of a construction, with what it takes to generate it again."""
    from verifier.coq.emit import emit

    theory = emit(loaded, simulation)
    about = {"parameters": {one.name: str(one.value) for one in loaded.parameters}, "simulation": simulation}
    return _write(theory, target, about, {SOURCE: loaded.text.encode()}, as_json=as_json)


def certify_formula(text: str, route: str | None, target: Path, *, as_json: bool) -> int:
    """Write the composed theorem of a formula: its compiled soft transformer computes it on every string."""
    theory = _composed(text, route)
    return _write(theory, target, {"formula": text, "route": route}, {}, as_json=as_json)


def _write(theory: CoqTheory, target: Path, about: dict[str, Any], files: dict[str, bytes], *, as_json: bool) -> int:
    from verifier.certify.write import write

    described = (json.dumps(about, indent=2) + "\n").encode()
    write(target, {**files, ABOUT: described, f"{theory.module}.v": theory.text.encode()})
    unproved = {one.name: one.unproved for one in theory.unproved}
    if as_json:
        from verifier.report.json_report import dumps

        theorems = [one.name for one in theory.theorems if one.proof is not None]
        output.emit(dumps({"directory": str(target), "theorems": theorems, "unproved": unproved}))
    else:
        lines = [f"{target}: {len(theory.theorems) - len(unproved)} theorems with their proofs"]
        lines += [f"no proof of {name}: {reason}" for name, reason in unproved.items()]
        output.emit("".join(f"{line}\n" for line in [*lines, f"compile them by: verify recheck --coq {target}"]))
    return 0


def recheck(directory: Path, *, as_json: bool) -> int:
    """Generate the theory again from what it is about, demand the very same text, and compile it.

    Raises:
        SpecError: the folder is no such certificate, or Coq is not there.
    """
    from verifier.coq.compile import recheck as compile_again
    from verifier.coq.toolchain import Toolchain, Unavailable

    theory = _theory(directory)
    text = _read(directory / f"{theory.module}.v").decode("utf-8", "replace")
    try:
        toolchain = Toolchain.find(composed=theory.composed)
    except Unavailable as error:
        raise SpecError(f"--coq: {error}") from None
    found = compile_again(theory, text, toolchain)
    output.emit(_json(found) if as_json else _text(found))
    return exit_code(found.verdict)


def _theory(directory: Path) -> CoqTheory:
    from verifier.coq.emit import emit
    from verifier.spec.loader import construct
    from verifier.spec.source import decode

    try:
        about = json.loads(_read(directory / ABOUT))
    except (ValueError, RecursionError):
        raise SpecError("expected JSON", file=str(directory / ABOUT)) from None
    match about:
        case {"formula": str(text), "route": str() | None as route}:
            return _composed(text, route)
        case {"parameters": dict(given), "simulation": str() | None as simulation}:
            file = directory / SOURCE
            parameters = {str(name): str(value) for name, value in given.items()}
            return emit(construct(decode(_read(file), str(file)), parameters), simulation)
    raise SpecError("expected a formula and a route, or parameters and a simulation", file=str(directory / ABOUT))


def _composed(text: str, route: str | None) -> CoqTheory:
    """The composed theorem of a formula; raises SpecError where the text is no formula, or there is no such route."""
    from verifier.cli.strings import formula_errors
    from verifier.coq.composed import ROUTES, emit_formula
    from verifier.logic.parser import parse

    if route is not None and route not in ROUTES:
        raise SpecError(f"--simulation: expected {', '.join(ROUTES)} or all, found '{route[:40]}'")
    with formula_errors():
        return emit_formula(parse(text), route)


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            raw = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror or error}", file=str(path)) from None
    if len(raw) > LARGEST_FILE:
        raise SpecError(f"expected at most {LARGEST_FILE} bytes", file=str(path))
    return raw


def _json(found: CompileResult) -> str:
    from verifier.report.json_report import dumps

    return dumps({
        "construction": found.name, "verdict": found.verdict.value, "trust": "kernel", "reason": found.reason,
        "theorems": {name: list(axioms) for name, axioms in found.theorems.items()}, "unproved": dict(found.unproved),
        "seconds": found.seconds,
    })  # fmt: skip


def _text(found: CompileResult) -> str:
    lines = [f"{found.name}: {found.verdict.value} by Coq's kernel, {len(found.theorems)} theorems"]
    lines += [f"  {name}" for name in found.theorems]
    lines += [f"  axioms: {axiom}" for axiom in sorted({one for each in found.theorems.values() for one in each})]
    lines += [f"  not proved: {name}: {reason}" for name, reason in found.unproved.items()]
    return "".join(f"{line}\n" for line in [*lines, *([f"  {found.reason}"] if found.reason else [])])
