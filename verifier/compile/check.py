"""From a formula to its verdict: compile, prove, run, and what proof and numbers say together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from verifier.compile.compiler import Compiled, compile_text
from verifier.compile.emit import feature_name
from verifier.compile.result import FormulaCheck, FormulaResult, Size, StringResult
from verifier.compile.run import Runner, accepted, run, runner
from verifier.compile.strings import lengths, long_strings, short_strings
from verifier.compile.transformer import AttentionLayer, Transformer
from verifier.compile.verify import FormulaProof, Progress, prove_formula
from verifier.logic.syntax import atoms, is_past_only, to_text
from verifier.prove.solver import Session
from verifier.symbolic.factor import growth
from verifier.symbolic.translate import to_sympy
from verifier.verdict import Trust, Verdict
from verifier.versions import versions

MOST_POSITIONS = 4_000_000  # times heads, of long strings of the checker's own choice


def check_formula(
    text: str,
    alphabet: Sequence[str],
    *,
    route: str = "temperature",
    strings: Sequence[str] = (),
    max_n: int = 1000,
    seed: int = 0,
    session: Session | None = None,
    progress: Progress | None = None,
) -> FormulaResult:
    """Compile a formula, prove its transformer, and run it.

    Args:
        text: the formula.
        alphabet: its symbols, each a single character.
        route: ``temperature`` or ``position-embedding``.
        strings: to be run, with the values at each position in the result.
        max_n: the greatest length of the strings of the checker's own choice; the proof has no such limit.
        seed: of the random ones among them.
        session: which solvers, with what limits.
        progress: told the stage, how much is done, and of how much.

    Raises:
        FormulaError: the text is no formula over the alphabet.
        WordError: the alphabet or a string is wrong.
        CompileError: there is no such transformer.
    """
    started = time.perf_counter()
    session = session or Session()
    compiled = compile_text(text, alphabet, route)
    ready = runner(compiled.transformer)
    given = run_strings(ready, strings)
    check = _numbers(ready, max_n, seed, progress)
    proof = prove_formula(compiled, max_n, session=session, progress=progress)
    decision = _decide(proof, check, given, max_n)
    return FormulaResult(
        formula=to_text(compiled.formula),
        alphabet="".join(alphabet),
        route=route,
        verdict=decision.verdict,
        trust=_trust(decision.verdict, session),
        scope=decision.scope,
        reason=decision.reason,
        size=size(compiled, proof),
        heads=proof.heads,
        obligations=proof.obligations,
        check=check,
        strings=given,
        accepts_at="last" if is_past_only(compiled.formula) else "first",
        max_n=max_n,
        seconds=time.perf_counter() - started,
        versions=versions(),
    )


def _trust(verdict: Verdict, session: Session) -> Trust:
    if verdict not in (Verdict.PROVED, Verdict.BOUNDED):
        return Trust.TESTED
    return Trust.TWO_SOLVERS if session.two_solvers else Trust.SOLVER


def size(compiled: Compiled, proof: FormulaProof) -> Size:
    """How large a transformer is."""
    transformer = compiled.transformer
    return Size(
        depth=transformer.depth,
        feed_forward_layers=len(transformer.layers) - transformer.depth,
        width=transformer.width,
        heads=transformer.heads,
        d_key=transformer.d_key,
        position_features=tuple(
            (feature_name(feature), growth(to_sympy(feature.expr("i")))) for _, feature in transformer.features
        ),
        temperatures=tuple(dict.fromkeys(head.temperature for head in proof.heads)),
        parameters=_parameters(transformer),
    )


def _parameters(transformer: Transformer) -> int:
    total = transformer.embedding.size + transformer.readout.size + 1
    for layer in transformer.layers:
        if isinstance(layer, AttentionLayer):
            matrices = (layer.query, layer.query_bias, layer.key, layer.key_bias)
            total += sum(matrix.size for matrix in (*matrices, layer.value, layer.value_bias, layer.output))
        else:
            total += sum(matrix.size for matrix in (layer.inner, layer.inner_bias, layer.outer))
    return total


def run_strings(ready: Runner, strings: Sequence[str]) -> tuple[StringResult, ...]:
    """The values at each position of strings of any lengths, in the order given.

    Raises:
        WordError: a string is empty or has a symbol outside the alphabet.
    """
    by_length: dict[int, list[int]] = {}
    for at, string in enumerate(strings):
        by_length.setdefault(len(string), []).append(at)
    found: dict[int, StringResult] = {}
    for places in by_length.values():
        outcome = run(ready, [strings[at] for at in places])
        for row, at in enumerate(places):
            soft, hard, values = (tuple(plane[row].tolist()) for plane in (outcome.soft, outcome.hard, outcome.values))
            found[at] = StringResult(strings[at], soft, hard, values, accepted(ready, outcome.soft[row]))
    return tuple(found[at] for at in range(len(strings)))


def _numbers(ready: Runner, max_n: int, seed: int, progress: Progress | None) -> FormulaCheck:
    """Run strings of our own choice: all short ones, and for each of some lengths extreme and random ones."""
    transformer = ready.transformer
    batches, exhaustive_to = short_strings(transformer.alphabet, max_n)
    symbols = _symbols(transformer)
    for n in lengths(exhaustive_to + 1, max_n):
        most = max(4, MOST_POSITIONS // (n * max(1, transformer.heads)))
        batches.append(long_strings(symbols, n, seed)[-most:])
    strings, longest, error, differences, example = 0, 0, 0.0, 0, ""
    for at, batch in enumerate(batches):
        if progress:
            progress("strings", at, len(batches))
        outcome = run(ready, batch)
        strings, longest = strings + len(batch), max(longest, len(batch[0]))
        error = max(error, outcome.largest_error)
        wrong = ((outcome.soft != outcome.values) | (outcome.hard != outcome.values)).any(axis=1)
        example = example or (batch[int(wrong.argmax())] if wrong.any() else "")
        differences += outcome.differences
    return FormulaCheck(strings, exhaustive_to, longest, error, differences, example)


def _symbols(transformer: Transformer) -> list[str]:
    """The symbols that the formula names, and one other that stands for all the rest."""
    named = [symbol for symbol in transformer.alphabet if symbol in atoms(transformer.formula)]
    others = [symbol for symbol in transformer.alphabet if symbol not in named]
    return named + others[:1]


@dataclass(frozen=True)
class _Decision:
    verdict: Verdict
    scope: str
    reason: str


def _decide(proof: FormulaProof, check: FormulaCheck, given: Sequence[StringResult], max_n: int) -> _Decision:
    """The verdict. Numbers that contradict the semantics are never outvoted by a proof."""
    wrong = check.example or next((one.string for one in given if one.differences), "")
    if wrong:
        shown = wrong if len(wrong) <= 40 else f"{wrong[:37]}..."
        contradicts = "; THE PROOF SAYS OTHERWISE, please report this" if proof.every_n else ""
        reason = f"soft, hard and semantics differ on {shown!a}, of length {len(wrong)}{contradicts}"
        return _Decision(Verdict.UNDECIDED, "", reason)
    if proof.every_n:
        return _Decision(Verdict.PROVED, "every n", "")
    open_ = [f"'{one.name}'" for one in proof.obligations if one.verdict != Verdict.PROVED]
    open_ += [f"the construction '{head.construction}'" for head in proof.heads if not head.every_n]
    keeps = f"not proved for every n: {', '.join(open_[:3])}"
    if proof.holds_to >= max_n:
        return _Decision(Verdict.BOUNDED, f"n <= {max_n}", keeps)
    return _Decision(Verdict.UNDECIDED, "", keeps)
