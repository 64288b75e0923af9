(** since: φ S ψ

    Attend to the rightmost j <= i where ψ holds or φ fails, and read ψ there.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition hard_head (c : R) (n : Z) (phi psi : Z -> bool) (i : Z) : head := {|
  masked := causal;
  bos := false;
  tied := rightmost;
  selects := fun j => psi j || negb (phi j);
  value := fun j => b2r (psi j);
  default := 0;
  negated := false
|}.

Definition claimed_error (c : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c : R) (n : Z) (phi psi : Z -> bool) (i j : Z) : R :=
  c * (2 * IZR i * b2r (selects (hard_head c n phi psi i) j) + IZR j).
Definition temperature_position_embedding (c : R) (n : Z) : R :=
  1.

Definition score_temperature (c : R) (n : Z) (phi psi : Z -> bool) (i j : Z) : R :=
  2 * b2r (selects (hard_head c n phi psi i) j) + IZR j / IZR n.
Definition temperature_temperature (c : R) (n : Z) : R :=
  1 / (c * IZR n).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem since_hard :
  forall (c : R) (n : Z) (phi psi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    hard (hard_head c n phi psi i) n i = b2r (since n phi psi i).
Proof.
  intros.
  computes_search since_target since_none.
Qed.

Theorem since_position_embedding :
  forall (c : R) (n : Z) (phi psi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    simulates (hard_head c n phi psi i) (score_position_embedding c n phi psi i)
      (temperature_position_embedding c n) n i (claimed_error c n).
Proof.
  intros.
  single_target (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem since_position_embedding_rounded :
  forall (c : R) (n : Z) (phi psi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    rho (soft (hard_head c n phi psi i) (score_position_embedding c n phi psi i)
      (temperature_position_embedding c n) n i)
    = b2r (since n phi psi i).
Proof.
  intros.
  eapply rounded.
  - apply since_position_embedding; eassumption.
  - apply since_hard; assumption.
  - autounfold with scores; lra.
Qed.

Theorem since_temperature :
  forall (c : R) (n : Z) (phi psi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    simulates (hard_head c n phi psi i) (score_temperature c n phi psi i)
      (temperature_temperature c n) n i (claimed_error c n).
Proof.
  intros.
  single_target (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem since_temperature_rounded :
  forall (c : R) (n : Z) (phi psi : Z -> bool) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    rho (soft (hard_head c n phi psi i) (score_temperature c n phi psi i)
      (temperature_temperature c n) n i)
    = b2r (since n phi psi i).
Proof.
  intros.
  eapply rounded.
  - apply since_temperature; eassumption.
  - apply since_hard; assumption.
  - autounfold with scores; lra.
Qed.
