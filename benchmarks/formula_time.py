"""How the time to run a compiled formula grows with n: our scans, our dense attention, onnxruntime, PyTorch.

All run the same weights on the same strings in this one process, one after the other, and must agree at every position:

    python benchmarks/formula_time.py [--longest 4096] [--threads 2] [--formula 'G (a -> (b U c))']

One line per length and executor: seconds for one string (the best of several runs), and the exponent by which the time
grew since the length before: about 1 is linear, about 2 quadratic. An executor is left out where its package is not
installed, and beyond the length at which its n² scores would need more than `MOST_SCORES` numbers.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from verifier.compile.attention import dense, soft
from verifier.compile.compiler import compile_text
from verifier.compile.run import Runner, output, runner
from verifier.export.files import npz_bytes
from verifier.export.onnx_check import session, tokens
from verifier.export.onnx_graph import onnx_bytes

FORMULA = "G (a -> (b U c)) & H (a -> Y b)"
ALPHABET = "abc"
MOST_SCORES = 1 << 26
LOADER = Path(__file__).parent.parent / "docs" / "export.md"
Executor = Callable[[str], np.ndarray[Any, Any]]


def executors(ready: Runner, threads: int) -> dict[str, Executor]:
    """Everything that can run the transformer, by name; each gives the truth value at each position."""
    found: dict[str, Executor] = {
        "scan": lambda word: output(ready, [word], soft)[0][0] > 0.5,
        "dense": lambda word: output(ready, [word], dense)[0][0] > 0.5,
    }
    try:
        runtime = session(onnx_bytes(ready.transformer), threads)
        found["onnxruntime"] = lambda word: runtime.run(["value"], {"tokens": tokens(ALPHABET, [word])})[0][0]
    except RuntimeError as missing:
        print(f"# without onnxruntime: {missing}", file=sys.stderr)
    try:
        found["torch"] = torch_executor(ready, threads)
    except ImportError:
        print("# without PyTorch: it is not installed", file=sys.stderr)
    return found


def torch_executor(ready: Runner, threads: int) -> Executor:
    """The module of docs/export.md, on the same weights."""
    import torch  # noqa: PLC0415

    torch.set_num_threads(threads)
    (source,) = re.findall(r"```python\n(import json\n.*?)\n\n\nmodel", LOADER.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "weights.npz"
        file.write_bytes(npz_bytes(ready.transformer))
        model = names["Transformer"](str(file))
    return lambda word: model(torch.from_numpy(tokens(ALPHABET, [word]))).numpy()[0] > 0.5


def best(run: Executor, word: str) -> tuple[float, np.ndarray[Any, Any]]:
    """The shortest time of several runs, and the result."""
    shortest, spent = math.inf, 0.0
    result = np.zeros(0)
    for _ in range(5):
        started = time.perf_counter()
        result = run(word)
        seconds = time.perf_counter() - started
        shortest, spent = min(shortest, seconds), spent + seconds
        if spent > 3:
            break
    return shortest, result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formula", default=FORMULA)
    parser.add_argument("--longest", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--route", default="temperature")
    asked = parser.parse_args()
    ready = runner(compile_text(asked.formula, ALPHABET, asked.route).transformer)
    transformer = ready.transformer
    print(f"# {asked.formula}, {asked.route}: depth {transformer.depth}, {transformer.heads} heads, ", end="")
    print(f"width {transformer.width}; numpy {np.__version__}, {asked.threads} threads")
    random = np.random.default_rng(0)
    before: dict[str, tuple[int, float]] = {}
    n = 64
    while n <= asked.longest:
        word = "".join(random.choice(list(ALPHABET), n))
        expected: np.ndarray[Any, Any] | None = None
        for name, run in executors_at(ready, asked.threads, n).items():
            seconds, result = best(run, word)
            expected = result if expected is None else expected
            assert (result == expected).all(), f"{name} differs at n = {n}"
            last = before.get(name)
            grown = "" if last is None else f"{math.log(seconds / last[1]) / math.log(n / last[0]):5.2f}"
            before[name] = (n, seconds)
            print(f"{n:8}  {name:12} {seconds:10.5f} s  {grown}")
        n *= 4


_EXECUTORS: dict[str, Executor] = {}


def executors_at(ready: Runner, threads: int, n: int) -> dict[str, Executor]:
    """The executors that can run a string of this length."""
    if not _EXECUTORS:
        _EXECUTORS.update(executors(ready, threads))
    heads = max((len(layer.masks) for layer in ready.transformer.attention_layers()), default=1)
    quadratic = heads * n * n <= MOST_SCORES
    return {name: run for name, run in _EXECUTORS.items() if name == "scan" or quadratic}


if __name__ == "__main__":
    main()
