(** The exponential function from below, and a little about logarithms.

    Scope: what the bounds on attention need. Everything but the section on
    logarithms avoids the law of excluded middle, which the standard library
    uses for the intermediate value theorem and so for [ln]. *)
From Coq Require Import Reals ZArith Lra Lia.
Open Scope R_scope.

(** exp from below: for x >= 0 every partial sum of the series is a bound. *)
Fixpoint series (terms : nat) (x : R) : R :=
  match terms with
  | O => 0
  | S k => series k x + x ^ k / INR (fact k)
  end.

Lemma series_sum : forall K x, series (S K) x = sum_f_R0 (fun k => / INR (fact k) * x ^ k) K.
Proof.
  induction K as [|K IH]; intros x.
  - simpl. lra.
  - change (series (S (S K)) x) with (series (S K) x + x ^ (S K) / INR (fact (S K))).
    rewrite IH. rewrite tech5. unfold Rdiv. ring.
Qed.

Theorem exp_series_below : forall K x, 0 <= x -> series K x <= exp x.
Proof.
  intros [|K] x Hx; [simpl; left; apply exp_pos|].
  rewrite series_sum. apply sum_incr.
  - pose proof (exp_in_sum := proj2_sig (exist_exp x)). exact exp_in_sum.
  - intros k. apply Rmult_le_pos.
    + left. apply Rinv_0_lt_compat. apply INR_fact_lt_0.
    + apply pow_le. exact Hx.
Qed.

Lemma exp_above_line : forall x, 0 <= x -> 1 + x <= exp x.
Proof.
  intros x Hx. pose proof (exp_series_below 2 x Hx) as H. simpl in H. lra.
Qed.

Lemma exp_monotone : forall x y, x <= y -> exp x <= exp y.
Proof.
  intros x y H. replace y with (x + (y - x)) by ring. rewrite exp_plus.
  pose proof (exp_pos x). pose proof (exp_above_line (y - x)). nra.
Qed.

Lemma exp_neg : forall x, exp (- x) * exp x = 1.
Proof. intros. rewrite <- exp_plus. replace (- x + x) with 0 by ring. apply exp_0. Qed.

Lemma exp_neg_inv : forall x, exp (- x) = / exp x.
Proof.
  intros. pose proof (exp_pos x). apply Rmult_eq_reg_r with (exp x); [|lra].
  rewrite exp_neg. field. lra.
Qed.

Lemma exp_neg_below_one : forall x, 0 < x -> 0 < exp (- x) < 1.
Proof.
  intros x Hx. split; [apply exp_pos|]. rewrite exp_neg_inv.
  pose proof (exp_above_line x). rewrite <- Rinv_1. apply Rinv_lt_contravar; lra.
Qed.

Lemma exp_mult_nat : forall k x, exp (INR k * x) = exp x ^ k.
Proof.
  induction k as [|k IH]; intros x.
  - simpl. rewrite Rmult_0_l. apply exp_0.
  - rewrite S_INR. replace ((INR k + 1) * x) with (x + INR k * x) by ring.
    rewrite exp_plus, IH. reflexivity.
Qed.

(** x exp(-a x) is at most 1/a, whatever x >= 0. *)
Lemma linear_times_exp : forall a x, 0 < a -> 0 <= x -> x * exp (- (a * x)) <= / a.
Proof.
  intros a x Ha Hx. rewrite exp_neg_inv.
  pose proof (exp_above_line (a * x)). pose proof (exp_pos (a * x)).
  assert (0 <= a * x) by nra. assert (a * x <= exp (a * x)) by lra.
  apply Rmult_le_reg_l with a; [lra|]. rewrite Rinv_r by lra.
  apply Rmult_le_reg_r with (exp (a * x)); [lra|].
  replace (a * (x * / exp (a * x)) * exp (a * x)) with (a * x) by (field; lra). lra.
Qed.

(** ** Logarithms *)

Lemma ln_nonneg : forall x, 1 <= x -> 0 <= ln x.
Proof.
  intros x H. destruct (Rlt_or_le 1 x) as [H1|H1].
  - rewrite <- ln_1. left. apply ln_increasing; lra.
  - replace x with 1 by lra. rewrite ln_1. lra.
Qed.

Lemma exp_neg_ln : forall x, 0 < x -> exp (- ln x) = / x.
Proof. intros x H. rewrite exp_neg_inv, exp_ln; auto. Qed.

Lemma ln_below : forall x, 1 <= x -> ln x <= x - 1.
Proof.
  intros x H. rewrite <- (ln_exp (x - 1)). pose proof (exp_above_line (x - 1) ltac:(lra)).
  destruct (Rlt_or_le x (exp (x - 1))) as [Hlt|Hle].
  - left. apply ln_increasing; lra.
  - right. f_equal. lra.
Qed.
