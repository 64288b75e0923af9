"""The string that attains the worst of a row, from the option that each key takes."""

from __future__ import annotations

import numpy as np

from verifier.execute.adversary import Rules, Worst
from verifier.execute.batch import Batch, Floats, Positions, Truths, scalar, visible
from verifier.execute.evaluate import Array
from verifier.execute.options import Options, Space, assigned, key_assignments
from verifier.spec.construction import Input, InputKind


def chosen_options(given: Options, way: Worst, rules: Rules) -> Positions:
    """The option that each key takes, of shape [key].

    Args:
        given: the options of one row, values 0 and 1.
        way: the worst that can be done in it.
        rules: what the tie allows.
    """
    shape = given.possible.shape[1:]  # [option, key]
    exponent, value, selected = (
        np.broadcast_to(one, given.possible.shape)[0] for one in (given.exponent, given.value, given.selected)
    )
    possible = given.possible[0]
    free = np.zeros(shape, dtype=bool)
    if way.selects and way.target is not None:
        free[:, : way.target] = rules.before_is_free
        free[:, way.target + 1 :] = rules.after_is_free
    allowed = possible & (free | ~selected)
    chosen = _pick(allowed & (value != way.value), exponent, allowed, -exponent)
    own = _pick(possible & selected & (value == way.value), -exponent, possible & selected, -exponent)
    if way.target is not None:
        chosen[way.target] = own[way.target]
    elif way.selects:
        chosen = np.where(allowed.any(axis=0), chosen, own)
    return chosen


def _pick(wanted: Truths, rank: Floats, otherwise: Truths, other_rank: Floats) -> Positions:
    """For each key the wanted option of the highest rank, or, where none is wanted, the other one."""
    first = np.where(wanted, rank, -np.inf).argmax(axis=0)
    second = np.where(otherwise, other_rank, -np.inf).argmax(axis=0)
    return np.asarray(np.where(wanted.any(axis=0), first, second))


def targets(found: Space, given: Options, chosen: Positions, way: Worst) -> tuple[int, ...]:
    """The positions that the hard head attends to."""
    if way.target is not None:
        return (int(found.keys[way.target]),)
    selected = np.broadcast_to(given.selected, given.possible.shape)[0]
    picked = np.take_along_axis(selected, chosen[None, :], axis=0)[0] & given.seen[0]
    return tuple(int(key) for key in found.keys[picked])


def attaining_string(found: Space, row: int, chosen: Positions) -> Batch:
    """A string in which the keys have the chosen options, and the query has the inputs of its row."""
    construction = found.construction
    queries, at_query = assigned(found, np.array([row]))
    at_key = key_assignments(found)
    column = chosen * len(found.keys) + np.arange(len(found.keys))
    inputs = {}
    for given in construction.inputs:
        if given.kind is InputKind.SCORE:
            inputs[given.name] = _scores(found, int(queries[0]), at_key.get(given.name), column)
            continue
        values = at_key[given.name][column] if given.name in at_key else _plain(found, given)
        if given.name in at_query:
            values[queries - construction.first_key] = at_query[given.name]
        inputs[given.name] = values[None, :]
    return Batch(found.n, construction.first_key, inputs)


def _plain(found: Space, given: Input) -> Array:
    """Values of an input that does not matter: the least ones."""
    if given.kind is InputKind.BOOLEAN:
        return np.zeros(len(found.keys), dtype=bool)
    low = 0.0
    if given.low is not None:
        low = round(scalar(found.construction, f"the range of input {given.name}", given.low, found.n))
    return np.where(found.keys == 0, 0.0, float(low))


def _scores(found: Space, query: int, levels: Array | None, column: Positions) -> Array:
    """Given scores: the chosen ones in the query's row; in any other a maximum at the first key it sees."""
    seen = visible(found.construction.head.mask, np.arange(1, found.n + 1), found.keys)
    below = 0.0 if levels is None else float(np.unique(levels)[-2])
    scores = np.where(seen.cumsum(axis=1) == 1, 0.0, below)
    if levels is not None:
        scores[query - 1] = levels[column]
    return scores[None, :, :]
