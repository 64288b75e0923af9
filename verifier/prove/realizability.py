"""The obligation that a score is a dot product of permitted features: the proposed factorization equals the score."""

from __future__ import annotations

from verifier.prove.arithmetic import Untranslatable, equal
from verifier.prove.frame import Frame, written_out
from verifier.prove.solver import Obligation, discharge
from verifier.spec import build
from verifier.spec.construction import Simulation
from verifier.spec.printer import to_text
from verifier.symbolic.factor import Factorization
from verifier.verdict import ObligationResult, Verdict

NAME = "realizability"


def realizability(frame: Frame, simulation: Simulation, factorization: Factorization) -> ObligationResult:
    """Show that the score is the sum of the products of the factorization."""
    if factorization.fault:
        statement = "the score is a sum of query features times key features"
        return ObligationResult(NAME, statement, Verdict.UNDECIDED, "", 0.0, factorization.fault)
    total = build.add(*(build.multiply(*product) for product in factorization.products), build.ZERO)
    statement = f"the score is {to_text(total)}: d_key = {factorization.key_dimension}"
    try:
        sides = [frame.number(written_out(frame.construction, expr, "j")) for expr in (simulation.score.expr, total)]
    except Untranslatable as error:
        return ObligationResult(NAME, statement, Verdict.UNDECIDED, "", 0.0, str(error))
    features = ", ".join(f"{feature.text} ({feature.growth})" for feature in factorization.features)
    result = discharge(Obligation(NAME, statement, frame.facts(), equal(*sides)), frame.session)
    detail = result.detail or (f"position features: {features}" if features else "no position features")
    return ObligationResult(NAME, statement, result.verdict, result.by, result.seconds, detail)
