(** Tactics for heads that attend to the first or last key with the greatest score.

    Scope: [single_greatest], which leaves the budget to be proved, and facts
    about the gap that the averaging heads use too. *)
From Coq Require Import Reals ZArith List Lra Lia Psatz Bool.
From HardAttention Require Export SelectingHeads.
Import ListNotations.
Open Scope R_scope.

(** Facts about a head's row and selection, as facts about the scores of which the gap is known. *)
Ltac greatest_facts :=
  match goal with
  | Hgap : has_gap ?l ?s ?g |- _ =>
      repeat match goal with
      | H : In ?j (row _ _ _) |- _ => change (In j l) in H
      | H : selects _ ?j = ?b |- _ => change (greatest l s j = b) in H
      end
  end.

Ltac some_greatest :=
  let Hnone := fresh "Hnone" in let j := fresh "j" in let Hj := fresh "Hj" in
  let k := fresh "k" in let Hk := fresh "Hk" in let G := fresh "G" in let E := fresh "E" in
  intros Hnone j Hj; exfalso; greatest_facts;
  match goal with
  | Hgap : has_gap ?l ?s ?g |- _ =>
      destruct (greatest_exists l s) as [k [Hk G]];
      [ intros E; rewrite E in Hj; destruct Hj
      | specialize (Hnone k Hk); change (greatest l s k = false) in Hnone; congruence ]
  end.

(** Equal scores of two selected keys; otherwise the gap between them. *)
Ltac apart t j :=
  greatest_facts;
  let E := fresh "E" in let u := fresh "u" in let Hu := fresh "Hu" in
  match goal with
  | Ht : In t ?l, Hj : In j ?l, Gt : greatest ?l ?s t = true, Gj : greatest ?l ?s j = true |- _ =>
      assert (E := greatest_equal l s t j Ht Hj Gt Gj); cbn in E
  | Ht : In t ?l, Hj : In j ?l, Gt : greatest ?l ?s t = true, Gj : greatest ?l ?s j = false,
      Hgap : has_gap ?l ?s ?g |- _ =>
      destruct (gap_steps l s g t j ltac:(autounfold with scores in *; lra) Hgap Ht Hj Gt Gj) as [u [Hu E]]; cbn in E;
      try match goal with
      | Hn : (1 <= ?n)%Z |- _ => assert (0 <= IZR n * u) by (apply IZR_le in Hn; apply Rmult_le_pos; lra)
      end
  end;
  rewrite E.

(** Membership in such a row. *)
Ltac keys_facts :=
  repeat match goal with
  | H : In _ (keys _ _ _ _) |- _ => apply filter_In in H; rewrite in_positions in H; cbn in H; destruct H
  end.

Ltac gap_greatest :=
  let t := fresh "t" in let j := fresh "j" in
  intros t j ? ? ? ?; target_facts; selection_of j; autounfold with scores in *;
  apart t j; keys_facts; split_facts; decided; to_reals; exponent.

Ltac single_greatest left right :=
  apply single_target with (before := left) (after := right);
  [ discriminate
  | positive_temperature
  | intros ?; discriminate
  | values_in_unit
  | some_greatest
  | intros; split; side_valid
  | gap_greatest
  | gap_greatest
  | autounfold with scores; lra
  | autounfold with scores ].
