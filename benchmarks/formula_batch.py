"""Many strings through a compiled formula: time and peak memory.

    python benchmarks/formula_batch.py [--strings 1000] [--length 1000] [--operators 200]

First a formula of depth 3 on a batch of random strings: the softmax transformer, the hard one and the semantics, as
`verify formula --strings` runs them. Then how long a formula with many operators takes to compile and to prove.
"""

from __future__ import annotations

import argparse
import resource
import time

import numpy as np

from verifier.compile.compiler import compile_formula, compile_text
from verifier.compile.run import run, runner
from verifier.compile.verify import prove_formula
from verifier.logic.syntax import Atom, Binary, Formula, size, temporal_depth

FORMULA = "G (a -> (b U (c & Y a)))"
ROUTES = ("temperature", "position-embedding")
OPERATORS = ("U", "S", "&", "sU", "->", "sS", "<->", "|")


def balanced(operators: int) -> Formula:
    """A formula over abc with so many binary operators, most of its subformulas different."""
    layer: list[Formula] = [Atom("abc"[at * at % 3]) for at in range(operators + 1)]
    made = 0
    while len(layer) > 1:
        pairs = [
            Binary(OPERATORS[(made + at) % len(OPERATORS)], layer[2 * at], layer[2 * at + 1])
            for at in range(len(layer) // 2)
        ]
        made += len(pairs)
        layer = [*pairs, *layer[2 * len(pairs) :]]
    return layer[0]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strings", type=int, default=1000)
    parser.add_argument("--length", type=int, default=1000)
    parser.add_argument("--operators", type=int, default=200)
    asked = parser.parse_args()
    random = np.random.default_rng(0)
    words = ["".join(row) for row in random.choice(list("abc"), (asked.strings, asked.length))]
    for route in ROUTES:
        ready = runner(compile_text(FORMULA, "abc", route).transformer)
        started = time.perf_counter()
        outcome = run(ready, words)
        seconds = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{FORMULA}, {route}: {asked.strings} strings of length {asked.length} in {seconds:.2f} s, ", end="")
        print(f"{outcome.differences} differences, peak memory {peak:.0f} MB")
    formula = balanced(asked.operators)
    for route in ROUTES:
        started = time.perf_counter()
        compiled = compile_formula(formula, "abc", route)
        made = time.perf_counter() - started
        proof = prove_formula(compiled, 100)
        proved = time.perf_counter() - started - made
        transformer = compiled.transformer
        print(f"size {size(formula)}, temporal depth {temporal_depth(formula)}, {route}: ", end="")
        print(f"{transformer.heads} heads, ", end="")
        print(f"width {transformer.width}: compiled in {made:.2f} s, ", end="")
        print(f"proved for every n in {proved:.2f} s" if proof.every_n else "NOT PROVED")


if __name__ == "__main__":
    main()
