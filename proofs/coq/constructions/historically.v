(** historically: H φ

    Average over the positions at or before i where φ fails, and negate: H φ is the negation of finding one.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition hard_head (c : R) (n : Z) (phi : Z -> bool) (i : Z) : head := {|
  masked := causal;
  bos := false;
  tied := average;
  selects := fun j => negb (phi j);
  value := fun j => b2r (negb (phi j));
  default := 0;
  negated := true
|}.

Definition claimed_error (c : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c : R) (n : Z) (phi : Z -> bool) (i j : Z) : R :=
  (c + ln (IZR n)) * b2r (selects (hard_head c n phi i) j).
Definition temperature_position_embedding (c : R) (n : Z) : R :=
  1.

Definition score_temperature (c : R) (n : Z) (phi : Z -> bool) (i j : Z) : R :=
  b2r (selects (hard_head c n phi i) j).
Definition temperature_temperature (c : R) (n : Z) : R :=
  1 / (c + ln (IZR n)).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem historically_hard :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    hard (hard_head c n phi i) n i = b2r (historically n phi i).
Proof.
  intros.
  unfold historically.
  computes_quantifier forall_target forall_none.
Qed.

Theorem historically_position_embedding :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    simulates (hard_head c n phi i) (score_position_embedding c n phi i)
      (temperature_position_embedding c n) n i (claimed_error c n).
Proof.
  intros.
  averaged_selected (11 / 10).
  apply budget_average with 3; [lra | exp_bound 25%nat (3 # 1)%Q (11 # 10)%Q | lra | lra].
Qed.

Theorem historically_position_embedding_rounded :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    rho (soft (hard_head c n phi i) (score_position_embedding c n phi i)
      (temperature_position_embedding c n) n i)
    = b2r (historically n phi i).
Proof.
  intros.
  eapply rounded.
  - apply historically_position_embedding; eassumption.
  - apply historically_hard; assumption.
  - autounfold with scores; lra.
Qed.

Theorem historically_temperature :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    simulates (hard_head c n phi i) (score_temperature c n phi i)
      (temperature_temperature c n) n i (claimed_error c n).
Proof.
  intros.
  averaged_selected (11 / 10).
  apply budget_average with 3; [lra | exp_bound 25%nat (3 # 1)%Q (11 # 10)%Q | lra | lra].
Qed.

Theorem historically_temperature_rounded :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    rho (soft (hard_head c n phi i) (score_temperature c n phi i)
      (temperature_temperature c n) n i)
    = b2r (historically n phi i).
Proof.
  intros.
  eapply rounded.
  - apply historically_temperature; eassumption.
  - apply historically_hard; assumption.
  - autounfold with scores; lra.
Qed.
