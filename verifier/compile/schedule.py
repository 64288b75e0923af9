"""Circuit to layers: each head in the first attention layer that can have it, each gate in the first feed-forward one.

Time is a pair (level, step). Level l begins with attention layer l (none at level 0, where tokens are), whose soft
values are rounded by the first feed-forward layer, at step 1; a gate takes one more step than its latest operand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from verifier.compile.circuit import Attention, Circuit, Conjunction, Difference, operands

Time = tuple[int, int]


@dataclass(frozen=True)
class Stage:
    """One level.

    Args:
        heads: the nodes of its attention layer.
        gates: for each of its feed-forward layers the gates in it; the first also rounds the heads.
    """

    heads: tuple[int, ...]
    gates: tuple[tuple[int, ...], ...]


def schedule(circuit: Circuit) -> tuple[Stage, ...]:
    """The stages of a circuit, those nodes left out on which the root does not depend."""
    times: dict[int, Time] = {}
    for index in circuit.reachable():
        before = max((times[literal.node] for literal in operands(circuit.nodes[index])), default=(0, 0))
        match circuit.nodes[index]:
            case Attention():
                times[index] = (before[0] + 1, 1)
            case Conjunction() | Difference():
                times[index] = (before[0], before[1] + 1)
            case _:
                times[index] = (0, 0)
    levels = max((level for level, _ in times.values()), default=0)
    return tuple(_stage(circuit, times, level) for level in range(levels + 1))


def _stage(circuit: Circuit, times: Mapping[int, Time], level: int) -> Stage:
    here = {index: step for index, (at, step) in times.items() if at == level}
    heads = tuple(index for index in here if isinstance(circuit.nodes[index], Attention))
    gates = tuple(
        tuple(index for index, at in here.items() if at == step and index not in heads)
        for step in range(1, max(here.values(), default=0) + 1)
    )
    return Stage(heads, gates)
