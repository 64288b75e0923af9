(** L1: attention with one target.

    Scope: weights relative to the target, whose own weight is 1. If the keys
    whose value differs from the target's weigh at most R together, the
    output differs from the target's value by at most R / (1 + R). *)
From Coq Require Import Reals ZArith List Lra Bool.
From HardAttention Require Export Budget Attention.
Import ListNotations.
Open Scope R_scope.

Definition weighted (l : list Z) (w v : Z -> R) : R := sum l (fun j => w j * v j) / sum l w.

Theorem unique_target : forall (l : list Z) (t : Z) (w v : Z -> R) (differs : Z -> bool) (total : R),
  In t l -> w t = 1 -> differs t = false ->
  (forall j, In j l -> 0 <= w j) ->
  (forall j, In j l -> 0 <= v j <= 1) ->
  (forall j, In j l -> differs j = false -> v j = v t) ->
  sum (filter differs l) w <= total ->
  Rabs (weighted l w v - v t) <= err total.
Proof.
  intros l t w v differs total Ht Hwt Hdt Hw Hv Hsame HR.
  set (S := sum (filter differs l) w) in *.
  assert (HS : 0 <= S).
  { apply sum_nonneg. intros j Hj. apply filter_In in Hj. apply Hw. tauto. }
  assert (Htotal : 1 + S <= sum l w).
  { rewrite (sum_split differs l w). fold S. rewrite <- Hwt.
    assert (w t <= sum (filter (fun j => negb (differs j)) l) w); [|lra].
    apply term_le_sum.
    - intros j Hj. apply filter_In in Hj. apply Hw. tauto.
    - apply filter_In. rewrite Hdt. auto. }
  assert (Hdiff : Rabs (sum l (fun j => w j * (v j - v t))) <= S).
  { eapply Rle_trans; [apply sum_triangle|].
    rewrite (sum_split differs).
    rewrite (sum_ext (filter (fun j => negb (differs j)) l) _ (fun _ => 0)).
    - rewrite sum_zero, Rplus_0_r. apply sum_le. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj _].
      rewrite Rabs_mult, Rabs_right by (apply Rle_ge; auto).
      assert (Rabs (v j - v t) <= 1) by (pose proof (Hv j Hj); pose proof (Hv t Ht); apply Rabs_le; lra).
      specialize (Hw j Hj). nra.
    - intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hd]. apply negb_true_iff in Hd.
      rewrite (Hsame j Hj Hd). replace (w j * (v t - v t)) with 0 by ring. apply Rabs_R0. }
  replace (weighted l w v - v t) with (sum l (fun j => w j * (v j - v t)) / sum l w).
  2: { rewrite (sum_ext l _ (fun j => w j * v j + (- v t) * w j)) by (intros; ring).
       rewrite sum_plus, sum_scale. unfold weighted. field. lra. }
  apply Rle_trans with (err S); [|apply err_monotone; assumption].
  unfold Rdiv, err. rewrite Rabs_mult, Rabs_inv, (Rabs_right (sum l w)) by lra.
  apply Rle_trans with (S * / sum l w).
  - apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact Hdiff].
  - apply Rmult_le_compat_l; [exact HS|]. apply Rinv_le_contravar; lra.
Qed.
