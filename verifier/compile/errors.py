"""What the compiler cannot do, in a sentence."""

from __future__ import annotations


class CompileError(ValueError):
    """A formula or a construction cannot become a transformer; the message says which and why."""
