"""Both heads of a simulation on a batch of strings, by the fastest way there is, held against the claim."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from verifier.execute import heads, rounding, scan
from verifier.execute.batch import Batch, Floats, KeyDimension, Positions, Truths, scalar
from verifier.spec.construction import Construction, Simulation

DENSE = 1 << 21  # strings * queries * keys above which only some queries are run


@dataclass(frozen=True)
class Runner:
    """A simulation, with the separation of its score where there is one."""

    construction: Construction
    simulation: Simulation
    separation: scan.Separation | None
    key_dimension: KeyDimension | None = None


@dataclass(frozen=True)
class Run:
    """What the heads put out; all arrays have shape [batch, queries].

    Args:
        batch: the strings.
        queries: the positions that were run.
        error: |soft - hard|, and 0 in rows that the claim is not about.
        apart: |hard - what the claim computes|, likewise; None where it claims nothing.
        threshold: what an error must exceed to exceed the claimed one whatever rounding did; infinite where that is
            not known.
        excessive: where the error does.
        wrong: where the hard head differs from the claim by more than rounding can.
    """

    batch: Batch
    queries: Positions
    error: Floats
    apart: Floats | None
    threshold: float
    excessive: Truths
    wrong: Truths


def runner(
    construction: Construction, simulation: Simulation, key_dimension: KeyDimension | None = None
) -> Runner:
    """A runner of one simulation."""
    return Runner(construction, simulation, scan.separate(construction, simulation), key_dimension)


def chosen_queries(runner_: Runner, batch: Batch, wanted: tuple[int, ...] = ()) -> Positions:
    """All queries, where that is affordable; else the ends, the wanted ones, and some in between."""
    rows = DENSE // (batch.size * len(batch.keys))
    if runner_.separation is not None or rows >= batch.n:
        return batch.queries
    between = np.linspace(1, batch.n, max(2, rows)).astype(np.int64)
    return np.unique(np.concatenate([between, np.array(wanted, dtype=np.int64)]))


def run(runner_: Runner, batch: Batch, queries: Positions) -> Run:
    """Run both heads. Raises `ExecutionError` where an expression has no finite value."""
    construction, simulation, separation = runner_.construction, runner_.simulation, runner_.separation
    dimension = runner_.key_dimension
    if separation is not None:
        hard = scan.hard_outputs(construction, batch)
        soft = scan.soft_outputs(construction, simulation, separation, batch, key_dimension=dimension)
    else:
        hard = heads.hard_outputs(construction, simulation, batch, queries)
        soft = heads.soft_outputs(construction, simulation, batch, queries, key_dimension=dimension)
    meant = heads.admissible(construction, simulation, batch, queries)
    error = np.where(meant, np.abs(soft - hard), 0.0)
    claimed = heads.claimed_outputs(construction, batch)
    apart = None if claimed is None else np.where(meant, np.abs(hard - claimed[:, queries - 1]), 0.0)
    wrong = np.zeros_like(meant) if apart is None else apart > rounding.semantic_error(construction, batch.n)
    threshold = _threshold(runner_, batch)
    return Run(batch, queries, error, apart, threshold, error > threshold, wrong)


def _threshold(runner_: Runner, batch: Batch) -> float:
    construction, n = runner_.construction, batch.n
    claim = construction.claim.error.expr
    claim_rounding = rounding.enclose(claim, rounding.ranges(construction, n)).error
    return scalar(construction, "the claimed error", claim, n) + claim_rounding + allowance(runner_, batch)


def allowance(runner_: Runner, batch: Batch) -> float:
    """How far rounding can move an error."""
    construction, dimension = runner_.construction, 1
    if runner_.simulation.divide_by_sqrt_key_dimension and runner_.key_dimension is not None:
        dimension = runner_.key_dimension(construction, runner_.simulation)
    return rounding.output_error(construction, runner_.simulation, batch.n, dimension, batch.largest_score)
