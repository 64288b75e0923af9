(** table-lookup: v(k(i))

    Look up the value at the position that an integer input names; values are any real numbers in 0..1.

    Generated from the construction file; the definitions are its fields. *)

From Coq Require Import Reals ZArith QArith Bool List Lra Lia.
From HardAttention Require Import Semantics.
Close Scope Q_scope.
Open Scope R_scope.

Definition hard_head (c : R) (n : Z) (k : Z -> Z) (v : Z -> R) (i : Z) : head := {|
  masked := no_mask;
  bos := false;
  tied := unique;
  selects := fun j => (j =? k i)%Z;
  value := fun j => v j;
  default := 0;
  negated := false
|}.

Definition claimed_error (c : R) (n : Z) : R := 1 / 4.

Definition score_position_embedding (c : R) (n : Z) (k : Z -> Z) (v : Z -> R) (i j : Z) : R :=
  c * (2 * IZR (k i) * IZR j - IZR j ^ 2).
Definition temperature_position_embedding (c : R) (n : Z) : R :=
  1.

Definition score_temperature (c : R) (n : Z) (k : Z -> Z) (v : Z -> R) (i j : Z) : R :=
  (2 * IZR (k i) * IZR j - IZR j ^ 2) / IZR n ^ 2.
Definition temperature_temperature (c : R) (n : Z) : R :=
  1 / (c * IZR n ^ 2).

#[local] Hint Unfold hard_head : head.
#[local] Hint Unfold claimed_error : scores.
#[local] Hint Unfold score_position_embedding : scores.
#[local] Hint Unfold temperature_position_embedding : scores.
#[local] Hint Unfold score_temperature : scores.
#[local] Hint Unfold temperature_temperature : scores.

Theorem table_lookup_position_embedding :
  forall (c : R) (n : Z) (k : Z -> Z) (v : Z -> R) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, 1 <= p <= n -> 1 <= k p <= n)%Z ->
    (forall p, (1 <= p <= n)%Z -> 0 <= v p <= 1) ->
    simulates (hard_head c n k v i) (score_position_embedding c n k v i)
      (temperature_position_embedding c n) n i (claimed_error c n).
Proof.
  intros.
  single_lookup (k i)%Z (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.

Theorem table_lookup_temperature :
  forall (c : R) (n : Z) (k : Z -> Z) (v : Z -> R) (i : Z),
    2 <= c ->
    c > 0 ->
    (1 <= n)%Z ->
    (1 <= i <= n)%Z ->
    (forall p, 1 <= p <= n -> 1 <= k p <= n)%Z ->
    (forall p, (1 <= p <= n)%Z -> 0 <= v p <= 1) ->
    simulates (hard_head c n k v i) (score_temperature c n k v i)
      (temperature_temperature c n) n i (claimed_error c n).
Proof.
  intros.
  single_lookup (k i)%Z (near (39 / 20) 0) (near (39 / 20) 0).
  apply budget_near_near with 7; [lra | lra | exp_bound 28%nat (7 # 1)%Q (39 # 20)%Q | lra | lra].
Qed.
