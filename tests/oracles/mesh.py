"""Collectives on rings and tori, simulated chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from tests.oracles.wires import Algorithm, Network, Send, Traffic

ONE_WAY = (1,)
BOTH_WAYS = (1, -1)


class Mesh:
    """A torus whose array is cut into one shard a device, and each shard into pieces.

    A piece goes its own way: along the axes in an order of its own, in a direction of its own.
    """

    def __init__(self, volume: Fraction, sides: Sequence[int], pieces: int = 1) -> None:
        self.sides = tuple(sides)
        self.devices = list(product(*map(range, self.sides)))
        self.chunks = [(owner, piece) for owner in self.devices for piece in range(pieces)]
        self.chunk_bytes = volume / len(self.chunks)
        self.everyone = frozenset(self.devices)

    def sharded(self) -> Network:
        """Each device holds its own finished shard."""
        held = {
            device: {chunk: self.everyone for chunk in self.chunks if chunk[0] == device}
            for device in self.devices
        }
        return Network(held, self.chunk_bytes)

    def unreduced(self) -> Network:
        """Each device holds its own part of the sum of the whole array."""
        held = {device: dict.fromkeys(self.chunks, frozenset([device])) for device in self.devices}
        return Network(held, self.chunk_bytes)

    def is_gathered(self, network: Network) -> bool:
        finished = dict.fromkeys(self.chunks, self.everyone)
        return all(network.holdings[device] == finished for device in self.devices)

    def lines(self, axis: int) -> Iterator[list[tuple[int, ...]]]:
        """The rings along one axis."""
        for start in self.devices:
            if start[axis] == 0:
                yield [
                    (*start[:axis], place, *start[axis + 1 :]) for place in range(self.sides[axis])
                ]

    def group(
        self,
        line: Sequence[tuple[int, ...]],
        place: int,
        axis: int,
        free: Sequence[int],
        piece: int,
    ) -> list[tuple[tuple[int, ...], int]]:
        """The chunks of a ring that belong to one place of it; free axes are gathered already."""
        fixed = [a for a in range(len(self.sides)) if a != axis and a not in free]
        return [
            (owner, part)
            for owner, part in self.chunks
            if part == piece and owner[axis] == place and all(owner[a] == line[0][a] for a in fixed)
        ]

    def gather(self, order: Sequence[int], piece: int, way: int) -> Algorithm:
        """All-gather of one piece along the axes in order, round the rings one way."""
        for position, axis in enumerate(order):
            yield from self.gather_axis(axis, order[:position], piece, way)

    def scatter(self, order: Sequence[int], piece: int, way: int) -> Algorithm:
        """Reduce-scatter of one piece, the gather along the same order run backwards."""
        for position, axis in reversed(list(enumerate(order))):
            yield from self.scatter_axis(axis, order[:position], piece, way)

    def gather_axis(self, axis: int, free: Sequence[int], piece: int, way: int) -> Algorithm:
        size = self.sides[axis]
        for turn in range(size - 1):
            yield [
                Send(device, line[(place + way) % size], f"{axis}{way:+d}", chunk)
                for line in self.lines(axis)
                for place, device in enumerate(line)
                for chunk in self.group(line, (place - way * turn) % size, axis, free, piece)
            ]

    def scatter_axis(self, axis: int, free: Sequence[int], piece: int, way: int) -> Algorithm:
        size = self.sides[axis]
        for turn in range(size - 1):
            yield [
                Send(device, line[(place + way) % size], f"{axis}{way:+d}", chunk)
                for line in self.lines(axis)
                for place, device in enumerate(line)
                for chunk in self.group(line, (place - way * (turn + 1)) % size, axis, free, piece)
            ]


def rotations(axes: int) -> list[tuple[int, ...]]:
    """Orders of the axes such that at any time each axis serves one of them."""
    return [tuple((start + step) % axes for step in range(axes)) for start in range(axes)]


def all_gather(
    volume: Fraction,
    sides: Sequence[int],
    *,
    ways: Sequence[int] = ONE_WAY,
    orders: Sequence[Sequence[int]] = ((0,),),
) -> Traffic:
    """Gather an array of `volume` bytes: one piece of a shard for every order and direction."""
    plans = list(product(orders, ways))
    mesh = Mesh(volume, sides, len(plans))
    network = mesh.sharded()
    traffic = network.run(*(mesh.gather(o, piece, w) for piece, (o, w) in enumerate(plans)))
    assert mesh.is_gathered(network), "the gather left a device without a shard"
    return traffic


def reduce_scatter(
    volume: Fraction,
    sides: Sequence[int],
    *,
    ways: Sequence[int] = ONE_WAY,
    orders: Sequence[Sequence[int]] = ((0,),),
) -> Traffic:
    """Sum an array of `volume` bytes on every device, and leave each device its shard."""
    plans = list(product(orders, ways))
    mesh = Mesh(volume, sides, len(plans))
    network = mesh.unreduced()
    traffic = network.run(*(mesh.scatter(o, piece, w) for piece, (o, w) in enumerate(plans)))
    for owner, piece in mesh.chunks:
        assert network.holdings[owner][owner, piece] == mesh.everyone, "the sum is not complete"
    return traffic


def all_reduce(
    volume: Fraction,
    sides: Sequence[int],
    *,
    ways: Sequence[int] = ONE_WAY,
    orders: Sequence[Sequence[int]] = ((0,),),
) -> Traffic:
    """Reduce-scatter, then gather what it left."""
    plans = list(product(orders, ways))
    mesh = Mesh(volume, sides, len(plans))
    network = mesh.unreduced()
    down = network.run(*(mesh.scatter(o, piece, w) for piece, (o, w) in enumerate(plans)))
    up = network.run(*(mesh.gather(o, piece, w) for piece, (o, w) in enumerate(plans)))
    assert mesh.is_gathered(network), "a device is left without the sum"
    return down + up


def whole_shard_all_gather(volume: Fraction, size: int) -> Traffic:
    """Gather on a ring where shards go both ways uncut, each until the two ends meet."""
    mesh = Mesh(volume, (size,))
    network = mesh.sharded()
    algorithms = []
    for way, turns in ((1, size // 2), (-1, (size - 1) // 2)):
        rounds = mesh.gather_axis(0, (), 0, way)
        algorithms.append(iter([list(next(rounds)) for _ in range(turns)]))
    traffic = network.run(*algorithms)
    assert mesh.is_gathered(network), "the two ends did not meet"
    return traffic


def hierarchical_all_reduce(
    volume: Fraction, nodes: int, per_node: int
) -> tuple[Traffic, Traffic, Traffic]:
    """Reduce-scatter in the nodes, all-reduce across them, all-gather in the nodes."""
    mesh = Mesh(volume, (nodes, per_node))
    network = mesh.unreduced()
    across, within = (0, 1), 1
    down = network.run(mesh.scatter_axis(within, across[:1], 0, 1))
    rails = network.run(mesh.scatter_axis(0, (), 0, 1)) + network.run(mesh.gather_axis(0, (), 0, 1))
    up = network.run(mesh.gather_axis(within, across[:1], 0, 1))
    assert mesh.is_gathered(network), "a device is left without the sum"
    return down, rails, up
