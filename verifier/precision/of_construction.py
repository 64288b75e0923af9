"""A construction's soft head in a number format."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from verifier.execute.batch import Batch, place, scalar, temperature
from verifier.execute.batch import visible as visible_keys
from verifier.execute.evaluate import number
from verifier.execute.heads import attention_rows, hard_outputs, key_values, negated, selection
from verifier.execute.strings import concatenated, random_strings, structured_strings
from verifier.execute.supremum import NoSupremum, Supremum, affordable, supremum
from verifier.precision.attend import HeadData, outputs
from verifier.precision.formats import Format
from verifier.precision.subject import Failure
from verifier.spec.construction import Construction, InputKind, Simulation
from verifier.spec.errors import SpecError
from verifier.symbolic.factor import Factorization, factor

MOST_ROWS = 64
LONGEST_SUPREMUM = 512
STRUCTURED, RANDOM = 12, 6


class ConstructionSubject:
    """The soft head of one simulation of a construction; wrong is what errs by more than the claim.

    Raises:
        SpecError: the scores are given, or no dot product, so that there are no query and key entries.
    """

    def __init__(self, construction: Construction, simulation: Simulation, seed: int) -> None:
        self.construction, self.simulation, self.seed = construction, simulation, seed
        if any(given.kind is InputKind.SCORE for given in construction.inputs):
            raise SpecError(f"the scores of '{construction.name}' are given, so there are no entries to round")
        self.factorization: Factorization = factor(construction, simulation)
        if self.factorization.fault:
            raise SpecError(f"the score of simulation '{simulation.name}' has no weights: {self.factorization.fault}")
        self._strings = lru_cache(maxsize=4)(self._make_strings)

    def failure(self, format_: Format, n: int) -> Failure | None:
        """As the protocol says."""
        batch, worst = self._strings(n)
        rows = self._rows(n, worst)
        data = self._data(batch, rows)
        found = negated(self.construction, outputs(format_, data).astype(np.float64))
        expected = hard_outputs(self.construction, self.simulation, batch, rows)
        claim = scalar(self.construction, "the claimed error", self.construction.claim.error.expr, n)
        wrong = ~(np.abs(found - expected) <= claim + 1e-9)
        if not wrong.any():
            return None
        string, row = (int(at) for at in np.argwhere(wrong)[0])
        one = Batch(n, batch.first_key, {name: given[string : string + 1] for name, given in batch.inputs.items()})
        query = int(rows[row])
        hard = attention_rows(self.construction, self.simulation, one, query, key_dimension=self._d_key)
        attended = np.flatnonzero(hard.hard == 1)
        return Failure(
            n=n,
            string={name: tuple(map(float, given[0])) for name, given in one.inputs.items() if given.ndim == 2},
            position=query,
            output=float(found[string, row]),
            expected=float(expected[string, row]),
            head=self.construction.name,
            data=self._data(one, np.array([query])),
            target=int(hard.keys[attended[0]]) - batch.first_key if len(attended) == 1 else None,
            first_key=batch.first_key,
        )

    def _d_key(self, construction: Construction, simulation: Simulation) -> int:
        return self.factorization.key_dimension

    def _rows(self, n: int, worst: Supremum | None) -> NDArray[np.int64]:
        if n <= MOST_ROWS:
            return np.arange(1, n + 1)
        random = np.random.default_rng((self.seed, n))
        chosen = {1, 2, 3, n // 2, n - 2, n - 1, n, *random.integers(1, n + 1, MOST_ROWS - 8).tolist()}
        if worst is not None:
            chosen.add(worst.query)
        return np.array(sorted(chosen))

    def _make_strings(self, n: int) -> tuple[Batch, Supremum | None]:
        """The worst string of exact arithmetic where it is known, structured ones, random ones."""
        random = np.random.default_rng((self.seed, n))
        parts = [random_strings(self.construction, n, RANDOM, random)]
        structured = structured_strings(self.construction, n, STRUCTURED)
        if structured is not None:
            parts.insert(0, structured)
        worst = None
        if n <= LONGEST_SUPREMUM and affordable(self.construction, self.simulation, n):
            found = supremum(self.construction, self.simulation, n, key_dimension=self._d_key)
            worst = None if isinstance(found, NoSupremum) else found
        if worst is not None and self.construction.inputs:
            parts.insert(0, worst.batch)
        return concatenated(parts), worst

    def _data(self, batch: Batch, rows: NDArray[np.int64]) -> HeadData:
        """Query and key entries of the score's factorization, exact up to float64."""
        construction, simulation = self.construction, self.simulation
        products = self.factorization.products
        chosen = None if construction.head.select is None else selection(construction, simulation, batch, rows)
        exprs = [expr for product in products for expr in product]
        at = place(construction, f"the score of simulation '{simulation.name}'", batch, rows, exprs, selected=chosen)
        queries = [number(query, at) for query, _ in products]
        keys = [number(key, at) for _, key in products]
        count, keys_count = len(rows), len(batch.keys)
        seen = visible_keys(construction.head.mask, rows, batch.keys)
        tau = temperature(construction, simulation, batch.n, self._d_key)
        return HeadData(
            query=np.stack([np.broadcast_to(one, (batch.size, count, 1))[:, :, 0] for one in queries], axis=2),
            key=np.stack([np.broadcast_to(one, (batch.size, 1, keys_count))[:, 0] for one in keys], axis=2),
            value=key_values(construction, batch, np.asarray(seen.any(axis=0))),
            sharpness=1.0 / tau,
            seen=seen,
        )
