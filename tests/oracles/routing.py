"""Packets that queue for links: all-to-alls on rings and lines, pipelines, switches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction

from tests.oracles.wires import Algorithm, Network, Send, Traffic


def slots_to_deliver(routes: Sequence[Sequence[Hashable]]) -> int:
    """The time slots until every packet has gone over the links of its route, in order.

    A link carries one packet a slot, the one that has farthest to go.
    """
    left = [list(route) for route in routes if route]
    slots = 0
    while left:
        queues: dict[Hashable, list[list[Hashable]]] = defaultdict(list)
        for route in left:
            queues[route[0]].append(route)
        for queue in queues.values():
            del max(queue, key=len)[0]
        left = [route for route in left if route]
        slots += 1
    return slots


def ring_all_to_all_slots(size: int, *, both_ways: bool) -> int:
    """Slots of half a block each, blocks the shorter way round if both ways are open.

    Blocks that go half-way round send one half each way.
    """
    routes = []
    for source in range(size):
        for hops in range(1, size):
            forward = [(source + step) % size for step in range(hops)]
            backward = [("back", (source - step) % size) for step in range(size - hops)]
            ways: list[list[Hashable]] = [list(forward), list(backward)]
            if not both_ways or 2 * hops < size:
                ways[1] = list(forward)
            elif 2 * hops > size:
                ways[0] = list(backward)
            routes += ways
    return slots_to_deliver(routes)


def line_all_to_all_slots(size: int) -> int:
    """Slots of a block each on a line whose two ends are not joined."""
    routes = []
    for source in range(size):
        for target in range(size):
            step = 1 if target > source else -1
            routes.append([(place, step) for place in range(source, target, step)])
    return slots_to_deliver(routes)


def pipeline_slots(links: int, pieces: int) -> int:
    """Slots of a piece each until all pieces have gone down a chain of links."""
    return slots_to_deliver([list(range(links)) for _ in range(pieces)])


def in_network_all_reduce_slots(devices: int, pieces: int) -> int:
    """Slots of a piece each: up to a switch that adds, and down to all as soon as it has.

    Up and down links carry one piece a slot at the same time.
    """
    at_switch: list[set[int]] = [set() for _ in range(pieces)]
    received = [0] * devices
    slots = 0
    while min(received) < pieces:
        ready = [piece for piece in range(pieces) if len(at_switch[piece]) == devices]
        for device in range(devices):
            if received[device] < len(ready):
                received[device] += 1
            if slots < pieces:
                at_switch[slots].add(device)
        slots += 1
    return slots


def switch_all_to_all(volume: Fraction, size: int) -> Traffic:
    """Blocks go straight through a switch, each device to another one in every round."""
    blocks = {i: {(i, j): frozenset([i]) for j in range(size)} for i in range(size)}
    network = Network(blocks, volume / size**2)

    def rounds() -> Algorithm:
        for shift in range(1, size):
            targets = [(source + shift) % size for source in range(size)]
            assert len(set(targets)) == size, "two devices would send to the same one"
            yield [Send(i, j, "switch", (i, j)) for i, j in enumerate(targets)]

    traffic = network.run(rounds())
    for target in range(size):
        assert all((source, target) in network.holdings[target] for source in range(size))
    return traffic
