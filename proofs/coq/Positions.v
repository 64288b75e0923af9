(** Positions of a string: lists of consecutive integers.

    Scope: rows of keys are such lists, filtered; here is that they have no
    repetition and are in ascending order, nothing about attention. *)
From Coq Require Import ZArith List Lia Bool.
Import ListNotations.
Open Scope Z_scope.

Fixpoint upfrom (first : Z) (count : nat) : list Z :=
  match count with
  | O => []
  | S rest => first :: upfrom (first + 1) rest
  end.

(** The positions first, first + 1, ..., last; none if last < first. *)
Definition positions (first last : Z) : list Z := upfrom first (Z.to_nat (last - first + 1)).

(** Every element is smaller than those after it. *)
Fixpoint ascending (l : list Z) : Prop :=
  match l with
  | [] => True
  | x :: rest => (forall y, In y rest -> x < y) /\ ascending rest
  end.

Lemma in_upfrom : forall count first j, In j (upfrom first count) <-> first <= j < first + Z.of_nat count.
Proof.
  induction count as [|count IH]; intros first j; simpl; [lia|].
  rewrite IH. lia.
Qed.

Lemma in_positions : forall first last j, In j (positions first last) <-> first <= j <= last.
Proof. intros. unfold positions. rewrite in_upfrom. lia. Qed.

Lemma upfrom_ascending : forall count first, ascending (upfrom first count).
Proof.
  induction count as [|count IH]; intros first; simpl; auto.
  split; auto. intros y H. apply in_upfrom in H. lia.
Qed.

Lemma positions_ascending : forall first last, ascending (positions first last).
Proof. intros. apply upfrom_ascending. Qed.

Lemma filter_ascending : forall p l, ascending l -> ascending (filter p l).
Proof.
  induction l as [|x l IH]; simpl; auto.
  intros [Hx Hl]. destruct (p x); simpl; auto.
  split; auto. intros y H. apply filter_In in H. apply Hx. tauto.
Qed.

Lemma ascending_nodup : forall l, ascending l -> NoDup l.
Proof.
  induction l as [|x l IH]; intros H; constructor; destruct H as [Hx Hl]; auto.
  intros H. specialize (Hx _ H). lia.
Qed.

Lemma upfrom_length : forall count first, length (upfrom first count) = count.
Proof. induction count; intros; simpl; auto. Qed.

Lemma positions_length : forall first last, length (positions first last) = Z.to_nat (last - first + 1).
Proof. intros. apply upfrom_length. Qed.

(** The last element of an ascending list is the greatest. *)
Lemma last_in : forall (l : list Z) x, In (last (x :: l) x) (x :: l).
Proof.
  induction l as [|y l IH]; intros x.
  - left. reflexivity.
  - right. replace (last (x :: y :: l) x) with (last (y :: l) y); [apply IH|].
    clear IH. revert x y. induction l as [|z l IH]; intros x y; [reflexivity|].
    change (last (y :: z :: l) y) with (last (z :: l) y).
    change (last (x :: y :: z :: l) x) with (last (z :: l) x).
    clear. revert z. induction l as [|u l IH]; intros z; [reflexivity|]. apply IH.
Qed.

Lemma last_greatest : forall l d j, ascending l -> In j l -> j <= last l d.
Proof.
  induction l as [|x l IH]; intros d j Hl Hj; [destruct Hj|].
  destruct Hl as [Hx Hl]. destruct l as [|y l].
  - destruct Hj as [->|[]]. simpl. lia.
  - change (last (x :: y :: l) d) with (last (y :: l) d).
    destruct Hj as [->|Hj]; [|apply IH; auto].
    specialize (IH d y Hl (or_introl eq_refl)). specialize (Hx y (or_introl eq_refl)). lia.
Qed.
