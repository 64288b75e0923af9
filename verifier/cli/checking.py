"""The commands that check constructions: one of the library, all of it, or the user's own files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from verifier.cli import options, output
from verifier.cli.faults import fault_of, show_traceback
from verifier.cli.jobs import Job, files_jobs, library_jobs, load
from verifier.report.fault import Entry, Unchecked
from verifier.spec import library
from verifier.spec.errors import SpecError
from verifier.verdict import Result, worst

if TYPE_CHECKING:
    from verifier.prove.solver import Session
    from verifier.report.progress import Callback

Sessions = Callable[[], "Session"]
Shows = Callable[[str], "Callback | None"]


def construction(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A construction of the library; `verify list` shows them.")
    ],
    *,
    max_n: options.MaxN = "1000",
    simulation: options.SimulationName = "all",
    param: options.Params = None,
    format_: options.Format = "text",
    accept: options.Accept = None,
    seed: options.Seed = "0",
    solver: options.Solver = "z3",
) -> int:
    """Check one construction of the library.

    Such as `verify construction until --max-n 1000`.
    """
    from verifier.report.progress import progress

    asked = options.request(
        max_n=max_n, simulation=simulation, params=param, format_=format_, accept=accept, seed=seed, solver=solver
    )
    job = Job(library.find(name), library.shown(name), asked)
    with progress() as shows, _solvers(asked.solver) as session:
        result = _result(job, shows, session)
    output.emit(_report(result, asked))
    return asked.exit_code(result.verdict)


def everything(
    *,
    max_n: options.MaxN = "1000",
    simulation: options.SimulationName = "all",
    param: options.Params = None,
    format_: options.Format = "text",
    accept: options.Accept = None,
    seed: options.Seed = "0",
    solver: options.Solver = "z3",
) -> int:
    """Check the whole library.

    A parameter, or the name of a simulation, applies to the constructions that have it.
    """
    asked = options.request(
        max_n=max_n, simulation=simulation, params=param, format_=format_, accept=accept, seed=seed, solver=solver
    )
    jobs, skipped = library_jobs(asked)
    entries = _entries(jobs)
    output.emit(_summary(entries, skipped, asked))
    return asked.exit_code(worst([entry.verdict for entry in entries]))


def audit(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE|DIR|-", help="Construction files (docs/format.md); a directory's; standard input."
        ),
    ],
    *,
    max_n: options.MaxN = "1000",
    simulation: options.SimulationName = "all",
    param: options.Params = None,
    format_: options.Format = "text",
    accept: options.Accept = None,
    seed: options.Seed = "0",
    solver: options.Solver = "z3",
) -> int:
    """Check construction files of your own.

    Of several files, the worst verdict gives the exit code. A wrong file does not keep others from being
    checked.
    """
    asked = options.request(
        max_n=max_n, simulation=simulation, params=param, format_=format_, accept=accept, seed=seed, solver=solver
    )
    entries = _entries(files_jobs(files, asked))
    if len(entries) == 1 and not asked.json:
        output.emit("".join(_report(entry, asked) for entry in entries if isinstance(entry, Result)))
    else:
        output.emit(_summary(entries, [], asked))
    return asked.exit_code(worst([entry.verdict for entry in entries]))


def _entries(jobs: Sequence[Job]) -> list[Entry]:
    from verifier.report.progress import progress

    with progress() as shows, _solvers(jobs[0].asked.solver if jobs else "z3") as session:
        return [_entry(job, shows, session) for job in jobs]


def _entry(job: Job, shows: Shows, session: Sessions) -> Entry:
    """The result, or the fault that kept this one from being checked; the others are checked all the same."""
    try:
        return _result(job, shows, session)
    except BrokenPipeError:
        raise
    except Exception as error:
        show_traceback(error)
        fault = fault_of(error)
        place = "" if fault.file == job.shown else f"{job.shown}: "
        output.say(f"{place}{fault.summary}", fault.excerpt)
        return Unchecked(job.shown, fault)


def _result(job: Job, shows: Shows, session: Sessions) -> Result:
    loaded = load(job)
    # Loads the solvers, so only once the input is known to be sound.
    from verifier.check import check

    return check(
        loaded, max_n=job.asked.max_n, simulation=job.asked.simulation, seed=job.asked.seed,
        progress=shows(loaded.name), session=session(),
    )  # fmt: skip


@contextmanager
def _solvers(choice: str) -> Iterator[Sessions]:
    """Makes a session for each construction; solvers are loaded, and cvc5 started, with the first one."""
    with ExitStack() as stack:
        makers: list[Sessions] = []

        def session() -> Session:
            from verifier.prove.sessions import sessions
            from verifier.solvers.process import MissingSolverError

            if not makers:
                try:
                    makers.append(stack.enter_context(sessions(choice)))
                except MissingSolverError as error:
                    raise SpecError(str(error)) from None
            return makers[0]()

        yield session


def _report(result: Result, asked: options.Request) -> str:
    if asked.json:
        from verifier.report.json_report import dumps, result_document

        return dumps(result_document(result))
    from verifier.report.look import look_of
    from verifier.report.text_report import text_report

    return text_report(look_of(sys.stdout), result)


def _summary(entries: Sequence[Entry], skipped: Sequence[str], asked: options.Request) -> str:
    if asked.json:
        from verifier.report.json_report import dumps, results_document

        return dumps(results_document(entries, skipped))
    from verifier.report.look import look_of
    from verifier.report.summary_text import summary_text

    return summary_text(look_of(sys.stdout), entries, skipped)
