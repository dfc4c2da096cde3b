"""Memory, by adding up the tensors that are held and by filling devices until they are full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from tests.oracles.tensors import WIDTH, Bytes, Tensor, held
from tests.oracles.whole import in_whole_numbers

# Weights and training state: what is kept of each parameter, over the devices that keep it


def _replicated(widths: Iterable[Bytes], params: int) -> Bytes:
    return held(Tensor((params,), width) for width in widths)


def _sharded(widths: Sequence[Bytes], params: int, devices: int) -> Bytes:
    """What the fullest device holds when parameters are dealt out one by one."""
    dealt = [0] * devices
    for param in range(params):
        dealt[param % devices] += 1
    return max(_replicated(widths, share) for share in dealt)


def _widths(*components: str) -> list[Bytes]:
    return [WIDTH[component] for component in components]


ADAM_FP32 = _widths("fp32", "fp32", "fp32")
"""Master copy and two moments."""


@in_whole_numbers
def hold_weights(b: Bytes, N: int) -> Bytes:
    return _replicated([b], N)


@in_whole_numbers
def hold_gradients(b_g: Bytes, N: int) -> Bytes:
    return _replicated([b_g], N)


@in_whole_numbers
def hold_adam_of_one_parameter(b_c: Bytes, b_m: Bytes, b_v: Bytes) -> Bytes:
    return _replicated([b_c, b_m, b_v], 1)


@in_whole_numbers
def hold_optimizer(k: Bytes, N: int) -> Bytes:
    return _replicated([k], N)


@in_whole_numbers
def hold_training_state(
    b_w: Bytes, b_g: Bytes, b_c: Bytes, b_m: Bytes, b_v: Bytes, N: int
) -> Bytes:
    return _replicated([b_w, b_g, b_c, b_m, b_v], N)


@in_whole_numbers
def hold_weights_and_moments(N: int) -> Bytes:
    return _replicated(_widths("bf16", "fp32", "fp32"), N)


@in_whole_numbers
def hold_weights_master_and_moments(N: int) -> Bytes:
    return _replicated([*_widths("bf16"), *ADAM_FP32], N)


@in_whole_numbers
def hold_weights_gradients_master_and_moments(N: int) -> Bytes:
    return _replicated([*_widths("bf16", "bf16"), *ADAM_FP32], N)


@in_whole_numbers
def hold_weights_fp32_gradients_master_and_moments(N: int) -> Bytes:
    return _replicated([*_widths("bf16", "fp32"), *ADAM_FP32], N)


@in_whole_numbers
def hold_all_at_the_loaded_width(b: Bytes, N: int) -> Bytes:
    components = ("weights", "gradients", "first moment", "second moment")
    return _replicated([b for _component in components], N)


@in_whole_numbers
def hold_frozen_base_and_adapters(b_q: Bytes, N: int, k: Bytes, N_l: int) -> Bytes:
    return held([Tensor((N,), b_q), Tensor((N_l,), k)])


@in_whole_numbers
def write_checkpoint(k: Bytes, N: int) -> Bytes:
    """One parameter after another."""
    written = Fraction(0)
    for _param in range(N):
        written += k
    return written


@in_whole_numbers
def shard_optimizer(b_w: Bytes, b_g: Bytes, N: int, k: Bytes, n: int) -> Bytes:
    return _replicated([b_w, b_g], N) + _sharded([k], N, n)


@in_whole_numbers
def shard_gradients_and_optimizer(b_w: Bytes, N: int, b_g: Bytes, k: Bytes, n: int) -> Bytes:
    return _replicated([b_w], N) + _sharded([b_g, k], N, n)


@in_whole_numbers
def shard_all(b_w: Bytes, b_g: Bytes, k: Bytes, N: int, n: int) -> Bytes:
    return _sharded([b_w, b_g, k], N, n)


@in_whole_numbers
def gather_layers_ahead(q: int, b: Bytes, N: int, L: int) -> Bytes:
    """The most that is gathered at any time while the layers are run in order."""
    layer = Tensor((N // L,), b)
    assert N % L == 0
    alive = [held([layer] * len(range(used, min(used + q + 1, L)))) for used in range(L)]
    return max(alive)


@in_whole_numbers
def shard_megatron_optimizer_per_parameter(d: int) -> Bytes:
    params = 6 * d
    state = _replicated(_widths("bf16", "fp32"), params) + _sharded(ADAM_FP32, params, d)
    return Fraction(state, params)


@in_whole_numbers
def shard_as_deepspeed_zero2(N: int, n: int) -> Bytes:
    """fp32 gradients are kept beside the 16-bit ones."""
    return _replicated(_widths("bf16"), N) + _sharded([*_widths("bf16", "fp32"), *ADAM_FP32], N, n)


@in_whole_numbers
def shard_as_deepspeed_zero3(N_l: int, N: int, n: int) -> Bytes:
    gathered = _replicated(_widths("bf16", "bf16"), N_l)
    return gathered + _sharded([*_widths("bf16", "fp32"), *ADAM_FP32], N, n)


@in_whole_numbers
def offload_as_deepspeed_zero2(n: int, k: Bytes, N: int) -> Bytes:
    """The larger of what is held while each device's process loads, and while training."""
    loading = held(Tensor((N,), WIDTH["fp32"]) for _process in range(n))
    fp32_state = ("weights", "gradients", "first moment", "second moment")
    training = held(Tensor((N,), WIDTH["fp32"]) for _component in fp32_state)
    return max(loading, training) * k


# What fits


@in_whole_numbers
def set_memory_aside(H: Bytes, u: Fraction) -> Bytes:
    reserved = H * (1 - u)
    return H - reserved


def _devices_to_hold(bytes_needed: Bytes, usable: Bytes) -> int:
    devices, room = 0, Fraction(0)
    while room < bytes_needed:
        devices += 1
        room += usable
    return devices


@in_whole_numbers
def add_devices_until_bytes_fit(V: Bytes, H: Bytes) -> int:
    return _devices_to_hold(V, H)


@in_whole_numbers
def add_devices_until_state_fits(k: Bytes, N: int, H: Bytes, u: Fraction) -> int:
    return _devices_to_hold(_replicated([k], N), H - H * (1 - u))


@in_whole_numbers
def admit_sequences_until_full(
    n: int, H: Bytes, u: Fraction, b: Bytes, N: int, T: int, c: Bytes
) -> int:
    free = sum(H - H * (1 - u) for _device in range(n)) - _replicated([b], N)
    cache = held([Tensor((T,), c)])
    sequences = 0
    while free >= cache:
        free -= cache
        sequences += 1
    return sequences


# Formats, padding, replication


@in_whole_numbers
def pack_blocks(q: Bytes, z: Bytes, g: int) -> Fraction:
    """Bits of some blocks, each its elements and then its scale, in bytes of eight."""
    bits = elements = Fraction(0)
    for _block in range(3):
        for _element in range(g):
            bits += q
            elements += 1
        bits += z
    return bits / 8 / elements


@in_whole_numbers
def compare_kibi_with_kilo() -> Fraction:
    binary = decimal = 1
    for _step in ("kilo", "mega", "giga"):
        binary, decimal = binary * 1024, decimal * 1000
    return Fraction(binary, decimal)


@in_whole_numbers
def lay_out_tiles(b: Bytes, r: int, tr: int, c: int, tc: int) -> Bytes:
    """Every tile that any element of the array touches, whole."""
    tiles = {(row // tr, column // tc) for row in range(r) for column in range(c)}
    return held(Tensor((tr, tc), b) for _tile in tiles)


@in_whole_numbers
def hold_shards(n: int, s: int) -> Fraction:
    """An array of one element a shard; device i holds shard i modulo s."""
    elements = [device % s for device in range(n)]
    return Fraction(len(elements), len(set(elements)))
