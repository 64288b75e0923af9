(** average-attention-perturbed: average-hard attention, scores to within κ

    Any scores with gap γ, computed with an error of at most κ: a small part δ of the temperature is no harm.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition delta : R := (1 / 8).

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

Definition score_error_position_embedding (c gamma : R) (n : Z) : R :=
  delta.
Definition score_position_embedding (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i j : Z) : R :=
  (c + ln (IZR n)) * s i j / gamma.
Definition temperature_position_embedding (c gamma : R) (n : Z) : R :=
  1.

Definition score_error_temperature (c gamma : R) (n : Z) : R :=
  delta * gamma / (c + ln (IZR n)).
Definition score_temperature (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i j : Z) : R :=
  s i j.
Definition temperature_temperature (c gamma : R) (n : Z) : R :=
  gamma / (c + ln (IZR n)).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold delta : scores.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_error_position_embedding : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_error_temperature : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem average_attention_perturbed_position_embedding :
  forall (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i : Z) (computed : Z -> R),
    2 <= c ->
    c > 0 ->
    0 <= gamma ->
    gamma > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, (1 <= p <= n)%Z -> 0 <= v p <= 1) ->
    has_gap (keys no_mask false n i) (fun j => s i j) gamma ->
    (forall j, In j (keys no_mask false n i) ->
      Rabs (computed j - score_position_embedding c gamma n s v i j) <= score_error_position_embedding c gamma n) ->
    simulates (hard_head c gamma n s v i) computed
      (temperature_position_embedding c gamma n) n i (claimed_error c gamma n).
Proof.
  intros.
  perturbed_greatest (3 / 2) (1 / 8) (8 / 7).
  apply budget_perturbed with (q := (4481 / 1000)) (part := (1 / 15));
    [lra | exp_bound 26%nat (4481 # 1000)%Q (3 # 2)%Q | lra | lra | lra | lra].
Qed.

Theorem average_attention_perturbed_temperature :
  forall (c gamma : R) (n : Z) (s : Z -> Z -> R) (v : Z -> R) (i : Z) (computed : Z -> R),
    2 <= c ->
    c > 0 ->
    0 <= gamma ->
    gamma > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, (1 <= p <= n)%Z -> 0 <= v p <= 1) ->
    has_gap (keys no_mask false n i) (fun j => s i j) gamma ->
    (forall j, In j (keys no_mask false n i) ->
      Rabs (computed j - score_temperature c gamma n s v i j) <= score_error_temperature c gamma n) ->
    simulates (hard_head c gamma n s v i) computed
      (temperature_temperature c gamma n) n i (claimed_error c gamma n).
Proof.
  intros.
  perturbed_greatest (3 / 2) (1 / 8) (8 / 7).
  apply budget_perturbed with (q := (4481 / 1000)) (part := (1 / 15));
    [lra | exp_bound 26%nat (4481 # 1000)%Q (3 # 2)%Q | lra | lra | lra | lra].
Qed.
