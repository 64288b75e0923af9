(** Finite sums of real numbers over lists of positions.

    Scope: the algebra and the inequalities of such sums that the lemmas on
    attention use. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From HardAttention Require Import Positions.
Import ListNotations.
Open Scope R_scope.

Fixpoint sum (l : list Z) (f : Z -> R) : R :=
  match l with
  | [] => 0
  | j :: rest => f j + sum rest f
  end.

Definition size (l : list Z) : R := INR (length l).

Lemma sum_ext : forall l f g, (forall j, In j l -> f j = g j) -> sum l f = sum l g.
Proof.
  induction l as [|x l IH]; intros f g H; simpl; auto.
  rewrite (H x), (IH f g); auto; [intros; apply H|]; simpl; auto.
Qed.

Lemma sum_le : forall l f g, (forall j, In j l -> f j <= g j) -> sum l f <= sum l g.
Proof.
  induction l as [|x l IH]; intros f g H; simpl; [lra|].
  apply Rplus_le_compat; [|apply IH; intros]; apply H; simpl; auto.
Qed.

Lemma sum_zero : forall l, sum l (fun _ => 0) = 0.
Proof. induction l as [|x l IH]; simpl; lra. Qed.

Lemma sum_nonneg : forall l f, (forall j, In j l -> 0 <= f j) -> 0 <= sum l f.
Proof. intros l f H. rewrite <- (sum_zero l). apply sum_le. exact H. Qed.

Lemma sum_plus : forall l f g, sum l (fun j => f j + g j) = sum l f + sum l g.
Proof. induction l as [|x l IH]; intros f g; simpl; [lra|rewrite IH; lra]. Qed.

Lemma sum_scale : forall l f c, sum l (fun j => c * f j) = c * sum l f.
Proof. induction l as [|x l IH]; intros f c; simpl; [lra|rewrite IH; lra]. Qed.

Lemma size_cons : forall x l, size (x :: l) = 1 + size l.
Proof. intros. unfold size. simpl length. rewrite S_INR. lra. Qed.

Lemma size_nonneg : forall l, 0 <= size l.
Proof. intros. apply pos_INR. Qed.

Lemma sum_const : forall l c, sum l (fun _ => c) = size l * c.
Proof.
  induction l as [|x l IH]; intros c; [unfold size; simpl; lra|].
  rewrite size_cons. simpl. rewrite IH. lra.
Qed.

Lemma sum_split : forall p l f, sum l f = sum (filter p l) f + sum (filter (fun j => negb (p j)) l) f.
Proof.
  induction l as [|x l IH]; intros f; simpl; [lra|].
  destruct (p x); simpl; rewrite (IH f); lra.
Qed.

Lemma size_split : forall p l, size l = size (filter p l) + size (filter (fun j => negb (p j)) l).
Proof.
  intros. pose proof (sum_split p l (fun _ => 1)) as H. rewrite !sum_const in H. lra.
Qed.

Lemma term_le_sum : forall l f t, (forall j, In j l -> 0 <= f j) -> In t l -> f t <= sum l f.
Proof.
  induction l as [|x l IH]; intros f t H Ht; [destruct Ht|]. simpl.
  assert (0 <= sum l f) by (apply sum_nonneg; intros; apply H; simpl; auto).
  assert (0 <= f x) by (apply H; simpl; auto).
  destruct Ht as [->|Ht]; [lra|].
  specialize (IH f t (fun j Hj => H j (or_intror Hj)) Ht). lra.
Qed.

Lemma sum_triangle : forall l f, Rabs (sum l f) <= sum l (fun j => Rabs (f j)).
Proof.
  induction l as [|x l IH]; intros f; simpl; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang|]. specialize (IH f). lra.
Qed.

Lemma sum_app : forall l k f, sum (l ++ k) f = sum l f + sum k f.
Proof. induction l as [|x l IH]; intros k f; simpl; [lra|rewrite IH; lra]. Qed.

(** A list without repetition sums to no more than a list that contains it. *)
Lemma sum_incl : forall l k f,
  NoDup l -> incl l k -> (forall j, In j k -> 0 <= f j) -> sum l f <= sum k f.
Proof.
  induction l as [|x l IH]; intros k f Hl Hlk Hk; simpl; [apply sum_nonneg; auto|].
  destruct (in_split x k) as [a [b ->]]; [apply Hlk; simpl; auto|].
  inversion_clear Hl as [|? ? Hx Hnd].
  assert (sum l f <= sum (a ++ b) f).
  { apply IH; auto.
    - intros y Hy. assert (In y (a ++ x :: b)) as H by (apply Hlk; simpl; auto).
      apply in_app_iff in H. apply in_app_iff. destruct H as [H|[H|H]]; auto.
      subst. contradiction.
    - intros j Hj. apply Hk. apply in_app_iff in Hj. apply in_app_iff. simpl. tauto. }
  rewrite sum_app in *. simpl. lra.
Qed.

Lemma size_incl : forall l k, NoDup l -> incl l k -> size l <= size k.
Proof.
  intros l k Hl Hlk. pose proof (sum_incl l k (fun _ => 1) Hl Hlk) as H.
  rewrite !sum_const in H. specialize (H (fun _ _ => Rle_0_1)). lra.
Qed.

Lemma size_positions : forall first last, (first <= last + 1)%Z ->
  size (positions first last) = IZR (last - first + 1).
Proof.
  intros. unfold size. rewrite positions_length, INR_IZR_INZ, Z2Nat.id by lia. reflexivity.
Qed.
