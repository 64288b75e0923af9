"""A small stack, in which a walk that recurses over a deep formula cannot succeed."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def shallow_stack() -> Iterator[None]:
    """Leave room for a hundred more frames only."""
    limit = sys.getrecursionlimit()
    used = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        frame, used = frame.f_back, used + 1
    sys.setrecursionlimit(used + 100)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
