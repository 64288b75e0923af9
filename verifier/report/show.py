"""`verify show`: a construction's symbolic scores, weights, regions, sums and bounds, in Unicode or as LaTeX."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from verifier.prove.arithmetic import Untranslatable
from verifier.prove.frame import Frame
from verifier.prove.gaps import GapSearch, search
from verifier.prove.regions import Row, inhabited, row
from verifier.prove.solver import Session
from verifier.spec.construction import Construction, Simulation
from verifier.spec.printer import to_text
from verifier.symbolic.derive import TAU, Derivation, derive
from verifier.symbolic.factor import factor, inverse_temperature_growth
from verifier.symbolic.sums import distance_form, region_sum
from verifier.symbolic.templates import LEMMAS, lower_bound
from verifier.symbolic.translate import Unconvertible, to_sympy


@dataclass(frozen=True)
class Line:
    """One line of the display: a heading, a text, or a formula with a name."""

    label: str
    formula: sympy.Basic | None = None
    text: str = ""
    heading: bool = False


def show(construction: Construction, simulation: str | None = None, format: str = "text") -> str:
    """What SymPy derives and Z3 accepts of a construction, for a reader.

    Args:
        construction: the construction.
        simulation: the one to show, or None (or ``all``) for every one.
        format: ``text`` for Unicode, ``latex`` for LaTeX.
    """
    chosen = [one for one in construction.simulations if simulation in (None, "all", one.name)]
    lines = list(_head(construction))
    for one in chosen:
        lines.extend(_simulation(construction, one))
    render = _latex if format == "latex" else _unicode
    return "\n".join(render(line) for line in lines)


def _head(construction: Construction) -> Iterator[Line]:
    head = construction.head
    yield Line(f"{construction.name}: {construction.title}", heading=True)
    if construction.about:
        yield Line("", text=construction.about)
    select = head.select.text if head.select is not None else "argmax"
    yield Line("mask", text=head.mask.value)
    yield Line("select", text=f"{select} ({head.tie.value})")
    yield Line("value", text=head.value.text + (", output negated" if head.negated else ""))
    if construction.claim.computes_text:
        yield Line("computes", text=construction.claim.computes_text)
    yield Line("claimed error", formula=to_sympy(construction.claim.error.expr))
    for parameter in construction.parameters:
        yield Line(
            parameter.name,
            text=f"{parameter.value} ({parameter.about})" if parameter.about else str(parameter.value),
        )


def _simulation(construction: Construction, simulation: Simulation) -> Iterator[Line]:
    factorization = factor(construction, simulation)
    derivation = derive(construction, simulation, factorization.key_dimension)
    yield Line(f"simulation {simulation.name}", heading=True)
    yield Line("score s(i, j)", formula=to_sympy(simulation.score.expr))
    yield Line("temperature τ(n)", formula=derivation.temperature)
    yield Line("s(i, j)/τ", formula=derivation.scaled_score)
    yield Line("weight α(i, j)", formula=derivation.weight)
    if factorization.fault:
        yield Line("key dimension", text=f"not a dot product: {factorization.fault}")
    else:
        products = " + ".join(f"({to_text(query)})·({to_text(key)})" for query, key in factorization.products)
        yield Line("query·key", text=f"{products}, d_key = {factorization.key_dimension}")
        features = ", ".join(f"{feature.text} ({feature.growth})" for feature in factorization.features)
        yield Line("position features", text=features or "none")
    yield Line("growth of 1/τ", text=inverse_temperature_growth(simulation))
    yield from _regions(construction, simulation, derivation, factorization.key_dimension)


def _regions(
    construction: Construction, simulation: Simulation, derivation: Derivation, key_dimension: int
) -> Iterator[Line]:
    """The regions that can occur, their sums in closed form, and the bounds that Z3 accepts."""
    try:
        frame = Frame(construction, Session(), last_row=derivation.last_row)
        here: Row = row(frame, simulation, key_dimension)
    except (Untranslatable, Unconvertible) as error:
        yield Line("regions", text=f"not derived: {error}")
        return
    regions = inhabited(here, derivation.regions)
    for region in regions:
        yield Line(f"region: {region.name}", heading=True)
        for exponent in region.exponents:
            yield Line("(s(i, j*) - s(i, j))/τ", formula=distance_form(region, exponent))
            yield Line("sum of the weights", formula=region_sum(construction, region, exponent))
    yield from _bounds(construction, search(here, regions))


def _bounds(construction: Construction, found: GapSearch) -> Iterator[Line]:
    yield Line("bound for every n", heading=True)
    for bound in found.bounds:
        names = "; ".join(region.name for region in bound.regions)
        for template in bound.templates:
            least = to_text(lower_bound(construction, template))
            yield Line(names, text=f"exponent >= {least}, summed by {LEMMAS[template.shape]}")
        yield Line("weights sum to at most", formula=to_sympy(bound.sum()))
    for region in found.missing:
        yield Line(region.name, text="no lower bound found")
    if found.missing:
        return
    if found.exclusive:
        yield Line("sides", text="keys err on one side of the target only, so the larger sum counts")
    if found.agreeing is not None:
        yield Line("agreeing", text="a neighbour of the target agrees with it, so R is divided by 1 + its weight")
    total = to_sympy(found.total())
    yield Line("R", formula=total)
    ratio = sympy.simplify(total / (1 + total))
    shorter = ratio if ratio.count_ops() <= total.count_ops() + 3 else None
    yield Line("worst-case error R/(1 + R)", formula=shorter, text="with R as above")


def _unicode(line: Line) -> str:
    if line.heading:
        return f"\n{line.label}" if line.label.startswith("region") else f"\n{line.label}\n{'─' * len(line.label)}"
    if line.formula is None:
        return f"  {line.label}: {line.text}" if line.label else f"  {line.text}"
    drawn = sympy.pretty(_readable(line.formula), use_unicode=True, wrap_line=False).splitlines()
    if len(drawn) == 1:
        return f"  {line.label} = {drawn[0]}"
    return "\n".join([f"  {line.label} =", *(f"      {text}".rstrip() for text in drawn)])


def _readable(formula: sympy.Basic) -> sympy.Basic:
    names = {
        found: sympy.Symbol(found.name.replace("j*", "j⁎")) for found in formula.free_symbols if "j*" in found.name
    }
    return formula.subs(names).replace(sympy.log, sympy.Function("ln"))


def _latex(line: Line) -> str:
    if line.heading:
        command = "paragraph" if line.label.startswith("region") else "subsection*"
        return f"\\{command}{{{_escaped(line.label)}}}"
    if line.formula is None:
        return f"{_escaped(f'{line.label}: {line.text}' if line.label else line.text)}\\\\"
    symbols = {found: _latex_name(found.name) for found in line.formula.free_symbols if found != TAU}
    formula = sympy.latex(line.formula, symbol_names=symbols, ln_notation=True)
    return f"\\[ \\text{{{_escaped(line.label)}}} = {formula} \\]"


def _latex_name(name: str) -> str:
    if name.startswith("["):
        return f"[\\mathrm{{{_escaped(name[1:-1])}}}]"
    return name.replace("j*", "j^{*}").replace("_", "\\_") if len(name) < 3 else f"\\mathrm{{{_escaped(name)}}}"


def _escaped(text: str) -> str:
    """Text for LaTeX: its special characters escaped, mathematical letters in math mode."""
    special = {"\\": r"\textbackslash{}", "_": r"\_", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "{": r"\{",
               "}": r"\}", "^": r"\^{}", "~": r"\~{}", "φ": r"$\varphi$", "ψ": r"$\psi$", "τ": r"$\tau$",
               "α": r"$\alpha$", "γ": r"$\gamma$", "·": r"$\cdot$", ">": "$>$", "<": "$<$", "≥": r"$\geq$"}  # fmt: skip
    return "".join(special.get(symbol, symbol) for symbol in text)
