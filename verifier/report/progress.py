"""A progress bar on standard error: on a terminal only, and only once the work has taken a moment."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from verifier.report.look import look_of, words

DELAY = 2.0
Callback = Callable[[str, int, int], None]
"""Told the stage, how much of it is done, and how much there is."""


@contextmanager
def progress() -> Iterator[Callable[[str], Callback | None]]:
    """Within this context, ask for the callback that shows the progress of one construction, by its name.

    The callback is None, and nothing is ever written, where standard error is no terminal.
    """
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda name: None
        return
    console = Console(file=sys.stderr, emoji=False, markup=False, highlight=False)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    bar = Progress(*columns, console=console, transient=True)
    try:
        yield _callbacks(bar, bar.add_task("", total=None))
    finally:
        bar.stop()


def _callbacks(bar: Progress, task: TaskID) -> Callable[[str], Callback]:
    began = time.monotonic()
    look = look_of(sys.stderr)

    def of(name: str) -> Callback:
        def show(stage: str, done: int, total: int) -> None:
            bar.update(task, description=words(look, f"{name}: {stage}").plain, completed=done, total=total)
            if not bar.live.is_started and time.monotonic() - began > DELAY:
                bar.start()

        return show

    return of
