"""Slips in a finished row of an answer, and rows put together from parts that may be wrong."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.oracles.task_references import (
    DAY,
    GIB,
    Cell,
    Row,
    chips_for_cache,
    chips_for_training_state,
    least,
    matmul_flops,
    smallest_compute_bound_batch,
)

GB = 10**9


# Slips in a finished row


def numbers(row: Row) -> tuple[Fraction, ...]:
    """The numeric cells of a row."""
    return tuple(cell for cell in row if isinstance(cell, Fraction))


def scaled(row: Row, factor: Fraction | int) -> Row:
    """Every number of a row too large by a factor; labels as they are."""
    return tuple(cell * factor if isinstance(cell, Fraction) else cell for cell in row)


def inverted(row: Row) -> Row:
    """One over each number of a row."""
    return tuple(1 / cell if isinstance(cell, Fraction) else cell for cell in row)


def ending(row: Row, *cells: Cell) -> Row:
    """A row that is right except for its last cells."""
    return (*row[: -len(cells)], *cells)


def last_inverted(row: Row) -> Row:
    """A row whose last cell, a ratio, is the wrong way round."""
    return ending(row, *inverted(row[-1:]))


def in_gigabytes(row: Row, gibibytes: int) -> Row:
    """A row whose last numbers, of GiB, are counted in GB instead."""
    return ending(row, *scaled(row[-gibibytes:], Fraction(GIB, GB)))


def other_label(row: Row, one: str, other: str) -> Row:
    """A row that ends in the wrong one of two labels."""
    return ending(row, one if row[-1] == other else other)


# Rows of tasks that their reference cannot be bent to


def counted(flops: Fraction, moved: Fraction) -> Row:
    """FLOPs, bytes and their ratio."""
    return flops, moved, flops / moved


def timed(compute: Fraction, memory: Fraction) -> Row:
    """Seconds of arithmetic, of traffic, and of the slower of the two."""
    return compute, memory, max(compute, memory)


def crossing(intensity: Callable[[int], Fraction], I: Fraction) -> Row:
    """The least number of rows with an intensity above I, and the intensity there."""
    smallest = least(lambda rows: intensity(rows) > I)
    return Fraction(smallest), intensity(smallest)


def one_batch_short(D: Fraction, F: Fraction, b: Fraction, I: Fraction) -> Row:
    """The batch below the least one that is compute bound, and its intensity."""
    (smallest, _) = numbers(smallest_compute_bound_batch(D, F, b, I))
    rows = smallest - 1
    return rows, matmul_flops(rows, D, F) / (b * (rows * D + D * F + rows * F))


def passes(forward: Fraction, backward: Fraction) -> Row:
    """Total, forward and backward FLOPs."""
    return forward + backward, forward, backward


def layer(mlp: Fraction, attention: Fraction) -> Row:
    """Parameters of the MLP, of attention, and of both."""
    return mlp, attention, mlp + attention


def model(layers: Fraction, of_layer: Fraction, vocabulary: Fraction) -> Row:
    """Parameters of all layers and of the vocabulary's matrices."""
    return (layers * of_layer + vocabulary,)


def share(mlp: Fraction, attention: Fraction) -> Row:
    """FLOPs of the MLP and of attention, and attention over their sum."""
    return mlp, attention, attention / (mlp + attention)


def multiplied_by_mfu(N: Fraction, D: Fraction, n: Fraction, P: Fraction, u: Fraction) -> Row:
    """A run that gets faster the less its chips are utilised."""
    flops = 6 * N * D
    seconds = flops * u / (n * P)
    return flops, seconds, seconds / DAY


def priced(chip_hours: Fraction, price: Fraction) -> Row:
    """Chip-hours and what they cost."""
    return chip_hours, chip_hours * price


def adam(weights: Fraction, optimizer: Fraction) -> Row:
    """GiB of the working weights, of the optimizer state, and of both."""
    return weights / GIB, optimizer / GIB, (weights + optimizer) / GIB


def decimal_capacity(N: Fraction, b_w: Fraction, b_o: Fraction, H: Fraction, u: Fraction) -> Row:
    """Usable bytes of a chip of H GB, and the fewest such chips for weights and optimizer."""
    return chips_for_training_state(N, b_w, b_o, H * GB / GIB, u)


def too_few_chips(N: Fraction, b_w: Fraction, b_o: Fraction, H: Fraction, u: Fraction) -> Row:
    """As many chips as weights and optimizer state fill."""
    usable = H * GIB * u / 100
    return usable, Fraction((N * b_w + N * b_o) // usable)


def share_of_all_chips(H: Fraction, C: Fraction, R: Fraction) -> Row:
    """The fewest chips that hold a cache, and the part of them all that one request fills."""
    (chips, _) = numbers(chips_for_cache(H, C, R))
    return chips, R / (chips * H)


def sent(bytes: Fraction, bandwidth: Fraction) -> Row:
    """Bytes that a device sends, and the seconds that takes."""
    return bytes, bytes / bandwidth


def gradient_sent(gradient: Fraction, bytes: Fraction, bandwidth: Fraction) -> Row:
    """Bytes of the gradient, bytes that a device sends, and the seconds that takes."""
    return gradient, bytes, bytes / bandwidth


def overlapped(communication: Fraction, compute: Fraction) -> Row:
    """Communication over compute time, and the longer of the two."""
    ratio = communication / compute
    return ratio, "communication" if communication > compute else "compute"


def weighed(data_parallel: Fraction, tensor_parallel: Fraction) -> Row:
    """Bytes under data and under tensor parallelism, and the latter over the former."""
    return data_parallel, tensor_parallel, tensor_parallel / data_parallel


def bound(flops: Fraction, moved: Fraction, critical: Fraction) -> Row:
    """FLOPs and intensity of a decode step, and what bounds it."""
    intensity = flops / moved
    return flops, intensity, "compute" if intensity > critical else "memory"


def batch_above(flops: Fraction, moved: Fraction, critical: Fraction) -> Row:
    """The least batch that is compute bound, by FLOPs of a sequence and bytes of a step."""
    return (Fraction(least(lambda sequences: sequences * flops / moved > critical)),)


def cached(cache: Fraction, weights: Fraction) -> Row:
    """Bytes of the cache, bytes of the weights, and the cache over both."""
    return cache, weights, cache / (cache + weights)


def speed(read: Fraction, bandwidth: Fraction, sequences: Fraction) -> Row:
    """Seconds of a step, and tokens per second of a sequence and of the batch."""
    seconds = read / bandwidth
    return seconds, 1 / seconds, sequences / seconds
