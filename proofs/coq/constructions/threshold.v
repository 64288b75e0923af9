(** threshold: k ≥ t

    Look up the position equal to a count k(i), and read off whether it reaches a threshold t.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition t' : Z := 3%Z.

Definition hard_head (c : R) (n : Z) (k : Z -> Z) (i : Z) : head := {|
  masked := no_mask;
  bos := true;
  tied := unique;
  selects := fun j => (j =? k i)%Z;
  value := fun j => b2r (j >=? t')%Z;
  default := 0;
  negated := false
|}.

Definition claimed_error (c : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c : R) (n : Z) (k : Z -> Z) (i j : Z) : R :=
  c * (2 * IZR (k i) * IZR j - IZR j ^ 2).
Definition temperature_position_embedding (c : R) (n : Z) : R :=
  1.

Definition score_temperature (c : R) (n : Z) (k : Z -> Z) (i j : Z) : R :=
  (2 * IZR (k i) * IZR j - IZR j ^ 2) / IZR n ^ 2.
Definition temperature_temperature (c : R) (n : Z) : R :=
  1 / (c * IZR n ^ 2).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold t' : scores.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem threshold_hard :
  forall (c : R) (n : Z) (k : Z -> Z) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, 1 <= p <= n -> 0 <= k p <= n)%Z ->
    (k 0 = 0)%Z ->
    hard (hard_head c n k i) n i = b2r (k i >=? t')%Z.
Proof.
  intros.
  computes_lookup (k i)%Z.
Qed.

Theorem threshold_position_embedding :
  forall (c : R) (n : Z) (k : Z -> Z) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, 1 <= p <= n -> 0 <= k p <= n)%Z ->
    (k 0 = 0)%Z ->
    simulates (hard_head c n k i) (score_position_embedding c n k i)
      (temperature_position_embedding c n) n i (claimed_error c n).
Proof.
  intros.
  single_lookup (k i)%Z (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem threshold_position_embedding_rounded :
  forall (c : R) (n : Z) (k : Z -> Z) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, 1 <= p <= n -> 0 <= k p <= n)%Z ->
    (k 0 = 0)%Z ->
    rho (soft (hard_head c n k i) (score_position_embedding c n k i)
      (temperature_position_embedding c n) n i)
    = b2r (k i >=? t')%Z.
Proof.
  intros.
  eapply rounded.
  - apply threshold_position_embedding; eassumption.
  - apply threshold_hard; assumption.
  - autounfold with scores; lra.
Qed.

Theorem threshold_temperature :
  forall (c : R) (n : Z) (k : Z -> Z) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, 1 <= p <= n -> 0 <= k p <= n)%Z ->
    (k 0 = 0)%Z ->
    simulates (hard_head c n k i) (score_temperature c n k i)
      (temperature_temperature c n) n i (claimed_error c n).
Proof.
  intros.
  single_lookup (k i)%Z (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem threshold_temperature_rounded :
  forall (c : R) (n : Z) (k : Z -> Z) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, 1 <= p <= n -> 0 <= k p <= n)%Z ->
    (k 0 = 0)%Z ->
    rho (soft (hard_head c n k i) (score_temperature c n k i)
      (temperature_temperature c n) n i)
    = b2r (k i >=? t')%Z.
Proof.
  intros.
  eapply rounded.
  - apply threshold_temperature; eassumption.
  - apply threshold_hard; assumption.
  - autounfold with scores; lra.
Qed.
