"""Pipeline schedules, run operation by operation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias


class Pass(NamedTuple):
    """One chunk of one microbatch on one device.

    kind is F (forward), B (full backward), I (its input-gradient part) or W (its weight-gradient
    part). Stages are counted along the way that the microbatch's stream takes through the model.
    """

    kind: str
    stream: int
    microbatch: int
    stage: int


Slot: TypeAlias = tuple[Pass, ...]
"""What a device runs at once: one pass, or a forward and a backward that overlap."""


@dataclass(frozen=True)
class Run:
    """When each device is busy, and with what."""

    starts: Mapping[Pass, Fraction]
    ends: Mapping[Pass, Fraction]
    orders: Sequence[Sequence[Slot]]

    @property
    def makespan(self) -> Fraction:
        return max(self.ends.values())

    def idle(self, device: int) -> Fraction:
        busy = sum(self.ends[slot[0]] - self.starts[slot[0]] for slot in self.orders[device])
        return self.makespan - busy


def run(
    orders: Sequence[Sequence[Slot]], n_stages: int, duration: Callable[[Slot], Fraction]
) -> Run:
    """Run each device's slots in their order, each as soon as what it needs is there.

    A forward needs the forward of the stage before. A backward needs its own forward and the
    backward of the stage after. Sends take no time.
    """
    starts: dict[Pass, Fraction] = {}
    ends: dict[Pass, Fraction] = {}
    free = [Fraction(0)] * len(orders)
    at = [0] * len(orders)
    moved = True
    while moved:
        moved = False
        for device, order in enumerate(orders):
            while at[device] < len(order):
                slot = order[at[device]]
                ready = [ready_at(one, ends, n_stages) for one in slot]
                if None in ready:
                    break
                start = max(free[device], *(moment for moment in ready if moment is not None))
                for one in slot:
                    starts[one], ends[one] = start, start + duration(slot)
                free[device] = start + duration(slot)
                at[device] += 1
                moved = True
    if any(position < len(order) for position, order in zip(at, orders, strict=True)):
        raise ValueError("the schedule waits for itself")
    return Run(starts, ends, orders)


def ready_at(one: Pass, ends: Mapping[Pass, Fraction], n_stages: int) -> Fraction | None:
    """When all that a pass needs is there, None while something has not run."""
    moments = [first_end(ends, needed) for needed in needs(one, n_stages)]
    known = [moment for moment in moments if moment is not None]
    return max(known, default=Fraction(0)) if len(known) == len(moments) else None


def needs(one: Pass, n_stages: int) -> list[list[Pass]]:
    """What must have run before: of each list, any one."""
    kind, stage = one.kind, one.stage
    if kind == "F":
        return [[one._replace(stage=stage - 1)]] if stage else []
    if kind == "W":
        return [[one._replace(kind="I")]]
    after = [one._replace(kind=other, stage=stage + 1) for other in "BI"]
    return [[one._replace(kind="F")], *([after] if stage < n_stages - 1 else [])]


def first_end(ends: Mapping[Pass, Fraction], any_of: Sequence[Pass]) -> Fraction | None:
    return next((ends[one] for one in any_of if one in ends), None)
