"""Results of the engine as JSON: exact values as `p/q`, expressions in the notation."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from symscale.catalog.documents import value_decimal, value_exact
from symscale.expressions.nodes import Node
from symscale.expressions.text import text
from symscale.expressions.values import Value
from symscale.numbers import exact_text

if TYPE_CHECKING:
    from symscale.engine.compare import Comparison
    from symscale.engine.crossings import Crossing
    from symscale.engine.derive import Derived
    from symscale.engine.examples import Difference
    from symscale.engine.identify import Identified
    from symscale.engine.identities import Proof
    from symscale.engine.phases import Phases
    from symscale.engine.robustness import Robustness
    from symscale.engine.solve import Solution
    from symscale.engine.thresholds import Threshold


def _value(value: Value | None) -> dict[str, str] | None:
    if value is None:
        return None
    return {"exact": value_exact(value), "decimal": value_decimal(value)}


def _text(node: Node | None) -> str | None:
    return None if node is None else text(node)


def _numbers(values: Mapping[str, Fraction | None]) -> dict[str, str | None]:
    return {name: None if value is None else exact_text(value) for name, value in values.items()}


def derived_data(derived: Derived) -> dict[str, Any]:
    from symscale.engine.robustness import audit_derived

    audit = audit_derived(derived)
    return {
        "target": derived.target,
        "quantity": derived.quantity.id,
        "unit": derived.unit.text,
        "given": {
            id: {"value": value, "unit": derived.graph.quantities[id].unit.text}
            for id, value in _numbers(derived.given).items()
        },
        "steps": [
            {
                "quantity": step.quantity.id,
                "formula": step.formula.id,
                "direction": "backwards" if step.backwards else "forwards",
                "expression": text(step.expression),
                "unit": step.unit.text,
                "value": _value(step.value),
                "assumptions": list(step.formula.assumptions),
            }
            for step in derived.steps
        ],
        "closed_form": _text(derived.closed_form),
        "value": _value(derived.value),
        "elasticities": {id: text(found.expression) for id, found in derived.elasticities.items()},
        "alternatives": [
            {
                "formula": other.formula.id,
                "direction": "backwards" if other.backwards else "forwards",
                "steps": list(other.steps),
                "value": _value(other.value),
            }
            for other in derived.alternatives
        ],
        "findings": list(derived.findings),
        "robustness": None if audit is None else robustness_data(audit),
    }


def robustness_data(audit: Robustness) -> dict[str, Any]:
    return {
        "robust": audit.robust,
        "answer": exact_text(audit.answer),
        "readings": audit.readings,
        "flips": [
            {
                "name": flip.name,
                "reading": flip.reading,
                "value": exact_text(flip.value),
                "answer": exact_text(flip.answer),
            }
            for flip in audit.flips
        ],
    }


def threshold_data(threshold: Threshold | None) -> dict[str, Any] | None:
    if threshold is None:
        return None
    return {
        "op": threshold.op,
        "bound": text(threshold.bound),
        "integer": _text(threshold.integer),
        "condition": _text(threshold.condition),
    }


def solution_data(solution: Solution) -> dict[str, Any]:
    intervals = solution.intervals
    return {
        "condition": text(solution.condition),
        "for": solution.for_,
        "quantity": solution.quantity.id,
        "unit": solution.unit.text,
        "given": _numbers(solution.given),
        "integer": solution.integer,
        "threshold": threshold_data(solution.threshold),
        "exists": solution.exists,
        "smallest": _value(solution.smallest),
        "largest": _value(solution.largest),
        "intervals": None
        if intervals is None
        else [
            {
                "low": _value(i.low),
                "high": _value(i.high),
                "includes_low": i.includes_low,
                "includes_high": i.includes_high,
            }
            for i in intervals
        ],
        "checks": [
            {
                "at": exact_text(check.at),
                "left": _value(check.left),
                "right": _value(check.right),
                "holds": check.holds,
            }
            for check in solution.checks
        ],
        "method": solution.method,
    }


def crossing_data(crossing: Crossing) -> dict[str, Any]:
    larger = {1: "left", -1: "right", 0: "equal", None: None}
    return {
        "left": text(crossing.left),
        "right": text(crossing.right),
        "for": crossing.for_,
        "quantity": crossing.quantity.id,
        "unit": crossing.quantity.unit.text,
        "given": _numbers(crossing.given),
        "threshold": threshold_data(crossing.threshold),
        "points": [_value(point) for point in crossing.points],
        "segments": [
            {"low": _value(s.low), "high": _value(s.high), "larger": larger[s.sign]}
            for s in crossing.segments
        ],
        "method": crossing.method,
    }


def phases_data(phases: Phases) -> dict[str, Any]:
    return {
        "over": phases.over,
        "across": phases.across,
        "bounds": {label: text(node) for label, node in phases.bounds.items()},
        "given": _numbers(phases.given),
        "rows": [
            {
                "at": None if at is None else exact_text(at),
                "phases": [
                    {"low": _value(p.low), "high": _value(p.high), "bound": p.bound} for p in row
                ],
            }
            for at, row in phases.rows
        ],
    }


def difference_data(difference: Difference | None) -> dict[str, Any] | None:
    if difference is None:
        return None
    return {
        "at": _numbers(difference.point),
        "ours": _value(difference.ours),
        "theirs": _value(difference.theirs),
    }


def comparison_data(comparison: Comparison) -> dict[str, Any]:
    return {
        "written": comparison.written,
        "entry": comparison.entry.id,
        "names": dict(comparison.names),
        "equivalent": comparison.equivalent,
        "points": comparison.points,
        "ours": text(comparison.ours),
        "theirs": text(comparison.theirs),
        "unit": comparison.entry.unit.text,
        "ratio": _text(comparison.ratio),
        "difference": _text(comparison.difference),
        "example": difference_data(comparison.example),
        "units": comparison.units,
        "hint": comparison.hint,
        "mistakes": [
            {"name": wrong.name, "task": wrong.where, "message": wrong.message}
            for wrong in comparison.mistakes
        ],
        "equals": list(comparison.equals),
    }


def identified_data(identified: Identified) -> dict[str, Any]:
    return {
        "figure": identified.figure.text,
        "value": exact_text(identified.figure.value),
        "unit": identified.figure.unit.text,
        "digits": identified.figure.digits,
        "given": _numbers(identified.given),
        "matches": [
            {
                "kind": match.kind,
                "id": match.id,
                "of": match.of,
                "says": match.says,
                "value": _value(match.value),
                "exact": match.exact,
                "misread": match.misread,
                "steps": list(match.steps),
            }
            for match in identified.matches
        ],
    }


def proof_data(proof: Proof) -> dict[str, Any]:
    return {
        "left": text(proof.left),
        "right": text(proof.right),
        "left_form": text(proof.left_form),
        "right_form": text(proof.right_form),
        "verdict": proof.verdict,
        "how": proof.how,
        "points": proof.points,
        "counterexample": difference_data(proof.counterexample),
    }
