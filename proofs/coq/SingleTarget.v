(** Heads that attend to one key: leftmost, rightmost or unique.

    Scope: lower bounds on the exponents left and right of the target, each
    summed by its lemma, bound the error of the soft head. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From HardAttention Require Export Rows.
Import ListNotations.
Open Scope R_scope.

(** How the exponent (score t - score j) / temperature of a key at distance d >= 1 is bounded from below. *)
Inductive tail :=
| near (a b : R)    (** a d + b *)
| square (a : R)    (** a d^2 *)
| far (m a b : R)   (** a m + b, for at most m keys *)
| absent.           (** there is no such key *)

(** What the keys of such a tail weigh at most. *)
Definition tail_sum (side : tail) : R :=
  match side with
  | near a b => exp (- b) * geometric a
  | square a => gaussian a
  | far m a b => exp (- b) / a
  | absent => 0
  end.

Definition tail_valid (side : tail) (l : list Z) : Prop :=
  match side with
  | near a b => 0 < a
  | square a => 0 < a
  | far m a b => 0 < a /\ size l <= m
  | absent => l = []
  end.

Definition tail_exponent (side : tail) (d : Z) : R :=
  match side with
  | near a b => a * IZR d + b
  | square a => a * IZR d * IZR d
  | far m a b => a * m + b
  | absent => 0
  end.

Lemma far_sum : forall (l : list Z) m a b w, 0 < a -> size l <= m ->
  (forall j, In j l -> w j <= exp (- (a * m + b))) -> sum l w <= exp (- b) / a.
Proof.
  intros l m a b w Ha Hm H. eapply Rle_trans; [apply (counting l m (a * m + b)); auto|].
  pose proof (size_nonneg l). pose proof (linear_times_exp a m Ha ltac:(lra)).
  rewrite Ropp_plus_distr, exp_plus. unfold Rdiv. pose proof (exp_pos (- b)). nra.
Qed.

Lemma right_tail : forall side l t w, NoDup l -> tail_valid side l ->
  (forall j, In j l -> (t < j)%Z /\ w j <= exp (- tail_exponent side (j - t))) -> sum l w <= tail_sum side.
Proof.
  intros [a b|a|m a b|] l t w Hl Hv H; simpl in *.
  - apply geometric_right with t; auto.
  - apply gaussian_right with t; auto.
  - destruct Hv. apply far_sum with m; auto. intros; apply H; auto.
  - subst. simpl. lra.
Qed.

Lemma left_tail : forall side l t w, NoDup l -> tail_valid side l ->
  (forall j, In j l -> (j < t)%Z /\ w j <= exp (- tail_exponent side (t - j))) -> sum l w <= tail_sum side.
Proof.
  intros [a b|a|m a b|] l t w Hl Hv H; simpl in *.
  - apply geometric_left with t; auto.
  - apply gaussian_left with t; auto.
  - destruct Hv. apply far_sum with m; auto. intros; apply H; auto.
  - subst. simpl. lra.
Qed.

Definition left_of (t : Z) (l : list Z) : list Z := filter (fun j => (j <? t)%Z) l.
Definition right_of (t : Z) (l : list Z) : list Z := filter (fun j => (t <? j)%Z) l.

(** One row: the exponents on both sides of the target bound the error. Keys with the target's value are exempt. *)
Theorem soft_row_target : forall l t score temperature v before after,
  NoDup l -> In t l ->
  (forall j, In j l -> 0 <= v j <= 1) ->
  tail_valid before (left_of t l) -> tail_valid after (right_of t l) ->
  (forall j, In j l -> (j < t)%Z -> v j <> v t ->
    tail_exponent before (t - j) <= score t / temperature - score j / temperature) ->
  (forall j, In j l -> (t < j)%Z -> v j <> v t ->
    tail_exponent after (j - t) <= score t / temperature - score j / temperature) ->
  Rabs (soft_row l score temperature v - v t) <= err (tail_sum before + tail_sum after).
Proof.
  intros l t score temperature v before after Hl Ht Hv Vb Va Hb Ha.
  rewrite (soft_row_weighted l score temperature v t) by (intros ->; destruct Ht).
  set (w := weight score temperature t).
  set (differs := fun j => negb (Reqb (v j) (v t))).
  assert (Hsame : forall j, differs j = false <-> v j = v t).
  { intros j. unfold differs, Reqb, Rleb. rewrite negb_false_iff, andb_true_iff.
    destruct (Rle_dec (v j) (v t)), (Rle_dec (v t) (v j)); split; intros; try lra; auto; destruct H; discriminate. }
  apply unique_target with differs; auto.
  - apply weight_target.
  - apply Hsame. reflexivity.
  - intros; apply weight_pos.
  - intros j _ Hj. apply Hsame. exact Hj.
  - set (D := filter differs l).
    assert (HD : forall j, In j D -> In j l /\ v j <> v t).
    { intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hd]. split; auto.
      intros E. apply Hsame in E. congruence. }
    assert (HDn : NoDup D) by (apply NoDup_filter; exact Hl).
    rewrite (sum_split (fun j => (j <? t)%Z) D). apply Rplus_le_compat.
    + apply left_tail with t; [apply NoDup_filter; exact HDn| |].
      * destruct before; simpl in *; auto.
        -- destruct Vb as [? Hm]. split; auto. eapply Rle_trans; [|exact Hm].
           apply size_incl; [apply NoDup_filter; exact HDn|]. intros j Hj.
           apply filter_In in Hj. apply filter_In. split; [apply HD|]; tauto.
        -- destruct (filter (fun j => (j <? t)%Z) D) as [|x rest] eqn:E; [reflexivity|exfalso].
           assert (In x (filter (fun j => (j <? t)%Z) D)) as Hx by (rewrite E; left; auto).
           apply filter_In in Hx. destruct Hx as [Hx Hlt]. apply HD in Hx.
           assert (In x (left_of t l)) as H by (apply filter_In; tauto). rewrite Vb in H. destruct H.
      * intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hlt]. apply Z.ltb_lt in Hlt.
        split; [exact Hlt|]. apply exp_monotone, Ropp_le_contravar. apply HD in Hj. apply Hb; tauto.
    + apply right_tail with t; [apply NoDup_filter; exact HDn| |].
      * destruct after; simpl in *; auto.
        -- destruct Va as [? Hm]. split; auto. eapply Rle_trans; [|exact Hm].
           apply size_incl; [apply NoDup_filter; exact HDn|]. intros j Hj.
           apply filter_In in Hj. destruct Hj as [Hj Hlt]. apply filter_In. apply HD in Hj. split; [tauto|].
           apply negb_true_iff, Z.ltb_ge in Hlt. apply Z.ltb_lt.
           assert (j <> t) by (intros ->; tauto). lia.
        -- destruct (filter _ D) as [|x rest] eqn:E; [reflexivity|exfalso].
           assert (In x (filter (fun j => negb (j <? t)%Z) D)) as Hx by (rewrite E; left; auto).
           apply filter_In in Hx. destruct Hx as [Hx Hlt]. apply HD in Hx.
           apply negb_true_iff, Z.ltb_ge in Hlt.
           assert (x <> t) by (intros ->; tauto).
           assert (In x (right_of t l)) as H' by (apply filter_In; split; [tauto|apply Z.ltb_lt; lia]).
           rewrite Va in H'. destruct H'.
      * intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hlt].
        apply negb_true_iff, Z.ltb_ge in Hlt. apply HD in Hj.
        assert (j <> t) by (intros ->; tauto). split; [lia|].
        apply exp_monotone, Ropp_le_contravar. apply Ha; [tauto|lia|tauto].
Qed.

(** How many keys lie on a side; or that there is none. *)
Lemma left_size : forall h n i t, bos h = false -> In t (row h n i) -> size (left_of t (row h n i)) <= IZR n - 1.
Proof.
  intros h n i t Hbos Ht. apply in_row in Ht. rewrite Hbos in Ht. cbn in Ht. destruct Ht as [Ht _].
  apply Rle_trans with (size (positions 1 (t - 1))).
  - apply size_incl; [apply NoDup_filter, row_nodup|]. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hlt].
    apply in_row in Hj. rewrite Hbos in Hj. cbn in Hj. apply Z.ltb_lt in Hlt. apply in_positions. lia.
  - rewrite size_positions by lia. rewrite <- minus_IZR. apply IZR_le. lia.
Qed.

Lemma right_size : forall h n i t, bos h = false -> In t (row h n i) -> size (right_of t (row h n i)) <= IZR n - 1.
Proof.
  intros h n i t Hbos Ht. apply in_row in Ht. rewrite Hbos in Ht. cbn in Ht. destruct Ht as [Ht _].
  apply Rle_trans with (size (positions (t + 1) n)).
  - apply size_incl; [apply NoDup_filter, row_nodup|]. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hlt].
    apply in_row in Hj. rewrite Hbos in Hj. cbn in Hj. apply Z.ltb_lt in Hlt. apply in_positions. lia.
  - rewrite size_positions by lia. rewrite <- minus_IZR. apply IZR_le. lia.
Qed.

(** Under a causal mask, at most those up to the query. *)
Lemma right_size_causal : forall h n i t, bos h = false -> passes (masked h) i (i + 1) = false ->
  In t (row h n i) -> size (right_of t (row h n i)) <= IZR i - 1.
Proof.
  intros h n i t Hbos Hmask Ht.
  assert (Hle : forall j, In j (row h n i) -> (1 <= j <= i)%Z).
  { intros j Hj. apply in_row in Hj. rewrite Hbos in Hj. cbn in Hj. destruct Hj as [Hj Hp].
    destruct (masked h); cbn in *; try discriminate; rewrite ?Z.leb_le, ?Z.leb_gt, ?Z.ltb_lt, ?Z.ltb_ge in *; lia. }
  pose proof (Hle t Ht).
  apply Rle_trans with (size (positions (t + 1) i)).
  - apply size_incl; [apply NoDup_filter, row_nodup|]. intros j Hj. apply filter_In in Hj. destruct Hj as [Hj Hlt].
    specialize (Hle j Hj). apply Z.ltb_lt in Hlt. apply in_positions. lia.
  - rewrite size_positions by lia. rewrite <- minus_IZR. apply IZR_le. lia.
Qed.

Lemma left_absent : forall t l, (forall j, In j l -> (j < t)%Z -> False) -> left_of t l = [].
Proof.
  intros t l H. destruct (left_of t l) as [|j rest] eqn:E; [reflexivity|exfalso].
  assert (In j (left_of t l)) as Hj by (rewrite E; left; reflexivity).
  apply filter_In in Hj. destruct Hj as [Hj Hlt]. apply Z.ltb_lt in Hlt. eauto.
Qed.

Lemma right_absent : forall t l, (forall j, In j l -> (t < j)%Z -> False) -> right_of t l = [].
Proof.
  intros t l H. destruct (right_of t l) as [|j rest] eqn:E; [reflexivity|exfalso].
  assert (In j (right_of t l)) as Hj by (rewrite E; left; reflexivity).
  apply filter_In in Hj. destruct Hj as [Hj Hlt]. apply Z.ltb_lt in Hlt. eauto.
Qed.

(** A whole head: where a key is selected the bound above, where none is every value is the default. *)
Theorem single_target : forall h n i score temperature error before after,
  tied h <> average ->
  0 < temperature ->
  tie_is_kept h n i ->
  (forall j, In j (row h n i) -> 0 <= value h j <= 1) ->
  ((forall j, In j (row h n i) -> selects h j = false) -> forall j, In j (row h n i) -> value h j = default h) ->
  (forall t, target_of (tied h) (row h n i) (selects h) t ->
    tail_valid before (left_of t (row h n i)) /\ tail_valid after (right_of t (row h n i))) ->
  (forall t j, target_of (tied h) (row h n i) (selects h) t -> In j (row h n i) -> (j < t)%Z ->
    value h j <> value h t -> tail_exponent before (t - j) <= score t / temperature - score j / temperature) ->
  (forall t j, target_of (tied h) (row h n i) (selects h) t -> In j (row h n i) -> (t < j)%Z ->
    value h j <> value h t -> tail_exponent after (j - t) <= score t / temperature - score j / temperature) ->
  0 <= error -> err (tail_sum before + tail_sum after) <= error ->
  simulates h score temperature n i error.
Proof.
  intros h n i score temperature error before after Ht Htau Hkept Hv Hdef Hvalid Hleft Hright H0 Herr.
  split; [exact Htau|split; [exact Hkept|]]. unfold soft, hard. rewrite output_distance.
  destruct (hard_cases (tied h) (row h n i) (selects h) (value h) (default h) Ht (row_ascending h n i))
    as [Hnil|Hl Hnone|t Htarget].
  - rewrite Hnil. simpl. rewrite Rminus_diag_eq, Rabs_R0; auto.
  - rewrite (soft_row_constant _ score temperature _ (default h) Hl); [|auto].
    rewrite Rminus_diag_eq, Rabs_R0; auto.
  - eapply Rle_trans; [|exact Herr]. destruct (Hvalid t Htarget).
    apply soft_row_target; auto; try apply row_nodup; try (intros; apply Hleft || apply Hright; auto).
    destruct Htarget; auto.
Qed.

(** The hard head computes what it should if it does so where it attends to a key and where it does not. *)
Theorem hard_target : forall h n i spec,
  tied h <> average ->
  default h = 0 ->
  ((forall j, In j (row h n i) -> selects h j = false) -> output h 0 = spec) ->
  (forall t, target_of (tied h) (row h n i) (selects h) t -> output h (value h t) = spec) ->
  hard h n i = spec.
Proof.
  intros h n i spec Ht Hdef Hnone Htarget. unfold hard.
  destruct (hard_cases (tied h) (row h n i) (selects h) (value h) (default h) Ht (row_ascending h n i)) as [E| |];
    [|rewrite Hdef|]; auto.
  apply Hnone. rewrite E. intros j [].
Qed.
