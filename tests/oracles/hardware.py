"""Accelerators cycle by cycle, cell by cell and device by device."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

from tests.oracles.clock import crossing, each, elapsed, overlapped, shares


def run_cycles(cycles: Fraction, flops_in_a_cycle: int) -> Fraction:
    return sum((Fraction(flops_in_a_cycle) for _ in each(cycles)), Fraction(0))


def systolic_second(n_mxu: Fraction, r: Fraction, c: Fraction, f: Fraction) -> Fraction:
    flops = 0
    for _cell in product(each(n_mxu), each(r), each(c)):
        flops += 1  # multiply
        flops += 1  # add to the sum that passes by
    return run_cycles(f, flops)


def vector_unit_second(
    n_alu: Fraction, lanes: Fraction, sublanes: Fraction, f: Fraction, cores: Fraction
) -> Fraction:
    units = product(each(cores), each(sublanes), each(lanes), each(n_alu))
    return run_cycles(f, sum(1 for _ in units))


def tensor_core_second(f: Fraction, fma: Fraction, n_tc: Fraction) -> Fraction:
    flops = 0
    for _fma in product(each(n_tc), each(fma)):
        flops += len(("multiply", "add"))
    return run_cycles(f, flops)


def cuda_core_second(f: Fraction, n_sm: Fraction, cores: Fraction) -> Fraction:
    flops = 0
    for _core in product(each(n_sm), each(cores)):
        flops += len(("multiply", "add"))
    return run_cycles(f, flops)


def executed_share_of_sparse_rate(P_s: Fraction) -> Fraction:
    """Of every four weights two are kept; the printed rate counts all four as done."""
    executed = printed = 0
    for kept in combinations(range(4), 2):
        executed += len(kept)
        printed += 4
    return P_s * executed / printed


def rate_of_narrower_elements(P16: Fraction, b: Fraction) -> Fraction:
    """A data path of so many bits, filled with 16-bit elements and with those of b bytes."""
    path = 16 * b.numerator * b.denominator
    wide = crossing(lambda elements: elements * 16 - path)
    packed = crossing(lambda elements: elements * 8 * b - path)
    return P16 * packed / wide


def double_data_rate_second(f: Fraction, w: Fraction) -> Fraction:
    bits = Fraction(0)
    for _edge in product(each(f), ("rising", "falling")):
        bits += w
    return elapsed(bits, Fraction(8))


def coded_lanes_second(g: Fraction, lanes: Fraction, e1: Fraction, e2: Fraction) -> Fraction:
    """Payload bytes: each lane sends blocks of e2 bits, e1 of them payload."""
    payload = Fraction(0)
    for _lane in each(lanes):
        left = g
        while left > 0:
            block = min(left, e2)
            payload += e1 * block / e2
            left -= block
    return elapsed(payload, Fraction(8))


def rate_of_all(n: Fraction, P: Fraction) -> Fraction:
    return sum((P for _device in each(n)), Fraction(0))


def memory_of_all(n: Fraction, H: Fraction) -> Fraction:
    return sum((H for _device in each(n)), Fraction(0))


def slowest_shard_read(b: Fraction, N: Fraction, n: Fraction, W: Fraction) -> Fraction:
    return max(elapsed(b * share, W) for share in shares(N, n))


def critical_batch_of_on_chip_reads(b: Fraction, P: Fraction, r: Fraction, W: Fraction) -> Fraction:
    """Of 3 x 5 weights: the batch whose arithmetic takes as long as one read of them."""
    weights = list(product(range(3), range(5)))
    read = elapsed(sum((b for _weight in weights), Fraction(0)), W * r)
    row = sum(2 for _weight in weights)
    return crossing(lambda batch: batch * row / P - read)


def slowest_of_stages(
    M: Fraction, W1: Fraction, W2: Fraction, W3: Fraction, C: Fraction, P: Fraction
) -> Fraction:
    return overlapped((M, W1), (M, W2), (M, W3), (C, P))
