"""A checker for constructions in which softmax attention simulates hard attention, for every string length."""

__version__ = "0.1.0"
