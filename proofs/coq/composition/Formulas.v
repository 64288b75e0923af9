(** Formulas of temporal logic and their value at every position of a string.

    Scope: syntax and semantics; the operators are those of Temporal. *)
From Coq Require Import ZArith Bool.
From HardAttention Require Export Temporal.

Inductive formula :=
| Atom (name : nat)
| Constant (truth : bool)
| Not (f : formula)
| And (f g : formula)
| Or (f g : formula)
| Implies (f g : formula)
| Iff (f g : formula)
| Next (f : formula)
| Previous (f : formula)
| Eventually (f : formula)
| Globally (f : formula)
| Once (f : formula)
| Historically (f : formula)
| StrictEventually (f : formula)
| StrictGlobally (f : formula)
| StrictOnce (f : formula)
| StrictHistorically (f : formula)
| Until (f g : formula)
| Since (f g : formula)
| StrictUntil (f g : formula)
| StrictSince (f g : formula).

(** The value at the position i of a string of length n; [string] tells which atoms hold where. *)
Fixpoint holds (n : Z) (string : nat -> Z -> bool) (f : formula) : Z -> bool :=
  match f with
  | Atom a => string a
  | Constant b => fun _ => b
  | Not g => fun i => negb (holds n string g i)
  | And g h => fun i => holds n string g i && holds n string h i
  | Or g h => fun i => holds n string g i || holds n string h i
  | Implies g h => fun i => implb (holds n string g i) (holds n string h i)
  | Iff g h => fun i => Bool.eqb (holds n string g i) (holds n string h i)
  | Next g => next n (holds n string g)
  | Previous g => previous n (holds n string g)
  | Eventually g => eventually n (holds n string g)
  | Globally g => globally n (holds n string g)
  | Once g => once n (holds n string g)
  | Historically g => historically n (holds n string g)
  | StrictEventually g => strict_eventually n (holds n string g)
  | StrictGlobally g => strict_globally n (holds n string g)
  | StrictOnce g => strict_once n (holds n string g)
  | StrictHistorically g => strict_historically n (holds n string g)
  | Until g h => until n (holds n string g) (holds n string h)
  | Since g h => since n (holds n string g) (holds n string h)
  | StrictUntil g h => strict_until n (holds n string g) (holds n string h)
  | StrictSince g h => strict_since n (holds n string g) (holds n string h)
  end.
