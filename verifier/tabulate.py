"""What each construction needs and achieves: the rows of `verify table`, which reproduces what the paper tabulates."""

from __future__ import annotations

from dataclasses import dataclass, replace

from verifier.execute.supremum import NoSupremum, affordable, supremum
from verifier.prove.balls import Unsettled, precision
from verifier.prove.budget import Bound
from verifier.prove.proof import prove
from verifier.spec.construction import Construction, Simulation
from verifier.symbolic.factor import key_dimension
from verifier.symbolic.needs import Needs, needs


@dataclass(frozen=True)
class TableRow:
    """One simulation of one construction.

    Args:
        computes: what it is claimed to compute, or its title where that is no formula.
        needs: position features and temperature.
        every_n: whether its claim is proved for every n.
        bound: the proved bound R/(1 + R) at the table's n, or None.
        supremum: the exact supremum there, or None.
    """

    construction: str
    simulation: str
    computes: str
    needs: Needs
    every_n: bool
    bound: float | None
    supremum: float | None

    @property
    def ratio(self) -> float | None:
        """Bound over supremum: 1 where the bound is sharp."""
        if self.bound is None or not self.supremum:
            return None
        return self.bound / self.supremum


def table_row(construction: Construction, simulation: Simulation, n: int) -> TableRow:
    """Prove one simulation and put its bound beside the exact supremum at length n."""
    ranged = replace(construction, ranged=True)
    proof = prove(ranged, simulation, n)
    dimension = proof.factorization.key_dimension
    bound: float | None = None
    if proof.total is not None:
        with precision():
            try:
                bound = float(Bound(construction, simulation, proof.total, dimension).greatest(n).mid())
            except Unsettled:
                bound = None
    exact: float | None = None
    if affordable(construction, simulation, n):
        found = supremum(construction, simulation, n, key_dimension=key_dimension)
        exact = None if isinstance(found, NoSupremum) else found.error
    return TableRow(
        construction=construction.name,
        simulation=simulation.name,
        computes=construction.claim.computes_text or construction.title,
        needs=needs(construction, simulation),
        every_n=proof.every_n,
        bound=bound,
        supremum=exact,
    )
