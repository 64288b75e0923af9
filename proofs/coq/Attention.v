(** Attention heads: masks, ties, the hard head and the soft head.

    Scope: definitions, for strings of length n with positions 1..n, and with
    a beginning-of-string position 0 where [bos] says so. *)
From Coq Require Import Reals ZArith List Bool.
From HardAttention Require Export Positions Sums.
Import ListNotations.
Open Scope R_scope.

(** [P] as a number: 1 if P holds, else 0. *)
Definition b2r (b : bool) : R := if b then 1 else 0.

(** Which keys j the query i may see. *)
Inductive mask := no_mask | causal | strict_causal | past | strict_past.

(** What the hard head does when several keys are selected; [unique] claims that there are never several. *)
Inductive tie := leftmost | rightmost | average | unique.

(** A head at one query: everything but the scores. *)
Record head := Head {
  masked : mask;
  bos : bool;
  tied : tie;
  selects : Z -> bool;
  value : Z -> R;
  default : R;
  negated : bool
}.

Definition passes (m : mask) (i j : Z) : bool :=
  match m with
  | no_mask => true
  | causal => (j <=? i)%Z
  | strict_causal => (j <? i)%Z
  | past => (i <=? j)%Z
  | strict_past => (i <? j)%Z
  end.

Definition first_key (with_bos : bool) : Z := if with_bos then 0%Z else 1%Z.

(** The keys that the query i sees, in ascending order. *)
Definition keys (m : mask) (with_bos : bool) (n i : Z) : list Z :=
  filter (passes m i) (positions (first_key with_bos) n).

Definition row (h : head) (n i : Z) : list Z := keys (masked h) (bos h) n i.

(** The arithmetic mean; only used where the list is not empty. *)
Definition mean (l : list Z) (v : Z -> R) : R := sum l v / size l.

(** What a row of keys gives to hard attention: the value of the selected key, the default where none is
    selected, 0 where there is no key at all. *)
Definition hard_row (t : tie) (l : list Z) (selected : Z -> bool) (v : Z -> R) (otherwise : R) : R :=
  match l with
  | [] => 0
  | _ =>
      match filter selected l with
      | [] => otherwise
      | j :: more =>
          match t with
          | leftmost | unique => v j
          | rightmost => v (last (j :: more) j)
          | average => mean (j :: more) v
          end
      end
  end.

(** The same for softmax attention at a temperature: weights exp(score / temperature), normalised. *)
Definition soft_row (l : list Z) (score : Z -> R) (temperature : R) (v : Z -> R) : R :=
  match l with
  | [] => 0
  | _ => sum l (fun j => exp (score j / temperature) * v j) / sum l (fun j => exp (score j / temperature))
  end.

Definition output (h : head) (x : R) : R := if negated h then 1 - x else x.

Definition hard (h : head) (n i : Z) : R :=
  output h (hard_row (tied h) (row h n i) (selects h) (value h) (default h)).

Definition soft (h : head) (score : Z -> R) (temperature : R) (n i : Z) : R :=
  output h (soft_row (row h n i) score temperature (value h)).

(** A [unique] tie is a claim: at most one visible key is selected. *)
Definition tie_is_kept (h : head) (n i : Z) : Prop :=
  tied h = unique -> forall j k, In j (row h n i) -> In k (row h n i) ->
  selects h j = true -> selects h k = true -> j = k.

(** A soft head simulates a hard one at the query i with an error. *)
Definition simulates (h : head) (score : Z -> R) (temperature : R) (n i : Z) (error : R) : Prop :=
  0 < temperature /\ tie_is_kept h n i /\ Rabs (soft h score temperature n i - hard h n i) <= error.

(** ** Selection by the greatest score *)

(** [x <= y] for real numbers, decided. *)
Definition Rleb (x y : R) : bool := if Rle_dec x y then true else false.
Definition Reqb (x y : R) : bool := Rleb x y && Rleb y x.
Definition Rltb (x y : R) : bool := negb (Rleb y x).

(** That the key j has the greatest score of a row. *)
Definition greatest (l : list Z) (score : Z -> R) (j : Z) : bool := forallb (fun k => Rleb (score k) (score j)) l.

(** Every visible score is the greatest, or at least the gap below it. *)
Definition has_gap (l : list Z) (score : Z -> R) (gap : R) : Prop :=
  forall j k, In j l -> In k l -> greatest l score k = true -> greatest l score j = false -> score j <= score k - gap.
