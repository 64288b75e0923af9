"""The first length at which something is wrong in a number format.

Every length up to `EVERY` is tried, then lengths about a tenth apart; where one fails, bisection narrows down the last
step. A failure is a fact; that no shorter length fails is only as good as the strings and lengths tried.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from verifier.precision.causes import Explanation, explain
from verifier.precision.formats import Format, format_of
from verifier.precision.subject import Failure, Subject

EVERY = 48
STEP = 1.1


@dataclass(frozen=True)
class Survival:
    """How long one subject survives in one format.

    Args:
        subject: the simulation or route.
        lengths: how many lengths were tried.
        failure: at the first wrong length, or None if none is wrong.
    """

    subject: str
    format: str
    lengths: int
    failure: Failure | None
    explanation: Explanation | None

    @property
    def first_wrong(self) -> int | None:
        """The first length at which an output is wrong."""
        return None if self.failure is None else self.failure.n


def survivals(
    subjects: Mapping[str, Subject],
    formats: Sequence[str],
    max_n: int,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Survival]:
    """Try each subject in each format, up to a length.

    Raises:
        MissingFormatError: a format is not installed.
    """
    known = [format_of(name) for name in formats]
    found: list[Survival] = []
    for name, subject in subjects.items():
        for format_ in known:
            if progress:
                progress(f"{name}, {format_.name}", len(found), len(subjects) * len(known))
            found.append(_survival(name, subject, format_, max_n))
    return found


def _survival(name: str, subject: Subject, format_: Format, max_n: int) -> Survival:
    tried = 0
    right = 0
    for n in ladder(max_n):
        tried += 1
        failure = subject.failure(format_, n)
        if failure is None:
            right = n
            continue
        while failure.n - right > 1:
            middle = (failure.n + right) // 2
            tried += 1
            earlier = subject.failure(format_, middle)
            if earlier is None:
                right = middle
            else:
                failure = earlier
        explanation = explain(format_, failure.data, failure.target, failure.first_key)
        return Survival(name, format_.name, tried, failure, explanation)
    return Survival(name, format_.name, tried, None, None)


def ladder(max_n: int) -> list[int]:
    """The lengths to try: all up to `EVERY`, then each about a tenth more than the one before."""
    lengths = list(range(1, min(EVERY, max_n) + 1))
    while lengths[-1] < max_n:
        lengths.append(min(max_n, int(lengths[-1] * STEP) + 1))
    return lengths
