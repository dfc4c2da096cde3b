"""What the catalog has, as JSON: exact values as `p/q`, closed forms in the notation."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from symscale.catalog.documents import value_decimal, value_exact
from symscale.catalog.formulas import Formula
from symscale.catalog.hardware import Hardware
from symscale.catalog.instances import Instance
from symscale.catalog.loader import Catalog
from symscale.catalog.quantities import Quantity
from symscale.catalog.stated import Stated
from symscale.expressions.text import text
from symscale.expressions.values import Value, key_of
from symscale.numbers import exact_text
from symscale.render.latex import latex

Shown: TypeAlias = Instance | Formula | Hardware | Quantity


def as_data(thing: Shown, catalog: Catalog) -> dict[str, Any]:
    """The same as JSON: exact values as `p/q`, closed forms in the notation."""
    match thing:
        case Instance():
            return _instance_data(thing)
        case Formula():
            return {
                "id": thing.id,
                "area": thing.area,
                "title": thing.title,
                "refs": list(thing.refs),
                "result": thing.result.id,
                "unit": thing.unit.text,
                "expression": text(thing.expression),
                "closed_form": text(thing.numeric),
                "latex": latex(thing.numeric),
                "symbols": [
                    {"symbol": letter, **_quantity_data(quantity)}
                    for letter, quantity in thing.symbols.items()
                ],
                "conditions": [text(condition) for condition in thing.conditions],
                "assumptions": list(thing.assumptions),
                "source": thing.source,
                "uses": list(thing.uses),
                "used_by": catalog.used_by(thing.id),
                "figures": [
                    {
                        "kind": figure.kind,
                        "inputs": dict(figure.inputs),
                        "value": exact_text(figure.value),
                        "origin": figure.origin,
                        "published": figure.published,
                        "agrees": figure.agrees,
                        "note": figure.note,
                    }
                    for figure in catalog.figures.get(thing.id, ())
                ],
                "identities": [identity.id for identity in catalog.identities_of(thing.id)],
            }
        case Hardware():
            return {
                "id": thing.id,
                "title": thing.title,
                "peaks": {name: _stated(peak) for name, peak in thing.peaks.items()},
                "values": {id: _stated(stated) for id, stated in thing.values.items()},
            }
        case Quantity():
            given_by, used_by = formulas_of(thing, catalog)
            return {**_quantity_data(thing), "given_by": given_by, "used_by": used_by}


def _exact(value: Value) -> str:
    """A number as `p/q` (an irrational one as its key of 30 digits), a label, a truth value."""
    key = key_of(value)
    return exact_text(key) if isinstance(key, Fraction) else value_exact(value)


def _stated(stated: Stated) -> dict[str, str]:
    return {
        "value": exact_text(stated.value),
        "unit": stated.quantity.unit.text,
        "as_written": stated.text,
        "source": stated.source,
    }


def _quantity_data(quantity: Quantity) -> dict[str, str]:
    return {
        "quantity": quantity.id,
        "latex": quantity.latex,
        "unit": quantity.unit.text,
        "domain": str(quantity.domain),
        "meaning": quantity.meaning,
    }


def _instance_data(instance: Instance) -> dict[str, Any]:
    task = instance.task
    return {
        "id": task.id,
        "category": task.category,
        "title": task.title,
        "question": instance.question,
        "parameters": [
            {
                "name": name,
                "quantity": parameter.quantity.id,
                "value": exact_text(instance.parameters[name]),
                "unit": parameter.unit.text,
            }
            for name, parameter in task.parameters.items()
        ],
        "steps": [
            {"name": step.name, "expression": text(step.expression), "unit": step.unit.text}
            for step in task.steps.values()
        ],
        "columns": [
            {
                "name": column.name,
                "kind": column.kind,
                "unit": column.unit.text,
                "closed_form": text(task.numeric[column.name]),
                "latex": latex(task.numeric[column.name]),
                "exact": _exact(value),
                "decimal": value_decimal(value),
            }
            for column, value in zip(task.columns, instance.values, strict=True)
        ],
    }


def formulas_of(quantity: Quantity, catalog: Catalog) -> tuple[list[str], list[str]]:
    """The formulas that give a quantity, and those that take it."""
    formulas = list(catalog.formulas.values())
    given_by = [formula.id for formula in formulas if formula.result.id == quantity.id]
    used_by = [
        formula.id
        for formula in formulas
        if any(other.id == quantity.id for other in formula.symbols.values())
    ]
    return given_by, used_by
