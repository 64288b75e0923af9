"""A temporal formula as a file for Coq: its softmax transformer computes it, on every string, for both routes."""

from __future__ import annotations

from collections.abc import Mapping

from verifier.coq.theory import CoqTheorem, CoqTheory, comment
from verifier.logic.syntax import Atom, Constant, Formula, subformulas, to_text
from verifier.logic.syntax import atoms as atoms_of

_CONSTRUCTORS: Mapping[str, str] = {
    "!": "Not", "&": "And", "|": "Or", "->": "Implies", "<->": "Iff",
    "X": "Next", "Y": "Previous", "F": "Eventually", "G": "Globally", "O": "Once", "H": "Historically",
    "sF": "StrictEventually", "sG": "StrictGlobally", "sO": "StrictOnce", "sH": "StrictHistorically",
    "U": "Until", "S": "Since", "sU": "StrictUntil", "sS": "StrictSince",
}  # fmt: skip
ROUTES: Mapping[str, str] = {"position-embedding": "position_embedding", "temperature": "temperature"}
LONGEST_SHOWN = 500

_PREAMBLE = """\
From Coq Require Import Reals ZArith Lra.
From HardAttention.composition Require Import Composed.
Open Scope R_scope.
"""


def emit_formula(formula: Formula, route: str | None = None) -> CoqTheory:
    """The composed theorem of a formula.

    Args:
        formula: any formula of temporal logic.
        route: the only route wanted, one of `ROUTES`; both by default.

    Raises:
        KeyError: there is no such route.
    """
    routes = [ROUTES[route]] if route is not None else list(ROUTES.values())
    return CoqTheory(
        name=_shown(formula),
        module="formula",
        definitions="\n".join((_header(formula), _PREAMBLE, _definitions(formula))),
        theorems=tuple(_theorem(one) for one in routes),
        composed=True,
    )


def _shown(formula: Formula) -> str:
    text = to_text(formula)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _header(formula: Formula) -> str:
    numbered = ", ".join(f"{number} is {name}" for number, name in enumerate(sorted(atoms_of(formula))))
    atoms = f"Of its atoms, {numbered}." if numbered else "It has no atoms."
    return (
        f"(** The softmax transformer of the formula\n    {comment(_shown(formula))}\n\n    {comment(atoms)}\n"
        "    The heads that average have ln n in their scores or temperatures. *)\n"
    )


def _definitions(formula: Formula) -> str:
    """One definition for each distinct subformula, operands first, so that nothing is nested or written twice."""
    number = {name: at for at, name in enumerate(sorted(atoms_of(formula)))}
    place: dict[Formula, str] = {}
    lines = []
    for at, node in enumerate(subformulas(formula)):
        place[node] = f"f{at}"
        lines.append(f"Definition f{at} : formula := {_node(node, place, number)}.")
    return "\n".join([*lines, f"Definition the_formula : formula := {place[formula]}.", ""])


def _node(node: Formula, place: Mapping[Formula, str], number: Mapping[str, int]) -> str:
    if isinstance(node, Atom):
        return f"Atom {number[node.name]}"
    if isinstance(node, Constant):
        return f"Constant {str(node.value).lower()}"
    return " ".join([_CONSTRUCTORS[node.op], *(place[operand] for operand in node.operands)])


def _theorem(route: str) -> CoqTheorem:
    return CoqTheorem(
        name=f"formula_{route}",
        binders="(c : R) (n : Z) (string : nat -> Z -> bool) (i : Z)",
        hypotheses=("2 <= c", "(1 <= n)%Z", "(1 <= i <= n)%Z"),
        conclusion=f"activation {route} c n string the_formula i = b2r (holds n string the_formula i)",
        proof=("intros.", "apply transformer_computes_formula; assumption."),
        simulation=route.replace("_", "-"),
    )
