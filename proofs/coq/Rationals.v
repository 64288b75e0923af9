(** Rational lower bounds of exponentials, by computation.

    Scope: the first terms of the series in rational arithmetic, a bound from
    below for every argument that is not negative. *)
From Coq Require Import Reals ZArith QArith Qreals Lra Lia.
From HardAttention Require Export Exponentials.
Close Scope Q_scope.
Open Scope R_scope.

(** The first terms of the series in rational arithmetic, as 1 + x/k (1 + x/(k+1) (...)). *)
Fixpoint nested (terms : nat) (k : Z) (x : Q) : Q :=
  match terms with
  | O => 1%Q
  | S rest => Qred (1 + x * / inject_Z k * nested rest (k + 1)%Z x)
  end.

Fixpoint terms_from (terms k : nat) (x : R) : R :=
  x ^ k / INR (fact k) + match terms with O => 0 | S rest => terms_from rest (S k) x end.

Lemma terms_from_sum : forall terms x, terms_from terms 0 x = sum_f_R0 (fun k => / INR (fact k) * x ^ k) terms.
Proof.
  assert (H : forall terms k x, terms_from terms k x = sum_f_R0 (fun m => / INR (fact (k + m)) * x ^ (k + m)) terms).
  { induction terms as [|terms IH]; intros k x.
    - cbn [terms_from sum_f_R0]. rewrite Nat.add_0_r. unfold Rdiv. ring.
    - rewrite decomp_sum by lia. cbn [terms_from pred]. rewrite IH, Nat.add_0_r.
      f_equal; [unfold Rdiv; ring|]. apply sum_eq. intros m _. rewrite Nat.add_succ_r. reflexivity. }
  intros. apply H.
Qed.

Lemma nested_terms : forall terms k x,
  Q2R x ^ k / INR (fact k) * Q2R (nested terms (Z.of_nat k + 1) x) = terms_from terms k (Q2R x).
Proof.
  induction terms as [|terms IH]; intros k x; cbn [nested terms_from].
  - replace (Q2R 1) with 1 by (unfold Q2R; cbn; field). ring.
  - assert (Hk : Q2R (inject_Z (Z.of_nat k + 1)) = INR (S k)).
    { unfold Q2R, inject_Z. cbn [Qnum Qden]. rewrite S_INR, INR_IZR_INZ, plus_IZR. field. }
    rewrite <- IH, (Qeq_eqR _ _ (Qred_correct _)), Q2R_plus, !Q2R_mult, Q2R_inv, Hk.
    2: { intros E. apply Qeq_eqR in E. rewrite Hk in E. replace (Q2R 0) with 0 in E by (unfold Q2R; cbn; ring).
         apply not_0_INR in E; [exact E|discriminate]. }
    replace (Z.of_nat (S k) + 1)%Z with (Z.of_nat k + 1 + 1)%Z by lia.
    replace (Q2R 1) with 1 by (unfold Q2R; cbn; field).
    rewrite fact_simpl, mult_INR. cbn [pow]. field.
    repeat split; apply not_0_INR; first [apply fact_neq_0|intros E; lia].
Qed.

(** [q <= exp x] by the first terms of the series; rational arithmetic decides. *)
Theorem exp_at_least : forall terms (q x : Q),
  Qle_bool 0 x = true -> Qle_bool q (nested terms 1 x) = true -> Q2R q <= exp (Q2R x).
Proof.
  intros terms q x Hx H. apply Qle_bool_iff in Hx, H. apply Qle_Rle in Hx, H.
  replace (Q2R 0) with 0 in Hx by (unfold Q2R; cbn; ring).
  eapply Rle_trans; [exact H|]. eapply Rle_trans; [|apply (exp_series_below (S terms)), Hx].
  rewrite series_sum, <- terms_from_sum, <- (nested_terms terms 0 x). cbn. lra.
Qed.
