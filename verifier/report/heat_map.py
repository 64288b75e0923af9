"""A string's outputs and attention for a reader: a table of positions, and matrices as shades, or as a picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from verifier.report.layout import BLANK, grid, joined, rendered, table
from verifier.report.look import Look, words
from verifier.report.numbers import decimal, weight
from verifier.spec.errors import SpecError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from verifier.running import StringRun

SHADES = " ░▒▓█"
ASCII_SHADES = " .:*#"
WIDEST_MATRIX = 60
LONGEST_TABLE = 60


def run_text(look: Look, run: StringRun, query: int | None = None) -> str:
    """The outputs at every position, then one attention row, or without a query the whole matrix in shades."""
    return rendered(look, _parts(look, run, query))


def _parts(look: Look, run: StringRun, query: int | None) -> Iterator[RenderableType]:
    title = f"{run.construction.name}  {run.simulation.name}, n = {run.batch.n}"
    yield words(look, title, "bold")
    yield BLANK
    yield _outputs(look, run, query)
    yield BLANK
    if query is not None:
        yield words(look, f"attention row of query i = {query}", "bold")
        yield _row(look, run, query)
        return
    if len(run.batch.keys) > WIDEST_MATRIX:
        yield words(look, f"the matrix is wider than {WIDEST_MATRIX} keys; see one row with --query, or --png")
        return
    for name, weights in (("soft", run.soft_weights), ("hard", run.hard_weights)):
        yield joined(
            words(look, f"{name} attention", "bold"), words(look, ", a row for each query, a column for each key")
        )
        yield _matrix(look, run, weights)
        yield BLANK


def _outputs(look: Look, run: StringRun, query: int | None) -> RenderableType:
    names = [name for name, values in run.batch.inputs.items() if values.ndim == 2]
    first = run.construction.first_key
    rows = []
    for i in _positions(run.batch.n, query):
        apart = abs(run.soft[i - 1] - run.hard[i - 1])
        given = [words(look, decimal(float(run.batch.inputs[name][0, i - first]), 4)) for name in names]
        claimed = "" if run.claimed is None else decimal(float(run.claimed[i - 1]))
        rows.append(
            [
                words(look, str(i)),
                *given,
                words(look, f"{run.soft[i - 1]:.6f}"),
                words(look, decimal(float(run.hard[i - 1]))),
                words(look, claimed),
                words(look, decimal(float(apart), 3)),
            ]
        )
    heads = ["i", *names, "soft", "hard", "claimed", "|soft − hard|"]
    return table(look, heads, rows, right=heads, light=True)


def _positions(n: int, query: int | None) -> list[int]:
    """All positions of a short string; of a long one the ends and those around the query."""
    if n <= LONGEST_TABLE:
        return list(range(1, n + 1))
    around = range((query or 1) - 5, (query or 1) + 6)
    return sorted({*range(1, 21), *range(n - 19, n + 1), *around} & set(range(1, n + 1)))


def _row(look: Look, run: StringRun, query: int) -> RenderableType:
    names = [name for name, values in run.batch.inputs.items() if values.ndim == 2]
    soft, hard = run.soft_weights[query - 1], run.hard_weights[query - 1]
    bar = "█" if look.symbols else "#"
    rows = []
    for at, key in enumerate(run.batch.keys):
        if len(run.batch.keys) > LONGEST_TABLE and soft[at] < 0.001 and hard[at] == 0:
            continue
        given = [words(look, decimal(float(run.batch.inputs[name][0, at]), 4)) for name in names]
        length = round(20 * float(soft[at]))
        rows.append(
            [
                words(look, str(key)),
                *given,
                words(look, weight(float(soft[at]))),
                Text(bar * length, "cyan" if look.colour else ""),
                words(look, weight(float(hard[at]))),
                words(look, decimal(float(run.values[at]))),
            ]
        )
    heads = ["key", *names, "soft weight", "", "hard weight", "value"]
    return table(look, heads, rows, right=["key", *names, "soft weight", "hard weight", "value"], light=True)


def _matrix(look: Look, run: StringRun, weights: NDArray[np.float64]) -> RenderableType:
    """Two characters a key, the darker the larger the weight; any weight above 1/1000 shows."""
    shades = SHADES if look.symbols else ASCII_SHADES
    lines = [[words(look, "i \\ j"), words(look, "".join(f"{key % 10:>2}" for key in run.batch.keys))]]
    for i in run.batch.queries:
        cells = "".join(_shade(float(one), shades) * 2 for one in weights[i - 1])
        lines.append([words(look, str(i)), Text(f"{cells}|")])
    return grid(look, lines)


def _shade(value: float, shades: str) -> str:
    if value < 0.001:
        return shades[0]
    return shades[min(len(shades) - 1, 1 + int(value * (len(shades) - 1)))]


def write_png(run: StringRun, path: Path) -> None:
    """Draw soft and hard attention side by side; the file is written whole or not at all.

    Raises:
        SpecError: matplotlib is not installed.
        OSError: the file cannot be written.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise SpecError("--png needs matplotlib: pip install 'hard-attention-verifier[plots]'") from None
    figure = Figure(figsize=(10, 4.6), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 2, sharey=True)
    first, n = run.construction.first_key, run.batch.n
    for axis, name, weights in zip(axes, ("soft", "hard"), (run.soft_weights, run.hard_weights), strict=True):
        shown = axis.imshow(
            weights, vmin=0, vmax=1, cmap="Blues", aspect="auto", extent=(first - 0.5, n + 0.5, n + 0.5, 0.5)
        )
        axis.set_title(f"{name} attention")
        axis.set_xlabel("key j")
    axes[0].set_ylabel("query i")
    figure.colorbar(shown, ax=axes, label="weight")
    figure.suptitle(f"{run.construction.name}, {run.simulation.name}")
    temporary = path.with_name(f".{path.name}.part")
    try:
        figure.savefig(temporary, format="png", dpi=150)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def run_document(run: StringRun) -> dict[str, object]:
    """The run as a JSON document."""
    return {
        "construction": run.construction.name,
        "simulation": run.simulation.name,
        "n": run.batch.n,
        "first_key": run.construction.first_key,
        "inputs": {name: values[0].astype(float).tolist() for name, values in run.batch.inputs.items()},
        "soft": run.soft.tolist(),
        "hard": run.hard.tolist(),
        "claimed": None if run.claimed is None else run.claimed.tolist(),
        "soft_weights": run.soft_weights.tolist(),
        "hard_weights": run.hard_weights.tolist(),
    }
