(** Numbers in budgets: rational bounds of the tails' sums.

    Scope: a rational lower bound of one exponential, by its series, bounds
    each tail; the rest of a budget is rational arithmetic. *)
From Coq Require Import Reals ZArith QArith Qreals Lra.
From HardAttention Require Export Rationals SingleTarget PerturbedScores.
Close Scope Q_scope.
Open Scope R_scope.

Lemma exp_neg_below : forall q x, 0 < q -> q <= exp x -> exp (- x) <= / q.
Proof. intros q x Hq H. rewrite exp_neg_inv. apply Rinv_le_contravar; lra. Qed.

Lemma near_below : forall a b q r, 0 < a -> 1 < q -> q <= exp a -> 0 < r -> r <= exp b ->
  tail_sum (near a b) <= / r * / (q - 1).
Proof.
  intros a b q r Ha Hq H Hr Hb. simpl. apply Rmult_le_compat; [left; apply exp_pos| | |].
  - left. apply geometric_pos. exact Ha.
  - apply exp_neg_below; lra.
  - apply geometric_below; lra.
Qed.

Lemma far_below : forall m a b r, 0 < a -> 0 < r -> r <= exp b -> tail_sum (far m a b) <= / (r * a).
Proof.
  intros m a b r Ha Hr Hb. simpl. unfold Rdiv. rewrite Rinv_mult. 
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|apply exp_neg_below; lra].
Qed.

Lemma square_below : forall a q, 0 < a -> 1 < q -> q <= exp a -> tail_sum (square a) <= q * q / (q * q * q - 1).
Proof.
  intros a q Ha Hq H. simpl. unfold gaussian.
  replace (- (3 * a)) with (- a + - a + - a) by ring. rewrite !exp_plus, exp_neg_inv.
  set (e := exp a) in *. assert (Hqq : 1 < q * q) by nra. assert (Hee : q * q <= e * e) by nra.
  assert (1 < q * q * q) by nra. assert (1 < e * e) by lra. assert (1 < e * e * e) by nra.
  replace (/ e / (1 - / e * / e * / e)) with (e * e * / (e * e * e - 1)) by (field; repeat split; lra).
  unfold Rdiv. apply Rmult_le_reg_r with ((e * e * e - 1) * (q * q * q - 1)); [nra|].
  replace (e * e * / (e * e * e - 1) * ((e * e * e - 1) * (q * q * q - 1))) with (e * e * (q * q * q - 1))
    by (field; repeat split; lra).
  replace (q * q * / (q * q * q - 1) * ((e * e * e - 1) * (q * q * q - 1))) with (q * q * (e * e * e - 1))
    by (field; repeat split; lra).
  assert (0 <= (e - q) * (q * q * e * e + e + q)) by (apply Rmult_le_pos; nra). nra.
Qed.

Lemma tail_sum_nonneg : forall side l, tail_valid side l -> 0 <= tail_sum side.
Proof.
  intros [a b|a|m a b|] l H; simpl in *.
  - pose proof (geometric_pos a H). pose proof (exp_pos (- b)). nra.
  - unfold gaussian, Rdiv. pose proof (exp_pos (- a)). pose proof (exp_neg_below_one (3 * a) ltac:(lra)).
    left. apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
  - destruct H. unfold Rdiv. left. apply Rmult_lt_0_compat; [apply exp_pos|apply Rinv_0_lt_compat; lra].
  - lra.
Qed.

(** A rational bound of the total weight settles a budget. *)
Lemma budget : forall x bound e, 0 <= x -> x <= bound -> e <= 1 -> bound * (1 - e) <= e -> err x <= e.
Proof. intros. apply err_below; [assumption|]. nra. Qed.

Lemma near_sum : forall a q, 0 < a -> 1 < q -> q <= exp a -> 0 <= tail_sum (near a 0) <= / (q - 1).
Proof.
  intros a q Ha Hq H. split; [exact (tail_sum_nonneg (near a 0) nil Ha)|].
  pose proof (near_below a 0 q 1 Ha Hq H Rlt_0_1) as Hb. rewrite exp_0, Rinv_1, Rmult_1_l in Hb. apply Hb. lra.
Qed.

(** One geometric tail on each side. *)
Lemma budget_near_near : forall a q e, 0 < a -> 1 < q -> q <= exp a -> e <= 1 ->
  2 * (1 - e) <= e * (q - 1) -> err (tail_sum (near a 0) + tail_sum (near a 0)) <= e.
Proof.
  intros a q e Ha Hq H He Hb. pose proof (near_sum a q Ha Hq H).
  apply budget with (2 * / (q - 1)); try lra.
  apply Rmult_le_reg_r with (q - 1); [lra|].
  replace (2 * / (q - 1) * (1 - e) * (q - 1)) with (2 * (1 - e)) by (field; lra). exact Hb.
Qed.

(** One geometric tail, and at most m keys far away on the other side. *)
Lemma budget_near_far : forall a q m b r e, 0 < a -> 1 < q -> q <= exp a -> 0 < r -> r <= exp b -> e <= 1 ->
  (r * a + (q - 1)) * (1 - e) <= e * ((q - 1) * (r * a)) ->
  err (tail_sum (near a 0) + tail_sum (far m a b)) <= e.
Proof.
  intros a q m b r e Ha Hq H Hr Hb He Hbudget. pose proof (near_sum a q Ha Hq H).
  pose proof (far_below m a b r Ha Hr Hb). assert (0 < r * a) by (apply Rmult_lt_0_compat; assumption).
  assert (0 <= tail_sum (far m a b)).
  { cbn. unfold Rdiv. left. apply Rmult_lt_0_compat; [apply exp_pos|apply Rinv_0_lt_compat; exact Ha]. }
  apply budget with (/ (q - 1) + / (r * a)); try lra.
  apply Rmult_le_reg_r with ((q - 1) * (r * a)); [nra|].
  replace ((/ (q - 1) + / (r * a)) * (1 - e) * ((q - 1) * (r * a))) with ((r * a + (q - 1)) * (1 - e))
    by (field; repeat split; lra). exact Hbudget.
Qed.

Lemma budget_far_near : forall a q m b r e, 0 < a -> 1 < q -> q <= exp a -> 0 < r -> r <= exp b -> e <= 1 ->
  (r * a + (q - 1)) * (1 - e) <= e * ((q - 1) * (r * a)) ->
  err (tail_sum (far m a b) + tail_sum (near a 0)) <= e.
Proof. intros. rewrite Rplus_comm. apply budget_near_far with q r; assumption. Qed.

(** A geometric tail on one side only. *)
Lemma budget_near_absent : forall a q e, 0 < a -> 1 < q -> q <= exp a -> e <= 1 ->
  1 <= e * q -> err (tail_sum (near a 0) + tail_sum absent) <= e.
Proof.
  intros a q e Ha Hq H He Hb. pose proof (near_sum a q Ha Hq H).
  change (tail_sum absent) with 0. apply budget with (/ (q - 1)); try lra.
  apply Rmult_le_reg_r with (q - 1); [lra|].
  replace (/ (q - 1) * (1 - e) * (q - 1)) with (1 - e) by (field; lra). lra.
Qed.

Lemma budget_absent_near : forall a q e, 0 < a -> 1 < q -> q <= exp a -> e <= 1 ->
  1 <= e * q -> err (tail_sum absent + tail_sum (near a 0)) <= e.
Proof. intros. rewrite Rplus_comm. apply budget_near_absent with q; assumption. Qed.

(** A Gaussian tail on each side. *)
Lemma budget_square_square : forall a q e, 0 < a -> 1 < q -> q <= exp a -> e <= 1 ->
  2 * (q * q) * (1 - e) <= e * (q * q * q - 1) -> err (tail_sum (square a) + tail_sum (square a)) <= e.
Proof.
  intros a q e Ha Hq H He Hb. pose proof (square_below a q Ha Hq H).
  pose proof (tail_sum_nonneg (square a) nil Ha). assert (1 < q * q) by nra. assert (1 < q * q * q) by nra.
  assert (Hsplit : 2 * (q * q) / (q * q * q - 1) = 2 * (q * q / (q * q * q - 1))) by (field; lra).
  apply budget with (2 * (q * q) / (q * q * q - 1)); [lra|rewrite Hsplit; lra|lra|].
  - apply Rmult_le_reg_r with (q * q * q - 1); [lra|].
    replace (2 * (q * q) / (q * q * q - 1) * (1 - e) * (q * q * q - 1)) with (2 * (q * q) * (1 - e)) by (field; lra).
    exact Hb.
Qed.

(** Averaged targets. *)
Lemma budget_average : forall a q e, 1 < q -> q <= exp a -> e <= 1 ->
  1 - e <= e * q -> err (exp (- a)) <= e.
Proof.
  intros a q e Hq H He Hb. pose proof (exp_pos (- a)).
  apply budget with (/ q); try lra; [apply exp_neg_below; lra|].
  apply Rmult_le_reg_r with q; [lra|].
  replace (/ q * (1 - e) * q) with (1 - e) by (field; lra). exact Hb.
Qed.

(** Averaged targets whose scores have an error: [part] of the claim is spent on it. *)
Lemma budget_perturbed : forall a q s part e, 1 < q -> q <= exp a -> 1 <= s -> s - 1 <= part * (s + 1) ->
  e - part <= 1 -> 1 - (e - part) <= (e - part) * q -> err (exp (- a)) + spread s <= e.
Proof.
  intros a q s part e Hq Ha Hs Hpart He Hb. pose proof (budget_average a q (e - part) Hq Ha He Hb).
  assert (spread s <= part); [|lra].
  unfold spread. apply Rmult_le_reg_r with (s + 1); [lra|].
  replace ((s - 1) / (s + 1) * (s + 1)) with (s - 1) by (field; lra). exact Hpart.
Qed.

(** [q <= exp x] for rational q and x, given as such. *)
Ltac exp_bound terms q x :=
  match goal with
  | |- ?l <= exp ?r =>
      replace l with (Q2R q) by (unfold Q2R; cbn; lra);
      replace r with (Q2R x) by (unfold Q2R; cbn; lra);
      apply (exp_at_least terms q x); vm_compute; reflexivity
  end.
