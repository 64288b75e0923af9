(** Temporal operators by the one position that decides them.

    Scope: for each operator, its value when a key satisfies the selection of
    its head, and when no visible key does. *)
From Coq Require Import ZArith List Bool Lia.
From HardAttention Require Export Temporal.
Import ListNotations.
Open Scope Z_scope.

(** The selection of until and since: q holds or p fails. *)
Definition decides (p q : Z -> bool) (j : Z) : bool := q j || negb (p j).

Lemma decides_false : forall p q j, decides p q j = false -> q j = false /\ p j = true.
Proof. intros p q j. unfold decides. destruct (q j), (p j); simpl; auto; discriminate. Qed.

(** A search in positions a..b that moves upwards, and one that moves downwards. *)
Lemma search_up : forall (p q : Z -> bool) a b t, a <= t <= b -> decides p q t = true ->
  (forall j, a <= j <= b -> decides p q j = true -> t <= j) ->
  existsb (fun j => q j && forallb p (positions a (j - 1))) (positions a b) = q t.
Proof.
  intros p q a b t Ht Hsel Hmin. apply eq_true_iff_eq. rewrite existsb_positions.
  assert (Hbefore : forall k, a <= k < t -> decides p q k = false).
  { intros k Hk. destruct (decides p q k) eqn:E; auto. assert (t <= k) by (apply Hmin; auto; lia). lia. }
  split.
  - intros [j [Hj H]]. apply andb_true_iff in H. destruct H as [Hq Hp].
    destruct (Z.lt_trichotomy j t) as [Hlt|[->|Hlt]]; auto.
    + destruct (decides_false p q j); [apply Hbefore; lia|congruence].
    + rewrite forallb_positions in Hp. specialize (Hp t ltac:(lia)). unfold decides in Hsel.
      rewrite Hp, orb_false_r in Hsel. exact Hsel.
  - intros Hq. exists t. split; [lia|]. rewrite Hq. apply forallb_positions.
    intros k Hk. apply (decides_false p q k). apply Hbefore. lia.
Qed.

Lemma search_down : forall (p q : Z -> bool) a b t, a <= t <= b -> decides p q t = true ->
  (forall j, a <= j <= b -> decides p q j = true -> j <= t) ->
  existsb (fun j => q j && forallb p (positions (j + 1) b)) (positions a b) = q t.
Proof.
  intros p q a b t Ht Hsel Hmax. apply eq_true_iff_eq. rewrite existsb_positions.
  assert (Hafter : forall k, t < k <= b -> decides p q k = false).
  { intros k Hk. destruct (decides p q k) eqn:E; auto. assert (k <= t) by (apply Hmax; auto; lia). lia. }
  split.
  - intros [j [Hj H]]. apply andb_true_iff in H. destruct H as [Hq Hp].
    destruct (Z.lt_trichotomy j t) as [Hlt|[->|Hlt]]; auto.
    + rewrite forallb_positions in Hp. specialize (Hp t ltac:(lia)). unfold decides in Hsel.
      rewrite Hp, orb_false_r in Hsel. exact Hsel.
    + destruct (decides_false p q j); [apply Hafter; lia|congruence].
  - intros Hq. exists t. split; [lia|]. rewrite Hq. apply forallb_positions.
    intros k Hk. apply (decides_false p q k). apply Hafter. lia.
Qed.

Lemma search_none : forall (p q g : Z -> bool) a b, (forall j, a <= j <= b -> decides p q j = false) ->
  existsb (fun j => q j && g j) (positions a b) = false.
Proof.
  intros p q g a b H. apply not_true_is_false. rewrite existsb_positions. intros [j [Hj E]].
  apply andb_true_iff in E. destruct (decides_false p q j (H j Hj)). destruct E. congruence.
Qed.

Lemma until_target : forall n p q i t, i <= t <= n -> decides p q t = true ->
  (forall j, i <= j <= n -> decides p q j = true -> t <= j) -> until n p q i = q t.
Proof. intros. apply search_up; auto. Qed.
Lemma until_none : forall n p q i, (forall j, i <= j <= n -> decides p q j = false) -> until n p q i = false.
Proof. intros. apply search_none with (p := p); auto. Qed.

Lemma since_target : forall n p q i t, 1 <= t <= i -> decides p q t = true ->
  (forall j, 1 <= j <= i -> decides p q j = true -> j <= t) -> since n p q i = q t.
Proof. intros. apply search_down; auto. Qed.
Lemma since_none : forall n p q i, (forall j, 1 <= j <= i -> decides p q j = false) -> since n p q i = false.
Proof. intros. apply search_none with (p := p); auto. Qed.

Lemma strict_until_target : forall n p q i t, i < t <= n -> decides p q t = true ->
  (forall j, i < j <= n -> decides p q j = true -> t <= j) -> strict_until n p q i = q t.
Proof. intros n p q i t Ht Hs Hm. apply search_up; auto; [lia|]. intros j Hj. apply Hm. lia. Qed.
Lemma strict_until_none : forall n p q i, (forall j, i < j <= n -> decides p q j = false) ->
  strict_until n p q i = false.
Proof. intros n p q i Hn. apply search_none with (p := p). intros j Hj. apply Hn. lia. Qed.

Lemma strict_since_target : forall n p q i t, 1 <= t < i -> decides p q t = true ->
  (forall j, 1 <= j < i -> decides p q j = true -> j <= t) -> strict_since n p q i = q t.
Proof. intros n p q i t Ht Hs Hm. apply search_down; auto; [lia|]. intros j Hj. apply Hm. lia. Qed.
Lemma strict_since_none : forall n p q i, (forall j, 1 <= j < i -> decides p q j = false) ->
  strict_since n p q i = false.
Proof. intros n p q i Hn. apply search_none with (p := p). intros j Hj. apply Hn. lia. Qed.

(** Finding one, and its dual. *)
Lemma exists_target : forall p a b t, a <= t <= b -> p t = true -> existsb p (positions a b) = true.
Proof. intros p a b t Ht Hp. apply existsb_positions. exists t. auto. Qed.
Lemma exists_none : forall p a b, (forall j, a <= j <= b -> p j = false) -> existsb p (positions a b) = false.
Proof.
  intros p a b Hn. apply not_true_is_false. rewrite existsb_positions. intros [j [Hj Hp]].
  rewrite Hn in Hp by auto. discriminate.
Qed.
Lemma forall_target : forall p a b t, a <= t <= b -> p t = false -> forallb p (positions a b) = false.
Proof.
  intros p a b t Ht Hp. apply not_true_is_false. rewrite forallb_positions. intros Hall.
  rewrite Hall in Hp by auto. discriminate.
Qed.
Lemma forall_none : forall p a b, (forall j, a <= j <= b -> p j = true) -> forallb p (positions a b) = true.
Proof. intros p a b Hn. apply forallb_positions. exact Hn. Qed.
