(** once-rightmost: O φ by the rightmost key

    Attend to the rightmost visible j where φ holds; all such keys share one value, so only the others err.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition hard_head (c : R) (n : Z) (phi : Z -> bool) (i : Z) : head := {|
  masked := causal;
  bos := false;
  tied := rightmost;
  selects := fun j => phi j;
  value := fun j => b2r (phi j);
  default := 0;
  negated := false
|}.

Definition claimed_error (c : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c : R) (n : Z) (phi : Z -> bool) (i j : Z) : R :=
  c * (2 * IZR i * b2r (selects (hard_head c n phi i) j) + IZR j).
Definition temperature_position_embedding (c : R) (n : Z) : R :=
  1.

Definition score_temperature (c : R) (n : Z) (phi : Z -> bool) (i j : Z) : R :=
  2 * b2r (selects (hard_head c n phi i) j) + IZR j / IZR n.
Definition temperature_temperature (c : R) (n : Z) : R :=
  1 / (c * IZR n).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem once_rightmost_hard :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    hard (hard_head c n phi i) n i = b2r (once n phi i).
Proof.
  intros.
  unfold once.
  computes_quantifier exists_target exists_none.
Qed.

Theorem once_rightmost_position_embedding :
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

Theorem once_rightmost_position_embedding_rounded :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    rho (soft (hard_head c n phi i) (score_position_embedding c n phi i)
      (temperature_position_embedding c n) n i)
    = b2r (once n phi i).
Proof.
  intros.
  eapply rounded.
  - apply once_rightmost_position_embedding; eassumption.
  - apply once_rightmost_hard; assumption.
  - autounfold with scores; lra.
Qed.

Theorem once_rightmost_temperature :
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

Theorem once_rightmost_temperature_rounded :
  forall (c : R) (n : Z) (phi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    rho (soft (hard_head c n phi i) (score_temperature c n phi i)
      (temperature_temperature c n) n i)
    = b2r (once n phi i).
Proof.
  intros.
  eapply rounded.
  - apply once_rightmost_temperature; eassumption.
  - apply once_rightmost_hard; assumption.
  - autounfold with scores; lra.
Qed.
