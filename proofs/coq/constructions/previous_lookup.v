(** previous-lookup: Y φ by lookup

    Look up the key i - 1 by a quadratic score; at i = 1 that is the beginning of the string, where φ is
    false.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition hard_head (c : R) (n : Z) (phi : Z -> bool) (i : Z) : head := {|
  masked := no_mask;
  bos := true;
  tied := unique;
  selects := fun j => (j =? i - 1)%Z;
  value := fun j => b2r (phi j);
  default := 0;
  negated := false
|}.

Definition claimed_error (c : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c : R) (n : Z) (phi : Z -> bool) (i j : Z) : R :=
  c * (2 * (IZR i - 1) * IZR j - IZR j ^ 2).
Definition temperature_position_embedding (c : R) (n : Z) : R :=
  1.

Definition score_temperature (c : R) (n : Z) (phi : Z -> bool) (i j : Z) : R :=
  (2 * (IZR i - 1) * IZR j - IZR j ^ 2) / IZR n ^ 2.
Definition temperature_temperature (c : R) (n : Z) : R :=
  1 / (c * IZR n ^ 2).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem previous_lookup_hard :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    phi 0%Z = false ->
    hard (hard_head c n phi i) n i = b2r (previous n phi i).
Proof.
  intros.
  computes_lookup (i - 1)%Z.
Qed.

Theorem previous_lookup_position_embedding :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    phi 0%Z = false ->
    simulates (hard_head c n phi i) (score_position_embedding c n phi i)
      (temperature_position_embedding c n) n i (claimed_error c n).
Proof.
  intros.
  single_lookup (i - 1)%Z (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem previous_lookup_position_embedding_rounded :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    phi 0%Z = false ->
    rho (soft (hard_head c n phi i) (score_position_embedding c n phi i)
      (temperature_position_embedding c n) n i)
    = b2r (previous n phi i).
Proof.
  intros.
  eapply rounded.
  - apply previous_lookup_position_embedding; eassumption.
  - apply previous_lookup_hard; assumption.
  - autounfold with scores; lra.
Qed.

Theorem previous_lookup_temperature :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    phi 0%Z = false ->
    simulates (hard_head c n phi i) (score_temperature c n phi i)
      (temperature_temperature c n) n i (claimed_error c n).
Proof.
  intros.
  single_lookup (i - 1)%Z (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem previous_lookup_temperature_rounded :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    phi 0%Z = false ->
    rho (soft (hard_head c n phi i) (score_temperature c n phi i)
      (temperature_temperature c n) n i)
    = b2r (previous n phi i).
Proof.
  intros.
  eapply rounded.
  - apply previous_lookup_temperature; eassumption.
  - apply previous_lookup_hard; assumption.
  - autounfold with scores; lra.
Qed.
