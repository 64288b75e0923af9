(** What a row of keys gives: the cases of the hard head, and soft attention by relative weights.

    Scope: the bridge between the definitions of heads and the lemmas on sums. *)
From Coq Require Import Reals ZArith List Lra Lia Bool.
From HardAttention Require Export UniqueTarget TiedTargets Tails.
Import ListNotations.
Open Scope R_scope.

(** The weight of the key j relative to the target t. *)
Definition weight (score : Z -> R) (temperature : R) (t j : Z) : R :=
  exp (- (score t / temperature - score j / temperature)).

Lemma soft_row_weighted : forall l score temperature v t,
  l <> [] -> soft_row l score temperature v = weighted l (weight score temperature t) v.
Proof.
  intros [|x l] score temperature v t H; [contradiction|]. unfold soft_row, weighted.
  set (k := x :: l). set (e := exp (score t / temperature)).
  assert (He : 0 < e) by apply exp_pos.
  assert (Hw : forall j, exp (score j / temperature) = e * weight score temperature t j).
  { intros j. unfold weight, e. rewrite <- exp_plus. f_equal. ring. }
  rewrite (sum_ext k _ (fun j => e * (weight score temperature t j * v j))) by (intros; rewrite Hw; ring).
  rewrite (sum_ext k (fun j => exp _) (fun j => e * weight score temperature t j)) by (intros; apply Hw).
  rewrite !sum_scale.
  assert (0 < sum k (weight score temperature t)).
  { apply Rlt_le_trans with (weight score temperature t x); [apply exp_pos|].
    apply term_le_sum; [intros; left; apply exp_pos|left; reflexivity]. }
  field. lra.
Qed.

Lemma weight_target : forall score temperature t, weight score temperature t t = 1.
Proof. intros. unfold weight. rewrite Rminus_diag_eq, Ropp_0; auto using exp_0. Qed.

Lemma weight_pos : forall score temperature t j, 0 <= weight score temperature t j.
Proof. intros. left. apply exp_pos. Qed.

(** A row on which all values agree is read exactly. *)
Lemma soft_row_constant : forall l score temperature v x,
  l <> [] -> (forall j, In j l -> v j = x) -> soft_row l score temperature v = x.
Proof.
  intros [|y l] score temperature v x Hl H; [contradiction|]. unfold soft_row.
  set (k := y :: l) in *.
  rewrite (sum_ext k _ (fun j => x * exp (score j / temperature))) by (intros; rewrite H by auto; ring).
  rewrite sum_scale.
  assert (0 < sum k (fun j => exp (score j / temperature))).
  { apply Rlt_le_trans with (exp (score y / temperature)); [apply exp_pos|].
    apply (term_le_sum k (fun j => exp (score j / temperature))); [intros; left; apply exp_pos|left; reflexivity]. }
  field. lra.
Qed.

(** Soft attention reads scores and values at the row's keys only. *)
Lemma soft_row_ext : forall l s s' temperature v v',
  (forall j, In j l -> s j = s' j) -> (forall j, In j l -> v j = v' j) ->
  soft_row l s temperature v = soft_row l s' temperature v'.
Proof.
  intros [|x l] s s' temperature v v' Hs Hv; [reflexivity|]. unfold soft_row.
  set (k := x :: l) in *. f_equal; apply sum_ext; intros j Hj; rewrite ?Hs, ?Hv; auto.
Qed.

(** The key that a hard head attends to: the first or the last of the selected ones. *)
Definition target_of (t : tie) (l : list Z) (selected : Z -> bool) (x : Z) : Prop :=
  In x l /\ selected x = true /\
  match t with
  | rightmost => forall j, In j l -> selected j = true -> (j <= x)%Z
  | _ => forall j, In j l -> selected j = true -> (x <= j)%Z
  end.

Lemma target_first : forall t l selected x, t <> rightmost -> target_of t l selected x ->
  In x l /\ selected x = true /\ forall j, In j l -> selected j = true -> (x <= j)%Z.
Proof. intros [] l selected x Ht H; try contradiction; exact H. Qed.

Lemma target_last : forall t l selected x, t = rightmost -> target_of t l selected x ->
  In x l /\ selected x = true /\ forall j, In j l -> selected j = true -> (j <= x)%Z.
Proof. intros t l selected x -> H. exact H. Qed.

Inductive hard_case (t : tie) (l : list Z) (selected : Z -> bool) (v : Z -> R) (otherwise : R) : R -> Prop :=
| empty_row : l = [] -> hard_case t l selected v otherwise 0
| none_selected : l <> [] -> (forall j, In j l -> selected j = false) -> hard_case t l selected v otherwise otherwise
| attends : forall x, target_of t l selected x -> hard_case t l selected v otherwise (v x).

Lemma filter_none : forall (p : Z -> bool) l, filter p l = [] -> forall j, In j l -> p j = false.
Proof.
  intros p l H j Hj. destruct (p j) eqn:E; auto.
  assert (In j (filter p l)) as Hin by (apply filter_In; auto). rewrite H in Hin. destruct Hin.
Qed.

(** Every row falls under one of the three cases, where one key is attended to. *)
Theorem hard_cases : forall t l selected v otherwise, t <> average -> ascending l ->
  hard_case t l selected v otherwise (hard_row t l selected v otherwise).
Proof.
  intros t l selected v otherwise Ht Hl.
  destruct l as [|x l]; [constructor; reflexivity|]. unfold hard_row. set (k := x :: l) in *.
  pose proof (filter_none selected k) as Hnone.
  pose proof (filter_ascending selected k Hl) as Hasc.
  pose proof (fun j => filter_In selected j k) as Hin.
  destruct (filter selected k) as [|y more] eqn:E.
  { apply none_selected; [discriminate|auto]. }
  assert (Hfirst : target_of leftmost k selected y).
  { destruct (proj1 (Hin y) (or_introl eq_refl)) as [Hy Hsel]. repeat split; auto.
    intros j Hj Hs. destruct (proj2 (Hin j) (conj Hj Hs)) as [->|Hm]; [lia|].
    destruct Hasc as [Hle _]. specialize (Hle j Hm). lia. }
  destruct t; try contradiction; try (apply attends; exact Hfirst).
  set (z := last (y :: more) y).
  destruct (proj1 (Hin z) (last_in more y)) as [Hz Hsel].
  apply attends. repeat split; auto.
  intros j Hj Hs. apply last_greatest; auto. apply Hin. auto.
Qed.

(** The same where the selected keys are averaged. *)
Theorem average_cases : forall l selected v otherwise,
  (l = [] /\ hard_row average l selected v otherwise = 0) \/
  (l <> [] /\ (forall j, In j l -> selected j = false) /\ hard_row average l selected v otherwise = otherwise) \/
  (0 < size (filter selected l) /\ hard_row average l selected v otherwise = mean (filter selected l) v).
Proof.
  intros [|x l] selected v otherwise; [left; auto|right]. unfold hard_row. set (k := x :: l).
  destruct (filter selected k) as [|y more] eqn:E.
  - left. repeat split; [discriminate|]. exact (filter_none selected k E).
  - right. split; [|reflexivity]. unfold size. apply lt_0_INR. simpl. lia.
Qed.

(** ** Rows of heads *)

Lemma row_ascending : forall h n i, ascending (row h n i).
Proof. intros. apply filter_ascending, positions_ascending. Qed.

Lemma row_nodup : forall h n i, NoDup (row h n i).
Proof. intros. apply ascending_nodup, row_ascending. Qed.

Lemma in_row : forall h n i j,
  In j (row h n i) <-> (first_key (bos h) <= j <= n)%Z /\ passes (masked h) i j = true.
Proof. intros. unfold row, keys. rewrite filter_In, in_positions. reflexivity. Qed.

Lemma output_distance : forall h x y, Rabs (output h x - output h y) = Rabs (x - y).
Proof.
  intros h x y. unfold output. destruct (negated h); [|reflexivity].
  replace (1 - x - (1 - y)) with (- (x - y)) by ring. apply Rabs_Ropp.
Qed.

(** In a row that is not empty some key has the greatest score. *)
Lemma greatest_exists : forall l score, l <> [] -> exists j, In j l /\ greatest l score j = true.
Proof.
  assert (H : forall (l : list Z) (score : Z -> R), l <> [] ->
    exists j, In j l /\ forall k, In k l -> score k <= score j).
  { induction l as [|x l IH]; intros score Hl; [contradiction|].
    destruct l as [|y l].
    - exists x. split; [left; auto|]. intros k [->|[]]. lra.
    - destruct (IH score) as [j [Hj Hmax]]; [discriminate|].
      destruct (Rle_lt_dec (score x) (score j)) as [Hle|Hlt].
      + exists j. split; [right; auto|]. intros k [->|Hk]; auto.
      + exists x. split; [left; auto|]. intros k [->|Hk]; [lra|]. specialize (Hmax k Hk). lra. }
  intros l score Hl. destruct (H l score Hl) as [j [Hj Hmax]]. exists j. split; auto.
  unfold greatest. apply forallb_forall. intros k Hk. unfold Rleb.
  destruct (Rle_dec _ _); [reflexivity|exfalso; auto].
Qed.

Lemma greatest_spec : forall l score j, greatest l score j = true <-> forall k, In k l -> score k <= score j.
Proof.
  intros. unfold greatest, Rleb. rewrite forallb_forall. split; intros H k Hk; specialize (H k Hk).
  - destruct (Rle_dec _ _); [assumption|discriminate].
  - destruct (Rle_dec _ _); [reflexivity|contradiction].
Qed.

Lemma greatest_equal : forall l score j k, In j l -> In k l ->
  greatest l score j = true -> greatest l score k = true -> score j = score k.
Proof.
  intros l score j k Hj Hk Gj Gk. apply Rle_antisym; [eapply greatest_spec in Gk|eapply greatest_spec in Gj]; eauto.
Qed.

(** A gap as a number of steps: 1 and something more. *)
Lemma gap_steps : forall l score gap t j, 0 < gap -> has_gap l score gap -> In t l -> In j l ->
  greatest l score t = true -> greatest l score j = false ->
  exists u, 0 <= u /\ score t = score j + gap * (1 + u).
Proof.
  intros l score gap t j Hgap H Ht Hj Gt Gj. specialize (H j t Hj Ht Gt Gj).
  exists ((score t - score j) / gap - 1). split; [|field; lra].
  apply Rmult_le_reg_r with gap; [exact Hgap|].
  replace (((score t - score j) / gap - 1) * gap) with (score t - score j - gap) by (field; lra). lra.
Qed.
