"""One result as text: a headline, a block per simulation, the cross-check, and what the verdict rests on."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from verifier.report.layout import fields, indented, joined, rendered, table
from verifier.report.look import Look, verdict_words, words
from verifier.report.numbers import counted, decimal, duration
from verifier.report.witness_text import witness_parts
from verifier.verdict import CrossCheck, ObligationResult, Result, SimulationResult, Trust, Verdict

PHRASES = {
    Verdict.PROVED: "proved", Verdict.BOUNDED: "bounded", Verdict.REFUTED: "refuted by a string",
    Verdict.UNDECIDED: "undecided", Verdict.INVALID: "invalid: nothing was checked", Verdict.FAILED: "failed",
}  # fmt: skip
TRUST = {
    Trust.SOLVER: "one solver",
    Trust.TWO_SOLVERS: "two solvers that agree",
    Trust.KERNEL: "the Coq kernel",
    Trust.TESTED: "numbers only, no proof",
}
DISAGREEMENT = "NUMBERS AND PROOF DISAGREE: believe neither; this is a fault of the tool, please report it."
STYLES = {
    Verdict.PROVED: "bold green", Verdict.BOUNDED: "bold yellow", Verdict.UNDECIDED: "bold yellow",
}  # fmt: skip


def text_report(look: Look, result: Result) -> str:
    """The whole report on one construction."""
    return rendered(look, _parts(look, result))


def _parts(look: Look, result: Result) -> Iterator[RenderableType]:
    title = result.title if result.title != result.construction else ""
    scopes = [one.scope for one in result.simulations if one.verdict is result.verdict]
    yield joined(
        words(look, result.construction, "bold"),
        words(look, f"  {title}: " if title else ": "),
        phrase(look, result.verdict, scopes),
    )
    if result.reason and not any(one.reason for one in result.simulations):
        yield words(look, result.reason)
    if result.cross_check is not None and result.cross_check.disagreements:
        yield words(look, DISAGREEMENT, "bold red")
    yield Text()
    yield from indented(fields(look, _claim(look, result)))
    for simulation in result.simulations:
        yield Text()
        yield from _simulation(look, result, simulation)
    yield Text()
    yield fields(look, _foundation(look, result))


def phrase(look: Look, verdict: Verdict, scopes: list[str], parameter_scope: str = "") -> Text:
    """A verdict as the end of a sentence: ``proved for every n``, ``proved for n <= 50 only``."""
    text, scope = PHRASES[verdict], next(iter(scopes), "")
    if verdict is Verdict.PROVED and scope:
        text = f"proved for {' and '.join(part for part in (scope, parameter_scope) if part)}"
    if verdict is Verdict.BOUNDED and scope:
        text = f"proved for {scope} only"
    return words(look, text, STYLES.get(verdict, "bold red"))


def _claim(look: Look, result: Result) -> Iterator[tuple[str, Text]]:
    computes = f", and hard computes {result.claim_computes}" if result.claim_computes else ""
    yield "claim", words(look, f"|soft − hard| ≤ {result.claim_error}{computes}")
    yield "with", words(look, ", ".join(f"{name} = {value}" for name, value in result.parameters.items()))


def _simulation(look: Look, result: Result, simulation: SimulationResult) -> Iterator[RenderableType]:
    yield joined(
        words(look, simulation.name, "bold"), words(look, ": "),
        phrase(look, simulation.verdict, [simulation.scope], simulation.parameter_scope),
    )  # fmt: skip
    if simulation.reason:
        yield from indented(words(look, simulation.reason))
    yield from indented(fields(look, _numbers(look, result, simulation)))
    if simulation.obligations:
        yield Text()
        yield from indented(_obligations(look, simulation.obligations))
    for one in simulation.obligations:
        if one.verdict is not Verdict.PROVED and one.statement:
            yield from indented(joined(words(look, f"{one.name} claims: ", "bold"), words(look, one.statement)))
    if simulation.witness is not None:
        yield Text()
        yield from indented(*witness_parts(look, simulation.witness, result.claim_computes))


def _numbers(look: Look, result: Result, simulation: SimulationResult) -> Iterator[tuple[str, Text]]:
    yield "score", words(look, simulation.score)
    yield "temperature", words(look, simulation.temperature)
    yield "proved bound" if simulation.verdict is Verdict.PROVED else "bound", words(look, simulation.bound)
    known: dict[int, list[str]] = {}
    if simulation.supremum_n is not None and simulation.supremum_at_max_n is not None:
        known[simulation.supremum_n] = [f"exact supremum {decimal(simulation.supremum_at_max_n)}"]
    if simulation.bound_at_max_n is not None:
        known.setdefault(result.max_n, []).append(f"bound {decimal(simulation.bound_at_max_n)}")
    for n, numbers in known.items():
        yield f"at n = {n}", words(look, f"{', '.join(numbers)}, claim {result.claim_error}")


def _obligations(look: Look, obligations: tuple[ObligationResult, ...]) -> RenderableType:
    rows = [
        [
            words(look, one.name), verdict_words(look, one.verdict), words(look, one.by),
            words(look, duration(one.seconds)), words(look, one.detail),
        ]
        for one in obligations
    ]  # fmt: skip
    return table(look, ["obligation", "verdict", "by", "time", "detail"], rows, right=["time"])


def _foundation(look: Look, result: Result) -> Iterator[tuple[str, Text]]:
    yield from _cross_check(look, result.cross_check)
    versions = ", ".join(f"{name} {version}" for name, version in result.versions.items())
    yield "trust", words(look, TRUST[result.trust] + (f" ({versions})" if versions else ""))
    digest = f" (SHA-256 {result.digest[:16]}…)" if result.digest else ""
    yield "file", words(look, f"{result.file}{digest}" if result.file else "")
    yield "time", words(look, duration(result.seconds))


def _cross_check(look: Look, check: CrossCheck | None) -> Iterator[tuple[str, Text]]:
    if check is None:
        yield "cross-check", words(look, "no string was run", "bold yellow")
        return
    every = f"every one up to n = {check.exhaustive_to}, " if check.exhaustive_to else ""
    strings = counted(check.strings, "string", "strings")
    tallies = (
        words(look, f"largest error {decimal(check.largest_error)}, "),
        _tally(look, check.claim_violations, "violation of the claim", "violations of the claim"),
        words(look, ", "),
        _tally(look, check.disagreements, "disagreement with the proof", "disagreements with the proof"),
    )
    yield "cross-check", words(look, f"{strings} run soft and hard: {every}the longest n = {check.longest}")
    yield "", joined(*tallies)
    for note in check.notes:
        yield "", words(look, note)


def _tally(look: Look, number: int, one: str, several: str) -> Text:
    return words(look, counted(number, one, several), "bold red") if number else words(look, f"no {one}")
