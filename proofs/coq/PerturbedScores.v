(** L3: targets whose scores are computed with an error.

    Scope: weights of the targets that lie between lo and hi instead of being
    equal. The weights then differ from uniform ones on the targets by at most
    hi/lo - 1 + 2 p in the L1 norm, p the weight of the other keys; and the
    output, of values in [0, 1], by at most (s - 1)/(s + 1) + p, s^2 = hi/lo. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From HardAttention Require Export TiedTargets Exponentials.
Import ListNotations.
Open Scope R_scope.

Definition spread (s : R) : R := (s - 1) / (s + 1).

Lemma spread_nonneg : forall s, 1 <= s -> 0 <= spread s.
Proof. intros s H. unfold spread, Rdiv. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. Qed.

(** How far a part x of the targets can be over-weighted. *)
Lemma over_weighted : forall s lo hi P Q p q, 1 <= s -> 0 < lo -> hi <= s * s * lo ->
  0 <= p -> 0 <= q -> 0 < p + q -> 0 <= P <= hi * p -> lo * q <= Q -> 0 < P + Q ->
  P / (P + Q) - p / (p + q) <= spread s.
Proof.
  intros s lo hi P Q p q Hs Hlo Hhi Hp Hq Hpq HP HQ HPQ.
  apply Rmult_le_reg_r with ((P + Q) * (p + q) * (s + 1)); [repeat apply Rmult_lt_0_compat; lra|].
  replace ((P / (P + Q) - p / (p + q)) * ((P + Q) * (p + q) * (s + 1)))
    with ((P * q - p * Q) * (s + 1)) by (field; lra).
  replace (spread s * ((P + Q) * (p + q) * (s + 1))) with ((s - 1) * ((P + Q) * (p + q)))
    by (unfold spread; field; lra).
  (* (s - 1)(P + Q)(p + q) - (P q - p Q)(s + 1) = P ((s - 1) p - 2 q) + Q (2 s p + (s - 1) q) *)
  assert (HPs : P <= s * s * lo * p) by (apply Rle_trans with (hi * p); [lra|apply Rmult_le_compat_r; assumption]).
  assert (HQ' : lo * q * (2 * s * p + (s - 1) * q) <= Q * (2 * s * p + (s - 1) * q)).
  { apply Rmult_le_compat_r; [|exact HQ]. assert (0 <= s * p) by nra. assert (0 <= (s - 1) * q) by nra. lra. }
  destruct (Rle_lt_dec 0 ((s - 1) * p - 2 * q)) as [Hc|Hc].
  - assert (0 <= P * ((s - 1) * p - 2 * q)) by (apply Rmult_le_pos; lra).
    assert (0 <= lo * q * (2 * s * p + (s - 1) * q)).
    { apply Rmult_le_pos; [nra|]. assert (0 <= s * p) by nra. assert (0 <= (s - 1) * q) by nra. lra. }
    lra.
  - assert (s * s * lo * p * ((s - 1) * p - 2 * q) <= P * ((s - 1) * p - 2 * q)) by nra.
    assert (Hsq : 0 <= lo * ((s - 1) * ((s * p - q) * (s * p - q)))).
    { apply Rmult_le_pos; [lra|]. apply Rmult_le_pos; [lra|]. apply Rle_0_sqr. }
    nra.
Qed.

Lemma weighted_above : forall l w v lo hi s, l <> [] -> 1 <= s -> 0 < lo -> hi <= s * s * lo ->
  (forall j, In j l -> lo <= w j <= hi) -> (forall j, In j l -> 0 <= v j <= 1) ->
  weighted l w v - mean l v <= spread s.
Proof.
  intros l w v lo hi s Hl Hs Hlo Hhi Hw Hv.
  assert (Hm : 0 < size l) by (destruct l; [contradiction|unfold size; apply lt_0_INR; simpl; lia]).
  assert (HW : 0 < sum l w).
  { apply Rlt_le_trans with (size l * lo); [apply Rmult_lt_0_compat; lra|].
    rewrite <- sum_const. apply sum_le. intros; apply Hw; auto. }
  set (W := sum l w) in *. set (m := size l) in *.
  set (over := fun j => negb (Rleb (w j / W) (/ m))).
  assert (Hover : forall j, over j = true <-> / m < w j / W).
  { intros j. unfold over, Rleb. destruct (Rle_dec (w j / W) (/ m)); cbn; split; intros;
      try lra; auto; discriminate. }
  set (A := filter over l). set (B := filter (fun j => negb (over j)) l).
  assert (HWs : W = sum A w + sum B w) by apply sum_split.
  assert (Hms : m = size A + size B) by apply size_split.
  assert (HA : forall j, In j A -> In j l) by (intros j Hj; apply filter_In in Hj; tauto).
  assert (HB : forall j, In j B -> In j l) by (intros j Hj; apply filter_In in Hj; tauto).
  replace (weighted l w v - mean l v) with (sum l (fun j => (w j / W - / m) * v j)).
  2: { unfold weighted, mean. fold W m.
       rewrite (sum_ext l _ (fun j => / W * (w j * v j) + - / m * v j)) by (intros; unfold Rdiv; ring).
       rewrite sum_plus, !sum_scale. unfold Rdiv. ring. }
  apply Rle_trans with (sum A w / W - size A / m).
  - rewrite (sum_split over l). fold A B.
    assert (sum A (fun j => (w j / W - / m) * v j) <= sum A w / W - size A / m).
    { apply Rle_trans with (sum A (fun j => / W * w j + - / m)).
      - apply sum_le. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Ho]. apply Hover in Ho.
        specialize (Hv j Hj). unfold Rdiv in *. nra.
      - rewrite sum_plus, sum_scale, sum_const. unfold Rdiv. lra. }
    assert (sum B (fun j => (w j / W - / m) * v j) <= 0).
    { rewrite <- (sum_zero B). apply sum_le. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Ho].
      assert (w j / W <= / m).
      { apply Rnot_lt_le. intros Hlt. apply Hover in Hlt. rewrite Hlt in Ho. discriminate. }
      specialize (Hv j Hj). nra. }
    lra.
  - rewrite HWs, Hms. apply over_weighted with lo hi; auto using size_nonneg; try lra.
    + split; [apply sum_nonneg; intros j Hj; specialize (Hw j (HA j Hj)); lra|].
      rewrite Rmult_comm, <- sum_const. apply sum_le. intros j Hj. apply Hw; auto.
    + rewrite Rmult_comm, <- sum_const. apply sum_le. intros j Hj. apply Hw; auto.
Qed.

(** The targets alone. *)
Theorem unequal_targets : forall l w v lo hi s, l <> [] -> 1 <= s -> 0 < lo -> hi <= s * s * lo ->
  (forall j, In j l -> lo <= w j <= hi) -> (forall j, In j l -> 0 <= v j <= 1) ->
  Rabs (weighted l w v - mean l v) <= spread s.
Proof.
  intros l w v lo hi s Hl Hs Hlo Hhi Hw Hv.
  assert (Hm : 0 < size l) by (destruct l; [contradiction|unfold size; apply lt_0_INR; simpl; lia]).
  assert (HW : 0 < sum l w).
  { apply Rlt_le_trans with (size l * lo); [apply Rmult_lt_0_compat; lra|].
    rewrite <- sum_const. apply sum_le. intros; apply Hw; auto. }
  apply Rabs_le. split; [|apply weighted_above with lo hi; auto].
  pose proof (weighted_above l w (fun j => 1 - v j) lo hi s Hl Hs Hlo Hhi Hw) as H.
  assert (E : weighted l w (fun j => 1 - v j) - mean l (fun j => 1 - v j) = - (weighted l w v - mean l v)).
  { unfold weighted, mean.
    rewrite (sum_ext l (fun j => w j * (1 - v j)) (fun j => w j + -1 * (w j * v j))) by (intros; ring).
    rewrite (sum_ext l (fun j => 1 - v j) (fun j => 1 + -1 * v j)) by (intros; ring).
    rewrite !sum_plus, !sum_scale, sum_const. field. lra. }
  rewrite E in H. assert (- (weighted l w v - mean l v) <= spread s); [|lra].
  apply H. intros j Hj. specialize (Hv j Hj). lra.
Qed.

(** The other keys move the output by no more than their weight. *)
Lemma outside : forall l target w v, (forall j, In j l -> 0 <= w j) -> (forall j, In j l -> 0 <= v j <= 1) ->
  0 < sum (filter target l) w ->
  Rabs (weighted l w v - weighted (filter target l) w v)
  <= err (sum (filter (fun j => negb (target j)) l) w / sum (filter target l) w).
Proof.
  intros l target w v Hw Hv HM. set (M := filter target l) in *. set (N := filter (fun j => negb (target j)) l).
  set (a := sum M w) in *. set (b := sum N w).
  assert (HinM : forall j, In j M -> In j l) by (intros j Hj; apply filter_In in Hj; tauto).
  assert (HinN : forall j, In j N -> In j l) by (intros j Hj; apply filter_In in Hj; tauto).
  assert (Hb : 0 <= b) by (apply sum_nonneg; auto).
  set (A := sum M (fun j => w j * v j)). set (B := sum N (fun j => w j * v j)).
  assert (HA : 0 <= A <= a).
  { split; [apply sum_nonneg|apply sum_le]; intros j Hj; specialize (Hw j (HinM j Hj)); specialize (Hv j (HinM j Hj));
      nra. }
  assert (HB : 0 <= B <= b).
  { split; [apply sum_nonneg|apply sum_le]; intros j Hj; specialize (Hw j (HinN j Hj)); specialize (Hv j (HinN j Hj));
      nra. }
  unfold weighted. rewrite (sum_split target l (fun j => w j * v j)), (sum_split target l w). fold M N A B a b.
  replace ((A + B) / (a + b) - A / a) with ((a * B - b * A) * / (a * (a + b))) by (field; lra).
  unfold err. replace (b / a / (1 + b / a)) with (a * b * / (a * (a + b))) by (field; lra).
  rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge; left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra).
  assert (0 <= a * B <= a * b) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
  assert (0 <= b * A <= b * a) by (split; [apply Rmult_le_pos|apply Rmult_le_compat_l]; lra).
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, Rmult_lt_0_compat; lra|]. apply Rabs_le. split; lra.
Qed.

(** Both together, for values in [0, 1]. *)
Theorem perturbed_output : forall l target w v lo hi s total,
  filter target l <> [] -> 1 <= s -> 0 < lo -> hi <= s * s * lo ->
  (forall j, In j l -> 0 <= w j) ->
  (forall j, In j l -> target j = true -> lo <= w j <= hi) ->
  (forall j, In j l -> 0 <= v j <= 1) ->
  sum (filter (fun j => negb (target j)) l) w / sum (filter target l) w <= total ->
  Rabs (weighted l w v - mean (filter target l) v) <= err total + spread s.
Proof.
  intros l target w v lo hi s total HM Hs Hlo Hhi Hpos Hw Hv Htotal.
  set (M := filter target l) in *.
  assert (HinM : forall j, In j M -> In j l /\ target j = true) by (intros j Hj; apply filter_In in Hj; tauto).
  assert (Hsum : 0 < sum M w).
  { destruct M as [|x rest] eqn:E; [contradiction|]. apply Rlt_le_trans with (w x).
    - destruct (HinM x (or_introl eq_refl)) as [Hx Ht]. specialize (Hw x Hx Ht). lra.
    - apply term_le_sum; [|left; reflexivity]. intros j Hj. apply Hpos. apply HinM. exact Hj. }
  pose proof (outside l target w v Hpos Hv Hsum) as Hout. fold M in Hout.
  assert (Hin : Rabs (weighted M w v - mean M v) <= spread s).
  { apply unequal_targets with lo hi; auto; intros j Hj; [apply Hw|apply Hv]; apply HinM; exact Hj. }
  replace (weighted l w v - mean M v) with (weighted l w v - weighted M w v + (weighted M w v - mean M v)) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; [|exact Hin].
  eapply Rle_trans; [exact Hout|]. apply err_monotone; [|exact Htotal].
  apply Rmult_le_pos; [apply sum_nonneg; intros j Hj; apply filter_In in Hj; apply Hpos; tauto|].
  left. apply Rinv_0_lt_compat. exact Hsum.
Qed.

(** The weights themselves, in the L1 norm. *)
Theorem perturbed_weights : forall l target w lo hi total,
  filter target l <> [] -> 0 < lo ->
  (forall j, In j l -> 0 <= w j) ->
  (forall j, In j l -> target j = true -> lo <= w j <= hi) ->
  sum (filter (fun j => negb (target j)) l) w / sum (filter target l) w <= total ->
  sum l (fun j => Rabs (w j / sum l w - (if target j then / size (filter target l) else 0)))
  <= (hi / lo - 1) + 2 * err total.
Proof.
  intros l target w lo hi total HM Hlo Hpos Hw Htotal.
  set (M := filter target l) in *. set (N := filter (fun j => negb (target j)) l) in *.
  assert (HinM : forall j, In j M -> In j l /\ target j = true) by (intros j Hj; apply filter_In in Hj; tauto).
  assert (HinN : forall j, In j N -> In j l /\ target j = false).
  { intros j Hj. apply filter_In in Hj. rewrite negb_true_iff in Hj. exact Hj. }
  assert (Hm : 0 < size M) by (destruct M; [contradiction|unfold size; apply lt_0_INR; simpl; lia]).
  set (m := size M) in *. set (a := sum M w) in *. set (b := sum N w) in *.
  assert (Hab : sum l w = a + b) by apply sum_split.
  assert (Ha : m * lo <= a) by (unfold m; rewrite <- sum_const; apply sum_le; intros; apply Hw; apply HinM; auto).
  assert (Ha' : a <= m * hi) by (unfold m; rewrite <- sum_const; apply sum_le; intros; apply Hw; apply HinM; auto).
  assert (Ha0 : 0 < a) by (apply Rlt_le_trans with (m * lo); [apply Rmult_lt_0_compat; lra|exact Ha]).
  assert (Hb : 0 <= b) by (apply sum_nonneg; intros; apply Hpos; apply HinN; auto).
  assert (Hhi : lo <= hi) by nra.
  set (p := b / (a + b)).
  assert (Hp : p <= err total).
  { replace p with (err (b / a)) by (unfold p, err; field; lra). apply err_monotone; [|exact Htotal].
    apply Rmult_le_pos; [exact Hb|left; apply Rinv_0_lt_compat; exact Ha0]. }
  assert (Hia : 0 < / a) by (apply Rinv_0_lt_compat; exact Ha0).
  assert (Him : 0 < / m) by (apply Rinv_0_lt_compat; exact Hm).
  assert (Hiab : 0 < / (a + b)) by (apply Rinv_0_lt_compat; lra).
  assert (Hratio : hi / lo - 1 = (hi - lo) * / lo) by (field; lra).
  (* within the targets: each weight, renormalised, is within (hi/lo - 1)/m of 1/m *)
  assert (Heach : forall j, In j M -> Rabs (w j / a - / m) <= (hi / lo - 1) * / m).
  { intros j Hj. destruct (HinM j Hj) as [Hjl Hjt]. specialize (Hw j Hjl Hjt).
    replace (w j / a - / m) with ((m * w j - a) * (/ a * / m)) by (field; lra).
    rewrite Rabs_mult, (Rabs_right (/ a * / m)) by nra.
    replace ((hi / lo - 1) * / m) with ((hi / lo - 1) * a * (/ a * / m)) by (field; lra).
    apply Rmult_le_compat_r; [nra|].
    assert (m * (hi - lo) <= (hi / lo - 1) * a).
    { rewrite Hratio. apply Rmult_le_reg_r with lo; [exact Hlo|].
      replace ((hi - lo) * / lo * a * lo) with ((hi - lo) * a) by (field; lra). nra. }
    apply Rabs_le. split; nra. }
  rewrite (sum_split target l). fold M N. rewrite Hab.
  assert (HsN : sum N (fun j => Rabs (w j / (a + b) - (if target j then / m else 0))) = p).
  { rewrite (sum_ext N _ (fun j => / (a + b) * w j)).
    - rewrite sum_scale. unfold p, b, Rdiv. ring.
    - intros j Hj. destruct (HinN j Hj) as [Hjl ->]. rewrite Rminus_0_r, Rabs_right; [unfold Rdiv; ring|].
      specialize (Hpos j Hjl). unfold Rdiv. nra. }
  assert (HsM : sum M (fun j => Rabs (w j / (a + b) - (if target j then / m else 0))) <= (hi / lo - 1) + p).
  { apply Rle_trans with (sum M (fun j => (hi / lo - 1) * / m + p * / a * w j)).
    - apply sum_le. intros j Hj. destruct (HinM j Hj) as [Hjl ->]. specialize (Heach j Hj). specialize (Hpos j Hjl).
      replace (w j / (a + b) - / m) with ((w j / a - / m) + - (p * / a * w j)) by (unfold p; field; lra).
      eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, (Rabs_right (p * / a * w j)); [lra|].
      assert (0 <= p) by (unfold p, Rdiv; nra). apply Rle_ge. repeat apply Rmult_le_pos; lra.
    - rewrite sum_plus, sum_const, sum_scale. fold m a. right. field. lra. }
  lra.
Qed.
