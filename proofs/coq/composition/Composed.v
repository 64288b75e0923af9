(** The composed theorem: the softmax transformer of a formula computes the formula.

    Scope: for every formula, every string of every length, every position and
    both routes. Each temporal operator rests on the theorem about the head in
    its construction file, and on rounding, so that errors do not add up. The
    heads that average have ln n in their scores or temperatures. *)
From Coq Require Import Reals ZArith List Bool Lra Lia.
From HardAttention Require Import Semantics.
From HardAttention.composition Require Export Transformer.
From HardAttention.constructions Require until since strict_until strict_since next previous
  eventually globally once historically.
Import ListNotations.
Open Scope R_scope.

(** ** Feed-forward layers *)

Lemma ff_not_spec : forall a, ff_not (b2r a) = b2r (negb a).
Proof. intros []; unfold ff_not; cbn; lra. Qed.
Lemma ff_and_spec : forall a b, ff_and (b2r a) (b2r b) = b2r (a && b).
Proof.
  intros [] []; unfold ff_and; cbn; [rewrite relu_pos by lra|rewrite relu_neg by lra..]; lra.
Qed.
Lemma ff_or_spec : forall a b, ff_or (b2r a) (b2r b) = b2r (a || b).
Proof.
  intros [] []; unfold ff_or; cbn; [rewrite relu_neg by lra..|rewrite relu_pos by lra]; lra.
Qed.
Lemma ff_implies_spec : forall a b, ff_implies (b2r a) (b2r b) = b2r (b || negb a).
Proof.
  intros [] []; unfold ff_implies; cbn;
    [rewrite relu_neg by lra|rewrite relu_pos by lra|rewrite relu_neg by lra..]; lra.
Qed.
Lemma ff_iff_spec : forall a b, ff_iff (b2r a) (b2r b) = b2r (Bool.eqb a b).
Proof.
  intros [] []; unfold ff_iff; cbn.
  - rewrite !relu_neg by lra. lra.
  - rewrite (relu_pos (1 - 0)), (relu_neg (0 - 1)) by lra. lra.
  - rewrite (relu_neg (0 - 1)), (relu_pos (1 - 0)) by lra. lra.
  - rewrite !relu_neg by lra. lra.
Qed.

(** ** Heads *)

(** Activations that are a predicate's truth values at the positions 1..n. *)
Definition represents (n : Z) (x : Z -> R) (p : Z -> bool) : Prop := forall j, (1 <= j <= n)%Z -> x j = b2r (p j).

Lemma attend_soft : forall h score score' tau value' n i,
  bos h = false ->
  (forall j, (1 <= j <= n)%Z -> score' j = score j) ->
  (forall j, (1 <= j <= n)%Z -> value' j = value h j) ->
  output h (attend (masked h) n i score' tau value') = soft h score tau n i.
Proof.
  intros h score score' tau value' n i Hbos Hs Hv. unfold soft, attend, row. rewrite Hbos. f_equal.
  apply soft_row_ext; intros j Hj; apply filter_In in Hj; destruct Hj as [Hj _]; apply in_positions in Hj; auto.
Qed.

Lemma negate_represents : forall n x p, represents n x p -> represents n (negate x) (fun j => negb (p j)).
Proof. intros n x p Hx j Hj. unfold negate. rewrite Hx by exact Hj. apply ff_not_spec. Qed.

Lemma always_represents : forall n, represents n always (fun _ => true).
Proof. intros n j Hj. reflexivity. Qed.

(** A head of the library on given activations: its theorem, and the equality of the scores. *)
Ltac by_theorem rounded h :=
  rewrite <- rounded by (assumption || lra); f_equal;
  apply (attend_soft h); [reflexivity| |assumption].

Lemma until_head : forall r c n x y p q i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z ->
  represents n x p -> represents n y q -> search_up r c n past x y i = b2r (until n p q i).
Proof.
  intros r c n x y p q i Hc Hn Hi Hx Hy. unfold search_up. destruct r.
  - by_theorem (until.until_position_embedding_rounded c n p q i) (until.hard_head c n p q i).
    intros j Hj. unfold up_score, until.score_position_embedding.
    rewrite Hx, Hy, ff_implies_spec by exact Hj. reflexivity.
  - by_theorem (until.until_temperature_rounded c n p q i) (until.hard_head c n p q i).
    intros j Hj. unfold up_score, until.score_temperature.
    rewrite Hx, Hy, ff_implies_spec by exact Hj. reflexivity.
Qed.

Lemma since_head : forall r c n x y p q i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z ->
  represents n x p -> represents n y q -> search_down r c n causal x y i = b2r (since n p q i).
Proof.
  intros r c n x y p q i Hc Hn Hi Hx Hy. unfold search_down. destruct r.
  - by_theorem (since.since_position_embedding_rounded c n p q i) (since.hard_head c n p q i).
    intros j Hj. unfold down_score, since.score_position_embedding.
    rewrite Hx, Hy, ff_implies_spec by exact Hj. reflexivity.
  - by_theorem (since.since_temperature_rounded c n p q i) (since.hard_head c n p q i).
    intros j Hj. unfold down_score, since.score_temperature.
    rewrite Hx, Hy, ff_implies_spec by exact Hj. reflexivity.
Qed.

Lemma strict_until_head : forall r c n x y p q i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z ->
  represents n x p -> represents n y q -> search_up r c n strict_past x y i = b2r (strict_until n p q i).
Proof.
  intros r c n x y p q i Hc Hn Hi Hx Hy. unfold search_up. destruct r.
  - by_theorem (strict_until.strict_until_position_embedding_rounded c n p q i) (strict_until.hard_head c n p q i).
    intros j Hj. unfold up_score, strict_until.score_position_embedding.
    rewrite Hx, Hy, ff_implies_spec by exact Hj. reflexivity.
  - by_theorem (strict_until.strict_until_temperature_rounded c n p q i) (strict_until.hard_head c n p q i).
    intros j Hj. unfold up_score, strict_until.score_temperature.
    rewrite Hx, Hy, ff_implies_spec by exact Hj. reflexivity.
Qed.

Lemma strict_since_head : forall r c n x y p q i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z ->
  represents n x p -> represents n y q -> search_down r c n strict_causal x y i = b2r (strict_since n p q i).
Proof.
  intros r c n x y p q i Hc Hn Hi Hx Hy. unfold search_down. destruct r.
  - by_theorem (strict_since.strict_since_position_embedding_rounded c n p q i) (strict_since.hard_head c n p q i).
    intros j Hj. unfold down_score, strict_since.score_position_embedding.
    rewrite Hx, Hy, ff_implies_spec by exact Hj. reflexivity.
  - by_theorem (strict_since.strict_since_temperature_rounded c n p q i) (strict_since.hard_head c n p q i).
    intros j Hj. unfold down_score, strict_since.score_temperature.
    rewrite Hx, Hy, ff_implies_spec by exact Hj. reflexivity.
Qed.

Lemma next_head : forall r c n x p i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z -> represents n x p ->
  rho (attend strict_past n i (next_score r c n) (linear_temperature r c n) x) = b2r (next n p i).
Proof.
  intros r c n x p i Hc Hn Hi Hx. destruct r.
  - by_theorem (next.next_position_embedding_rounded c n p i) (next.hard_head c n p i). reflexivity.
  - by_theorem (next.next_temperature_rounded c n p i) (next.hard_head c n p i). reflexivity.
Qed.

Lemma previous_head : forall r c n x p i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z -> represents n x p ->
  rho (attend strict_causal n i (previous_score r c n) (linear_temperature r c n) x) = b2r (previous n p i).
Proof.
  intros r c n x p i Hc Hn Hi Hx. destruct r.
  - by_theorem (previous.previous_position_embedding_rounded c n p i) (previous.hard_head c n p i). reflexivity.
  - by_theorem (previous.previous_temperature_rounded c n p i) (previous.hard_head c n p i). reflexivity.
Qed.

Lemma eventually_head : forall r c n x p i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z -> represents n x p ->
  rho (find r c n past x i) = b2r (eventually n p i).
Proof.
  intros r c n x p i Hc Hn Hi Hx. unfold find. destruct r.
  - by_theorem (eventually.eventually_position_embedding_rounded c n p i) (eventually.hard_head c n p i).
    intros j Hj. unfold average_score, eventually.score_position_embedding.
    rewrite Hx by exact Hj. reflexivity.
  - by_theorem (eventually.eventually_temperature_rounded c n p i) (eventually.hard_head c n p i).
    intros j Hj. unfold average_score, eventually.score_temperature.
    rewrite Hx by exact Hj. reflexivity.
Qed.

Lemma once_head : forall r c n x p i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z -> represents n x p ->
  rho (find r c n causal x i) = b2r (once n p i).
Proof.
  intros r c n x p i Hc Hn Hi Hx. unfold find. destruct r.
  - by_theorem (once.once_position_embedding_rounded c n p i) (once.hard_head c n p i).
    intros j Hj. unfold average_score, once.score_position_embedding.
    rewrite Hx by exact Hj. reflexivity.
  - by_theorem (once.once_temperature_rounded c n p i) (once.hard_head c n p i).
    intros j Hj. unfold average_score, once.score_temperature.
    rewrite Hx by exact Hj. reflexivity.
Qed.

Lemma globally_head : forall r c n x p i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z -> represents n x p ->
  rho (ff_not (find r c n past (negate x) i)) = b2r (globally n p i).
Proof.
  intros r c n x p i Hc Hn Hi Hx. apply negate_represents in Hx. unfold find, ff_not. destruct r.
  - by_theorem (globally.globally_position_embedding_rounded c n p i) (globally.hard_head c n p i).
    intros j Hj. unfold average_score, globally.score_position_embedding.
    rewrite Hx by exact Hj. reflexivity.
  - by_theorem (globally.globally_temperature_rounded c n p i) (globally.hard_head c n p i).
    intros j Hj. unfold average_score, globally.score_temperature.
    rewrite Hx by exact Hj. reflexivity.
Qed.

Lemma historically_head : forall r c n x p i, 2 <= c -> (1 <= n)%Z -> (1 <= i <= n)%Z -> represents n x p ->
  rho (ff_not (find r c n causal (negate x) i)) = b2r (historically n p i).
Proof.
  intros r c n x p i Hc Hn Hi Hx. apply negate_represents in Hx. unfold find, ff_not. destruct r.
  - by_theorem (historically.historically_position_embedding_rounded c n p i) (historically.hard_head c n p i).
    intros j Hj. unfold average_score, historically.score_position_embedding.
    rewrite Hx by exact Hj. reflexivity.
  - by_theorem (historically.historically_temperature_rounded c n p i) (historically.hard_head c n p i).
    intros j Hj. unfold average_score, historically.score_temperature.
    rewrite Hx by exact Hj. reflexivity.
Qed.

(** ** The operators that are short for others *)

Lemma existsb_ext : forall (p q : Z -> bool) l, (forall j, p j = q j) -> existsb p l = existsb q l.
Proof. intros p q l H. induction l as [|x l IH]; cbn; [reflexivity|]. rewrite H, IH. reflexivity. Qed.

Lemma forallb_true : forall l : list Z, forallb (fun _ => true) l = true.
Proof. induction l; cbn; auto. Qed.

Lemma strict_eventually_until : forall n p i, strict_until n (fun _ => true) p i = strict_eventually n p i.
Proof. intros. apply existsb_ext. intros j. rewrite forallb_true. apply andb_true_r. Qed.

Lemma strict_once_since : forall n p i, strict_since n (fun _ => true) p i = strict_once n p i.
Proof. intros. apply existsb_ext. intros j. rewrite forallb_true. apply andb_true_r. Qed.

Lemma strict_globally_until : forall n p i,
  negb (strict_until n (fun _ => true) (fun j => negb (p j)) i) = strict_globally n p i.
Proof. intros. rewrite strict_eventually_until. symmetry. apply forallb_dual. Qed.

Lemma strict_historically_since : forall n p i,
  negb (strict_since n (fun _ => true) (fun j => negb (p j)) i) = strict_historically n p i.
Proof. intros. rewrite strict_once_since. symmetry. apply forallb_dual. Qed.

(** ** The theorem *)

Theorem transformer_computes_formula : forall (f : formula) (r : route) (c : R) (n : Z) (string : nat -> Z -> bool),
  2 <= c -> (1 <= n)%Z ->
  forall i, (1 <= i <= n)%Z -> activation r c n string f i = b2r (holds n string f i).
Proof.
  intros f r c n string Hc Hn.
  change (represents n (activation r c n string f) (holds n string f)).
  induction f; intros i Hi; cbn [activation holds].
  - reflexivity.
  - reflexivity.
  - rewrite IHf by exact Hi. apply ff_not_spec.
  - rewrite IHf1, IHf2 by exact Hi. apply ff_and_spec.
  - rewrite IHf1, IHf2 by exact Hi. apply ff_or_spec.
  - rewrite IHf1, IHf2 by exact Hi. rewrite ff_implies_spec.
    destruct (holds n string f1 i), (holds n string f2 i); reflexivity.
  - rewrite IHf1, IHf2 by exact Hi. apply ff_iff_spec.
  - apply next_head; assumption.
  - apply previous_head; assumption.
  - apply eventually_head; assumption.
  - apply globally_head; assumption.
  - apply once_head; assumption.
  - apply historically_head; assumption.
  - rewrite (strict_until_head r c n always _ (fun _ => true) (holds n string f));
      auto using always_represents. rewrite strict_eventually_until. reflexivity.
  - rewrite (strict_until_head r c n always _ (fun _ => true) (fun j => negb (holds n string f j)));
      auto using always_represents, negate_represents. rewrite ff_not_spec, strict_globally_until. reflexivity.
  - rewrite (strict_since_head r c n always _ (fun _ => true) (holds n string f));
      auto using always_represents. rewrite strict_once_since. reflexivity.
  - rewrite (strict_since_head r c n always _ (fun _ => true) (fun j => negb (holds n string f j)));
      auto using always_represents, negate_represents. rewrite ff_not_spec, strict_historically_since. reflexivity.
  - apply until_head; assumption.
  - apply since_head; assumption.
  - apply strict_until_head; assumption.
  - apply strict_since_head; assumption.
Qed.
