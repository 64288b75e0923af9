(** Deliberately dirty: an axiom of the standard library that is not one of its real numbers. No word of this file
    gives it away, only the kernel does. *)
From Coq Require Import ProofIrrelevance.

Theorem borrowed : forall (P : Prop) (a b : P), a = b.
Proof. intros. apply proof_irrelevance. Qed.
