(** average-attention: average-hard attention

    Any scores with gap γ, which may depend on the length: the temperature falls with the gap and the
    logarithm of the length.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition hard_head (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i : Z) : head := {|
  masked := no_mask;
  bos := false;
  tied := average;
  selects := greatest (keys no_mask false n i) (fun j => s i j);
  value := fun j => v j;
  default := 0;
  negated := false
|}.

Definition claimed_error (c gamma : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i j : Z) : R :=
  (c + ln (IZR n)) * s i j / gamma.
Definition temperature_position_embedding (c gamma : R) (n : Z) : R :=
  1.

Definition score_temperature (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i j : Z) : R :=
  s i j.
Definition temperature_temperature (c gamma : R) (n : Z) : R :=
  gamma / (c + ln (IZR n)).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem average_attention_position_embedding :
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
  averaged_greatest (11 / 10).
  apply budget_average with 3; [lra | exp_bound 25%nat (3 # 1)%Q (11 # 10)%Q | lra | lra].
Qed.

Theorem average_attention_temperature :
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
  averaged_greatest (11 / 10).
  apply budget_average with 3; [lra | exp_bound 25%nat (3 # 1)%Q (11 # 10)%Q | lra | lra].
Qed.
