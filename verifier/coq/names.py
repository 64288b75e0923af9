"""Names in Coq: those of a construction file, kept apart from everything that has a meaning there."""

from __future__ import annotations

import re

# Words of Coq's syntax and tactics, and every name that generated text uses or binds.
_TAKEN = frozenset(
    re.findall(
        r"\S+",
        """
    as at cofix else end exists exists2 fix for forall fun if in let match mod return SProp Prop Set then Type using
    where with by Definition Theorem Lemma Proof Qed Admitted Axiom Parameter Variable Hypothesis Fixpoint Inductive
    R Z Q nat bool true false list IZR INR Rmin Rmax Rabs Rleb Rltb Reqb Rpower exp ln sqrt sin cos PI negb andb orb
    implb b2r rho relu head hard soft row keys first_key greatest has_gap simulates hard_head claimed_error
    masked bos tied selects value default negated no_mask causal strict_causal past strict_past
    leftmost rightmost average unique next previous until since strict_until strict_since eventually globally once
    historically strict_eventually strict_globally strict_once strict_historically computed In Head
    i j n p t O S nil cons pair
    """,
    )
)


def identifier(name: str) -> str:
    """A name of a construction file in Coq; a prime, which no such name has, keeps it apart from what is taken."""
    taken = name in _TAKEN or name.startswith(("score_", "temperature_"))
    return f"{name}'" if taken else name


def module(name: str) -> str:
    """The name of a construction or simulation as part of an identifier."""
    return name.replace("-", "_")
