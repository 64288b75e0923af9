"""What is generated for one construction: definitions, and theorems with a proof or with the reason for its lack."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

WIDTH = 106


def comment(text: str) -> str:
    """Text as it may stand in a comment of Coq, where quotes and further comments have a meaning; in lines."""
    harmless = " ".join(text.split()).replace("(*", "( *").replace("*)", "* )").replace('"', "'")
    return "\n    ".join(textwrap.wrap(harmless, WIDTH))


@dataclass(frozen=True)
class CoqTheorem:
    """One theorem.

    Args:
        name: its name in Coq.
        binders: what it quantifies over, such as ``(c : R) (n : Z)``.
        hypotheses: one proposition each.
        conclusion: a proposition.
        proof: the proof script, or None.
        unproved: where there is no proof, why; empty otherwise.
        simulation: which simulation it is about; empty for the hard head.
    """

    name: str
    binders: str
    hypotheses: tuple[str, ...]
    conclusion: str
    proof: tuple[str, ...] | None
    unproved: str = ""
    simulation: str = ""

    @property
    def statement(self) -> str:
        """The quantified proposition."""
        premises = "".join(f"    {premise} ->\n" for premise in self.hypotheses)
        return f"forall {self.binders},\n{premises}    {self.conclusion}"

    def text(self) -> str:
        """The theorem as Coq reads it; without a proof, the statement as a definition and the reason as a comment."""
        if self.proof is None:
            reason = f"(** Unproved: {comment(self.unproved)} *)"
            return f"{reason}\nDefinition {self.name}_claim : Prop :=\n  {self.statement}.\n"
        script = "\n".join(f"  {line}" for line in self.proof)
        return f"Theorem {self.name} :\n  {self.statement}.\nProof.\n{script}\nQed.\n"


@dataclass(frozen=True)
class CoqTheory:
    """One generated file.

    Args:
        name: the construction's name.
        module: the file's name without its ending, an identifier of Coq.
        definitions: the text before the theorems.
        theorems: in the order in which they stand.
        composed: whether it builds upon the composed theorem, and so upon constructions of the library.
    """

    name: str
    module: str
    definitions: str
    theorems: tuple[CoqTheorem, ...]
    composed: bool = False

    @property
    def text(self) -> str:
        """The whole file."""
        return "\n".join([self.definitions, *(theorem.text() for theorem in self.theorems)])

    @property
    def unproved(self) -> tuple[CoqTheorem, ...]:
        """The theorems for which the templates have no proof."""
        return tuple(theorem for theorem in self.theorems if theorem.proof is None)

    @property
    def proved_names(self) -> tuple[str, ...]:
        """The names of the theorems that are proved once the file compiles."""
        return tuple(theorem.name for theorem in self.theorems if theorem.proof is not None)
