"""Tasks, instances, derivations, formulas and quantities as documents to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from symscale.catalog.derivation import Derivation
from symscale.catalog.formulas import Formula
from symscale.catalog.hardware import Hardware
from symscale.catalog.instances import Instance
from symscale.catalog.proofs import Figure, Identity
from symscale.catalog.quantities import Quantity
from symscale.catalog.tasks import Task
from symscale.expressions.nodes import Node
from symscale.expressions.values import Value
from symscale.numbers import decimal_text, exact_text
from symscale.render.document import Cell, Document, Heading, Math, Paragraph, Table
from symscale.render.latex import latex
from symscale.render.notation import unicode_text
from symscale.units import Unit, quantity_text


def math(node: Node) -> Math:
    return Math(unicode_text(node), latex(node))


def task_document(task: Task) -> Document:
    """The task at its published values."""
    return instance_document(task.instance())


def instance_document(instance: Instance) -> Document:
    """The question, the parameters, the derivation, the closed forms and the exact answer."""
    task = instance.task
    mistakes = tuple((mistake.name, mistake.message) for mistake in task.mistakes.values())
    blocks = [
        Heading(f"{task.id}  {task.title}"),
        Paragraph(instance.prompt),
        Table("Parameters", ("symbol", "quantity", "value", "meaning"), _parameters(instance)),
        *derivation_document(instance.derivation).blocks,
        Table("Answer", ("column", "unit", "closed form", "exact", "decimal"), _answer(instance)),
    ]
    if task.where:
        blocks.append(_list("Holds where", task.conditions))
    if mistakes:
        blocks.append(Table("Known mistakes", ("name", "what went wrong"), mistakes))
    blocks.append(Paragraph(f"Source: {task.source}"))
    return Document(tuple(blocks))


def derivation_document(derivation: Derivation) -> Document:
    rows = tuple(
        (step.name, math(step.expression), _unit(step.unit), value_decimal(step.value))
        for step in derivation.steps
    )
    return Document((Table("Derivation", ("step", "expression", "unit", "value"), rows),))


def formula_document(
    formula: Formula,
    *,
    used_by: Iterable[str] = (),
    figures: Sequence[Figure] = (),
    identities: Sequence[Identity] = (),
) -> Document:
    """What a formula says, of what, where it stands in the reference graph, and its proofs."""
    symbols = tuple(
        (letter, quantity.id, _unit(quantity.unit), str(quantity.domain), quantity.meaning)
        for letter, quantity in formula.symbols.items()
    )
    says: list[tuple[Cell, ...]] = [
        ("gives", f"{formula.result.id} in {formula.unit}"),
        ("as written", math(formula.expression)),
        ("closed form", math(formula.numeric)),
    ]
    says += [("holds where", math(condition)) for condition in formula.conditions]
    says += [("assumes", assumption) for assumption in formula.assumptions]
    says += [("uses", ", ".join(formula.uses))] if formula.uses else []
    users = ", ".join(used_by)
    says += [("used by", users)] if users else []
    says.append(("source", formula.source))
    reference = f"  ({', '.join(formula.refs)})" if formula.refs else ""
    blocks: list[Heading | Paragraph | Table] = [
        Heading(f"{formula.id}  {formula.title}{reference}"),
        Table("", ("", ""), tuple(says)),
        Table("Symbols", ("symbol", "quantity", "unit", "domain", "meaning"), symbols),
    ]
    if figures:
        blocks.append(_figures(formula, figures))
    if identities:
        rows = tuple((identity.id, identity.says) for identity in identities)
        blocks.append(Table("Identities", ("name", "what holds"), rows))
    return Document(tuple(blocks))


def _figures(formula: Formula, figures: Sequence[Figure]) -> Table:
    """The values on record, each a worked example."""
    rows = tuple(
        (
            ", ".join(f"{letter} = {value}" for letter, value in figure.inputs.items()),
            quantity_text(figure.value, formula.unit),
            figure.origin if figure.kind == "published" else f"oracle {figure.origin}",
            figure.published if figure.agrees else f"{figure.published} (off: {figure.note})",
        )
        for figure in figures
    )
    return Table("Proofs", ("at", "value", "from", "as printed"), rows)


def hardware_document(hardware: Hardware) -> Document:
    """What is stated of a device, with its sources."""
    peaks = [(f"peak_flops at {name}", peak) for name, peak in hardware.peaks.items()]
    rows = tuple(
        (name, stated.text, stated.source) for name, stated in [*peaks, *hardware.values.items()]
    )
    return Document(
        (
            Heading(f"{hardware.id}  {hardware.title}"),
            Table("", ("quantity", "value", "source"), rows),
        )
    )


def quantity_document(
    quantity: Quantity, given_by: Iterable[str] = (), used_by: Iterable[str] = ()
) -> Document:
    says: list[tuple[Cell, ...]] = [
        ("meaning", quantity.meaning),
        ("symbol", Math(quantity.latex, quantity.latex)),
        ("unit", _unit(quantity.unit)),
        ("domain", str(quantity.domain)),
    ]
    for title, formulas in (("given by", given_by), ("used by", used_by)):
        ids = ", ".join(formulas)
        says += [(title, ids)] if ids else []
    return Document((Heading(quantity.id), Table("", ("", ""), tuple(says))))


def value_exact(value: Value) -> str:
    """A value as `p/q`, a label, or an enclosure to 30 digits."""
    return exact_text(value) if isinstance(value, Fraction) else _other(value)


def value_decimal(value: Value) -> str:
    """A value for reading, numbers to 12 significant digits."""
    return decimal_text(value) if isinstance(value, Fraction) else _other(value)


def _other(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parameters(instance: Instance) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (
            name,
            parameter.quantity.id,
            instance.shown_value(name),
            parameter.quantity.meaning,
        )
        for name, parameter in instance.task.parameters.items()
    )


def _answer(instance: Instance) -> tuple[tuple[Cell, ...], ...]:
    forms: Mapping[str, Node] = instance.task.numeric
    return tuple(
        (
            column.name,
            _unit(column.unit),
            math(forms[column.name]),
            value_exact(value),
            value_decimal(value),
        )
        for column, value in zip(instance.task.columns, instance.values, strict=True)
    )


def _list(title: str, nodes: Iterable[Node]) -> Table:
    return Table(title, ("",), tuple((math(node),) for node in nodes))


def _unit(unit: Unit) -> str:
    return "" if unit.text == "1" else unit.text
