(** Tactics for heads that select by a predicate and attend to the first or the last such key.

    Scope: [single_target], which leaves the budget to be proved. *)
From Coq Require Import Reals ZArith List Lra Lia Psatz Bool.
From HardAttention Require Export Tactics.
Import ListNotations.
Open Scope R_scope.

(** That the tails are of the kind they claim to be: positive slopes, few keys far away, or none on a side. *)
Ltac side_valid :=
  target_facts;
  lazymatch goal with
  | |- tail_valid (far _ _ _) (left_of _ _) => split; [lra|apply left_size; [reflexivity|assumption]]
  | |- tail_valid (far _ _ _) (right_of _ _) =>
      split; [lra|];
      first
      [ apply right_size_causal;
        [reflexivity | cbn; first [apply Z.leb_gt | apply Z.ltb_ge]; lia | assumption]
      | apply right_size; [reflexivity | assumption] ]
  | |- tail_valid absent (left_of _ _) =>
      apply left_absent; let j := fresh "j" in intros j ? ?; selection_of j
  | |- tail_valid absent (right_of _ _) =>
      apply right_absent; let j := fresh "j" in intros j ? ?; selection_of j
  | |- _ => cbn; lra
  end.

Ltac gap :=
  let t := fresh "t" in let j := fresh "j" in
  intros t j ? ? ? ?; target_facts; selection_of j;
  autounfold with scores in *; rewrite_selected; brackets; row_facts; split_facts; decided; to_reals; exponent.

Ltac single_target left right :=
  apply single_target with (before := left) (after := right);
  [ discriminate
  | positive_temperature
  | intros ?; discriminate
  | values_in_unit
  | default_value
  | intros; split; side_valid
  | gap
  | gap
  | autounfold with scores; lra
  | autounfold with scores ].
