"""A[I, J] times B[J, K] on meshes: multiplied block by block, moved piece by piece."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import product

from tests.oracles import many_devices
from tests.oracles.clock import crossing, each, overlapped
from tests.oracles.layer_costs import flops_of_a_weight
from tests.oracles.machine import Machine, matrix
from tests.oracles.mesh import all_gather, all_reduce
from tests.oracles.routing import ring_all_to_all_slots
from tests.oracles.search import agreed, best, tendency

Cell = tuple[int, int]
OTHER_DIMENSIONS = ((30, 70), (110, 13))
"""To try where they should not matter."""


def count_flops(rows: int, inner: int, cols: int) -> int:
    machine = Machine()
    machine.matmul(matrix(rows, inner), matrix(inner, cols))
    return machine.flops


def seconds(rows: Fraction, inner: Fraction, cols: Fraction, peak: Fraction) -> Fraction:
    """Time of a matmul whose dimensions may be fractions, as those of a block are."""
    return flops_of_a_weight()[0] * rows * inner * cols / peak


def owners(rows: int, cols: int, x: int, y: int) -> dict[Cell, list[Cell]]:
    """The elements that each device of an x by y mesh holds: rows over x, columns over y."""
    held: dict[Cell, list[Cell]] = defaultdict(list)
    for row, col in product(range(rows), range(cols)):
        held[row * x // rows, col * y // cols].append((row, col))
    return held


# The four cases


def multiply_blocks(
    I: Fraction, J: Fraction, K: Fraction, x: Fraction, y: Fraction, P: Fraction
) -> Fraction:
    """The device that is last to finish its block of the output."""
    counts = []
    for cells in owners(int(I), int(K), int(x), int(y)).values():
        rows, cols = ({cell[axis] for cell in cells} for axis in (0, 1))
        counts.append(count_flops(len(rows), int(J), len(cols)))
    return max(counts) / P


def array_bytes(rows: Fraction, cols: Fraction, b: Fraction) -> Fraction:
    return sum((b for _ in product(each(rows), each(cols))), start=Fraction(0))


def gather_left_operand(b: Fraction, I: Fraction, J: Fraction, W_b: Fraction) -> Fraction:
    return many_devices.gather_seconds(array_bytes(I, J, b), W_b)


def reduce_partial_outputs(b: Fraction, I: Fraction, K: Fraction, W_b: Fraction) -> Fraction:
    return many_devices.reduce_seconds(array_bytes(I, K, b), W_b)


def scatter_partial_outputs(b: Fraction, I: Fraction, K: Fraction, W_b: Fraction) -> Fraction:
    return many_devices.scatter_seconds(array_bytes(I, K, b), W_b)


def gather_either_operand(
    b: Fraction, I: Fraction, J: Fraction, K: Fraction, W_b: Fraction
) -> Fraction:
    """Both ways of doing it, and the faster one."""
    left, right = array_bytes(I, J, b), array_bytes(J, K, b)
    return min(many_devices.gather_seconds(operand, W_b) for operand in (left, right))


def multiply_what_has_arrived(
    I: Fraction, J: Fraction, K: Fraction, x: Fraction, P: Fraction, b: Fraction, W_b: Fraction
) -> Fraction:
    """Ever finer slices of A arrive one after another; each is multiplied once it is there."""
    gather = many_devices.gather_seconds(array_bytes(I, J, b), W_b)
    slice_seconds = seconds(I, J, K / x, P)

    def finish(slices: int) -> Fraction:
        done = Fraction(0)
        for arrived in range(slices):
            there = gather * (arrived + 1) / slices
            done = max(done, there) + slice_seconds / slices
        return done

    return tendency(finish, (8, 12, 40))


# Thresholds and choices


def output_dim_that_hides_the_gather(
    b: Fraction, x: Fraction, P: Fraction, W_b: Fraction
) -> Fraction:
    def threshold(I: int, J: int) -> Fraction:
        gather = many_devices.gather_seconds(b * I * J, W_b)
        return crossing(lambda K: seconds(Fraction(I), Fraction(J), K / x, P) - gather)

    return agreed(threshold(*others) for others in OTHER_DIMENSIONS)


def contraction_that_hides_the_scatter(
    b: Fraction, x: Fraction, P: Fraction, W_b: Fraction
) -> Fraction:
    def threshold(I: int, K: int) -> Fraction:
        scatter = many_devices.scatter_seconds(b * I * K, W_b)
        return crossing(lambda J: seconds(Fraction(I), J / x, Fraction(K), P) - scatter)

    return agreed(threshold(*others) for others in OTHER_DIMENSIONS)


def bytes_sent_before_over_after(J: Fraction, K: Fraction) -> Fraction:
    """What a device of a ring sends to gather A, over what it sends to all-reduce the output."""
    rows, width = Fraction(3), Fraction(2)
    before = all_gather(array_bytes(rows, J, width), (5,)).sent_by_each()
    after = all_reduce(array_bytes(rows, K, width), (5,)).sent_by_each()
    return before / after


def race_of_two_plans(
    B: Fraction, D: Fraction, F: Fraction, P: Fraction, b: Fraction, W_b: Fraction, x: Fraction
) -> Fraction:
    """Gather the weight and repeat the matmul, or multiply a slice and reduce the output.

    In both, multiplication and communication start together, and the later of them decides.
    """

    def together(multiply: Fraction, communicate: Fraction) -> Fraction:
        return overlapped((multiply, Fraction(1)), (communicate, Fraction(1)))

    gathering = together(seconds(B, D, F, P), many_devices.gather_seconds(b * D * F, W_b))
    partial = together(seconds(B, D / x, F, P), many_devices.reduce_seconds(b * B * F, W_b))
    return gathering - partial


# Arrays on a mesh


def elements_on_a_device(
    b: Fraction, I: Fraction, J: Fraction, x: Fraction, y: Fraction
) -> Fraction:
    return agreed(len(cells) * b for cells in owners(int(I), int(J), int(x), int(y)).values())


def turn_rows_into_columns(b: Fraction, I: Fraction, J: Fraction, W_b: Fraction) -> Fraction:
    """Blocks that change owner when an even ring holds columns instead of rows."""

    def on_ring(size: int) -> Fraction:
        by_rows, by_cols = owners(int(I), int(J), size, 1), owners(int(I), int(J), 1, size)
        block = agreed(
            len(set(by_rows[source, 0]) & set(by_cols[0, target])) * b
            for source, target in product(range(size), repeat=2)
        )
        return ring_all_to_all_slots(size, both_ways=True) * (block / 2) / (W_b / 2)

    return agreed(on_ring(size) for size in (4, 6))


# Two-dimensional matmul


def foreign_elements(I: int, J: int, K: int, x: int, y: int) -> Fraction:
    """Elements of A and B that a device needs for its block of the output but does not hold."""
    left, right = owners(I, J, x, y), owners(J, K, x, y)
    outputs = owners(I, K, x, y)
    needed = []
    for device in product(range(x), range(y)):
        rows = {row for row, _ in outputs[device]}
        cols = {col for _, col in outputs[device]}
        a = {(row, inner) for row in rows for inner in range(J)} - set(left[device])
        b = {(inner, col) for inner in range(J) for col in cols} - set(right[device])
        needed.append(Fraction(len(a) + len(b)))
    return agreed(needed)


def blocks_received(
    b: Fraction, I: Fraction, J: Fraction, K: Fraction, x: Fraction, y: Fraction
) -> Fraction:
    return b * foreign_elements(int(I), int(J), int(K), int(x), int(y))


def best_of_all_meshes(n: Fraction, I: Fraction, K: Fraction) -> Fraction:
    """The rows of the n-device mesh on which devices receive least, all meshes tried."""
    devices = int(n)
    sides = [x for x in range(1, devices + 1) if devices % x == 0]

    def received(x: int) -> Fraction:
        return foreign_elements(int(I), devices, int(K), x, devices // x)

    return Fraction(best(received, sides))
