(** Tactics for heads that average, over a predicate's keys or those with the greatest score.

    Scope: [averaged_selected], [averaged_greatest], and the same for scores
    that are known to within an error; each leaves the budget to be proved. *)
From Coq Require Import Reals ZArith List Lra Lia Psatz Bool.
From HardAttention Require Export GreatestHeads.
Import ListNotations.
Open Scope R_scope.

Ltac equal_selected := intros; autounfold with scores; rewrite_selected; brackets; reflexivity.

Ltac gap_selected :=
  intros; autounfold with scores in *; rewrite_selected; brackets;
  row_facts; split_facts; decided; to_reals; exponent.

Ltac equal_greatest :=
  let t := fresh "t" in let j := fresh "j" in
  intros t j ? ? ? ?; autounfold with scores; apart t j; reflexivity.

Ltac gap_greatest_average :=
  let t := fresh "t" in let j := fresh "j" in
  intros t j ? ? ? ?; autounfold with scores in *; apart t j;
  keys_facts; split_facts; decided; to_reals; exponent.

Ltac averaged_selected slope :=
  apply averaged_targets with (a := slope);
  [ assumption
  | reflexivity
  | positive_temperature
  | values_in_unit
  | default_value
  | equal_selected
  | gap_selected
  | autounfold with scores; lra
  | autounfold with scores ].

Ltac averaged_greatest slope :=
  apply averaged_targets with (a := slope);
  [ assumption
  | reflexivity
  | positive_temperature
  | values_in_unit
  | some_greatest
  | equal_greatest
  | gap_greatest_average
  | autounfold with scores; lra
  | autounfold with scores ].

(** Averages of computed scores: the error of a score is a part of the temperature, and exp part <= most. *)
Ltac score_error :=
  autounfold with scores in *;
  repeat match goal with H : (1 <= ?n)%Z |- _ => apply IZR_le in H end; split_facts; logarithm;
  match goal with |- _ <= ?x <= ?d => replace x with d by (field; repeat split; lra) end; lra.

Ltac perturbed_greatest slope part most :=
  lazymatch goal with
  | Hk : forall j, In j _ -> Rabs (@?inexact j - @?true_score j) <= ?within |- simulates ?h _ _ ?n ?i _ =>
      apply perturbed_targets with (score := true_score) (kappa := within) (a := slope) (d := part) (s := most);
      cbv beta;
      [ assumption
      | reflexivity
      | clear Hk; positive_temperature
      | clear Hk; score_error
      | apply exp_below_inverse; lra
      | exact Hk
      | clear Hk; values_in_unit
      | clear Hk; some_greatest
      | clear Hk; equal_greatest
      | clear Hk; gap_greatest_average
      | clear Hk; autounfold with scores ]
  end.

Ltac perturbed_selected slope part most :=
  lazymatch goal with
  | Hk : forall j, In j _ -> Rabs (@?inexact j - @?true_score j) <= ?within |- simulates ?h _ _ ?n ?i _ =>
      apply perturbed_targets with (score := true_score) (kappa := within) (a := slope) (d := part) (s := most);
      cbv beta;
      [ assumption
      | reflexivity
      | clear Hk; positive_temperature
      | clear Hk; score_error
      | apply exp_below_inverse; lra
      | exact Hk
      | clear Hk; values_in_unit
      | clear Hk; default_value
      | clear Hk; equal_selected
      | clear Hk; gap_selected
      | clear Hk; autounfold with scores ]
  end.
