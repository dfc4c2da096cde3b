"""Pipeline schedules: what each device runs in which order, and a machine that runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias


class Pass(NamedTuple):
    """One microbatch's pass through one stage of the model.

    kind is F (forward), B (full backward), I (its input-gradient part) or W (its weight-gradient
    part). Stages are counted in the direction of the forward pass; streams run through the model
    independently of each other.
    """

    kind: str
    microbatch: int
    stage: int
    stream: int = 0


Slot: TypeAlias = tuple[Pass, ...]
"""What a device runs at once: one pass, or a forward and a backward that overlap."""
Orders: TypeAlias = Sequence[Sequence[Slot]]
"""The slots of each device, in order."""


@dataclass(frozen=True)
class Run:
    """When each pass started and ended."""

    starts: Mapping[Pass, Fraction]
    ends: Mapping[Pass, Fraction]
    orders: Orders

    @property
    def makespan(self) -> Fraction:
        return max(self.ends.values())

    def idle(self, device: int) -> Fraction:
        return self.makespan - sum(
            self.ends[slot[0]] - self.starts[slot[0]] for slot in self.orders[device]
        )

    def same_idle(self) -> Fraction:
        """The idle time of every device, which must be one."""
        (idle,) = {self.idle(device) for device in range(len(self.orders))}
        return idle

    def most_held(self, device: int) -> int:
        """Most activations held at once: from the start of a forward to the end of its backward."""
        events = []
        for slot in self.orders[device]:
            for one in slot:
                if one.kind == "F":
                    events.append((self.starts[one], 1))
                else:
                    events.append((self.ends[one], -1))
        held = most = 0
        for _moment, change in sorted(events):
            held += change
            most = max(most, held)
        return most


def run(orders: Orders, n_stages: int, duration: Callable[[str], Fraction]) -> Run:
    """Run each device's slots in order, each as soon as what it needs is there; sends are free.

    A duration is that of a kind, `FB` for a forward and a backward that overlap.
    """
    starts: dict[Pass, Fraction] = {}
    ends: dict[Pass, Fraction] = {}
    free = [Fraction(0)] * len(orders)
    waiting = [list(reversed(order)) for order in orders]
    while any(waiting):
        ran = False
        for device, slots in enumerate(waiting):
            while slots and all(is_ready(one, ends, n_stages) for one in slots[-1]):
                slot = slots.pop()
                start = max(free[device], *(ready_at(one, ends, n_stages) for one in slot))
                free[device] = start + duration("".join(one.kind for one in slot))
                for one in slot:
                    starts[one], ends[one] = start, free[device]
                ran = True
        if not ran:
            raise ValueError("the schedule waits for itself")
    return Run(starts, ends, orders)


def needs(one: Pass, n_stages: int) -> list[tuple[Pass, ...]]:
    """What must have run before a pass: of each group, any one."""
    if one.kind == "W":
        return [(one._replace(kind="I"),)]
    if one.kind == "F":
        return [(one._replace(stage=one.stage - 1),)] if one.stage else []
    own_forward = (one._replace(kind="F"),)
    if one.stage == n_stages - 1:
        return [own_forward]
    return [own_forward, tuple(one._replace(kind=kind, stage=one.stage + 1) for kind in "BI")]


def is_ready(one: Pass, ends: Mapping[Pass, Fraction], n_stages: int) -> bool:
    return all(any(needed in ends for needed in group) for group in needs(one, n_stages))


def ready_at(one: Pass, ends: Mapping[Pass, Fraction], n_stages: int) -> Fraction:
    groups = needs(one, n_stages)
    return max(
        (ends[needed] for group in groups for needed in group if needed in ends),
        default=Fraction(0),
    )


# Orders


def gpipe(p: int, m: int) -> Orders:
    """All forwards, then all backwards."""
    return [
        [(Pass(kind, microbatch, stage),) for kind in "FB" for microbatch in range(m)]
        for stage in range(p)
    ]


def one_forward_one_backward(p: int, m: int) -> Orders:
    """1F1B: as few forwards ahead as keep the stages behind busy, then one of each in turn."""
    orders = []
    for stage in range(p):
        ahead = min(m, p - 1 - stage)
        forwards: list[Slot] = [(Pass("F", microbatch, stage),) for microbatch in range(m)]
        backwards: list[Slot] = [(Pass("B", microbatch, stage),) for microbatch in range(m)]
        orders.append(forwards[:ahead] + in_turn(forwards[ahead:], backwards))
    return orders


def in_turn(forwards: list[Slot], backwards: list[Slot]) -> list[Slot]:
    """One forward and one backward in turn, then the backwards that are left."""
    pairs = zip(forwards, backwards, strict=False)
    return [slot for pair in pairs for slot in pair] + backwards[len(forwards) :]


def interleaved(p: int, v: int, m: int) -> Orders:
    """Megatron-LM's: chunks change after every p microbatches, backwards take them in reverse."""
    orders = []
    for device in range(p):
        visits = [
            (start + microbatch, chunk)
            for start in range(0, m, p)
            for chunk in range(v)
            for microbatch in range(p)
        ]
        forwards: list[Slot] = [(Pass("F", mb, chunk * p + device),) for mb, chunk in visits]
        backwards: list[Slot] = [
            (Pass("B", mb, (v - 1 - chunk) * p + device),) for mb, chunk in visits
        ]
        ahead = min(m * v, 2 * (p - 1 - device) + (v - 1) * p)
        orders.append(forwards[:ahead] + in_turn(forwards[ahead:], backwards))
    return orders


def zero_bubble_h1(p: int, m: int) -> Orders:
    """1F1B in which stage i puts each weight gradient off by i microbatches."""
    orders = []
    for stage, plain in enumerate(one_forward_one_backward(p, m)):
        order: list[Slot] = []
        for slot in plain:
            kind, microbatch = slot[0].kind, slot[0].microbatch
            if kind == "F":
                order.append(slot)
                continue
            order.append((Pass("I", microbatch, stage),))
            if microbatch >= stage:
                order.append((Pass("W", microbatch - stage, stage),))
        order += [(Pass("W", microbatch, stage),) for microbatch in range(max(0, m - stage), m)]
        orders.append(order)
    return orders


def dualpipe(p: int, m: int) -> Orders:
    """DualPipe, as its code orders the passes: two streams of m/2 microbatches from both ends."""
    return [DualPipeDevice(p, device).order(m // 2) for device in range(p)]


class DualPipeDevice:
    """One device; direction 0 is that of the stream that enters at its half of the pipeline."""

    def __init__(self, p: int, device: int) -> None:
        self.p, self.device = p, device
        self.depth = min(device, p - 1 - device)
        self.flipped = device >= p // 2
        self.forwards, self.backwards = [0, 0], [0, 0]
        self.put_off: list[Pass] = []
        self.slots: list[Slot] = []

    def order(self, m: int) -> list[Slot]:
        outer = self.p // 2 - self.depth - 1
        inner = self.depth + 1
        for _ in range(2 * outer):
            self.add(self.forward(0))
        for _ in range(inner):
            self.add(self.forward(0))
            self.add(self.forward(1))
        for _ in range(outer):
            self.add(self.input_gradient(1))
            self.weight_gradient()
            self.add(self.forward(1))
        for turn in range(m - self.p + inner):
            if turn == 0 and outer == 0:
                self.add(self.forward(0))
                self.add(self.backward(1))
            else:
                self.add(self.forward(0), self.backward(1))
            self.add(self.forward(1), self.backward(0))
        for _ in range(outer):
            self.add(self.backward(1))
            self.add(self.forward(1), self.backward(0))
        for backward in range(2 * inner):
            direction = 1 - backward % 2
            halved = backward >= inner
            self.add(self.input_gradient(direction) if halved else self.backward(direction))
        for _ in range(outer):
            self.weight_gradient()
            self.add(self.input_gradient(0))
        for _ in range(inner):
            self.weight_gradient()
        return self.slots

    def add(self, *passes: Pass) -> None:
        self.slots.append(passes)

    def forward(self, direction: int) -> Pass:
        return self.next_pass("F", direction, self.forwards)

    def backward(self, direction: int) -> Pass:
        return self.next_pass("B", direction, self.backwards)

    def input_gradient(self, direction: int) -> Pass:
        one = self.next_pass("I", direction, self.backwards)
        self.put_off.append(one._replace(kind="W"))
        return one

    def weight_gradient(self) -> None:
        self.add(self.put_off.pop(0))

    def next_pass(self, kind: str, direction: int, counter: list[int]) -> Pass:
        stream = direction ^ self.flipped
        microbatch = counter[stream]
        counter[stream] += 1
        stage = self.p - 1 - self.device if stream else self.device
        return Pass(kind, microbatch, stage, stream)
