"""What each construction needs and achieves: the rows of `verify table`, which reproduces what the paper tabulates."""

from __future__ import annotations

from dataclasses import dataclass, replace

from verifier.execute.supremum import NoSupremum, affordable, supremum
from verifier.prove.balls import Unsettled, precision
from verifier.prove.budget import Bound
from verifier.prove.proof import prove
from verifier.spec.construction import Construction, Simulation
from verifier.symbolic.factor import Factorization, factor, inverse_temperature_growth, key_dimension


@dataclass(frozen=True)
class Needs:
    """What a simulation asks of a transformer.

    Args:
        key_dimension: d_key; 0 where the score is no dot product.
        features: the position features, with their growth in n.
        temperature: the growth of 1/tau.
        fault: why the score is no dot product, if it is none.
    """

    key_dimension: int
    features: tuple[tuple[str, str], ...]
    temperature: str
    fault: str = ""

    @property
    def embedding(self) -> str:
        """The fastest growth among the position features: none, bounded, logarithmic, linear, ..."""
        order = ("bounded", "logarithmic", "linear", "quadratic", "cubic")
        growths = [growth for _, growth in self.features]
        known = [growth for growth in growths if growth in order]
        if len(known) < len(growths):
            return next(growth for growth in growths if growth not in order)
        return max(known, key=order.index, default="none")


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


def needs(construction: Construction, simulation: Simulation) -> Needs:
    """What a simulation asks of a transformer, by factoring its score."""
    found: Factorization = factor(construction, simulation)
    growth = inverse_temperature_growth(simulation)
    if found.fault:
        return Needs(0, (), growth, found.fault)
    features = tuple((feature.text, feature.growth) for feature in found.features)
    return Needs(found.key_dimension, features, growth)


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
