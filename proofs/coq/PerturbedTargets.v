(** Heads that average, with scores that are computed with an error.

    Scope: the scores of L3, and the error of the soft head on any computed
    scores within kappa of the true ones; the temperature of averaging heads
    falls with ln n. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From HardAttention Require Export PerturbedScores AveragedTargets.
Import ListNotations.
Open Scope R_scope.

(** exp from above, for small arguments. *)
Lemma exp_below_inverse : forall d s, 0 <= d -> d < 1 -> 1 <= s * (1 - d) -> exp d <= s.
Proof.
  intros d s Hd Hd1 Hs. pose proof (exp_ineq1_le (- d)) as H. pose proof (exp_pos d) as He.
  rewrite exp_neg_inv in H. assert (exp d * (1 + - d) <= 1).
  { apply Rle_trans with (exp d * / exp d); [apply Rmult_le_compat_l; lra|]. rewrite Rinv_r; lra. }
  apply Rmult_le_reg_r with (1 - d); lra.
Qed.

(** The weights of computed scores, relative to the true score of a target. *)

Lemma weight_computed : forall (score computed : Z -> R) temperature kappa t j, 0 < temperature ->
  Rabs (computed j - score j) <= kappa ->
  exp (- (kappa / temperature)) * exp (- (score t / temperature - score j / temperature))
  <= exp (- (score t / temperature - computed j / temperature))
  <= exp (kappa / temperature) * exp (- (score t / temperature - score j / temperature)).
Proof.
  intros score computed temperature kappa t j Ht H. rewrite <- !exp_plus.
  assert (Hdiff : Rabs (computed j / temperature - score j / temperature) <= kappa / temperature).
  { replace (computed j / temperature - score j / temperature) with ((computed j - score j) * / temperature)
      by (field; lra).
    rewrite Rabs_mult, (Rabs_right (/ temperature)) by (apply Rle_ge; left; apply Rinv_0_lt_compat; exact Ht).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Ht|exact H]. }
  unfold Rabs in Hdiff. destruct (Rcase_abs _) in Hdiff; split; apply exp_monotone; lra.
Qed.

(** L3 in terms of scores: gap gamma between targets and others, errors at most kappa. *)
Theorem perturbed_scores :
  forall (l : list Z) (target : Z -> bool) (score computed : Z -> R) temperature kappa gamma best,
  0 < temperature -> filter target l <> [] ->
  (forall j, In j l -> target j = true -> score j = best) ->
  (forall j, In j l -> target j = false -> score j <= best - gamma) ->
  (forall j, In j l -> Rabs (computed j - score j) <= kappa) ->
  let m := size (filter target l) in
  let others := size (filter (fun j => negb (target j)) l) in
  let w := fun j => exp (computed j / temperature) in
  sum l (fun j => Rabs (w j / sum l w - (if target j then / m else 0)))
  <= (exp (2 * (kappa / temperature)) - 1) + 2 * err (others / m * exp (- ((gamma - 2 * kappa) / temperature))).
Proof.
  intros l target score computed temperature kappa gamma best Ht HM Heq Hgap Hk m others w.
  set (d := kappa / temperature). set (e := exp (best / temperature)).
  assert (He : 0 < e) by apply exp_pos.
  assert (Hbound : forall j x, In j l -> x = score j / temperature ->
    exp (- d) * exp x <= w j <= exp d * exp x).
  { intros j x Hj ->. destruct (weight_computed score computed temperature kappa j j Ht (Hk j Hj)) as [H1 H2].
    fold d in H1, H2. unfold w.
    replace (computed j / temperature)
      with (score j / temperature + - (score j / temperature - computed j / temperature)) by ring.
    rewrite exp_plus.
    replace (score j / temperature - score j / temperature) with 0 in H1, H2 by ring.
    rewrite Ropp_0, exp_0, Rmult_1_r in H1, H2.
    pose proof (exp_pos (score j / temperature)). split; nra. }
  assert (Hm : 0 < m).
  { unfold m. destruct (filter target l); [contradiction|]. unfold size. apply lt_0_INR. simpl. lia. }
  assert (Hlo : 0 < exp (- d) * e) by (apply Rmult_lt_0_compat; [apply exp_pos|exact He]).
  assert (Htargets : forall j, In j l -> target j = true -> exp (- d) * e <= w j <= exp d * e).
  { intros j Hj Hj'. apply Hbound; [exact Hj|]. rewrite Heq by assumption. reflexivity. }
  replace (exp (2 * d)) with (exp d * e / (exp (- d) * e)).
  2: { rewrite exp_neg_inv. replace (2 * d) with (d + d) by ring. rewrite exp_plus.
       pose proof (exp_pos d). field. lra. }
  apply perturbed_weights; auto.
  - intros. left. apply exp_pos.
  - set (M := filter target l) in *. set (N := filter (fun j => negb (target j)) l) in *.
    assert (HsM : m * (exp (- d) * e) <= sum M w).
    { unfold m. rewrite <- sum_const. apply sum_le. intros j Hj. apply filter_In in Hj. apply Htargets; tauto. }
    assert (HsN : sum N w <= others * (exp d * (exp (- (gamma / temperature)) * e))).
    { unfold others. rewrite <- sum_const. apply sum_le. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hn].
      apply negb_true_iff in Hn. destruct (Hbound j _ Hj eq_refl) as [_ Hup]. eapply Rle_trans; [exact Hup|].
      apply Rmult_le_compat_l; [left; apply exp_pos|]. unfold e. rewrite <- exp_plus. apply exp_monotone.
      specialize (Hgap j Hj Hn). unfold Rdiv.
      replace (- (gamma * / temperature) + best * / temperature) with ((best - gamma) * / temperature) by ring.
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact Ht|exact Hgap]. }
    assert (Hinv : 0 < / sum M w) by (apply Rinv_0_lt_compat; nra).
    unfold Rdiv at 1. apply Rle_trans with (others * (exp d * (exp (- (gamma / temperature)) * e)) * / sum M w).
    { apply Rmult_le_compat_r; [left; exact Hinv|exact HsN]. }
    apply Rle_trans with (others * (exp d * (exp (- (gamma / temperature)) * e)) * / (m * (exp (- d) * e))).
    { apply Rmult_le_compat_l.
      - repeat apply Rmult_le_pos; first [apply size_nonneg | left; exact He | left; apply exp_pos].
      - apply Rinv_le_contravar; [nra|exact HsM]. }
    replace (- ((gamma - 2 * kappa) / temperature)) with (d + - (gamma / temperature) + d) by (unfold d; field; lra).
    rewrite !exp_plus, (exp_neg_inv d). pose proof (exp_pos d). right. field. lra.
Qed.

Theorem perturbed_targets : forall h n i (score computed : Z -> R) temperature kappa error a d s,
  (1 <= n)%Z ->
  tied h = average ->
  0 < temperature ->
  0 <= kappa / temperature <= d -> exp d <= s ->
  (forall j, In j (row h n i) -> Rabs (computed j - score j) <= kappa) ->
  (forall j, In j (row h n i) -> 0 <= value h j <= 1) ->
  ((forall j, In j (row h n i) -> selects h j = false) -> forall j, In j (row h n i) -> value h j = default h) ->
  (forall t j, In t (row h n i) -> In j (row h n i) -> selects h t = true -> selects h j = true ->
    score t / temperature = score j / temperature) ->
  (forall t j, In t (row h n i) -> In j (row h n i) -> selects h t = true -> selects h j = false ->
    a + ln (IZR n) <= score t / temperature - score j / temperature - 2 * (kappa / temperature)) ->
  err (exp (- a)) + spread s <= error ->
  simulates h computed temperature n i error.
Proof.
  intros h n i score computed temperature kappa error a d s Hn Htie Htau [Hk0 Hkd] Hs Hk Hv Hdef Hequal Hgap Herr.
  set (k := kappa / temperature) in *.
  assert (Hs1 : exp k <= s) by (eapply Rle_trans; [apply exp_monotone; exact Hkd|exact Hs]).
  assert (H1s : 1 <= s) by (pose proof (exp_above_line k Hk0); lra).
  assert (H0 : 0 <= error).
  { pose proof (spread_nonneg s H1s). pose proof (err_nonneg (exp (- a)) ltac:(left; apply exp_pos)). lra. }
  split; [exact Htau|split]. { intros Hu. congruence. }
  unfold soft, hard. rewrite output_distance, Htie.
  set (l := row h n i) in *.
  destruct (average_cases l (selects h) (value h) (default h)) as [[Hnil ->]|[[Hl [Hnone ->]]|[Hm ->]]].
  - rewrite Hnil. simpl. rewrite Rminus_diag_eq, Rabs_R0; auto.
  - rewrite (soft_row_constant _ computed temperature _ (default h) Hl); [|auto].
    rewrite Rminus_diag_eq, Rabs_R0; auto.
  - eapply Rle_trans; [|exact Herr].
    set (M := filter (selects h) l) in *. set (N := filter (fun j => negb (selects h j)) l).
    assert (exists t, In t M) as [t Ht].
    { destruct M as [|t rest]; [unfold size in Hm; simpl in Hm; lra|exists t; left; auto]. }
    apply filter_In in Ht. destruct Ht as [Ht Hsel].
    set (w := fun j => exp (- (score t / temperature - computed j / temperature))).
    assert (Hw : forall j, In j l -> exp (- k) * exp (- (score t / temperature - score j / temperature)) <= w j
      <= exp k * exp (- (score t / temperature - score j / temperature))).
    { intros j Hj. apply weight_computed; auto. }
    assert (Hsoft : soft_row l computed temperature (value h) = weighted l w (value h)).
    { rewrite (soft_row_weighted l computed temperature (value h) t) by (intros E; rewrite E in Ht; destruct Ht).
      assert (Hww : forall j, w j = exp (- (score t / temperature - computed t / temperature))
        * weight computed temperature t j).
      { intros j. unfold w, weight. rewrite <- exp_plus. f_equal. ring. }
      unfold weighted. set (x := exp (- (score t / temperature - computed t / temperature))) in *.
      assert (Hx : 0 < x) by apply exp_pos.
      rewrite (sum_ext l (fun j => w j * value h j) (fun j => x * (weight computed temperature t j * value h j)))
        by (intros; rewrite Hww; ring).
      rewrite (sum_ext l w (fun j => x * weight computed temperature t j)) by (intros; apply Hww).
      rewrite !sum_scale.
      assert (0 < sum l (weight computed temperature t)).
      { apply Rlt_le_trans with (weight computed temperature t t); [apply exp_pos|].
        apply term_le_sum; [intros; apply weight_pos|exact Ht]. }
      field. lra. }
    rewrite Hsoft. pose proof (exp_pos k) as Hek.
    apply perturbed_output with (exp (- k)) (exp k); auto.
    + intros E. fold M in E. rewrite E in Hm. unfold size in Hm. simpl in Hm. lra.
    + apply exp_pos.
    + pose proof (exp_neg k). pose proof (exp_pos (- k)).
      assert (exp k * exp k * exp (- k) = exp k) by (rewrite Rmult_assoc, (Rmult_comm (exp k) (exp (- k))); nra).
      assert (exp k * exp k <= s * s) by nra. nra.
    + intros. left. apply exp_pos.
    + intros j Hj Hj'. specialize (Hw j Hj). rewrite (Hequal t j), Rminus_diag_eq, Ropp_0, exp_0 in Hw by auto. lra.
    + fold M N.
      assert (HN : size N <= IZR n).
      { pose proof (size_split (selects h) l) as E. fold M N in E.
        pose proof (size_ge_one M Hm). pose proof (row_size h n i ltac:(lia)) as Hr. fold l in Hr. lra. }
      assert (HW : sum N w <= IZR n * exp (- (a + ln (IZR n) + k))).
      { apply counting; [exact HN|]. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hns].
        apply negb_true_iff in Hns. destruct (Hw j Hj) as [_ Hup]. eapply Rle_trans; [exact Hup|].
        rewrite <- exp_plus. apply exp_monotone. specialize (Hgap t j Ht Hj Hsel Hns). lra. }
      assert (HIn : 1 <= IZR n) by (apply IZR_le in Hn; exact Hn).
      rewrite !Ropp_plus_distr, !exp_plus, exp_neg_ln in HW by lra.
      replace (IZR n * (exp (- a) * / IZR n * exp (- k))) with (exp (- a) * exp (- k)) in HW by (field; lra).
      assert (HMw : exp (- k) <= sum M w).
      { apply Rle_trans with (size M * exp (- k)).
        - pose proof (size_ge_one M Hm). pose proof (exp_pos (- k)). nra.
        - rewrite <- sum_const. apply sum_le. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hj'].
          specialize (Hw j Hj). rewrite (Hequal t j), Rminus_diag_eq, Ropp_0, exp_0 in Hw by auto. lra. }
      pose proof (exp_pos (- k)). pose proof (exp_pos (- a)).
      unfold Rdiv. apply Rmult_le_reg_r with (sum M w); [lra|]. rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.
