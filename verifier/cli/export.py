"""The command that writes a formula's transformer for other programs."""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli import options, output
from verifier.cli.formula import ROUTES, Alphabet, Formula, Route
from verifier.spec.errors import SpecError
from verifier.verdict import Verdict

if TYPE_CHECKING:
    from verifier.compile.transformer import Transformer
    from verifier.export.onnx_check import Agreement

OnnxFile = Annotated[str | None, typer.Option("--onnx", metavar="FILE", help="Write a standard ONNX graph.")]
NpzFile = Annotated[str | None, typer.Option("--npz", metavar="FILE", help="Write the weights as an npz file.")]
SafetensorsFile = Annotated[
    str | None, typer.Option("--safetensors", metavar="FILE", help="Write the weights as a safetensors file.")
]
Dtype = Annotated[
    str, typer.Option("--dtype", metavar="float64|float32", help="The number format of weights and graph.")
]
LONGEST_CHECKED = 128
# What is wrong with a path, rather than with the machine.
_USAGE = frozenset((errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS,
                    errno.EINVAL, errno.ENAMETOOLONG, errno.ELOOP))  # fmt: skip


def export(
    text: Formula,
    *,
    alphabet: Alphabet,
    route: Route = "temperature",
    onnx: OnnxFile = None,
    npz: NpzFile = None,
    safetensors: SafetensorsFile = None,
    dtype: Dtype = "float64",
    format_: options.Format = "text",
) -> int:
    """Write the transformer of a formula as ONNX, npz or safetensors.

    Such as `verify export 'G (a -> F b)' --alphabet ab --onnx g.onnx`. The ONNX graph is run in onnxruntime, if
    that is installed, and is only written if it agrees. `verify formula` proves the same transformer.
    """
    from verifier.cli.strings import formula_errors

    as_json = options.choice("--format", format_, ("text", "json")) == "json"
    options.choice("--route", route, ROUTES)
    options.choice("--dtype", dtype, ("float64", "float32"))
    targets = {"onnx": onnx, "npz": npz, "safetensors": safetensors}
    files = {kind: file for kind, file in targets.items() if file is not None}
    if not files:
        raise SpecError("expected at least one of --onnx FILE, --npz FILE, --safetensors FILE")
    _demand_distinct(files)
    from verifier.compile.compiler import compile_text

    with formula_errors():
        transformer = compile_text(text, alphabet, route).transformer
    contents = {kind: _content(kind, transformer, dtype) for kind in files}
    agreement = _agreement(transformer, contents["onnx"]) if "onnx" in contents else None
    if agreement is not None and agreement.differences:
        verdict = Verdict.UNDECIDED
        output.say(f"onnxruntime and our runner differ on {agreement.example!a}; nothing was written")
    else:
        verdict = Verdict.PROVED
        for kind, file in files.items():
            _write(kind, file, contents[kind])
    output.emit(_report(transformer, files if verdict is Verdict.PROVED else {}, contents, agreement, as_json=as_json))
    return 0 if verdict is Verdict.PROVED else 3


def _demand_distinct(files: Mapping[str, str]) -> None:
    for kind, file in files.items():
        if not file:
            raise SpecError(f"--{kind}: expected the name of a file, found ''")
    if len({str(Path(file).absolute()) for file in files.values()}) < len(files):
        raise SpecError("expected different files for --onnx, --npz and --safetensors")


def _content(kind: str, transformer: Transformer, dtype: str) -> bytes:
    from verifier.export.files import MissingPackageError, npz_bytes, safetensors_bytes
    from verifier.export.onnx_graph import onnx_bytes

    makers: Mapping[str, Callable[[Transformer, str], bytes]] = {
        "onnx": onnx_bytes, "npz": npz_bytes, "safetensors": safetensors_bytes,
    }  # fmt: skip
    try:
        return makers[kind](transformer, dtype)
    except MissingPackageError as error:
        raise SpecError(f"--{kind}: {error}") from None


def _agreement(transformer: Transformer, model: bytes) -> Agreement | None:
    """What onnxruntime says of the graph; None where it is not installed."""
    from verifier.compile.run import runner
    from verifier.compile.strings import lengths, long_strings, short_strings
    from verifier.export.files import MissingPackageError
    from verifier.export.onnx_check import compare

    batches, longest = short_strings(transformer.alphabet, 5)
    symbols = transformer.alphabet[:3]
    batches += [long_strings(symbols, n, 0) for n in lengths(longest + 1, LONGEST_CHECKED)]
    try:
        return compare(model, runner(transformer), batches)
    except MissingPackageError:
        return None


def _write(kind: str, file: str, content: bytes) -> None:
    from verifier.export.files import write_whole

    try:
        write_whole(Path(file), content)
    except ValueError as error:  # a NUL in the name
        raise SpecError(f"--{kind}: cannot write {file}: {error}") from None
    except OSError as error:
        if error.errno in _USAGE:
            raise SpecError(f"--{kind}: cannot write {file}: {error.strerror}") from None
        raise OSError(error.errno, error.strerror, file) from None


def _report(
    transformer: Transformer,
    files: Mapping[str, str],
    contents: Mapping[str, bytes],
    agreement: Agreement | None,
    *,
    as_json: bool,
) -> str:
    from verifier.logic.syntax import to_text

    formula = to_text(transformer.formula)
    if as_json:
        from dataclasses import asdict

        from verifier.report.json_report import dumps

        document: dict[str, Any] = {
            "formula": formula,
            "route": transformer.route,
            "files": [{"format": kind, "file": file, "bytes": len(contents[kind])} for kind, file in files.items()],
            "onnxruntime": None if agreement is None else asdict(agreement),
        }
        return dumps(document)
    lines = [f"{file}  {kind}, {len(contents[kind]):,} bytes" for kind, file in files.items()]
    if agreement is not None:
        what = f"{agreement.strings:,} strings, {agreement.positions:,} positions"
        found = "agree" if not agreement.differences else f"DIFFER at {agreement.differences:,} positions"
        lines.append(f"onnxruntime and our runner {found}: {what}")
    elif "onnx" in contents:
        lines.append("onnxruntime is not installed, so the graph was not run")
    from verifier.spec.errors import printable

    return "".join("".join(map(printable, line)) + "\n" for line in lines)
