"""The proof that a compiled transformer computes its formula, for every string and every n.

By induction over the layers, every obligation about the matrices as they are: `embedding`; then, for each attention
layer, that its heads are those of proved constructions on exact operands, so that soft values are within 1/4; for each
feed-forward layer, that rounding and gates make Booleans of them; at last that the readout is the formula's value.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import z3

from verifier.compile.compiler import Compiled
from verifier.compile.heads import Scores, attention, operator_of
from verifier.compile.lower import written_out
from verifier.compile.matrices import Established, embedding, feed_forward, readout, syntactic
from verifier.compile.operators import CONSTRUCTIONS, SHORT, construction_for, simulation_for
from verifier.compile.propositions import Propositions, same_head
from verifier.compile.transformer import AttentionLayer, FeedForward
from verifier.logic.first_order import first_order
from verifier.logic.syntax import TEMPORAL, Atom, Binary, Formula, Unary, subformulas, to_text
from verifier.prove.proof import prove
from verifier.prove.solver import Obligation, Session, discharge
from verifier.verdict import ObligationResult, Verdict

ROUNDING = "rounding"
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class HeadProof:
    """What is proved of one construction that the transformer uses."""

    construction: str
    operator: str
    simulation: str
    temperature: str
    every_n: bool
    holds_to: int
    obligations: tuple[ObligationResult, ...]
    seconds: float


@dataclass(frozen=True)
class FormulaProof:
    """What is proved of a whole transformer.

    Args:
        heads: one for each construction used, by name.
        obligations: about the whole, in the order of the induction.
        holds_to: where all but some head's budget is proved, the N up to which the whole is; 0 where nothing is.
    """

    heads: tuple[HeadProof, ...]
    obligations: tuple[ObligationResult, ...]
    every_n: bool
    holds_to: int


def prove_formula(
    compiled: Compiled, max_n: int, *, session: Session | None = None, progress: Progress | None = None
) -> FormulaProof:
    """Prove the whole.

    Args:
        compiled: the transformer, and the circuit that says which subformulas share a head.
        max_n: up to which a head's bound is also evaluated one length at a time.
        session: which solvers, with what limits.
        progress: told the stage, how much is done, and of how much.
    """
    session = session or Session()
    used = _used(compiled)
    heads = []
    for at, op in enumerate(used):
        if progress:
            progress("heads", at, len(used))
        heads.append(_head(op, compiled.transformer.route, max_n, session))
    obligations = tuple(whole(compiled, session, progress))
    sound = all(result.verdict == Verdict.PROVED for result in obligations)
    return FormulaProof(
        heads=tuple(heads),
        obligations=obligations,
        every_n=sound and all(head.every_n for head in heads),
        holds_to=min((head.holds_to for head in heads), default=max_n) if sound else 0,
    )


def _used(compiled: Compiled) -> list[str]:
    """The operators whose constructions the transformer has heads of, in the order of their first use."""
    operators = {name: op for op, name in CONSTRUCTIONS.items()}
    notes = [note for layer in compiled.transformer.attention_layers() for note in layer.notes]
    return list(dict.fromkeys(operators[note.construction] for note in notes))


def _head(op: str, route: str, max_n: int, session: Session) -> HeadProof:
    started = time.perf_counter()
    construction = construction_for(op)
    simulation = simulation_for(construction, route)
    proof = prove(construction, simulation, max_n, session=session)
    # Rounding is what lets errors not add up; a claim without that obligation is of no use here.
    rounds = any(one.name == ROUNDING and one.verdict == Verdict.PROVED for one in proof.obligations)
    return HeadProof(
        construction=construction.name,
        operator=op,
        simulation=simulation.name,
        temperature=simulation.temperature.text,
        every_n=proof.every_n and rounds,
        holds_to=proof.holds_to if rounds else 0,
        obligations=proof.obligations,
        seconds=time.perf_counter() - started,
    )


def whole(compiled: Compiled, session: Session, progress: Progress | None = None) -> list[ObligationResult]:
    """The obligations about operators, sharing and matrices, in the order of the induction."""
    propositions = Propositions()
    plain = written_out(compiled.formula)
    results = [*_short_operators(compiled, session), *_sharing(compiled, plain, propositions, session)]
    established = Established(compiled.transformer, propositions, session)
    results.append(embedding(established))
    scores = Scores(established)
    numbers = {AttentionLayer: 0, FeedForward: 0}
    for at, layer in enumerate(compiled.transformer.layers):
        if progress:
            progress("layers", at, len(compiled.transformer.layers))
        numbers[type(layer)] += 1
        if isinstance(layer, AttentionLayer):
            found = attention(established, scores, layer, numbers[AttentionLayer])
        else:
            found = feed_forward(established, layer, numbers[FeedForward])
        results += [*scores.take(), found]
    results.append(readout(established, plain))
    return results


def _short_operators(compiled: Compiled, session: Session) -> list[ObligationResult]:
    """That operators which are short for others say the same, by the definitions of both."""
    used = [part.op for part in subformulas(compiled.formula) if isinstance(part, Unary) and part.op in SHORT]
    return [_means_the_same(op, session) for op in dict.fromkeys(used)]


def _means_the_same(op: str, session: Session) -> ObligationResult:
    atom = Atom("a")
    short, long = Unary(op, atom), SHORT[op](atom)
    i, n = z3.Ints("i n")
    holds = z3.Function("a", z3.IntSort(), z3.BoolSort())
    one, other = (first_order(formula, i, n, {"a": holds}) for formula in (short, long))
    statement = f"{to_text(short)} is {to_text(long)} at every position of every string"
    obligation = Obligation(f"operator {op}", statement, (i >= 1, i <= n), one == other)
    return discharge(obligation, session)


def _sharing(
    compiled: Compiled, plain: Formula, propositions: Propositions, session: Session
) -> list[ObligationResult]:
    """Temporal subformulas that share a head select by the same and read the same, operands first."""
    statement = "temporal subformulas that share a head select by the same keys and read the same values"
    shared = 0
    for part in subformulas(plain):
        if not isinstance(part, Unary | Binary) or part.op not in TEMPORAL:
            continue
        literal = compiled.circuit.literals.get(part)
        if literal is None:
            return [syntactic("shared heads", statement, f"no head is named for {to_text(part)[:60]}")]
        meant = operator_of(compiled.circuit.meanings[literal.node], construction_for(part.op))
        if meant == part:
            continue
        shared += 1
        if not isinstance(meant, Unary | Binary) or meant.op != part.op:
            return [syntactic("shared heads", statement, f"{part.op} shares a head with another operator")]
        obligation = Obligation("shared heads", statement, (), same_head(propositions, part, meant))
        result = discharge(obligation, session)
        if result.verdict != Verdict.PROVED:
            return [result]
        propositions.identify(part, meant)
    return [replace(result, detail=f"{shared} subformulas")] if shared else []
