"""The commands that write a proof as files, and check such files again."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from verifier.cli import options, output
from verifier.cli.exit_codes import exit_code
from verifier.cli.jobs import Job, load
from verifier.spec import library
from verifier.spec.errors import SpecError, printable
from verifier.verdict import Result, Verdict

if TYPE_CHECKING:
    from verifier.certify.recheck import Recheck
    from verifier.spec.construction import Construction

SOLVERS = ("z3", "cvc5", "both")
Name = Annotated[str, typer.Argument(metavar="NAME", help="A construction of the library, or a file FILE.toml.")]
Output = Annotated[str, typer.Option("--output", "-o", metavar="DIR", help="The folder to write; it must not exist.")]
Solver = Annotated[
    str, typer.Option("--solver", metavar="z3|cvc5|both", help="Which solvers decide; with both, each alone.")
]
Proofs = Annotated[bool, typer.Option("--proofs", help="Write cvc5's proof of each obligation too.")]
Digest = Annotated[
    str | None, typer.Option("--digest", metavar="HEX", help="The digest that `verify certify` printed.")
]
Seconds = Annotated[str, typer.Option("--seconds", metavar="N", help="Time for one file and one solver.")]
Folder = Annotated[str, typer.Argument(metavar="DIR", help="A folder that `verify certify` wrote.")]
_USAGE = frozenset((errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST,
                    errno.EINVAL, errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTEMPTY))  # fmt: skip

Coq = Annotated[bool, typer.Option("--coq", help="A theory for Coq, checked by its kernel, instead of SMT-LIB.")]
Formula = Annotated[bool, typer.Option("--formula", help="NAME is a formula: certify its whole transformer (--coq).")]


def certify(
    name: Name,
    *,
    directory: Output,
    proofs: Proofs = False,
    coq: Coq = False,
    formula: Formula = False,
    solver: Solver = "z3",
    max_n: options.MaxN = "200",
    simulation: options.SimulationName = "all",
    param: options.Params = None,
    format_: options.Format = "text",
) -> int:
    """Write a proof as files that can be checked without this program.

    Such as `verify certify until -o until.certificate`. Nothing is written unless the construction is proved for
    every n. With --coq a theory for Coq is written instead, which its kernel checks.
    """
    asked = options.request(max_n=max_n, simulation=simulation, params=param, format_=format_)
    options.choice("--solver", solver, SOLVERS)
    target = _target(directory)
    if formula and not coq:
        raise SpecError("--formula: goes with --coq")
    if formula:
        from verifier.cli.kernel import certify_formula

        with _path_errors("--output", target):
            return certify_formula(name, asked.simulation, target, as_json=asked.json)
    own = name.endswith(".toml")
    job = Job(Path(name) if own else library.find(name), name if own else library.shown(name), asked)
    loaded = load(job)
    if coq:
        from verifier.cli.kernel import certify_construction

        with _path_errors("--output", target):
            return certify_construction(loaded, asked.simulation, target, as_json=asked.json)
    with _missing_solvers():
        return _certify(loaded, job, target, solver, proofs=proofs)


def _certify(loaded: Construction, job: Job, target: Path, solver: str, *, proofs: bool) -> int:
    from verifier.certify.collect import NotProved, gather
    from verifier.certify.write import certificate, with_proofs, write
    from verifier.check import check
    from verifier.prove.sessions import sessions
    from verifier.solvers.versions import solver_versions

    with sessions(solver) as session:
        result = check(loaded, max_n=job.asked.max_n, simulation=job.asked.simulation, session=session())
        if result.verdict != Verdict.PROVED:
            output.emit(_report(result, as_json=job.asked.json))
            output.say("not proved for every n, so nothing was written")
            return exit_code(result.verdict)
        chosen = [one for one in loaded.simulations if job.asked.simulation in (None, one.name)]
        try:
            gathered = [gather(loaded, one, session()) for one in chosen]
            names = ("z3", "cvc5") if solver != "z3" or proofs else ("z3",)
            source = job.path.read_bytes()
            files = certificate(loaded, source, gathered, {**result.versions, **solver_versions(names)})
        except NotProved as error:
            output.say(f"{error}; nothing was written")
            return exit_code(Verdict.UNDECIDED)
    missing: list[str] = []
    if proofs:
        files, missing = with_proofs(files)
    with _path_errors("--output", target):
        digest = write(target, files)
    output.emit(_written(loaded.name, target, files, digest, missing, as_json=job.asked.json))
    return 0


def _target(directory: str) -> Path:
    if not directory or "\0" in directory:
        raise SpecError(f"--output: expected the name of a folder, found '{directory[:40]}'")
    target = Path(directory)
    with _path_errors("--output", target):
        if target.exists() or target.is_symlink():
            raise SpecError(f"--output: {directory} exists already; expected the name of a new folder")
        if not target.parent.is_dir():
            raise SpecError(f"--output: the folder {target.parent} does not exist")
    return target


@contextmanager
def _path_errors(option: str, path: Path) -> Iterator[None]:
    """Within this context, what is wrong with a path is an error of the user's."""
    try:
        yield
    except SpecError:
        raise
    except ValueError as error:
        raise SpecError(f"{option}: {path}: {error}") from None
    except OSError as error:
        if error.errno in _USAGE or error.errno is None:
            raise SpecError(f"{option}: {path}: {error.strerror or error}") from None
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def _missing_solvers() -> Iterator[None]:
    from verifier.solvers.process import MissingSolverError

    try:
        yield
    except MissingSolverError as error:
        raise SpecError(str(error)) from None


def _report(result: Result, *, as_json: bool) -> str:
    if as_json:
        from verifier.report.json_report import dumps, result_document

        return dumps(result_document(result))
    import sys

    from verifier.report.look import look_of
    from verifier.report.text_report import text_report

    return text_report(look_of(sys.stdout), result)


def _written(
    name: str, target: Path, files: dict[str, bytes], digest: str, missing: list[str], *, as_json: bool
) -> str:
    counts = {folder: sum(one.startswith(f"{folder}/") for one in files) for folder in ("obligations", "proofs")}
    if as_json:
        from verifier.report.json_report import dumps

        return dumps({
            "construction": name, "directory": str(target), "files": len(files) + 1, **counts,
            "without_proof": missing, "digest": digest,
        })  # fmt: skip
    lines = [
        f"{target}: {counts['obligations']} obligations, {counts['proofs']} proofs, {len(files) + 1} files",
        f"digest {digest}",
        *(f"no proof of {one}" for one in missing),
        f"check it again by: verify recheck {target}",
    ]
    return _lines(lines)


def recheck(
    directory: Folder,
    *,
    solver: Solver = "both",
    coq: Coq = False,
    digest: Digest = None,
    seconds: Seconds = "60",
    format_: options.Format = "text",
) -> int:
    """Check a certificate from its files alone.

    Every file is compared with its digest, every number of a lemma is confirmed by ball arithmetic, and each solver
    must answer `unsat` to each obligation. With --coq the folder is a theory, which Coq compiles.
    """
    as_json = options.choice("--format", format_, ("text", "json")) == "json"
    if coq:
        from verifier.cli.kernel import recheck as recheck_coq

        return recheck_coq(Path(directory), as_json=as_json)
    names = {"both": ("z3", "cvc5")}.get(options.choice("--solver", solver, SOLVERS), (solver,))
    limit = options.whole_number("--seconds", seconds, 1, 100_000) * 1000
    from verifier.certify.manifest import Malformed
    from verifier.certify.recheck import Tampered
    from verifier.certify.recheck import recheck as check_again
    from verifier.report.progress import progress

    try:
        with _missing_solvers(), _path_errors("DIR", Path(directory)), progress() as shows:
            shown = shows(directory)
            told = None if shown is None else lambda done, total: shown("files", done, total)
            found = check_again(Path(directory), names, milliseconds=limit, progress=told)
    except (Malformed, Tampered) as error:
        raise SpecError(str(error)) from None
    if digest is not None and digest.lower() != found.digest:
        raise SpecError(f"--digest: this certificate's digest is {found.digest}, not '{digest[:80]}'")
    output.emit(_recheck_json(found) if as_json else _recheck_text(found))
    return exit_code(found.verdict)


def _recheck_json(found: Recheck) -> str:
    from verifier.report.json_report import dumps

    document: dict[str, Any] = {
        "construction": found.manifest.construction,
        "verdict": found.verdict.value,
        "digest": found.digest,
        "construction_sha256": found.manifest.digest,
        "claim": {"error": found.manifest.claim_error, "computes": found.manifest.claim_computes},
        "simulations": [
            {"name": one.name, "scope": one.scope, "parameter_scope": one.parameter_scope}
            for one in found.manifest.simulations
        ],
        "versions": dict(found.versions),
        "files": [
            {
                "file": report.file, "expected": report.expected, "fine": report.fine,
                "answers": {name: answer.answer for name, answer in report.answers.items()},
            }
            for report in found.files
        ],
        "lemmas": found.lemmas,
        "proofs": {"count": found.proofs[0], "trusted_steps": found.proofs[1], "accepted_by_ethos": found.proofs[2]},
        "faults": list(found.faults),
        "not_rechecked": list(found.manifest.not_rechecked),
    }  # fmt: skip
    return dumps(document)


def _recheck_text(found: Recheck) -> str:
    manifest = found.manifest
    lines = [f"certificate of {manifest.construction}, error <= {manifest.claim_error}"]
    for one in manifest.simulations:
        scope = f"{one.scope}, {one.parameter_scope}" if one.parameter_scope else one.scope
        lines.append(f"  {one.name}: {scope}")
    for expected, title in (("unsat", "obligations"), ("sat", "assumptions satisfiable")):
        reports = [report for report in found.files if report.expected == expected]
        for name, version in found.versions.items():
            agreeing = sum(report.answers[name].answer == expected for report in reports)
            lines.append(f"  {title}: {name} {version} answers {expected} to {agreeing} of {len(reports)}")
    lines.append(f"  lemma instances checked: {found.lemmas}")
    count, trusted, accepted = found.proofs
    if count:
        ethos = "ethos is not on the PATH" if accepted is None else f"ethos accepts {accepted}"
        lines.append(f"  proofs: {count}, {trusted} trusted steps; {ethos}")
    lines += [f"  not checked again: {one}" for one in manifest.not_rechecked]
    for report in found.files:
        if not report.fine:
            said = ", ".join(f"{name}: {one.answer} {one.detail}".strip() for name, one in report.answers.items())
            lines.append(f"  NOT CONFIRMED {report.file} ({said})")
    lines += [f"  WRONG {fault}" for fault in found.faults]
    lines += [f"  construction sha256 {manifest.digest}", f"  digest {found.digest}", str(found.verdict.value)]
    return _lines(lines)


def _lines(lines: list[str]) -> str:
    return "".join("".join(map(printable, line)) + "\n" for line in lines)
