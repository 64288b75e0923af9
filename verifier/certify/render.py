"""One obligation as the text of a file, with the lemma instances it uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import z3

from verifier.certify.lemma_text import LemmaText, assertions, demands
from verifier.prove.lemmas import Lemma
from verifier.prove.smtlib import Printer, numeral, script
from verifier.prove.solver import Obligation

WHY = "The assertions are what may be assumed, and last the negation of the claim; unsat: the claim follows."
WHY_ABSENT = "The assertions describe a case; unsat: it cannot occur."
MODEL_MILLISECONDS = 20_000
WHY_SATISFIABLE = "The assumptions alone, at values that satisfy them; sat: they do not contradict each other."


@dataclass(frozen=True)
class Rendered:
    """An obligation as text: the file, the file that shows its hypotheses satisfiable, and the lemmas used.

    Args:
        text: of the obligation.
        assumptions: of the satisfiability of its hypotheses; empty where there is none to show.
        lemmas: the instances used.
    """

    text: str
    assumptions: str
    lemmas: tuple[LemmaText, ...]


@dataclass
class Renderer:
    """Writes obligations of one simulation.

    Args:
        lemmas: every instance there is.
    """

    lemmas: Sequence[Lemma]

    def __post_init__(self) -> None:
        self._by_fact: Mapping[int, tuple[int, int]] = {
            fact.get_id(): (at, part)
            for at, lemma in enumerate(self.lemmas)
            for part, fact in enumerate(lemma.facts)
        }

    def render(self, obligation: Obligation) -> Rendered:
        """The text of an obligation. Raises `ValueError` for an operator that has no place in one."""
        printer = Printer()
        used: dict[int, LemmaText] = {}
        bodies, notes = [], []
        for formula in obligation.refutation:
            place = self._by_fact.get(formula.get_id())
            if place is None:
                bodies.append(printer.text(formula))
                notes.append("")
                continue
            printer.text(formula)  # declares its symbols and notes its logic
            at, part = place
            used.setdefault(at, _lemma_text(self.lemmas[at], printer))
            bodies.append(assertions(used[at])[part])
            notes.append(f"lemma, {used[at].kind}")
        absent = z3.is_false(obligation.goal)
        if not absent:
            notes[-1] = "the negation of the claim"
        comments = [f"{obligation.name}", f"Claim: {obligation.statement}", WHY_ABSENT if absent else WHY]
        text = script(bodies, comments=comments, printer=printer, notes=notes)
        return Rendered(
            text, "" if absent else _assumptions(obligation, bodies[:-1], notes[:-1], printer), tuple(used.values())
        )

    def demanded(self, obligation: Obligation) -> list[list[z3.BoolRef]]:
        """For each lemma instance that the obligation uses, the goals that must be proved for it."""
        found: dict[int, list[z3.BoolRef]] = {}
        for formula in obligation.refutation:
            place = self._by_fact.get(formula.get_id())
            if place is not None:
                found.setdefault(place[0], _demanded(self.lemmas[place[0]]))
        return list(found.values())


def _demanded(lemma: Lemma) -> list[z3.BoolRef]:
    tops = [top for top, _, _ in lemma.factors]
    if lemma.argument is None:
        return []
    argument = lemma.argument[0]
    if lemma.kind == "exp tail":
        return [argument >= 0, *(top > 0 for top in tops)]
    return [argument > 0] if lemma.kind in ("ln", "sqrt") else []


def _lemma_text(lemma: Lemma, printer: Printer) -> LemmaText:
    top, bottom = lemma.argument or (None, None)
    text = LemmaText(
        kind=str(lemma.kind),
        symbol=printer.text(lemma.variable),
        meaning=lemma.meaning,
        numerator="" if top is None else printer.text(top),
        denominator="" if bottom is None else printer.text(bottom),
        factors=tuple((printer.text(above), printer.text(below), power) for above, below, power in lemma.factors),
        numbers={name: Fraction(value) for name, value in lemma.data.items()},
    )
    assert len(assertions(text)) == len(lemma.facts) and len(demands(text)) == len(_demanded(lemma))
    return text


def _assumptions(obligation: Obligation, bodies: list[str], notes: list[str], printer: Printer) -> str:
    """The hypotheses at values that satisfy them, as far as these are rational numbers or truth values."""
    comments = [obligation.name, WHY_SATISFIABLE]
    pins = _values(script(bodies, printer=printer, status="sat"))
    marks = [*notes, *["a value"] * len(pins)]
    return script([*bodies, *pins], comments=comments, printer=printer, notes=marks, status="sat")


def _values(text: str) -> list[str]:
    """Values that satisfy a script, as equations; found in a context of its own, so that they depend on it only."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", MODEL_MILLISECONDS)
    solver.from_string(text)
    if solver.check() != z3.sat:
        return []
    model = solver.model()
    found = []
    for declared in sorted(model.decls(), key=lambda one: str(one.name())):
        value = model[declared]
        if declared.arity():
            continue
        if z3.is_rational_value(value) or z3.is_int_value(value):
            found.append(f"(= {declared.name()} {numeral(value)})")
        elif z3.is_true(value) or z3.is_false(value):
            found.append(declared.name() if z3.is_true(value) else f"(not {declared.name()})")
    return found
