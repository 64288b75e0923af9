"""Running a construction on one string that a user gives: outputs at every position and whole attention matrices."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from verifier.execute import heads
from verifier.execute.batch import Batch, scalar
from verifier.spec.construction import Construction, Input, InputKind, Simulation
from verifier.spec.errors import SpecError
from verifier.symbolic.factor import key_dimension

LONGEST = 2_000
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class StringRun:
    """One string through one simulation.

    Args:
        batch: the string, a batch of one.
        soft, hard: the outputs at 1..n; `claimed` what the claim computes there, or None.
        soft_weights, hard_weights: attention, [n, keys]; 0 where a key is not visible.
        values: v(j) at every key.
    """

    construction: Construction
    simulation: Simulation
    batch: Batch
    soft: Floats
    hard: Floats
    claimed: Floats | None
    soft_weights: Floats
    hard_weights: Floats
    values: Floats


def parse_string(construction: Construction, text: str) -> Batch:
    """The string that a text such as ``phi=0110 psi=1010`` describes.

    Boolean inputs are written as digits 0 and 1, numeric ones as numbers between commas, given scores as rows between
    semicolons, one for each query.

    Raises:
        SpecError: names the input, what was expected, and what was found.
    """
    parts: dict[str, str] = {}
    for part in text.split():
        name, equals, value = part.partition("=")
        if not equals or not value or name in parts:
            raise SpecError(f"--string: expected one NAME=VALUES for each input, such as phi=0110, found '{part[:40]}'")
        parts[name] = value
    names = [given.name for given in construction.inputs]
    if sorted(parts) != sorted(names):
        raise SpecError(f"--string: expected values for {', '.join(names)}, found {', '.join(parts) or 'none'}"[:300])
    read = {given.name: _values(given, parts[given.name]) for given in construction.inputs}
    lengths = {len(values) for values in read.values()}
    if len(lengths) != 1:
        raise SpecError(f"--string: expected the same length for every input, found {sorted(lengths)}")
    n = lengths.pop()
    if not 1 <= n <= LONGEST:
        raise SpecError(f"--string: expected from 1 to {LONGEST} positions, found {n}")
    inputs = {given.name: _array(construction, given, read[given.name], n) for given in construction.inputs}
    return Batch(n, construction.first_key, inputs)


def _values(given: Input, text: str) -> list[list[float]]:
    """One entry for each position; for given scores one row for each query."""
    if given.kind is InputKind.BOOLEAN:
        wrong = next((symbol for symbol in text if symbol not in "01"), None)
        if wrong is not None:
            raise SpecError(f"--string: {given.name} is Boolean: expected digits 0 and 1, found '{wrong[:1]}'")
        return [[float(digit)] for digit in text]
    rows = text.split(";") if given.kind is InputKind.SCORE else text.split(",")
    return [[_number(given, entry) for entry in row.split(",")] for row in rows]


def _number(given: Input, text: str) -> float:
    try:
        value = Fraction(text) if len(text) <= 40 and "e" not in text.lower() else None
    except (ValueError, ZeroDivisionError):
        value = None
    if value is None or (given.kind is InputKind.INTEGER and value.denominator != 1):
        wanted = "an integer" if given.kind is InputKind.INTEGER else "a number such as 0.5 or 1/3"
        raise SpecError(f"--string: {given.name}: expected {wanted}, found '{text[:40]}'")
    if given.kind is InputKind.REAL and not 0 <= value <= 1:
        raise SpecError(f"--string: {given.name}: expected numbers from 0 to 1, found {text[:40]}")
    return float(value)


def _array(construction: Construction, given: Input, values: list[list[float]], n: int) -> NDArray[np.generic]:
    keys = n + 1 - construction.first_key
    if given.kind is InputKind.SCORE:
        if any(len(row) != keys for row in values):
            raise SpecError(f"--string: {given.name}: expected {n} rows of {keys} scores each, between semicolons")
        return np.array([values], dtype=np.float64)
    own = [row[0] for row in values]
    if given.kind is InputKind.INTEGER:
        assert given.low is not None and given.high is not None
        low, high = (scalar(construction, f"the range of {given.name}", end, n) for end in (given.low, given.high))
        if not all(low <= value <= high for value in own):
            raise SpecError(f"--string: {given.name}: expected integers from {low:.0f} to {high:.0f}")
    padded = [0.0] * (1 - construction.first_key) + own
    return np.array([padded], dtype=bool if given.kind is InputKind.BOOLEAN else np.float64)


def run_string(construction: Construction, simulation: Simulation, batch: Batch) -> StringRun:
    """Run one string; raises ExecutionError where a head has no value."""
    n, keys = batch.n, len(batch.keys)
    soft_weights, hard_weights, values = np.zeros((n, keys)), np.zeros((n, keys)), np.zeros(keys)
    for query in range(1, n + 1):
        row = heads.attention_rows(construction, simulation, batch, query, key_dimension=key_dimension)
        places = row.keys - construction.first_key
        soft_weights[query - 1, places], hard_weights[query - 1, places] = row.soft, row.hard
        values[places] = row.values
    soft = heads.soft_outputs(construction, simulation, batch, key_dimension=key_dimension)[0]
    hard = heads.hard_outputs(construction, simulation, batch)[0]
    claimed = heads.claimed_outputs(construction, batch)
    return StringRun(
        construction,
        simulation,
        batch,
        soft,
        hard,
        None if claimed is None else claimed[0],
        soft_weights,
        hard_weights,
        values,
    )
