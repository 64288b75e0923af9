(** next: X φ

    Attend to the first position after i, and read φ there; the last row is empty and gives false.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition hard_head (c : R) (n : Z) (phi : Z -> bool) (i : Z) : head := {|
  masked := strict_past;
  bos := false;
  tied := leftmost;
  selects := fun j => true;
  value := fun j => b2r (phi j);
  default := 0;
  negated := false
|}.

Definition claimed_error (c : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c : R) (n : Z) (phi : Z -> bool) (i j : Z) : R :=
  - c * IZR j.
Definition temperature_position_embedding (c : R) (n : Z) : R :=
  1.

Definition score_temperature (c : R) (n : Z) (phi : Z -> bool) (i j : Z) : R :=
  - IZR j / IZR n.
Definition temperature_temperature (c : R) (n : Z) : R :=
  1 / (c * IZR n).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem next_hard :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    hard (hard_head c n phi i) n i = b2r (next n phi i).
Proof.
  intros.
  computes_neighbour next (i + 1)%Z.
Qed.

Theorem next_position_embedding :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    simulates (hard_head c n phi i) (score_position_embedding c n phi i)
      (temperature_position_embedding c n) n i (claimed_error c n).
Proof.
  intros.
  single_target (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem next_position_embedding_rounded :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    rho (soft (hard_head c n phi i) (score_position_embedding c n phi i)
      (temperature_position_embedding c n) n i)
    = b2r (next n phi i).
Proof.
  intros.
  eapply rounded.
  - apply next_position_embedding; eassumption.
  - apply next_hard; assumption.
  - autounfold with scores; lra.
Qed.

Theorem next_temperature :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    simulates (hard_head c n phi i) (score_temperature c n phi i)
      (temperature_temperature c n) n i (claimed_error c n).
Proof.
  intros.
  single_target (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem next_temperature_rounded :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    rho (soft (hard_head c n phi i) (score_temperature c n phi i)
      (temperature_temperature c n) n i)
    = b2r (next n phi i).
Proof.
  intros.
  eapply rounded.
  - apply next_temperature; eassumption.
  - apply next_hard; assumption.
  - autounfold with scores; lra.
Qed.
