"""Kernels run element by element, and the clocks of the roofline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product

from tests.oracles.clock import crossing, each, elapsed, first, overlapped


@dataclass
class Tally:
    """FLOPs done and elements touched; an element counts once, however often it is used."""

    flops: int = 0
    touched: set[tuple[object, ...]] = field(default_factory=set)

    def n_touched(self, array: str) -> int:
        return sum(element[0] == array for element in self.touched)

    def multiply_add(self, *elements: tuple[object, ...]) -> None:
        self.flops += 2
        self.touched.update(elements)


def matmul(rows: Fraction, inner: Fraction, cols: Fraction) -> Tally:
    """x[rows, inner] times w[inner, cols], a multiply and an add at a time."""
    tally = Tally()
    for i, j, k in product(each(rows), each(cols), each(inner)):
        tally.multiply_add(("x", i, k), ("w", k, j), ("y", i, j))
    return tally


# Time


def compute_time(C: Fraction, P: Fraction) -> Fraction:
    return elapsed(C, P)


def memory_time(M: Fraction, W: Fraction) -> Fraction:
    return elapsed(M, W)


def communication_time(V: Fraction, W: Fraction) -> Fraction:
    return elapsed(V, W)


def overlapped_kernel(C: Fraction, P: Fraction, M: Fraction, W: Fraction) -> Fraction:
    return overlapped((C, P), (M, W))


def serial_kernel(C: Fraction, P: Fraction, M: Fraction, W: Fraction) -> Fraction:
    return elapsed(C, P) + elapsed(M, W)


def gain_of_overlap(t1: Fraction, t2: Fraction) -> Fraction:
    one = Fraction(1)
    together = overlapped((t1, one), (t2, one))
    return (elapsed(t1, one) + elapsed(t2, one)) / together


def share_of_best_time(C: Fraction, P: Fraction, M: Fraction, W: Fraction, t: Fraction) -> Fraction:
    return overlapped((C, P), (M, W)) / t


def amdahl(f: Fraction, k: Fraction) -> Fraction:
    """Unit jobs one after another, a share f of them k times as fast."""
    job, plain = Fraction(1), Fraction(1)
    jobs = f.denominator
    rates = [k] * int(f * jobs) + [plain] * int((1 - f) * jobs)
    after = sum((elapsed(job, rate) for rate in rates), Fraction(0))
    return jobs * job / plain / after


# Intensity


def flops_for_each_byte(C: Fraction, M: Fraction) -> Fraction:
    """The rate of FLOPs that keeps up with one byte a second."""
    return crossing(lambda rate: M - C / rate)


def balanced_intensity(P: Fraction, W: Fraction) -> Fraction:
    """FLOPs done with each byte so that arithmetic and traffic end together."""
    n_bytes = Fraction(7)
    return crossing(lambda flops: elapsed(flops * n_bytes, P) - elapsed(n_bytes, W))


def achieved_rate(P: Fraction, W: Fraction, I: Fraction) -> Fraction:
    """FLOP/s of a long kernel that does I FLOPs with each byte."""
    n_bytes = Fraction(11)
    return I * n_bytes / overlapped((I * n_bytes, P), (n_bytes, W))


def compute_over_memory_time(C: Fraction, W: Fraction, M: Fraction, P: Fraction) -> Fraction:
    return elapsed(C, P) / elapsed(M, W)


def matmul_flops(B: Fraction, D: Fraction, F: Fraction) -> Fraction:
    return Fraction(matmul(B, D, F).flops)


def matmul_traffic(
    b_x: Fraction, b_w: Fraction, b_y: Fraction, B: Fraction, D: Fraction, F: Fraction
) -> Fraction:
    done = matmul(B, D, F)
    return sum(
        (width * done.n_touched(array) for array, width in (("x", b_x), ("w", b_w), ("y", b_y))),
        Fraction(0),
    )


def matmul_traffic_one_width(B: Fraction, D: Fraction, F: Fraction, b: Fraction) -> Fraction:
    return b * len(matmul(B, D, F).touched)


def matmul_intensity(B: Fraction, D: Fraction, F: Fraction, b: Fraction) -> Fraction:
    done = matmul(B, D, F)
    return done.flops / (b * len(done.touched))


def flops_for_each_weight_byte(B: Fraction, b_w: Fraction) -> Fraction:
    done = matmul(B, Fraction(3), Fraction(5))
    return done.flops / (b_w * done.n_touched("w"))


def batched_matmul(rows: Fraction, inner: Fraction, cols: Fraction) -> Tally:
    """Each row times a matrix of its own."""
    tally = Tally()
    for i, j, k in product(each(rows), each(cols), each(inner)):
        tally.multiply_add(("x", i, k), ("w", i, k, j), ("y", i, j))
    return tally


def batched_matmul_intensity(B: Fraction, D: Fraction, F: Fraction, b: Fraction) -> Fraction:
    done = batched_matmul(B, D, F)
    return done.flops / (b * len(done.touched))


def flops_for_each_own_matrix_byte(b: Fraction) -> Fraction:
    done = batched_matmul(Fraction(2), Fraction(3), Fraction(5))
    return done.flops / (b * done.n_touched("w"))


def dot_product_intensity(N: Fraction, b: Fraction) -> Fraction:
    flops, elements = 0, 0
    for i in each(N):
        flops += 1 if i == 0 else 2
        elements += 2
    return flops / (b * (elements + 1))


def marginal_dot_product_intensity(b: Fraction) -> Fraction:
    """FLOPs over bytes that one more pair of elements adds."""
    here, there = Fraction(5), Fraction(6)
    flops = [dot_product_intensity(n, b) * b * (2 * n + 1) for n in (here, there)]
    return (flops[1] - flops[0]) / (b * 2 * (there - here))


def elementwise_intensity(b: Fraction) -> Fraction:
    flops, traffic = 0, Fraction(0)
    for _ in range(13):
        flops += 1
        traffic += b + b + b
    return flops / traffic


# Where a matmul becomes compute bound. Its rows do the same work, so one is run, for any batch.


def gap_to_intensity(
    batch: Fraction, I: Fraction, D: Fraction, F: Fraction, widths: tuple[Fraction, ...]
) -> Fraction:
    """FLOPs of a batch of rows, less those that its bytes would keep busy at intensity I."""
    row = matmul(Fraction(1), D, F)
    b_x, b_w, b_y = widths
    traffic = b_w * row.n_touched("w") + batch * (
        b_x * row.n_touched("x") + b_y * row.n_touched("y")
    )
    return batch * row.flops - I * traffic


def critical_batch(b: Fraction, I: Fraction, D: Fraction, F: Fraction) -> Fraction:
    return crossing(lambda batch: gap_to_intensity(batch, I, D, F, (b, b, b)))


def first_compute_bound_batch(b: Fraction, I: Fraction, D: Fraction, F: Fraction) -> Fraction:
    widths = (b, b, b)
    return Fraction(first(lambda batch: gap_to_intensity(Fraction(batch), I, D, F, widths) > 0, 1))


def critical_batch_of_widths(
    b_w: Fraction, b_x: Fraction, b_y: Fraction, I: Fraction, D: Fraction, F: Fraction
) -> Fraction:
    return crossing(lambda batch: gap_to_intensity(batch, I, D, F, (b_x, b_w, b_y)))


def critical_batch_of_weight_reads(b_w: Fraction, P: Fraction, W: Fraction) -> Fraction:
    row = matmul(Fraction(1), Fraction(3), Fraction(5))
    read = b_w * row.n_touched("w") / W
    return crossing(lambda batch: batch * row.flops / P - read)


def balanced_two_chip_dim(b: Fraction, P: Fraction, W: Fraction) -> Fraction:
    """Each of two chips contracts half of D and sends its B x F partial sums to the other."""
    outputs = matmul(Fraction(2), Fraction(1), Fraction(3)).n_touched("y")
    flops_for_each_inner = matmul(Fraction(2), Fraction(1), Fraction(3)).flops
    sent = elapsed(b * outputs, W)
    return crossing(lambda inner: inner / 2 * flops_for_each_inner / P - sent)


# Tiles


def tiles(length: Fraction, tile: Fraction) -> Iterator[Fraction]:
    """The widths that whole tiles run over a dimension."""
    covered = Fraction(0)
    while covered < length:
        yield tile
        covered += tile


def tiled_matmul_flops(
    B: Fraction, D: Fraction, F: Fraction, tb: Fraction, td: Fraction, tf: Fraction
) -> Fraction:
    return sum(
        (matmul_flops(*block) for block in product(tiles(B, tb), tiles(D, td), tiles(F, tf))),
        Fraction(0),
    )


def useful_share_of_tiles(
    B: Fraction, D: Fraction, F: Fraction, tb: Fraction, td: Fraction, tf: Fraction
) -> Fraction:
    return matmul_flops(B, D, F) / tiled_matmul_flops(B, D, F, tb, td, tf)


# Utilisation


def share_of_peak(work: Fraction, t: Fraction, n: Fraction, P: Fraction) -> Fraction:
    """Work over what n devices could do in t, added up device by device and second by second."""
    possible = Fraction(0)
    for _device in each(n):
        for _second in range(int(t)):
            possible += P
        possible += (t - int(t)) * P
    return work / possible


def model_flops_share(C: Fraction, t: Fraction, n: Fraction, P: Fraction) -> Fraction:
    return share_of_peak(C, t, n, P)


def executed_flops_share(C_hw: Fraction, t: Fraction, n: Fraction, P: Fraction) -> Fraction:
    return share_of_peak(C_hw, t, n, P)
