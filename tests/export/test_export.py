"""Exported files: the graph in onnxruntime at every position, the arrays as documented, files whole or not at all."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.compile.helpers import ROUTES, WORST, cases, compiled, validate, weights, worst_string
from verifier.cli import main
from verifier.compile.run import runner
from verifier.compile.strings import long_strings, short_strings
from verifier.export.arrays import MASKS, arrays, metadata
from verifier.export.files import MissingPackageError, npz_bytes, safetensors_bytes, write_whole

DOCS = Path(__file__).parent.parent.parent / "docs" / "export.md"
TEXT = "G (a -> (b U c)) & sH (a <-> Y b)"
EVERY = "((a U b) | (a S b)) & ((a sU c) | (a sS c)) <-> X a & Y b & F c & !G a & O b & H !c"

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

from verifier.export.onnx_check import compare, session, tokens  # noqa: E402
from verifier.export.onnx_graph import onnx_bytes  # noqa: E402


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_onnxruntime_agrees_on_every_handed_case(case: dict[str, Any], route: str) -> None:
    transformer = compiled(case["formula"], case["alphabet"], route).transformer
    executor = session(onnx_bytes(transformer), threads=1)
    found = executor.run(["output", "value"], {"tokens": tokens(case["alphabet"], [case["string"]])})
    assert found[1][0].tolist() == case["values"]
    assert found[0][0].tolist() == [float(value) for value in case["values"]]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("text", [TEXT, EVERY, "a", "true", "a & !a", "G false", "X true"])
def test_onnxruntime_agrees_on_short_and_extreme_strings(text: str, route: str, dtype: str) -> None:
    transformer = compiled(text, "abc", route).transformer
    batches, _ = short_strings("abc", 5)
    batches += [long_strings("abc", n, 1) for n in (7, 64, 301)]
    agreement = compare(onnx_bytes(transformer, dtype), runner(transformer), batches)
    assert agreement.differences == 0
    assert agreement.strings == sum(map(len, batches))


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("op", WORST)
def test_onnxruntime_agrees_on_the_strings_that_are_worst_in_exact_arithmetic(op: str, route: str) -> None:
    transformer = compiled(WORST[op], "abcd", route).transformer
    batches = [[worst_string(op, route, n)[0]] for n in (2, 3, 9, 64, 200)]
    agreement = compare(onnx_bytes(transformer), runner(transformer), batches)
    assert (agreement.strings, agreement.differences) == (5, 0)


def test_a_wrong_graph_is_noticed() -> None:
    right = compiled("a U b", "ab", "temperature").transformer
    wrong = compiled("a S b", "ab", "temperature").transformer
    batches, _ = short_strings("ab", 4)
    agreement = compare(onnx_bytes(wrong), runner(right), batches)
    assert agreement.differences > 0
    assert agreement.example


def test_soft_values_are_inside_the_graph_not_hard_ones() -> None:
    """The attention weights are those of softmax: on its worst string the head errs, and rounding repairs it."""
    model = onnx.load_from_string(onnx_bytes(compiled("O a", "ab", "temperature").transformer))
    softmax = next(node for node in model.graph.node if node.op_type == "Softmax")
    model.graph.output.append(onnx.helper.make_empty_tensor_value_info(softmax.output[0]))
    executor = session(model.SerializeToString())
    row = executor.run([softmax.output[0]], {"tokens": tokens("ab", ["abbbbbbb"])})[0][0, 0, -1]
    n = 8
    weight = 1 / (1 + (n - 1) * np.exp(-2) / n)
    assert row[0] == pytest.approx(weight, abs=1e-12)


def test_acceptance() -> None:
    for text, expected in (("O b", [True, False]), ("F b", [True, False]), ("Y b", [False, False])):
        transformer = compiled(text, "ab", "temperature").transformer
        executor = session(onnx_bytes(transformer))
        assert executor.run(["accepted"], {"tokens": tokens("ab", ["ba", "aa"])})[0].tolist() in (
            [expected] if text != "Y b" else [[True, False]]
        )


def test_the_graph_is_the_same_each_time() -> None:
    transformer = compiled(TEXT, "abc", "temperature").transformer
    assert onnx_bytes(transformer) == onnx_bytes(transformer)


def test_the_arrays_are_the_weights() -> None:
    transformer = compiled(TEXT, "abc", "position-embedding").transformer
    found = arrays(transformer, "float32")
    for name, matrix in weights(transformer).items():
        key = {"embedding": "embedding", "readout": "readout.weight"}.get(name, f"layers.{name}")
        assert found[key].dtype == np.float32
        assert np.array_equal(found[key], matrix)


def test_a_weight_that_is_not_exact_is_refused() -> None:
    from dataclasses import replace

    transformer = compiled("a", "ab", "temperature").transformer
    broken = replace(transformer, embedding=transformer.embedding + 1e-9)
    arrays(broken, "float64")
    with pytest.raises(ValueError, match="exact in float32"):
        arrays(broken, "float32")


def test_npz_and_safetensors_hold_the_same() -> None:
    from safetensors.numpy import load

    transformer = compiled(TEXT, "abc", "temperature").transformer
    expected = arrays(transformer)
    loaded = np.load(io.BytesIO(npz_bytes(transformer)), allow_pickle=False)
    assert set(loaded.files) == {*expected, "metadata"}
    assert json.loads(loaded["metadata"].item()) == metadata(transformer)
    tensors = load(safetensors_bytes(transformer))
    assert set(tensors) == set(expected)
    for name, array in expected.items():
        assert np.array_equal(loaded[name], array)
        assert np.array_equal(tensors[name], array)


def test_every_array_and_every_metadata_key_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    documented = set(re.findall(r"`([a-z_.L]+)`", text))
    for name in arrays(compiled(TEXT, "abc", "temperature").transformer):
        general = re.sub(r"layers\.\d+", "layers.L", name)
        assert general in documented or general.removeprefix("layers.L") in documented
    assert set(metadata(compiled(TEXT, "abc", "temperature").transformer)) <= documented
    assert [f"{at}: {mask}" for at, mask in enumerate(MASKS)][1:] == [
        f"{at}: {mask}" for at, mask in enumerate(("j <= i", "j < i", "j >= i", "j > i"), 1)
    ]


def test_files_are_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "g.npz"
    write_whole(target, b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_devices_and_folders_are_not_replaced(tmp_path: Path) -> None:
    for path in (Path("/dev/null"), tmp_path):
        with pytest.raises(OSError, match="not a regular file"):
            write_whole(path, b"x")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        write_whole(pipe, b"x")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["export", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_command_writes_all_three(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {kind: tmp_path / f"g.{kind}" for kind in ("onnx", "npz", "safetensors")}
    options = [part for kind, file in files.items() for part in (f"--{kind}", str(file))]
    code, out, err = run(capsys, "G (a -> F b)", "--alphabet", "ab", *options, "--format", "json")
    assert (code, err) == (0, "")
    document = json.loads(out)
    validate(document, "verifier.export")
    assert document["formula"] == "G (a -> F b)"
    assert document["onnxruntime"]["differences"] == 0
    assert {one["file"]: one["bytes"] for one in document["files"]} == {
        str(file): file.stat().st_size for file in files.values()
    }
    transformer = compiled("G (a -> F b)", "ab", "temperature").transformer
    assert files["onnx"].read_bytes() == onnx_bytes(transformer)


def test_a_graph_that_onnxruntime_disputes_is_not_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = onnx_bytes(compiled("a S b", "ab", "temperature").transformer)
    monkeypatch.setattr("verifier.export.onnx_graph.onnx_bytes", lambda transformer, dtype: wrong)
    target = tmp_path / "g.onnx"
    code, out, err = run(capsys, "a U b", "--alphabet", "ab", "--onnx", str(target))
    assert code == 3
    assert "differ on" in err
    assert "DIFFER" in out
    assert not target.exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected at least one of --onnx FILE"),
        (("--onnx", ""), "--onnx: expected the name of a file"),
        (("--onnx", "/nonexistent/g.onnx"), "--onnx: cannot write /nonexistent/g.onnx: No such file"),
        (("--npz", "/dev/null"), "--npz: cannot write /dev/null: not a regular file"),
        (("--npz", "g", "--onnx", "g"), "expected different files"),
        (("--npz", "g", "--dtype", "float16"), "--dtype: expected float64 or float32"),
        (("--npz", "g", "--route", "x"), "--route: expected"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "F a", "--alphabet", "ab", *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_a_missing_package_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from verifier.export import files

    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(files, "import_module", missing)
    code, _, err = run(capsys, "a", "--alphabet", "ab", "--safetensors", str(tmp_path / "g"))
    assert code == 2
    assert "pip install 'hard-attention-verifier[onnx]'" in err
    with pytest.raises(MissingPackageError):
        safetensors_bytes(compiled("a", "ab", "temperature").transformer)
