(** Tactics for heads that look up the key at a position.

    Scope: [single_lookup], which leaves the budget to be proved; the scores
    fall with the square of the distance, of which d^2 >= d is used. *)
From Coq Require Import Reals ZArith List Lra Lia Psatz Bool.
From HardAttention Require Export SelectingHeads.
Import ListNotations.
Open Scope R_scope.

(** What is known of integer inputs at the query. *)
Ltac ranges :=
  repeat match goal with
  | Hi : (1 <= ?i <= ?n)%Z, H : forall p, (1 <= p <= ?n)%Z -> (_ <= _ <= _)%Z |- _ => specialize (H i Hi)
  end.

Ltac in_row :=
  autounfold with scores in *; ranges; apply in_row; cbn;
  split; [unfold Z.b2z; compared; lia | first [reflexivity | apply Z.leb_le; lia | apply Z.ltb_lt; lia]].

(** Some key is selected: the one at the given position. *)
Ltac found Hnone target :=
  let H := fresh in
  exfalso; assert (H := Hnone target ltac:(in_row)); autounfold with head in H; cbn in H;
  rewrite Z.eqb_refl in H; discriminate H.

Ltac one_key :=
  intros _ ? ? ? ? ? ?; autounfold with head in *; cbn in *; decided; congruence.

Lemma square_step : forall t j, t <> j -> (0 <= (t - j) * (t - j) - (t - j) /\ 0 <= (t - j) * (t - j) + (t - j))%Z.
Proof. intros. assert (t - j <= -1 \/ 1 <= t - j)%Z as [H1|H1] by lia; nia. Qed.

Ltac gap_lookup :=
  let t := fresh "t" in let j := fresh "j" in let Hsel := fresh "Hsel" in
  intros t j [_ [Hsel _]] ? ? ?;
  assert (Hstep := square_step t j ltac:(lia));
  autounfold with scores in *; autounfold with head in *; autounfold with scores in *;
  cbn in Hsel; decided; subst t; ranges; row_facts; split_facts; decided;
  unfold Z.b2z in *; compared; to_reals; exponent.

Ltac single_lookup target left right :=
  apply single_target with (before := left) (after := right);
  [ discriminate
  | positive_temperature
  | one_key
  | values_in_unit
  | intros Hnone; found Hnone target
  | intros; split; side_valid
  | gap_lookup
  | gap_lookup
  | autounfold with scores; lra
  | autounfold with scores ].
