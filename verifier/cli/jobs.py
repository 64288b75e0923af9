"""What is to be checked, and with which part of the request."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from verifier.cli.options import Request
from verifier.spec import library
from verifier.spec.errors import SpecError
from verifier.spec.source import LARGEST_FILE

if TYPE_CHECKING:
    from verifier.spec.construction import Construction


@dataclass(frozen=True)
class Job:
    """One file, what it is called in messages, and what was asked about it; `raw` is what was read already."""

    path: Path
    shown: str
    asked: Request
    raw: bytes | None = None


def load(job: Job) -> Construction:
    """The construction, with the parameters asked for.

    Raises:
        SpecError: the file or a parameter is wrong, or there is no simulation of the name asked for.
    """
    from verifier.spec.loader import construct, load_file
    from verifier.spec.source import decode

    if job.raw is not None:
        loaded = construct(decode(job.raw, job.shown), job.asked.parameters)
    else:
        loaded = load_file(job.path, job.asked.parameters, job.shown)
    demand_simulation(job.asked.simulation, [one.name for one in loaded.simulations], f"'{loaded.name}'")
    return loaded


def files_jobs(files: Sequence[str], asked: Request) -> list[Job]:
    """The files named, those in the directories named, and standard input for ``-``.

    Raises:
        SpecError: a directory has no construction file, or ``-`` stands there twice.
    """
    if files.count("-") > 1:
        raise SpecError("expected '-', the standard input, once at most")
    jobs: list[Job] = []
    for file in files:
        if file == "-":
            jobs.append(Job(Path("-"), "standard input", asked, sys.stdin.buffer.read(LARGEST_FILE + 1)))
        elif _is_directory(file):
            found = sorted(Path(file).glob("*.toml"))
            if not found:
                raise SpecError("expected construction files *.toml in this directory, found none", file=file)
            jobs += [Job(path, str(path), asked) for path in found]
        else:
            jobs.append(Job(Path(file), file or "''", asked))
    return jobs


def _is_directory(file: str) -> bool:
    try:
        return Path(file).is_dir()
    except (OSError, ValueError):
        return False


def demand_simulation(wanted: str | None, known: Sequence[str], of: str) -> None:
    """Refuse the name of a simulation that is not among the known ones."""
    if wanted is not None and wanted not in known:
        message = f"--simulation: unknown simulation '{wanted[:40]}' of {of}; expected {', '.join(known)} or all"
        raise SpecError(message + _did_you_mean(wanted, known))


def library_jobs(asked: Request) -> tuple[list[Job], list[str]]:
    """The whole library, each construction with those of the parameters that it has.

    Returns:
        The jobs, and the names of the constructions left out since they lack the simulation asked for.

    Raises:
        SpecError: no construction has a parameter, or the simulation, of a name asked for.
    """
    plain = replace(asked, parameters={}, simulation=None)
    names = library.names()
    loaded = [_loaded(Job(library.find(name), library.shown(name), plain)) for name in names]
    there = [one for one in loaded if one is not None]
    simulations = sorted({simulation.name for one in there for simulation in one.simulations})
    demand_simulation(asked.simulation, simulations, "the library")
    _demand_parameters(asked.parameters, sorted({parameter.name for one in there for parameter in one.parameters}))
    jobs, skipped = [], []
    for name, one in zip(names, loaded, strict=True):
        if one is not None and asked.simulation not in (
            None,
            *(simulation.name for simulation in one.simulations),
        ):
            skipped.append(name)
            continue
        own = {parameter.name for parameter in one.parameters} if one is not None else set()
        fitting = {key: value for key, value in asked.parameters.items() if key in own}
        jobs.append(Job(library.find(name), library.shown(name), replace(asked, parameters=fitting)))
    return jobs, skipped


def _loaded(job: Job) -> Construction | None:
    """The construction with its defaults; None for a wrong file, which is reported when its turn comes."""
    try:
        return load(job)
    except SpecError:
        return None


def _demand_parameters(wanted: Iterable[str], known: Sequence[str]) -> None:
    for name in wanted:
        if name not in known:
            message = f"--param: no construction of the library has a parameter '{name[:40]}'"
            raise SpecError(message + _did_you_mean(name, known))


def _did_you_mean(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name[:80], known, n=1)
    return f"; did you mean '{close[0]}'?" if close else ""
