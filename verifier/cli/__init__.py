"""The command line `verify`: thin commands over the Python functions; what is heavy is imported late."""

from verifier.cli.entry import main

__all__ = ["main"]
