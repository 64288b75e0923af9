(** leftmost-attention: leftmost unique-hard attention

    Any scores with gap γ: break ties towards the leftmost key by a slope too small to close the gap.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition hard_head (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i : Z) : head := {|
  masked := no_mask;
  bos := false;
  tied := leftmost;
  selects := greatest (keys no_mask false n i) (fun j => s i j);
  value := fun j => v j;
  default := 0;
  negated := false
|}.

Definition claimed_error (c gamma : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i j : Z) : R :=
  c * (2 * IZR n * s i j / gamma - IZR j).
Definition temperature_position_embedding (c gamma : R) (n : Z) : R :=
  1.

Definition score_temperature (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i j : Z) : R :=
  s i j - gamma * IZR j / (2 * IZR n).
Definition temperature_temperature (c gamma : R) (n : Z) : R :=
  gamma / (2 * IZR n * c).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem leftmost_attention_position_embedding :
  forall (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i : Z),
    2 <= c ->
    c > 0 ->
    0 <= gamma ->
    gamma > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, (1 <= p <= n)%Z -> 0 <= v p <= 1) ->
    has_gap (keys no_mask false n i) (fun j => s i j) gamma ->
    simulates (hard_head c gamma n s v i) (score_position_embedding c gamma n s v i)
      (temperature_position_embedding c gamma n) n i (claimed_error c gamma n).
Proof.
  intros.
  single_greatest (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem leftmost_attention_temperature :
  forall (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i : Z),
    2 <= c ->
    c > 0 ->
    0 <= gamma ->
    gamma > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, (1 <= p <= n)%Z -> 0 <= v p <= 1) ->
    has_gap (keys no_mask false n i) (fun j => s i j) gamma ->
    simulates (hard_head c gamma n s v i) (score_temperature c gamma n s v i)
      (temperature_temperature c gamma n) n i (claimed_error c gamma n).
Proof.
  intros.
  single_greatest (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.
