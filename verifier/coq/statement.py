"""The definitions and theorem statements of one construction: the very head, scores and claim of its file."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

from verifier.coq.expressions import ATOM, Unwritable, Writer, rational
from verifier.coq.formulas import truth
from verifier.coq.names import identifier, module
from verifier.logic.syntax import Formula
from verifier.spec.construction import Construction, Input, InputKind, Mask, Parameter, Simulation, Text, Tie
from verifier.spec.types import Type

MASKS = {
    Mask.NONE: "no_mask", Mask.CAUSAL: "causal", Mask.STRICT_CAUSAL: "strict_causal",
    Mask.PAST: "past", Mask.STRICT_PAST: "strict_past",
}  # fmt: skip
TIES = {Tie.LEFTMOST: "leftmost", Tie.RIGHTMOST: "rightmost", Tie.AVERAGE: "average", Tie.UNIQUE: "unique"}
_INPUT_TYPES = {
    InputKind.BOOLEAN: "Z -> bool", InputKind.INTEGER: "Z -> Z",
    InputKind.REAL: "Z -> R", InputKind.SCORE: "Z -> Z -> R",
}  # fmt: skip
_VALUE_TYPES = {
    InputKind.BOOLEAN: Type.BOOLEAN, InputKind.INTEGER: Type.INTEGER,
    InputKind.REAL: Type.REAL, InputKind.SCORE: Type.REAL,
}  # fmt: skip


@dataclass(frozen=True)
class Statement:
    """Writes the parts of a construction in Coq."""

    construction: Construction

    @cached_property
    def writer(self) -> Writer:
        """The translator for this construction's names."""
        types = {"i": Type.INTEGER, "j": Type.INTEGER, "n": Type.INTEGER}
        types |= {parameter.name: parameter.type for parameter in self.construction.parameters}
        types |= {given.name: _VALUE_TYPES[given.kind] for given in self.construction.inputs}
        return Writer(types, selected=f"selects {self.head} j")

    @cached_property
    def ranging(self) -> tuple[Parameter, ...]:
        """The parameters over which the theorems quantify: those with a minimum, which their value reaches."""
        return tuple(
            parameter
            for parameter in self.construction.parameters
            if parameter.minimum is not None and parameter.value >= parameter.minimum
        )

    @cached_property
    def fixed(self) -> tuple[Parameter, ...]:
        """The parameters that are constants."""
        return tuple(parameter for parameter in self.construction.parameters if parameter not in self.ranging)

    @property
    def constants_binder(self) -> str:
        """Binders of the parameters that range, and of n."""
        return " ".join([*_grouped([(identifier(one.name), _sort(one.type)) for one in self.ranging]), "(n : Z)"])

    @property
    def constants(self) -> str:
        """The same as arguments."""
        return " ".join([*(identifier(given.name) for given in self.ranging), "n"])

    @property
    def binder(self) -> str:
        """Binders of everything a head depends on: parameters, n, the inputs and the query."""
        inputs = _grouped([(identifier(one.name), _INPUT_TYPES[one.kind]) for one in self.construction.inputs])
        return " ".join([self.constants_binder, *inputs, "(i : Z)"])

    @property
    def arguments(self) -> str:
        """The same as arguments."""
        return " ".join([self.constants, *(identifier(given.name) for given in self.construction.inputs), "i"])

    @property
    def head(self) -> str:
        """The hard head, applied."""
        return f"(hard_head {self.arguments})"

    @property
    def row(self) -> str:
        """The keys that the query sees, written without the head."""
        head = self.construction.head
        return f"(keys {MASKS[head.mask]} {str(head.bos).lower()} n i)"

    def score(self, simulation: Simulation) -> str:
        """The score of a simulation, a function of the key."""
        return f"(score_{module(simulation.name)} {self.arguments})"

    def temperature(self, simulation: Simulation) -> str:
        """The temperature of a simulation."""
        return f"(temperature_{module(simulation.name)} {self.constants})"

    def score_error(self, simulation: Simulation) -> str:
        """How far computed scores may be from those of a simulation."""
        return f"(score_error_{module(simulation.name)} {self.constants})"

    def computed(self, simulation: Simulation) -> tuple[str, tuple[str, ...]]:
        """A binder for computed scores and what is supposed of them; both empty where scores are exact."""
        if simulation.score_error is None:
            return "", ()
        distance = f"Rabs (computed j - {self.score(simulation)[1:-1]} j)"
        least = self.score_error(simulation)[1:-1]
        return " (computed : Z -> R)", (f"(forall j, In j {self.row} ->\n      {distance} <= {least})",)

    @property
    def error(self) -> str:
        """The claimed error."""
        return f"(claimed_error {self.constants})"

    def real(self, text: Text) -> str:
        """A field as a real number."""
        return self.writer.real(text.expr).text

    def maximised(self) -> str:
        """For argmax, the score that the hard head maximises, a function of the key."""
        score = self.construction.head.score
        if score is None:
            raise Unwritable("an argmax head that maximises the score of each simulation, not one of its own")
        return f"(fun j => {self.writer.real(score.expr).text})"

    def hard_head(self) -> str:
        """The definition of the hard head."""
        head = self.construction.head
        if head.select is None:
            selects = f"greatest {self.row} {self.maximised()}"
        else:
            selects = f"fun j => {self.writer.boolean(head.select.expr).text}"
        default = self.writer.real(head.default.expr).text
        return (
            f"Definition hard_head {self.binder} : head := {{|\n"
            f"  masked := {MASKS[head.mask]};\n"
            f"  bos := {str(head.bos).lower()};\n"
            f"  tied := {TIES[head.tie]};\n"
            f"  selects := {selects};\n"
            f"  value := fun j => {self.writer.real(head.value.expr).text};\n"
            f"  default := {default};\n"
            f"  negated := {str(head.negated).lower()}\n"
            "|}.\n"
        )

    def simulation(self, simulation: Simulation) -> str:
        """The definitions of a simulation's score and temperature."""
        name, binder = module(simulation.name), self.binder.removesuffix(" (i : Z)")
        score, temperature = self.real(simulation.score), self.real(simulation.temperature)
        error = ""
        if simulation.score_error is not None:
            inexact = self.real(simulation.score_error)
            error = f"Definition score_error_{name} {self.constants_binder} : R :=\n  {inexact}.\n"
        return error + (
            f"Definition score_{name} {binder} (i j : Z) : R :=\n  {score}.\n"
            f"Definition temperature_{name} {self.constants_binder} : R :=\n  {temperature}.\n"
        )

    def fixed_parameters(self) -> str:
        """The definitions of the parameters that are constants."""
        return "".join(
            f"Definition {identifier(given.name)} : {_sort(given.type)} := {_value(given)}.\n" for given in self.fixed
        )

    def claimed_error(self) -> str:
        """The definition of the claimed error."""
        return f"Definition claimed_error {self.constants_binder} : R := {self.real(self.construction.claim.error)}.\n"

    def hypotheses(self) -> tuple[str, ...]:
        """What a theorem supposes: parameters and inputs in their ranges, and a query of the string."""
        found = [premise for parameter in self.ranging for premise in self._parameter_range(parameter)]
        found += ["(1 <= n)%Z", "(1 <= i <= n)%Z"]
        if self.construction.requires is not None:
            found.extend(self.writer.propositions(self.construction.requires.expr))
        for given in self.construction.inputs:
            found.extend(self._input_range(given))
        if self.construction.head.gap is not None:
            gap = self.writer.real(self.construction.head.gap.expr).within(ATOM)
            found.append(f"has_gap {self.row} {self.maximised()} {gap}")
        return tuple(found)

    def _parameter_range(self, parameter: Parameter) -> list[str]:
        assert parameter.minimum is not None
        name = identifier(parameter.name)
        least = f"{rational(parameter.minimum)} <= {name}"
        found = [f"({least})%Z" if parameter.type is Type.INTEGER else least]
        if parameter.domain is not None:
            found.extend(self.writer.propositions(parameter.domain))
        return found

    def _input_range(self, given: Input) -> list[str]:
        name = identifier(given.name)
        bos = self.construction.head.bos
        if given.kind is InputKind.BOOLEAN:
            return [f"{name} 0%Z = false"] if bos else []
        if given.kind is InputKind.REAL:
            found = [f"(forall p, (1 <= p <= n)%Z -> 0 <= {name} p <= 1)"]
            return [*found, f"{name} 0%Z = 0"] if bos else found
        if given.kind is InputKind.INTEGER:
            assert given.low is not None and given.high is not None
            low, high = self.writer.integer(given.low).text, self.writer.integer(given.high).text
            found = [f"(forall p, 1 <= p <= n -> {low} <= {name} p <= {high})%Z"]
            return [*found, f"({name} 0 = 0)%Z"] if bos else found
        return []

    def computes(self) -> str | None:
        """What the hard head is claimed to compute, a real number; None where nothing is claimed."""
        claim = self.construction.claim.computes
        if claim is None:
            return None
        if isinstance(claim, Text):
            return self.writer.real(claim.expr).text
        return f"b2r {truth(claim, 'i')}"

    def boolean_claim(self) -> str | None:
        """The same as a `bool`, where it is one."""
        claim = self.construction.claim.computes
        if isinstance(claim, Text):
            return self.writer.boolean(claim.expr).within(ATOM) if claim.type is Type.BOOLEAN else None
        return truth(claim, "i") if isinstance(claim, Formula) else None


def _grouped(names: list[tuple[str, str]]) -> list[str]:
    """Binders, neighbours of one type together."""
    return [
        f"({' '.join(name for name, _ in together)} : {sort})"
        for sort, together in itertools.groupby(names, key=lambda pair: pair[1])
    ]


def _sort(kind: Type) -> str:
    return "Z" if kind is Type.INTEGER else "R"


def _value(given: Parameter) -> str:
    return f"{given.value.numerator}%Z" if given.type is Type.INTEGER else rational(given.value)
