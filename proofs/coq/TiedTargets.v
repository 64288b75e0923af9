(** L2: attention with several targets of equal score.

    Scope: weights relative to the targets, whose own weight is 1. If the
    other keys weigh at most R per target, the output differs from the
    targets' mean value by at most R / (1 + R). *)
From Coq Require Import Reals ZArith List Lra Bool.
From HardAttention Require Export UniqueTarget.
Import ListNotations.
Open Scope R_scope.

Theorem tied_targets : forall (l : list Z) (target : Z -> bool) (w v : Z -> R) (total : R),
  0 < size (filter target l) ->
  (forall j, In j l -> target j = true -> w j = 1) ->
  (forall j, In j l -> 0 <= w j) ->
  (forall j, In j l -> 0 <= v j <= 1) ->
  sum (filter (fun j => negb (target j)) l) w / size (filter target l) <= total ->
  Rabs (weighted l w v - mean (filter target l) v) <= err total.
Proof.
  intros l target w v total Hm Hone Hw Hv HR.
  set (M := filter target l) in *. set (N := filter (fun j => negb (target j)) l) in *.
  set (m := size M) in *. set (W := sum N w) in *.
  assert (HinN : forall j, In j N -> In j l) by (intros j Hj; apply filter_In in Hj; tauto).
  assert (HinM : forall j, In j M -> In j l /\ target j = true) by (intros j Hj; apply filter_In in Hj; tauto).
  assert (HW : 0 <= W) by (apply sum_nonneg; auto).
  assert (HMw : sum M w = m).
  { rewrite (sum_ext M w (fun _ => 1)); [rewrite sum_const; unfold m; ring|].
    intros j Hj. apply Hone; apply HinM; auto. }
  set (A := sum M v). set (B := sum N (fun j => w j * v j)).
  assert (HA : 0 <= A <= m).
  { split; [apply sum_nonneg; intros; apply Hv, HinM; auto|].
    replace m with (sum M (fun _ => 1)) by (rewrite sum_const; unfold m; ring).
    apply sum_le. intros; apply Hv, HinM; auto. }
  assert (HB : 0 <= B <= W).
  { split.
    - apply sum_nonneg. intros j Hj. specialize (Hw j (HinN j Hj)). specialize (Hv j (HinN j Hj)). nra.
    - apply sum_le. intros j Hj. specialize (Hw j (HinN j Hj)). specialize (Hv j (HinN j Hj)). nra. }
  assert (Hnum : sum l (fun j => w j * v j) = A + B).
  { rewrite (sum_split target). fold M N. fold B.
    rewrite (sum_ext M _ v); [reflexivity|].
    intros j Hj. rewrite Hone by (apply HinM; auto). ring. }
  unfold weighted, mean. rewrite Hnum, (sum_split target l w). fold M N W. rewrite HMw. fold A m.
  replace ((A + B) / (m + W) - A / m) with ((m * B - W * A) * / (m * (m + W))) by (field; lra).
  apply Rle_trans with (err (W / m)).
  - unfold err. replace (W / m / (1 + W / m)) with (m * W * / (m * (m + W))) by (field; lra).
    rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge; left; apply Rinv_0_lt_compat; nra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; nra|].
    apply Rabs_le. split; nra.
  - apply err_monotone; [|exact HR]. apply Rmult_le_pos; [exact HW|left; apply Rinv_0_lt_compat; exact Hm].
Qed.
