(** R / (1 + R): the error that a total weight R beside the target allows.

    Scope: monotonicity, and when it lies below a claimed error. *)
From Coq Require Import Reals Lra.
Open Scope R_scope.

Definition err (total : R) : R := total / (1 + total).

Lemma err_monotone : forall x y, 0 <= x -> x <= y -> err x <= err y.
Proof.
  intros x y Hx Hxy. unfold err, Rdiv.
  apply Rmult_le_reg_r with ((1 + x) * (1 + y)); [nra|].
  replace (x * / (1 + x) * ((1 + x) * (1 + y))) with (x * (1 + y)) by (field; lra).
  replace (y * / (1 + y) * ((1 + x) * (1 + y))) with (y * (1 + x)) by (field; lra). lra.
Qed.

Lemma err_below : forall x e, 0 <= x -> x * (1 - e) <= e -> err x <= e.
Proof.
  intros x e Hx H. unfold err, Rdiv. apply Rmult_le_reg_r with (1 + x); [lra|].
  rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma err_nonneg : forall x, 0 <= x -> 0 <= err x.
Proof.
  intros x H. unfold err, Rdiv. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
Qed.
