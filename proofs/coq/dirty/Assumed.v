(** Deliberately dirty: an axiom of its own, from which a false claim follows. The check must refuse this file. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

Axiom generous : forall x : R, exp x <= 1.

Theorem assumed : exp 2 <= 1 / 4 + 1.
Proof. pose proof (generous 2). lra. Qed.
