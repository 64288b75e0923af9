(** S1, S2, S3: sums of the weights on one side of a target.

    Scope: the keys are any distinct positions on that side; the exponent of
    a key at distance d is at least a d + b (S1), a constant g (S2) or a d^2 (S3). *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From HardAttention Require Export Exponentials Positions Sums.
Import ListNotations.
Open Scope R_scope.

(** The geometric series e^-a + e^-2a + ..., and the bound of the Gaussian one. *)
Definition geometric (a : R) : R := exp (- a) / (1 - exp (- a)).
Definition gaussian (a : R) : R := exp (- a) / (1 - exp (- (3 * a))).

Lemma geometric_pos : forall a, 0 < a -> 0 < geometric a.
Proof.
  intros a Ha. pose proof (exp_neg_below_one a Ha). unfold geometric, Rdiv.
  apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
Qed.

(** For a bound it is enough to bound exp a from below, by a rational number. *)
Lemma geometric_below : forall a q, 0 < a -> 1 < q -> q <= exp a -> geometric a <= / (q - 1).
Proof.
  intros a q Ha Hq H. unfold geometric. rewrite exp_neg_inv.
  replace (/ exp a / (1 - / exp a)) with (/ (exp a - 1)) by (field; lra).
  apply Rinv_le_contravar; lra.
Qed.

(** S1 in closed form, for the m positions beside a target. *)
Theorem geometric_closed : forall (m : nat) (a b : R) (t : Z), 0 < a ->
  sum (upfrom (t + 1) m) (fun j => exp (- (a * IZR (j - t) + b)))
  = exp (- b) * exp (- a) * (1 - exp (- (a * INR m))) / (1 - exp (- a)).
Proof.
  intros m a b t Ha. pose proof (exp_neg_below_one a Ha) as He.
  assert (H : forall m d, sum (upfrom (t + d) m) (fun j => exp (- (a * IZR (j - t) + b)))
    = exp (- b) * exp (- (a * IZR d)) * (1 - exp (- (a * INR m))) / (1 - exp (- a))).
  { clear m. induction m as [|m IH]; intros d.
    - simpl. rewrite Rmult_0_r, Ropp_0, exp_0. field. lra.
    - simpl upfrom. simpl sum. rewrite <- Z.add_assoc, IH.
      replace (t + d - t)%Z with d by lia.
      rewrite plus_IZR, S_INR.
      replace (- (a * IZR d + b)) with (- b + - (a * IZR d)) by ring.
      replace (- (a * (IZR d + 1))) with (- (a * IZR d) + - a) by ring.
      replace (- (a * (INR m + 1))) with (- (a * INR m) + - a) by ring.
      rewrite !exp_plus. field. lra. }
  rewrite (H m 1%Z). rewrite Rmult_1_r. reflexivity.
Qed.

(** S1 on the right: distinct keys beyond t. *)
Theorem geometric_right : forall (l : list Z) (t : Z) (a b : R) (w : Z -> R), 0 < a -> NoDup l ->
  (forall j, In j l -> (t < j)%Z /\ w j <= exp (- (a * IZR (j - t) + b))) ->
  sum l w <= exp (- b) * geometric a.
Proof.
  intros l t a b w Ha Hl H. pose proof (exp_neg_below_one a Ha) as He.
  set (f := fun j => exp (- (a * IZR (j - t) + b))).
  assert (exists m : nat, forall j, In j l -> (j < t + 1 + Z.of_nat m)%Z) as [m Hm].
  { clear H Hl. induction l as [|x l [m IH]]; [exists O; intros j []|].
    exists (Nat.max m (Z.to_nat (x - t))). intros j [->|Hj]; [lia|]. specialize (IH j Hj). lia. }
  apply Rle_trans with (sum l f); [apply sum_le; intros; apply H; auto|].
  apply Rle_trans with (sum (upfrom (t + 1) m) f).
  { apply sum_incl; auto.
    - intros j Hj. apply in_upfrom. specialize (Hm j Hj). destruct (H j Hj). lia.
    - intros; left; apply exp_pos. }
  unfold f. rewrite geometric_closed by exact Ha. unfold geometric, Rdiv.
  rewrite !Rmult_assoc. apply Rmult_le_compat_l; [left; apply exp_pos|].
  apply Rmult_le_compat_l; [lra|].
  rewrite <- (Rmult_1_l (/ (1 - exp (- a)))) at 2.
  apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|].
  pose proof (exp_pos (- (a * INR m))). lra.
Qed.

(** S1 on the left, by reflection. *)
Lemma sum_reflect : forall l w, sum l w = sum (map Z.opp l) (fun j => w (- j)%Z).
Proof. induction l as [|x l IH]; intros w; simpl; auto. rewrite IH, Z.opp_involutive. reflexivity. Qed.

Lemma nodup_reflect : forall l, NoDup l -> NoDup (map Z.opp l).
Proof.
  induction l as [|x l IH]; intros H; simpl; constructor; inversion_clear H; auto.
  rewrite in_map_iff. intros [y [Hy Hin]]. replace y with x in Hin by lia. contradiction.
Qed.

Theorem geometric_left : forall (l : list Z) (t : Z) (a b : R) (w : Z -> R), 0 < a -> NoDup l ->
  (forall j, In j l -> (j < t)%Z /\ w j <= exp (- (a * IZR (t - j) + b))) ->
  sum l w <= exp (- b) * geometric a.
Proof.
  intros l t a b w Ha Hl H. rewrite sum_reflect.
  apply geometric_right with (- t)%Z; auto using nodup_reflect.
  intros j Hj. apply in_map_iff in Hj. destruct Hj as [k [<- Hk]].
  rewrite Z.opp_involutive. destruct (H k Hk). split; [lia|].
  replace (- k - - t)%Z with (t - k)%Z by lia. assumption.
Qed.

(** S2: at most m keys. *)
Theorem counting : forall (l : list Z) (m g : R) (w : Z -> R),
  size l <= m -> (forall j, In j l -> w j <= exp (- g)) -> sum l w <= m * exp (- g).
Proof.
  intros l m g w Hm H. apply Rle_trans with (sum l (fun _ => exp (- g))); [apply sum_le; auto|].
  rewrite sum_const. apply Rmult_le_compat_r; [left; apply exp_pos|exact Hm].
Qed.

(** S3: d^2 >= 1 + 3 (d - 1) for every integer d >= 1 turns it into S1. *)
Lemma gaussian_exponent : forall a d, 0 < a -> (1 <= d)%Z -> 3 * a * IZR d + - (2 * a) <= a * IZR d * IZR d.
Proof.
  intros a d Ha Hd. assert (IZR d = 1 \/ 2 <= IZR d) as Hcase.
  { assert (d = 1 \/ 2 <= d)%Z as [->|H] by lia; [left; reflexivity|right; apply IZR_le in H; exact H]. }
  assert (0 <= (IZR d - 1) * (IZR d - 2)) by (destruct Hcase; nra). nra.
Qed.

Lemma gaussian_geometric : forall a, exp (- - (2 * a)) * geometric (3 * a) = gaussian a.
Proof.
  intros a. unfold geometric, gaussian, Rdiv. rewrite <- Rmult_assoc, <- exp_plus. f_equal. f_equal. ring.
Qed.

Theorem gaussian_right : forall (l : list Z) (t : Z) (a : R) (w : Z -> R), 0 < a -> NoDup l ->
  (forall j, In j l -> (t < j)%Z /\ w j <= exp (- (a * IZR (j - t) * IZR (j - t)))) ->
  sum l w <= gaussian a.
Proof.
  intros l t a w Ha Hl H. rewrite <- gaussian_geometric. apply geometric_right with t; [lra|exact Hl|].
  intros j Hj. destruct (H j Hj) as [Hlt Hw]. split; [exact Hlt|].
  eapply Rle_trans; [exact Hw|]. apply exp_monotone, Ropp_le_contravar, gaussian_exponent; [exact Ha|lia].
Qed.

Theorem gaussian_left : forall (l : list Z) (t : Z) (a : R) (w : Z -> R), 0 < a -> NoDup l ->
  (forall j, In j l -> (j < t)%Z /\ w j <= exp (- (a * IZR (t - j) * IZR (t - j)))) ->
  sum l w <= gaussian a.
Proof.
  intros l t a w Ha Hl H. rewrite <- gaussian_geometric. apply geometric_left with t; [lra|exact Hl|].
  intros j Hj. destruct (H j Hj) as [Hlt Hw]. split; [exact Hlt|].
  eapply Rle_trans; [exact Hw|]. apply exp_monotone, Ropp_le_contravar, gaussian_exponent; [exact Ha|lia].
Qed.
