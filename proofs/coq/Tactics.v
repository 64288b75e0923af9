(** Tactics that discharge the obligations which all heads have.

    Scope: facts about rows, values, defaults, temperatures, and the arithmetic
    of exponents. A generated file tells the hint base [head] its head, and the
    base [scores] its scores, temperatures, claimed error and fixed parameters,
    so that they can be unfolded apart. *)
From Coq Require Import Reals ZArith QArith List Lra Lia Psatz Bool.
From HardAttention Require Export Numbers AveragedTargets PerturbedTargets Operators Rounding.
Import ListNotations.
Close Scope Q_scope.
Open Scope R_scope.

Create HintDb head.
Create HintDb scores.

(** ** Facts *)

Ltac split_facts :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  end.

(** Membership in a row, as inequalities between integers. *)
Ltac row_facts :=
  repeat match goal with
  | H : In _ (row _ _ _) |- _ => apply in_row in H; cbn in H; destruct H
  end.

(** Decided comparisons of integers, as propositions. *)
Ltac decided :=
  repeat match goal with
  | H : true = true |- _ => clear H
  | H : (_ && _)%bool = true |- _ => apply andb_true_iff in H; destruct H
  | H : (_ || _)%bool = false |- _ => apply orb_false_iff in H; destruct H
  | H : negb _ = true |- _ => apply negb_true_iff in H
  | H : negb _ = false |- _ => apply negb_false_iff in H
  | H : (_ <=? _)%Z = true |- _ => apply Z.leb_le in H
  | H : (_ <=? _)%Z = false |- _ => apply Z.leb_gt in H
  | H : (_ <? _)%Z = true |- _ => apply Z.ltb_lt in H
  | H : (_ <? _)%Z = false |- _ => apply Z.ltb_ge in H
  | H : (_ =? _)%Z = true |- _ => apply Z.eqb_eq in H
  | H : (_ =? _)%Z = false |- _ => apply Z.eqb_neq in H
  end.

Ltac compared :=
  repeat match goal with
  | |- context [(?x <? ?y)%Z] => destruct (Z.ltb_spec x y); cbn
  | |- context [(?x <=? ?y)%Z] => destruct (Z.leb_spec x y); cbn
  | |- context [(?x =? ?y)%Z] => destruct (Z.eqb_spec x y); cbn
  end.

(** Integer facts as real ones; strict inequalities keep their distance of 1. *)
Ltac to_reals :=
  repeat match goal with
  | H : (?x < ?y)%Z |- _ => assert (x + 1 <= y)%Z by lia; clear H
  end;
  repeat match goal with
  | H : (_ <= _)%Z |- _ => apply IZR_le in H
  | H : @eq Z _ _ |- _ => apply (f_equal IZR) in H
  end;
  repeat rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR in *.

(** Booleans by cases. *)
Ltac by_cases :=
  cbn in *;
  repeat match goal with
  | H : context [negb ?b] |- _ => destruct b eqn:?; cbn in *
  | H : context [(?b || _)%bool] |- _ => destruct b eqn:?; cbn in *
  | H : context [(?b && _)%bool] |- _ => destruct b eqn:?; cbn in *
  | |- context [negb ?b] => destruct b eqn:?; cbn in *
  | |- context [(?b || _)%bool] => destruct b eqn:?; cbn in *
  | |- context [(?b && _)%bool] => destruct b eqn:?; cbn in *
  | |- context [b2r ?b] => destruct b eqn:?; cbn in *
  end; try congruence; try lra.

(** The target of a head: visible, selected, and the first or the last such key. *)
Ltac target_facts :=
  match goal with
  | H : target_of _ _ _ _ |- _ =>
      let Ht := fresh "Ht" in let Hsel := fresh "Hsel" in let Hfirst := fresh "Hfirst" in
      first [ apply target_first in H; [|discriminate] | apply target_last in H; [|reflexivity] ];
      destruct H as [Ht [Hsel Hfirst]]
  end.

(** ** Obligations of every head *)

Ltac positive_temperature :=
  autounfold with scores in *;
  repeat match goal with H : (1 <= ?n)%Z |- _ => apply IZR_le in H end;
  split_facts;
  try match goal with |- context [ln ?x] => pose proof (ln_nonneg x ltac:(lra)) end;
  first [ lra | apply Rdiv_lt_0_compat; [|repeat apply Rmult_lt_0_compat]; nra ].

Ltac values_in_unit :=
  let j := fresh "j" in let Hj := fresh "Hj" in
  intros j Hj; row_facts; autounfold with head; cbn;
  first
  [ solve [by_cases]
  | match goal with H : forall p, _ -> 0 <= _ <= 1 |- _ => apply H; lia end
  | destruct (Z.eq_dec j 0) as [->|];
    [ match goal with H : _ 0%Z = 0 |- _ => rewrite H; lra end
    | match goal with H : forall p, _ -> 0 <= _ <= 1 |- _ => apply H; lia end ] ].

(** Where nothing is selected: the values are the default, or there is no such row. *)
Ltac default_value :=
  let Hnone := fresh "Hnone" in let j := fresh "j" in let Hj := fresh "Hj" in
  intros Hnone j Hj; specialize (Hnone j Hj); autounfold with head in *; solve [by_cases].

(** ** Gaps *)

(** Whether the key j is selected; on one side of the target the tie excludes that it is. *)
Ltac selection_of j :=
  match goal with
  | Hj : In j (row ?h ?n ?i), Hfirst : forall k, In k _ -> selects _ k = true -> _ |- _ =>
      let E := fresh "Sel" in
      destruct (selects h j) eqn:E;
      [ try (exfalso; specialize (Hfirst j Hj E); lia)
      | try (autounfold with head in E; cbn in E; discriminate E) ]
  end.

Ltac rewrite_selected :=
  repeat match goal with H : selects _ _ = _ |- _ => rewrite H end.

(** Brackets other than [selected]: what the selection says of them, else by cases. *)
Ltac brackets :=
  lazymatch goal with
  | |- context [b2r ?b] =>
      lazymatch b with
      | true => idtac
      | false => idtac
      | _ =>
          repeat match goal with
          | H : selects _ _ = _ |- _ => autounfold with head in H; cbn in H; try rewrite H
          end;
          repeat match goal with
          | |- context [b2r ?c] => lazymatch c with true => fail | false => fail | _ => destruct c eqn:? end
          end;
          try (exfalso; solve [by_cases])
      end
  | |- _ => idtac
  end.

Ltac logarithm :=
  try match goal with
  | H : 1 <= IZR ?n |- context [ln (IZR ?n)] => pose proof (ln_nonneg (IZR n) H); pose proof (ln_below (IZR n) H)
  end.

(** A factor d of every term of a numerator, against the denominator d: the quotient is the numerator at d = 1. *)
Ltac cancel :=
  match goal with
  | |- _ <= ?a / (?k * ?d) =>
      match eval pattern d in a with
      | ?f _ => replace (a / (k * d)) with (f 1 / k) by (cbv beta; field; repeat split; nra); cbv beta
      end
  | |- _ <= ?a / ?d =>
      match eval pattern d in a with
      | ?f _ => replace (a / d) with (f 1) by (cbv beta; field; repeat split; nra); cbv beta
      end
  end.

(** A lower bound of an exponent: clear the denominators, then polynomial arithmetic. *)
Ltac exponent :=
  cbn [tail_exponent b2r]; rewrite ?minus_IZR; logarithm;
  match goal with
  | |- _ <= ?r => field_simplify r; [|repeat split; nra..]
  end;
  try cancel; nra.
