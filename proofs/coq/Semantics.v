(** Tactics that prove what a hard head computes.

    Scope: one tactic per shape of head; each closes the goal or fails. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From HardAttention Require Export SelectingHeads LookupHeads GreatestHeads AveragingHeads.
Import ListNotations.
Open Scope R_scope.

Ltac forget_first :=
  try match goal with H : forall k, In k _ -> selects _ k = true -> _ |- _ => clear H end.

Ltac first_is key :=
  match goal with
  | H : forall k, In k _ -> selects _ k = true -> _ |- _ => specialize (H key ltac:(in_row) eq_refl)
  end.

Ltac close_value :=
  forget_first; autounfold with head in *; cbn in *; first [reflexivity | by_cases].

(** Until and since: the first key that decides. *)
Ltac computes_search target none :=
  apply hard_target;
  [ discriminate
  | reflexivity
  | let Hnone := fresh "Hnone" in let j := fresh "j" in
    intros Hnone; rewrite none; [unfold output, b2r; cbn; lra|];
    intros j ?; specialize (Hnone j ltac:(in_row)); autounfold with head in *; unfold decides; by_cases
  | let t := fresh "t" in let Ht := fresh "H" in
    intros t Ht; target_facts;
    rewrite (target _ _ _ _ t);
    [ close_value
    | row_facts; decided; lia
    | forget_first; autounfold with head in *; unfold decides; by_cases
    | let j := fresh "j" in let Hd := fresh "Hd" in
      intros j ? Hd;
      match goal with H : forall k, In k _ -> selects _ k = true -> _ |- _ => apply H end; [in_row|];
      forget_first; autounfold with head in *; unfold decides in Hd; by_cases ] ].

(** Eventually, once and their duals: any key that is found. *)
Ltac computes_quantifier target none :=
  first [apply hard_target; [discriminate | | |] | apply hard_average; [reflexivity | | |]];
  [ reflexivity
  | let Hnone := fresh "Hnone" in let j := fresh "j" in
    intros Hnone; rewrite none; [unfold output, b2r; cbn; lra|];
    intros j ?; specialize (Hnone j ltac:(in_row)); close_value
  | let t := fresh "t" in
    intros t; intros; try target_facts; rewrite (target _ _ _ t);
    [ close_value | row_facts; decided; lia | close_value ] ].

(** The next and the previous position, by the first or last visible key. *)
Ltac computes_neighbour operator neighbour :=
  apply hard_target;
  [ discriminate
  | reflexivity
  | let Hnone := fresh "Hnone" in
    intros Hnone; unfold operator; compared; [|reflexivity];
    specialize (Hnone neighbour ltac:(in_row)); discriminate Hnone
  | let t := fresh "t" in let H := fresh "H" in
    intros t H; target_facts;
    assert (t = neighbour) as -> by (row_facts; decided; first_is neighbour; lia);
    row_facts; decided; unfold operator; compared; first [reflexivity | exfalso; lia] ].

(** A lookup: the key at the given position, and its value. *)
Ltac same_value :=
  first
  [ reflexivity
  | f_equal; first [reflexivity | f_equal; lia]
  | match goal with H : ?p 0%Z = false |- context [?p ?x] => replace x with 0%Z by lia; rewrite H; reflexivity end ].

Ltac computes_lookup target :=
  apply hard_target;
  [ discriminate
  | reflexivity
  | let Hnone := fresh "Hnone" in intros Hnone; found Hnone target
  | let t := fresh "t" in let Hsel := fresh "Hsel" in
    intros t [_ [Hsel _]]; autounfold with head in *; cbn in Hsel; decided; subst t;
    cbn; unfold next, previous, Z.b2z; compared; same_value ].
