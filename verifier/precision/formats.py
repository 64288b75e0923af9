"""Number formats as NumPy has them, bfloat16 by way of ml_dtypes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMATS = ("float16", "bfloat16", "float32", "float64")
Numbers = NDArray[Any]


class MissingFormatError(RuntimeError):
    """The package that implements a format is not installed."""


@dataclass(frozen=True)
class Format:
    """A number format.

    Args:
        storage: the type that numbers are rounded to.
        compute: the type in which sums are accumulated, and in which rounded numbers are held here.
        largest: the largest finite number.
    """

    name: str
    storage: np.dtype[Any]
    compute: np.dtype[Any]
    largest: float

    def round(self, numbers: Numbers) -> Numbers:
        """The numbers rounded to the format: to nearest, ties to even; beyond the largest, infinite."""
        if self.storage == self.compute:
            return np.asarray(numbers, dtype=self.compute)
        # bfloat16 is rounded from float32, whose last bit is lost on the way from float64; features are exact there.
        return np.asarray(numbers, dtype=self.compute).astype(self.storage).astype(self.compute)


def format_of(name: str) -> Format:
    """The format of this name, one of `FORMATS`.

    Raises:
        MissingFormatError: it is bfloat16 and ml_dtypes is not installed.
    """
    if name == "bfloat16":
        try:
            import ml_dtypes  # noqa: PLC0415
        except ImportError:
            message = "bfloat16 needs ml_dtypes; install it by: pip install 'hard-attention-verifier[precision]'"
            raise MissingFormatError(message) from None
        storage = np.dtype(ml_dtypes.bfloat16)
        largest = float(ml_dtypes.finfo(storage).max)  # type: ignore[no-untyped-call]
        return Format(name, storage, np.dtype(np.float32), largest)
    storage = np.dtype(name)
    compute = np.dtype(np.float64 if name == "float64" else np.float32)
    return Format(name, storage, compute, float(np.finfo(storage).max))
