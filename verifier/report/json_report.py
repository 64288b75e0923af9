"""Results as JSON, in the shape of `schema.json` beside this file (docs/json.md explains the keys)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from verifier.report.fault import Entry, Fault, Unchecked
from verifier.verdict import CrossCheck, ObligationResult, Result, SimulationResult, Witness, worst

if TYPE_CHECKING:
    from verifier.spec.construction import Construction
    from verifier.symbolic.needs import Needs

Document = dict[str, Any]


def dumps(document: Document) -> str:
    """The document as strict ASCII JSON, one newline at its end; a number that is not finite becomes null."""
    return json.dumps(_strict(document), ensure_ascii=True, allow_nan=False, indent=2) + "\n"


def _strict(value: Any) -> Any:
    """The value without what JSON lacks: infinities and NaN become null, lone surrogates their escapes."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_strict(key): _strict(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_strict(inner) for inner in value]
    return value


def result_document(result: Result) -> Document:
    """One construction's result."""
    return {
        "construction": result.construction,
        "title": result.title,
        "verdict": result.verdict.value,
        "reason": result.reason,
        "trust": result.trust.value,
        "max_n": result.max_n,
        "parameters": dict(result.parameters),
        "claim": {"error": result.claim_error, "computes": result.claim_computes or None},
        "simulations": [_simulation(result, one) for one in result.simulations],
        "cross_check": None if result.cross_check is None else _cross_check(result.cross_check),
        "seconds": result.seconds,
        "file": result.file or None,
        "digest": result.digest or None,
        "versions": dict(result.versions),
    }


def _simulation(result: Result, one: SimulationResult) -> Document:
    return {
        "name": one.name,
        "verdict": one.verdict.value,
        "scope": one.scope,
        "parameter_scope": one.parameter_scope,
        "reason": one.reason,
        "score": one.score,
        "temperature": one.temperature,
        "bound": one.bound,
        "bound_at_max_n": one.bound_at_max_n,
        "supremum_at_max_n": one.supremum_at_max_n,
        "supremum_n": one.supremum_n,
        "obligations": [_obligation(obligation) for obligation in one.obligations],
        "witness": None if one.witness is None else _witness(one.witness) | _replayable(result, one),
    }


def _replayable(result: Result, one: SimulationResult) -> Document:
    """What `verify replay` needs beside the string, so that a witness can be re-executed without its file."""
    return {"simulation": one.name, "parameters": dict(result.parameters), "construction_text": result.text}


def _obligation(one: ObligationResult) -> Document:
    return {
        "name": one.name,
        "statement": one.statement,
        "verdict": one.verdict.value,
        "by": one.by,
        "seconds": one.seconds,
        "detail": one.detail,
    }


def _witness(one: Witness) -> Document:
    return {
        "kind": one.kind,
        "n": one.n,
        "query": one.query,
        "first_key": one.first_key,
        "inputs": dict(one.inputs),
        "row": [
            {
                "key": cell.key,
                "soft": cell.soft,
                "hard": cell.hard,
                "value": cell.value,
                "inputs": dict(cell.inputs),
            }
            for cell in one.row
        ],
        "soft": one.soft,
        "hard": one.hard,
        "computes": one.computes,
        "error": one.error,
        "claim": one.claim,
        "enclosure": one.enclosure,
    }


def _cross_check(one: CrossCheck) -> Document:
    return {
        "strings": one.strings,
        "exhaustive_to": one.exhaustive_to,
        "longest": one.longest,
        "largest_error": one.largest_error,
        "largest_errors": dict(one.largest_errors),
        "claim_violations": one.claim_violations,
        "disagreements": one.disagreements,
        "notes": list(one.notes),
    }


def fault_document(fault: Fault) -> Document:
    """What is printed when nothing could be checked."""
    return {"verdict": fault.verdict.value, "error": _error(fault)}


def _error(fault: Fault) -> Document:
    return {key: value for key, value in asdict(fault).items() if key not in ("verdict", "summary", "excerpt")}


def results_document(entries: Sequence[Entry], skipped: Sequence[str] = ()) -> Document:
    """Several results under the worst of their verdicts; `error` is the first fault, where there is one."""
    faults = [entry.fault for entry in entries if isinstance(entry, Unchecked)]
    document: Document = {
        "verdict": worst([entry.verdict for entry in entries]).value,
        "results": [_unchecked(entry) if isinstance(entry, Unchecked) else result_document(entry) for entry in entries],
        "skipped": list(skipped),
    }
    return document | ({"error": _error(faults[0])} if faults else {})


def _unchecked(entry: Unchecked) -> Document:
    return {"construction": entry.name} | fault_document(entry.fault)


def _needs(simulation: str, found: Needs) -> Document:
    return {
        "simulation": simulation,
        "key_dimension": found.key_dimension,
        "position_features": [{"feature": text, "growth": growth} for text, growth in found.features],
        "inverse_temperature_growth": found.temperature,
        "realizability_fault": found.fault,
    }


def library_document(constructions: Sequence[Construction], needs: Mapping[tuple[str, str], Needs]) -> Document:
    """The constructions there are, and what each simulation needs, by the names of construction and simulation."""
    return {
        "constructions": [
            {
                "name": one.name,
                "title": one.title,
                "about": one.about,
                "source": one.source,
                "parameters": {parameter.name: str(parameter.default) for parameter in one.parameters},
                "simulations": [simulation.name for simulation in one.simulations],
                "needs": [_needs(simulation.name, needs[one.name, simulation.name]) for simulation in one.simulations],
                "claim": {"error": one.claim.error.text, "computes": one.claim.computes_text or None},
            }
            for one in constructions
        ]
    }
