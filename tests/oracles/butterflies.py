"""All-reduces in which partners at doubling distances exchange, simulated chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.oracles.wires import Algorithm, Network, Send, Traffic


def recursive_doubling(volume: Fraction, size: int) -> Traffic:
    """Partners exchange all they have, at distances 1, 2, 4, ..."""
    everyone = frozenset(range(size))
    network = Network({i: {"all": frozenset([i])} for i in range(size)}, volume)
    traffic = network.run(_exchanges(size, upwards=True, chunks=lambda *_: ["all"]))
    assert all(held == {"all": everyone} for held in network.holdings.values())
    return traffic


def halving_and_doubling(volume: Fraction, size: int) -> Traffic:
    """A reduce-scatter at halving distances, then an all-gather at doubling ones."""
    everyone = frozenset(range(size))
    start = {i: dict.fromkeys(range(size), frozenset([i])) for i in range(size)}
    network = Network(start, volume / size)

    def partners_half(device: int, partner: int, distance: int) -> list[int]:
        return [c for c in range(size) if c // distance == partner // distance]

    def own_part(device: int, partner: int, distance: int) -> list[int]:
        return [c for c in range(size) if c // distance == device // distance]

    down = network.run(_exchanges(size, upwards=False, chunks=partners_half))
    up = network.run(_exchanges(size, upwards=True, chunks=own_part))
    assert all(set(held.values()) == {everyone} for held in network.holdings.values())
    return down + up


def _exchanges(
    size: int, *, upwards: bool, chunks: Callable[[int, int, int], list[int] | list[str]]
) -> Algorithm:
    distances: list[int] = []
    while (distance := 2 ** len(distances)) < size:
        distances.append(distance)
    assert 2 ** len(distances) == size, "partners pair up only among a power of two"
    for distance in distances if upwards else reversed(distances):
        yield [
            Send(device, device ^ distance, "network", chunk)
            for device in range(size)
            for chunk in chunks(device, device ^ distance, distance)
        ]
