(** Heads that average over all selected keys.

    Scope: if every other key's exponent is at least a + ln n, the other keys
    weigh at most exp (-a) per target. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From HardAttention Require Export Rows.
Import ListNotations.
Open Scope R_scope.

Lemma size_ge_one : forall l, 0 < size l -> 1 <= size l.
Proof.
  intros [|x l] H; [unfold size in H; simpl in H; lra|].
  rewrite size_cons. pose proof (size_nonneg l). lra.
Qed.

Lemma row_size : forall h n i, (0 <= n)%Z -> size (row h n i) <= IZR n + 1.
Proof.
  intros h n i Hn. eapply Rle_trans.
  - apply (size_incl _ (positions 0 n)); [apply row_nodup|]. intros j Hj. apply in_row in Hj. apply in_positions.
    unfold first_key in Hj. destruct (bos h); lia.
  - rewrite size_positions by lia. rewrite plus_IZR, minus_IZR. lra.
Qed.

Theorem averaged_targets : forall h n i score temperature error a,
  (1 <= n)%Z ->
  tied h = average ->
  0 < temperature ->
  (forall j, In j (row h n i) -> 0 <= value h j <= 1) ->
  ((forall j, In j (row h n i) -> selects h j = false) -> forall j, In j (row h n i) -> value h j = default h) ->
  (forall t j, In t (row h n i) -> In j (row h n i) -> selects h t = true -> selects h j = true ->
    score t / temperature = score j / temperature) ->
  (forall t j, In t (row h n i) -> In j (row h n i) -> selects h t = true -> selects h j = false ->
    a + ln (IZR n) <= score t / temperature - score j / temperature) ->
  0 <= error -> err (exp (- a)) <= error ->
  simulates h score temperature n i error.
Proof.
  intros h n i score temperature error a Hn Htie Htau Hv Hdef Hequal Hgap H0 Herr.
  split; [exact Htau|split]. { intros Hu. congruence. }
  unfold soft, hard. rewrite output_distance, Htie.
  set (l := row h n i) in *.
  destruct (average_cases l (selects h) (value h) (default h)) as [[Hnil ->]|[[Hl [Hnone ->]]|[Hm ->]]].
  - rewrite Hnil. simpl. rewrite Rminus_diag_eq, Rabs_R0; auto.
  - rewrite (soft_row_constant _ score temperature _ (default h) Hl); [|auto].
    rewrite Rminus_diag_eq, Rabs_R0; auto.
  - eapply Rle_trans; [|exact Herr].
    assert (exists t, In t (filter (selects h) l)) as [t Ht].
    { destruct (filter (selects h) l) as [|t rest]; [unfold size in Hm; simpl in Hm; lra|exists t; left; auto]. }
    apply filter_In in Ht. destruct Ht as [Ht Hsel].
    rewrite (soft_row_weighted l score temperature (value h) t) by (intros E; rewrite E in Ht; destruct Ht).
    apply tied_targets; auto.
    + intros j Hj Hs. unfold weight. rewrite (Hequal t j) by auto.
      rewrite Rminus_diag_eq, Ropp_0; auto using exp_0.
    + intros. apply weight_pos.
    + set (N := filter (fun j => negb (selects h j)) l). set (M := filter (selects h) l) in *.
      assert (HN : size N <= IZR n).
      { pose proof (size_split (selects h) l) as E. fold M N in E.
        pose proof (size_ge_one M Hm). pose proof (row_size h n i ltac:(lia)) as Hs. fold l in Hs. lra. }
      assert (HW : sum N (weight score temperature t) <= IZR n * exp (- (a + ln (IZR n)))).
      { apply counting; [exact HN|]. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hs].
        apply negb_true_iff in Hs. apply exp_monotone, Ropp_le_contravar, Hgap; auto. }
      assert (HIn : 1 <= IZR n) by (apply IZR_le in Hn; exact Hn).
      rewrite Ropp_plus_distr, exp_plus, exp_neg_ln in HW by lra.
      replace (IZR n * (exp (- a) * / IZR n)) with (exp (- a)) in HW by (field; lra).
      pose proof (size_ge_one M Hm). pose proof (exp_pos (- a)).
      unfold Rdiv. apply Rmult_le_reg_r with (size M); [lra|].
      rewrite Rmult_assoc, Rinv_l by lra. nra.
Qed.

(** The hard head computes what it should if all selected keys have that value. *)
Theorem hard_average : forall h n i spec,
  tied h = average ->
  default h = 0 ->
  ((forall j, In j (row h n i) -> selects h j = false) -> output h 0 = spec) ->
  (forall t, In t (row h n i) -> selects h t = true -> output h (value h t) = spec) ->
  hard h n i = spec.
Proof.
  intros h n i spec Ht Hdef Hnone Htarget. unfold hard. rewrite Ht.
  destruct (average_cases (row h n i) (selects h) (value h) (default h)) as [[E ->]|[[Hl [Hn ->]]|[Hm ->]]].
  - apply Hnone. rewrite E. intros j [].
  - rewrite Hdef. auto.
  - set (M := filter (selects h) (row h n i)) in *.
    assert (HM : forall j, In j M -> output h (value h j) = spec).
    { intros j Hj. apply filter_In in Hj. apply Htarget; tauto. }
    destruct M as [|t rest] eqn:E; [unfold size in Hm; simpl in Hm; lra|].
    rewrite <- (HM t (or_introl eq_refl)). f_equal. unfold mean.
    rewrite (sum_ext _ (value h) (fun _ => value h t)).
    + rewrite sum_const. field. lra.
    + intros j Hj. pose proof (HM j Hj) as Ej. rewrite <- (HM t (or_introl eq_refl)) in Ej.
      unfold output in Ej. destruct (negated h); lra.
Qed.
