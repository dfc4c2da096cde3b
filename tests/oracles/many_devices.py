"""How long collectives take as rings and pipelines grow without end, from simulated small ones."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from tests.oracles.mesh import BOTH_WAYS, all_gather, all_reduce, reduce_scatter, rotations
from tests.oracles.routing import in_network_all_reduce_slots, pipeline_slots
from tests.oracles.search import tendency
from tests.oracles.wires import Traffic

ONE_BYTE = Fraction(1)
HALF = Fraction(1, 2)


def gather_seconds(volume: Fraction, both_ways: Fraction, axes: int = 1) -> Fraction:
    """All-gather over torus axes at once, links in use both ways, each way at half the rate."""
    return volume / both_ways * _torus_seconds(all_gather, axes)


def scatter_seconds(volume: Fraction, both_ways: Fraction, axes: int = 1) -> Fraction:
    return volume / both_ways * _torus_seconds(reduce_scatter, axes)


def reduce_seconds(volume: Fraction, both_ways: Fraction, axes: int = 1) -> Fraction:
    return volume / both_ways * _torus_seconds(all_reduce, axes)


def one_way_reduce_seconds(volume: Fraction, egress: Fraction) -> Fraction:
    """All-reduce on a ring of members that each send at their egress rate."""
    return volume / egress * _one_way_reduce()


def chain_seconds(volume: Fraction, bandwidth: Fraction, links: int) -> Fraction:
    """Ever smaller pieces of a message, down a chain of links."""

    def seconds(pieces: int) -> Fraction:
        return Fraction(pipeline_slots(links, pieces), pieces)

    return volume / bandwidth * tendency(seconds, (3, 4, 9))


def in_network_reduce_seconds(volume: Fraction, egress: Fraction) -> Fraction:
    """Ever smaller pieces of an array, summed by the switch that joins the devices."""

    def seconds(pieces: int) -> Fraction:
        return Fraction(in_network_all_reduce_slots(5, pieces), pieces)

    return volume / egress * tendency(seconds, (3, 4, 9))


@cache
def _torus_seconds(collective: Callable[..., Traffic], axes: int) -> Fraction:
    sides = {1: (3, 4, 7), 2: (2, 3, 4), 3: (2, 3)}[axes]
    per_side = {side**axes: side for side in sides}

    def seconds(devices: int) -> Fraction:
        torus = (per_side[devices],) * axes
        traffic = collective(ONE_BYTE, torus, ways=BOTH_WAYS, orders=rotations(axes))
        return traffic.seconds(HALF)

    return tendency(seconds, list(per_side))


@cache
def _one_way_reduce() -> Fraction:
    return tendency(lambda size: all_reduce(ONE_BYTE, (size,)).seconds(ONE_BYTE), (3, 4, 7))
