"""What a simulation asks of a transformer: position features and a temperature, with their growth in n."""

from __future__ import annotations

from dataclasses import dataclass

from verifier.spec.construction import Construction, Simulation
from verifier.symbolic.factor import Factorization, factor, inverse_temperature_growth


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


def needs(construction: Construction, simulation: Simulation) -> Needs:
    """What a simulation asks of a transformer, by factoring its score."""
    found: Factorization = factor(construction, simulation)
    growth = inverse_temperature_growth(simulation)
    if found.fault:
        return Needs(0, (), growth, found.fault)
    features = tuple((feature.text, feature.growth) for feature in found.features)
    return Needs(found.key_dimension, features, growth)
