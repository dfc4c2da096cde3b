"""What makes a task's variants worth having, measured, and the bounds it must keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symscale.catalog.columns import Column
from symscale.catalog.instances import Cell
from symscale.catalog.tasks import Task, unused_parameters
from symscale.numbers import decimal_text
from symscale.variants.sequence import Variants

SAMPLE = 500

MIN_SPACE = 10_000
MIN_VALID = Fraction(1, 5)
MIN_FAIR = Fraction(9, 10)
MIN_DISTINCT = Fraction(1, 2)
MIN_LABEL_SHARE = Fraction(1, 20)


@dataclass(frozen=True, slots=True)
class Worth:
    """Measures of a task's variants; the shares are of a sample of the training split."""

    task: str
    space: int
    """Combinations, constraints aside."""
    valid: Fraction
    """The share of combinations that meet the constraints."""
    fair: Fraction
    """The share of valid ones where no known mistake gives the right answer."""
    distinct: Fraction
    """Distinct answers, for each variant."""
    unused: tuple[str, ...]
    """Parameters that no answer depends on."""
    labels: Mapping[str, Mapping[str, Fraction]]
    """For each column of labels or truth values, the share of each."""

    @property
    def failures(self) -> tuple[str, ...]:
        """The bounds that do not hold, in words."""
        return tuple(self._failures())

    def _failures(self) -> Iterator[str]:
        if self.space < MIN_SPACE:
            yield f"the space has {self.space:,} combinations, fewer than {MIN_SPACE:,}"
        for share, least, what in (
            (self.valid, MIN_VALID, "of the combinations meet the constraints"),
            (self.fair, MIN_FAIR, "of the valid combinations tell every mistake from the answer"),
            (self.distinct, MIN_DISTINCT, "of the answers are distinct"),
        ):
            if share < least:
                yield f"{percent(share)} {what}, fewer than {percent(least)}"
        for name in self.unused:
            yield f"no answer depends on {name}"
        for column, shares in self.labels.items():
            for label, share in shares.items():
                if share < MIN_LABEL_SHARE:
                    yield (
                        f"{column} is {label} in {percent(share)} of the variants, fewer than "
                        f"{percent(MIN_LABEL_SHARE)}"
                    )


def worth(task: Task, *, sample: int = SAMPLE) -> Worth:
    """Measure a task at the first positions of its training split, which are in random order."""
    variants = Variants(task, unfair=True)
    ranks = variants.region.ranks(0, min(sample, variants.region.size))
    made = [variants.make(rank, 0, 0) for rank in ranks]
    valid = [instance for instance in made if instance is not None]
    fairs = [instance for instance in valid if instance.fair]
    return Worth(
        task=task.id,
        space=variants.region.space.size,
        valid=_share(len(valid), len(ranks)),
        fair=_share(len(fairs), len(valid)),
        distinct=_share(len({instance.answer for instance in fairs}), len(fairs)),
        unused=tuple(unused_parameters(task)),
        labels={
            column.name: _balance([instance.answer.rows[0][place] for instance in fairs], column)
            for place, column in enumerate(task.columns)
            if column.kind != "number"
        },
    )


def _balance(cells: Sequence[Cell], column: Column) -> dict[str, Fraction]:
    counts = Counter(cells)
    possible: Sequence[str | bool] = column.labels if column.kind == "label" else (True, False)
    return {str(label): _share(counts[label], len(cells)) for label in possible}


def _share(part: int, whole: int) -> Fraction:
    return Fraction(part, whole) if whole else Fraction(0)


def percent(share: Fraction) -> str:
    """A share to a tenth of a percent, for people."""
    return f"{decimal_text(round(share * 1000) * Fraction(1, 10))}%"
