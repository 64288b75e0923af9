(** Temporal logic on finite strings.

    Scope: every operator as a function of predicates on the positions 1..n,
    and what it says in first-order logic. U and S are reflexive, X and Y
    strong; the strict variants look at later (earlier) positions only. *)
From Coq Require Import ZArith List Bool Lia.
From HardAttention Require Export Positions.
Import ListNotations.
Open Scope Z_scope.

Definition next (n : Z) (p : Z -> bool) (i : Z) : bool := (i <? n) && p (i + 1).
Definition previous (n : Z) (p : Z -> bool) (i : Z) : bool := (1 <? i) && p (i - 1).

Definition until (n : Z) (p q : Z -> bool) (i : Z) : bool :=
  existsb (fun j => q j && forallb p (positions i (j - 1))) (positions i n).
Definition since (n : Z) (p q : Z -> bool) (i : Z) : bool :=
  existsb (fun j => q j && forallb p (positions (j + 1) i)) (positions 1 i).
Definition strict_until (n : Z) (p q : Z -> bool) (i : Z) : bool :=
  existsb (fun j => q j && forallb p (positions (i + 1) (j - 1))) (positions (i + 1) n).
Definition strict_since (n : Z) (p q : Z -> bool) (i : Z) : bool :=
  existsb (fun j => q j && forallb p (positions (j + 1) (i - 1))) (positions 1 (i - 1)).

Definition eventually (n : Z) (p : Z -> bool) (i : Z) : bool := existsb p (positions i n).
Definition globally (n : Z) (p : Z -> bool) (i : Z) : bool := forallb p (positions i n).
Definition once (n : Z) (p : Z -> bool) (i : Z) : bool := existsb p (positions 1 i).
Definition historically (n : Z) (p : Z -> bool) (i : Z) : bool := forallb p (positions 1 i).

Definition strict_eventually (n : Z) (p : Z -> bool) (i : Z) : bool := existsb p (positions (i + 1) n).
Definition strict_globally (n : Z) (p : Z -> bool) (i : Z) : bool := forallb p (positions (i + 1) n).
Definition strict_once (n : Z) (p : Z -> bool) (i : Z) : bool := existsb p (positions 1 (i - 1)).
Definition strict_historically (n : Z) (p : Z -> bool) (i : Z) : bool := forallb p (positions 1 (i - 1)).

(** ** What the operators say *)

Lemma existsb_positions : forall p a b, existsb p (positions a b) = true <-> exists j, a <= j <= b /\ p j = true.
Proof. intros. rewrite existsb_exists. setoid_rewrite in_positions. reflexivity. Qed.

Lemma forallb_positions : forall p a b, forallb p (positions a b) = true <-> forall j, a <= j <= b -> p j = true.
Proof. intros. rewrite forallb_forall. setoid_rewrite in_positions. reflexivity. Qed.

Theorem until_spec : forall n p q i, until n p q i = true <->
  exists j, i <= j <= n /\ q j = true /\ forall k, i <= k < j -> p k = true.
Proof.
  intros. unfold until. rewrite existsb_positions. setoid_rewrite andb_true_iff. setoid_rewrite forallb_positions.
  split; intros [j [Hj [Hq Hp]]]; exists j; (split; [lia|split; [exact Hq|intros k Hk; apply Hp; lia]]).
Qed.

Theorem since_spec : forall n p q i, since n p q i = true <->
  exists j, 1 <= j <= i /\ q j = true /\ forall k, j < k <= i -> p k = true.
Proof.
  intros. unfold since. rewrite existsb_positions. setoid_rewrite andb_true_iff. setoid_rewrite forallb_positions.
  split; intros [j [Hj [Hq Hp]]]; exists j; (split; [lia|split; [exact Hq|intros k Hk; apply Hp; lia]]).
Qed.

Theorem strict_until_spec : forall n p q i, strict_until n p q i = true <->
  exists j, i < j <= n /\ q j = true /\ forall k, i < k < j -> p k = true.
Proof.
  intros. unfold strict_until. rewrite existsb_positions. setoid_rewrite andb_true_iff.
  setoid_rewrite forallb_positions.
  split; intros [j [Hj [Hq Hp]]]; exists j; (split; [lia|split; [exact Hq|intros k Hk; apply Hp; lia]]).
Qed.

Theorem strict_since_spec : forall n p q i, strict_since n p q i = true <->
  exists j, 1 <= j < i /\ q j = true /\ forall k, j < k < i -> p k = true.
Proof.
  intros. unfold strict_since. rewrite existsb_positions. setoid_rewrite andb_true_iff.
  setoid_rewrite forallb_positions.
  split; intros [j [Hj [Hq Hp]]]; exists j; (split; [lia|split; [exact Hq|intros k Hk; apply Hp; lia]]).
Qed.

(** F and O are U and S with true on the left; G and H are their duals. *)
Theorem eventually_until : forall n p i, eventually n p i = until n (fun _ => true) p i.
Proof.
  intros. apply eq_true_iff_eq. rewrite until_spec. unfold eventually. rewrite existsb_positions.
  split; [intros [j [Hj H]]|intros [j [Hj [H _]]]]; exists j; auto.
Qed.

Theorem once_since : forall n p i, once n p i = since n (fun _ => true) p i.
Proof.
  intros. apply eq_true_iff_eq. rewrite since_spec. unfold once. rewrite existsb_positions.
  split; [intros [j [Hj H]]|intros [j [Hj [H _]]]]; exists j; auto.
Qed.

Lemma forallb_dual : forall (p : Z -> bool) l, forallb p l = negb (existsb (fun j => negb (p j)) l).
Proof. intros p l. induction l as [|x l IH]; simpl; auto. rewrite IH, negb_orb, negb_involutive. reflexivity. Qed.

Theorem globally_dual : forall n p i, globally n p i = negb (eventually n (fun j => negb (p j)) i).
Proof. intros. apply forallb_dual. Qed.

Theorem historically_dual : forall n p i, historically n p i = negb (once n (fun j => negb (p j)) i).
Proof. intros. apply forallb_dual. Qed.
