(** Deliberately dirty: a proof that is left open. The check must refuse this file. *)
From Coq Require Import Reals.
Open Scope R_scope.

Theorem unproved : forall x : R, x < x + 1.
Proof. Admitted.
