"""Results of the engine as documents to show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symscale.catalog.documents import math, value_decimal, value_exact
from symscale.engine.compare import Comparison
from symscale.engine.crossings import Crossing
from symscale.engine.derive import Derived
from symscale.engine.examples import Difference
from symscale.engine.identify import Identified
from symscale.engine.identities import Proof
from symscale.engine.invert import Inverse
from symscale.engine.phases import Phases
from symscale.engine.robustness import Robustness, audit_derived
from symscale.engine.showing import intervals, node_table, range_of, shown, unit_text, value_table
from symscale.engine.solve import Solution
from symscale.engine.thresholds import Threshold
from symscale.errors import SymscaleError
from symscale.expressions.enclosure import evaluate
from symscale.expressions.nodes import Compare, Name, Node
from symscale.expressions.text import text
from symscale.numbers import decimal_text, exact_text
from symscale.render.document import Block, Cell, Document, Heading, Math, Paragraph, Table
from symscale.render.latex import latex
from symscale.render.notation import unicode_text

_LONG = 80


def inverse_document(inverse: Inverse) -> Document:
    """The solution, when it is in its domain, and the units of its names."""
    units = tuple((name, unit.text) for name, unit in inverse.units.items())
    return Document(
        (
            Heading(f"{inverse.of} solved for {inverse.solved_for} ({inverse.quantity.id})"),
            Table("", ("", ""), ((inverse.solved_for, math(inverse.expression)),)),
            *node_table("In the domain where", inverse.conditions),
            Table("Units", ("name", "unit"), units),
        )
    )


def derived_document(derived: Derived) -> Document:
    """What is given, the steps, the closed form and the value, and what they rest on."""
    symbols = {id: quantity.latex for id, quantity in derived.graph.quantities.items()}
    blocks: list[Block] = [
        Heading(f"{derived.target}: {derived.quantity.meaning}"),
        Table("Given", ("quantity", "value", "unit", "meaning"), tuple(_given(derived))),
        Table(
            "Derivation",
            ("", "quantity", "expression", "value", "unit", "by"),
            tuple(_steps(derived, symbols)),
        ),
        Table("", ("", ""), tuple(_answer(derived, symbols))),
    ]
    exponents = tuple(_exponents(derived, symbols))
    if exponents:
        blocks.append(Table("Goes as a power of", ("quantity", "exponent", "here"), exponents))
    assumptions = tuple((id, said) for id, said in derived.assumptions)
    if assumptions:
        blocks.append(Table("Assumes", ("formula", "assumption"), assumptions))
    if derived.alternatives:
        rows = tuple(
            (
                other.formula.id + (" (backwards)" if other.backwards else ""),
                ", ".join(other.steps),
                "" if other.value is None else value_decimal(other.value),
                other.formula.title,
            )
            for other in derived.alternatives
        )
        header = ("formula", "steps", "value", "title")
        blocks.append(Table("Other ways, chosen with assume", header, rows))
    if derived.findings:
        notes = tuple((finding,) for finding in derived.findings)
        blocks.append(Table("To note", ("",), notes))
    audit = audit_derived(derived)
    if audit is not None:
        blocks += robustness_document(audit).blocks
    return Document(tuple(blocks))


def robustness_document(audit: Robustness) -> Document:
    """The readings that change a whole-number answer."""
    if audit.robust:
        says = f"The answer is the same under all {audit.readings} other readings of the values."
        return Document((Paragraph(says),))
    rows = tuple(
        (flip.name, flip.reading, decimal_text(flip.value), exact_text(flip.answer))
        for flip in audit.flips
    )
    return Document((Table("Not robust", ("value", "read", "as", "answer"), rows),))


def solution_document(solution: Solution) -> Document:
    """The outermost values, the closed form with its condition, and the check."""
    says: list[tuple[Cell, ...]] = [("holds", math(solution.condition))]
    says += _threshold_rows(solution.threshold, solution.for_, whole=solution.integer)
    if solution.exists is False:
        says.append(("the condition", "does not hold at the given values"))
    if solution.intervals is not None:
        says.append(("for", intervals(solution)))
    says.append(("found by", solution.method))
    if solution.tried is not None:
        says.append(("tried up to", exact_text(solution.tried)))
    blocks: list[Block] = [
        Heading(f"{solution.for_}: {solution.quantity.meaning or solution.quantity.id}"),
        value_table("Given", solution.given, solution.bound.quantities),
        Table("", ("", ""), tuple(says)),
    ]
    if solution.checks:
        rows = tuple(
            (
                f"{solution.for_} = {exact_text(check.at)}",
                shown(check.left),
                shown(check.right),
                "holds" if check.holds else "does not hold",
            )
            for check in solution.checks
        )
        blocks.append(Table("Check", ("at", "left", "right", ""), rows))
    return Document(tuple(blocks))


def crossing_document(crossing: Crossing) -> Document:
    """Where the two meet and which is larger on either side."""
    larger = {1: "the first is larger", -1: "the second is larger", 0: "they meet"}
    says: list[tuple[Cell, ...]] = [
        ("first", math(crossing.left)),
        ("second", math(crossing.right)),
        *_threshold_rows(crossing.threshold, crossing.for_, whole=False, word="meet at"),
        ("found by", crossing.method),
    ]
    rows = tuple(
        (range_of(s.low, s.high, crossing.quantity.unit), larger.get(s.sign or 0, ""))
        if s.sign is not None
        else (range_of(s.low, s.high, crossing.quantity.unit), "no value")
        for s in crossing.segments
    )
    return Document(
        (
            Heading(f"Crossover over {crossing.for_}"),
            value_table("Given", crossing.given, crossing.bound.quantities),
            Table("", ("", ""), tuple(says)),
            Table("Over all values", (crossing.for_, ""), rows),
        )
    )


def phases_document(phases: Phases) -> Document:
    """The bound that holds in each region."""
    unit = phases.names.quantities[phases.over].unit
    rows = tuple(
        ("" if at is None else decimal_text(at), range_of(phase.low, phase.high, unit), phase.bound)
        for at, row in phases.rows
        for phase in row
    )
    bounds = tuple((label, math(node)) for label, node in phases.bounds.items())
    return Document(
        (
            Heading(f"What limits, over {phases.over}"),
            value_table("Given", phases.given, phases.names.quantities),
            Table("Bounds", ("", ""), bounds),
            Table("Phases", (phases.across or "", phases.over, "largest"), rows),
        )
    )


def comparison_document(comparison: Comparison) -> Document:
    """The verdict, and what explains it."""
    entry = comparison.entry
    verdict = "is" if comparison.equivalent else "is not"
    says: list[tuple[Cell, ...]] = [
        ("theirs", math(comparison.theirs)),
        ("ours", math(comparison.ours)),
    ]
    if comparison.ratio is not None:
        says.append(("theirs over ours", math(comparison.ratio)))
    if comparison.difference is not None:
        says.append(("theirs less ours", math(comparison.difference)))
    for word, said in (("means", comparison.hint), ("units", comparison.units)):
        says += [(word, said)] if said else []
    says += [(f"mistake {wrong.name}", wrong.message) for wrong in comparison.mistakes]
    says += [("equals", ", ".join(comparison.equals))] if comparison.equals else []
    says.append(("points compared", str(comparison.points)))
    blocks: list[Block] = [
        Heading(f"{comparison.written} {verdict} {entry.id}"),
        Table("", ("", ""), tuple(says)),
        Table("Read as", ("name", "quantity"), tuple(comparison.names.items())),
    ]
    if comparison.example is not None:
        blocks.append(_difference(comparison.example, "ours", "theirs"))
    return Document(tuple(blocks))


def identified_document(identified: Identified) -> Document:
    """The entries and mistakes that give the figure."""
    rows = tuple(
        (
            match.id,
            f"{match.kind}{f' of {match.of}' if match.of else ''}",
            "exactly" if match.exact else match.misread or "to its digits",
            decimal_text(match.value),
            ", ".join(match.steps),
            match.says,
        )
        for match in identified.matches
    )
    heading = Heading(f"{identified.figure.text}, printed to {identified.figure.digits} digits")
    if not rows:
        return Document((heading, Paragraph("No formula and no known mistake gives it.")))
    header = ("", "what", "how", "value", "after", "")
    return Document((heading, Table("Given by", header, rows)))


def proof_document(proof: Proof) -> Document:
    """Both sides expanded, and what became of the claim."""
    says = (
        ("left", math(proof.left), math(proof.left_form)),
        ("right", math(proof.right), math(proof.right_form)),
    )
    blocks: list[Block] = [
        Heading({"proved": "Proved", "holds": "Holds", "false": "False"}[proof.verdict]),
        Table("", ("", "as written", "expanded"), says),
        Paragraph(f"{proof.how[0].upper()}{proof.how[1:]}. Points compared: {proof.points}."),
    ]
    if proof.counterexample is not None:
        blocks.append(_difference(proof.counterexample, "left", "right"))
    return Document(tuple(blocks))


def _difference(difference: Difference, first: str, second: str) -> Table:
    rows = [(name, exact_text(value)) for name, value in difference.point.items()]
    rows += [(first, shown(difference.ours)), (second, shown(difference.theirs))]
    return Table("Counter-example", ("", ""), tuple(rows))


def _symbolic(node: Node, symbols: Mapping[str, str]) -> Math:
    return Math(unicode_text(node), latex(node, symbols))


def _given(derived: Derived) -> Iterable[tuple[Cell, ...]]:
    for id, value in derived.given.items():
        quantity = derived.graph.quantities[id]
        number = "" if value is None else shown(value)
        yield id, number, unit_text(quantity.unit), quantity.meaning


def _steps(derived: Derived, symbols: Mapping[str, str]) -> Iterable[tuple[Cell, ...]]:
    for number, step in enumerate(derived.steps, 1):
        by = step.formula.id + (", backwards" if step.backwards else "")
        value = "" if step.value is None else shown(step.value)
        expression = _symbolic(step.expression, symbols)
        yield str(number), step.quantity.id, expression, value, unit_text(step.unit), by


def _exponents(derived: Derived, symbols: Mapping[str, str]) -> Iterable[tuple[Cell, ...]]:
    given = {id: value for id, value in derived.given.items() if value is not None}
    for id, found in derived.elasticities.items():
        here = ""
        if found.constant is None and given:
            try:
                here = value_decimal(evaluate(found.expression, given))
            except SymscaleError:
                here = "no value"
        if len(text(found.expression)) <= _LONG:
            yield id, _symbolic(found.expression, symbols), here
        else:
            yield id, "", here


def _answer(derived: Derived, symbols: Mapping[str, str]) -> Iterable[tuple[Cell, ...]]:
    if derived.closed_form is not None:
        yield "closed form", _symbolic(derived.closed_form, symbols)
    unit = unit_text(derived.unit)
    if derived.value is not None:
        yield "exact", f"{value_exact(derived.value)} {unit}".strip()
        yield "value", f"{value_decimal(derived.value)} {unit}".strip()
    else:
        yield "unit", unit or "1"


def _threshold_rows(
    threshold: Threshold | None, letter: str, *, whole: bool, word: str = "means"
) -> list[tuple[Cell, ...]]:
    if threshold is None:
        return []
    rows: list[tuple[Cell, ...]] = [
        (word, math(Compare(threshold.op, Name(letter), threshold.bound)))
    ]
    if whole and threshold.integer is not None:
        outermost = "smallest" if threshold.op.startswith(">") else "largest"
        rows.append((f"{outermost} integer", math(threshold.integer)))
    if threshold.condition is not None:
        rows.append(("provided that", math(threshold.condition)))
    return rows
