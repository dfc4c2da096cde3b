"""Devices that pass chunks of data along links, round by round, with every byte counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from typing import Any, TypeAlias

Device: TypeAlias = Any
"""Anything that can be looked up; so is a chunk."""
Chunk: TypeAlias = Any
Link: TypeAlias = tuple[Device, str]
"""The device that sends, and the port through which it does."""


@dataclass(frozen=True)
class Send:
    """One chunk on its way over one link."""

    source: Device
    target: Device
    port: str
    chunk: Chunk


Algorithm: TypeAlias = Iterator[Sequence[Send]]
"""What is sent in each round; it may look at who holds what between two rounds."""


@dataclass(frozen=True)
class Traffic:
    """The bytes on each link in each round."""

    rounds: tuple[Mapping[Link, Fraction], ...]

    def __add__(self, other: Traffic) -> Traffic:
        return Traffic(self.rounds + other.rounds)

    def seconds(self, bandwidth: Fraction, latency: Fraction = Fraction(0)) -> Fraction:
        """The time of all rounds, each as long as its busiest link, at one rate for all links."""
        return sum(
            (latency + max(load.values()) / bandwidth for load in self.rounds), start=Fraction(0)
        )

    def seconds_overlapping_latency(self, bandwidth: Fraction, latency: Fraction) -> Fraction:
        """The same where a round takes its latency or its transfer, whichever is longer."""
        return sum(
            (max(latency, max(load.values()) / bandwidth) for load in self.rounds),
            start=Fraction(0),
        )

    def on_links(self) -> Mapping[Link, Fraction]:
        """The bytes on each link in all rounds together."""
        total: dict[Link, Fraction] = defaultdict(Fraction)
        for load in self.rounds:
            for link, size in load.items():
                total[link] += size
        return total

    def sent_by_each(self) -> Fraction:
        """The bytes that each device sends, which must be the same for all."""
        sent: dict[Device, Fraction] = defaultdict(Fraction)
        for (device, _), size in self.on_links().items():
            sent[device] += size
        amounts = set(sent.values()) or {Fraction(0)}
        assert len(amounts) == 1, f"devices send different amounts: {sorted(amounts)}"
        return amounts.pop()


class Network:
    """Devices and the chunks that they hold, each with the devices whose part is in its sum."""

    def __init__(
        self, holdings: Mapping[Device, Mapping[Chunk, frozenset[Device]]], chunk_bytes: Fraction
    ) -> None:
        self.holdings = {device: dict(held) for device, held in holdings.items()}
        self.chunk_bytes = chunk_bytes

    def run(self, *algorithms: Algorithm) -> Traffic:
        """Carry out algorithms side by side, in lockstep."""
        return Traffic(
            tuple(
                self._round([send for sends in together for send in sends])
                for together in zip_longest(*algorithms, fillvalue=())
            )
        )

    def _round(self, sends: Sequence[Send]) -> Mapping[Link, Fraction]:
        parts = [self.holdings[send.source][send.chunk] for send in sends]
        load: dict[Link, Fraction] = defaultdict(Fraction)
        for send, part in zip(sends, parts, strict=True):
            load[send.source, send.port] += self.chunk_bytes
            self._deliver(self.holdings[send.target], send.chunk, part)
        return load

    def _deliver(
        self, held: dict[Chunk, frozenset[Device]], chunk: Chunk, part: frozenset[Device]
    ) -> None:
        mine = held.get(chunk, frozenset())
        assert not mine & part or mine <= part, f"a part of {chunk} would be added twice"
        held[chunk] = mine | part
