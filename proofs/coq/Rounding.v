(** Rounding: a value within 1/4 of a Boolean is made exact by one feed-forward layer.

    Scope: rho (x) = ReLU (2 x - 1/2) - ReLU (2 x - 3/2). *)
From Coq Require Import Reals Lra.
From HardAttention Require Import Attention.
Open Scope R_scope.

Definition relu (x : R) : R := Rmax x 0.
Definition rho (x : R) : R := relu (2 * x - 1 / 2) - relu (2 * x - 3 / 2).

Lemma relu_pos : forall x, 0 <= x -> relu x = x.
Proof. intros x H. unfold relu. apply Rmax_left. exact H. Qed.

Lemma relu_neg : forall x, x <= 0 -> relu x = 0.
Proof. intros x H. unfold relu. apply Rmax_right. exact H. Qed.

Lemma rho_low : forall x, x <= 1 / 4 -> rho x = 0.
Proof. intros x H. unfold rho. rewrite !relu_neg by lra. lra. Qed.

Lemma rho_high : forall x, 3 / 4 <= x -> rho x = 1.
Proof. intros x H. unfold rho. rewrite !relu_pos by lra. lra. Qed.

Theorem rounding : forall x b, Rabs (x - b2r b) <= 1 / 4 -> rho x = b2r b.
Proof.
  intros x b H. unfold Rabs in H. destruct (Rcase_abs _) in H; destruct b; simpl in *;
    solve [apply rho_high; lra | apply rho_low; lra].
Qed.

(** A head that simulates a Boolean to within 1/4 is exact after rounding. *)
Theorem rounded : forall h score temperature n i error b,
  simulates h score temperature n i error -> hard h n i = b2r b -> error <= 1 / 4 ->
  rho (soft h score temperature n i) = b2r b.
Proof.
  intros h score temperature n i error b [_ [_ H]] Hb He. apply rounding. rewrite Hb in H. lra.
Qed.
