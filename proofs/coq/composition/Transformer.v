(** From a temporal formula to a softmax transformer.

    Scope: the definition. A transformer is given here by the activation that
    each subformula has at each position, a real number: feed-forward layers
    of ReLU for the connectives, for what a head selects and for rounding, and
    one softmax head per temporal operator. The strict F, G, O and H are short
    for a strict until or since. Nothing here is Boolean but the input. *)
From Coq Require Import Reals ZArith List Bool.
From HardAttention Require Export Attention Rounding.
From HardAttention.composition Require Export Formulas.
Open Scope R_scope.

Inductive route := position_embedding | temperature.

(** Feed-forward layers on activations that are 0 or 1. *)
Definition ff_not (x : R) : R := 1 - x.
Definition ff_and (x y : R) : R := relu (x + y - 1).
Definition ff_or (x y : R) : R := 1 - relu (1 - x - y).
Definition ff_implies (x y : R) : R := 1 - relu (x - y).
Definition ff_iff (x y : R) : R := 1 - relu (x - y) - relu (y - x).

(** The scores and the temperature of a head that searches upwards: 2 n [selected] - j, scaled. *)
Definition up_score (r : route) (c : R) (n : Z) (selected : Z -> R) (i j : Z) : R :=
  match r with
  | position_embedding => c * (2 * IZR n * selected j - IZR j)
  | temperature => 2 * selected j - IZR j / IZR n
  end.

(** Downwards. *)
Definition down_score (r : route) (c : R) (n : Z) (selected : Z -> R) (i j : Z) : R :=
  match r with
  | position_embedding => c * (2 * IZR i * selected j + IZR j)
  | temperature => 2 * selected j + IZR j / IZR n
  end.

(** Of one that attends to a neighbour. *)
Definition next_score (r : route) (c : R) (n : Z) (j : Z) : R :=
  match r with position_embedding => - c * IZR j | temperature => - IZR j / IZR n end.
Definition previous_score (r : route) (c : R) (n : Z) (j : Z) : R :=
  match r with position_embedding => c * IZR j | temperature => IZR j / IZR n end.

Definition linear_temperature (r : route) (c : R) (n : Z) : R :=
  match r with position_embedding => 1 | temperature => 1 / (c * IZR n) end.

(** Of one that averages: the temperature falls with ln n. *)
Definition average_score (r : route) (c : R) (n : Z) (selected : Z -> R) (j : Z) : R :=
  match r with position_embedding => (c + ln (IZR n)) * selected j | temperature => selected j end.
Definition average_temperature (r : route) (c : R) (n : Z) : R :=
  match r with position_embedding => 1 | temperature => 1 / (c + ln (IZR n)) end.

(** One softmax head, rounded by the feed-forward layer after it. *)
Definition attend (m : mask) (n i : Z) (score : Z -> R) (tau : R) (value : Z -> R) : R :=
  soft_row (keys m false n i) score tau value.

Definition search_up r c n (m : mask) (x y : Z -> R) (i : Z) : R :=
  rho (attend m n i (up_score r c n (fun j => ff_implies (x j) (y j)) i) (linear_temperature r c n) y).
Definition search_down r c n (m : mask) (x y : Z -> R) (i : Z) : R :=
  rho (attend m n i (down_score r c n (fun j => ff_implies (x j) (y j)) i) (linear_temperature r c n) y).
Definition find r c n (m : mask) (x : Z -> R) (i : Z) : R :=
  attend m n i (average_score r c n x) (average_temperature r c n) x.

Definition negate (x : Z -> R) (j : Z) : R := ff_not (x j).
Definition always (j : Z) : R := 1.

(** The activation of a formula at every position. *)
Fixpoint activation (r : route) (c : R) (n : Z) (string : nat -> Z -> bool) (f : formula) : Z -> R :=
  let x := activation r c n string in
  match f with
  | Atom a => fun i => b2r (string a i)
  | Constant b => fun _ => b2r b
  | Not g => fun i => ff_not (x g i)
  | And g h => fun i => ff_and (x g i) (x h i)
  | Or g h => fun i => ff_or (x g i) (x h i)
  | Implies g h => fun i => ff_implies (x g i) (x h i)
  | Iff g h => fun i => ff_iff (x g i) (x h i)
  | Next g => fun i => rho (attend strict_past n i (next_score r c n) (linear_temperature r c n) (x g))
  | Previous g => fun i => rho (attend strict_causal n i (previous_score r c n) (linear_temperature r c n) (x g))
  | Until g h => search_up r c n past (x g) (x h)
  | Since g h => search_down r c n causal (x g) (x h)
  | StrictUntil g h => search_up r c n strict_past (x g) (x h)
  | StrictSince g h => search_down r c n strict_causal (x g) (x h)
  | Eventually g => fun i => rho (find r c n past (x g) i)
  | Globally g => fun i => rho (ff_not (find r c n past (negate (x g)) i))
  | Once g => fun i => rho (find r c n causal (x g) i)
  | Historically g => fun i => rho (ff_not (find r c n causal (negate (x g)) i))
  | StrictEventually g => search_up r c n strict_past always (x g)
  | StrictGlobally g => fun i => ff_not (search_up r c n strict_past always (negate (x g)) i)
  | StrictOnce g => search_down r c n strict_causal always (x g)
  | StrictHistorically g => fun i => ff_not (search_down r c n strict_causal always (negate (x g)) i)
  end.
