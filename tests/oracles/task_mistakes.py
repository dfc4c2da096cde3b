"""Wrong answers to the scaling tasks, written from what each mistake says that somebody did.

A function takes a task's parameters as its reference solution does, and returns the row of one
who goes wrong in that one place and carries on correctly from there.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tests.oracles import task_references as right
from tests.oracles.task_references import DAY, GIB, HOUR, Row
from tests.oracles.task_slips import (
    adam,
    batch_above,
    bound,
    cached,
    counted,
    crossing,
    decimal_capacity,
    ending,
    gradient_sent,
    in_gigabytes,
    inverted,
    last_inverted,
    layer,
    model,
    multiplied_by_mfu,
    numbers,
    one_batch_short,
    other_label,
    overlapped,
    passes,
    priced,
    scaled,
    sent,
    share,
    share_of_all_chips,
    speed,
    timed,
    too_few_chips,
    weighed,
)

ONE = Fraction(1)
TIB_OVER_TB = Fraction(2**40, 10**12)

ROOFLINE: dict[str, dict[str, Callable[..., Row]]] = {
    "sc-000": {
        "inverted": lambda P, W, I: right.critical_intensity(P=W, W=P, I=I),
        "labels_swapped": lambda **chip: other_label(
            right.critical_intensity(**chip), "compute", "memory"
        ),
        "per_element": lambda P, W, I: right.critical_intensity(2 * P, W, I),
        "multiply_adds": lambda P, W, I: right.critical_intensity(P / 2, W, I),
    },
    "sc-001": {
        "output_forgotten": lambda B, D, F, b: counted(2 * B * D * F, b * B * D + b * D * F),
        "one_flop_per_multiply_add": lambda B, D, F, b: counted(
            B * D * F, b * (B * D + D * F + B * F)
        ),
        "weight_only": lambda B, D, F, b: counted(2 * B * D * F, b * D * F),
        "weight_dominated_intensity": lambda B, D, F, b: ending(
            right.matmul_intensity(B, D, F, b), 2 * B / b
        ),
    },
    "sc-002": {
        "weight_only": lambda B, D, F, w, a: counted(2 * B * D * F, w * D * F),
        "output_forgotten": lambda B, D, F, w, a: counted(2 * B * D * F, a * B * D + w * D * F),
        "one_flop_per_multiply_add": lambda B, D, F, w, a: counted(
            B * D * F, a * B * D + w * D * F + a * B * F
        ),
        "inverted": lambda **step: last_inverted(right.decode_matmul_intensity(**step)),
    },
    "sc-003": {
        "no_overlap": lambda B, D, F, b, P, W: (
            2 * B * D * F / P,
            b * (B * D + D * F + B * F) / W,
            2 * B * D * F / P + b * (B * D + D * F + B * F) / W,
        ),
        "faster_decides": lambda B, D, F, b, P, W: (
            2 * B * D * F / P,
            b * (B * D + D * F + B * F) / W,
            min(2 * B * D * F / P, b * (B * D + D * F + B * F) / W),
        ),
        "output_forgotten": lambda B, D, F, b, P, W: timed(
            2 * B * D * F / P, b * (B * D + D * F) / W
        ),
        "one_flop_per_multiply_add": lambda B, D, F, b, P, W: timed(
            B * D * F / P, b * (B * D + D * F + B * F) / W
        ),
    },
    "sc-004": {
        "writes_forgotten": lambda f, r, w, x, y: (f / (r * x),),
        "elements_for_bytes": lambda f, r, w, x, y: (f / (r + w),),
        "flops_for_each_input": lambda f, r, w, x, y: (r * f / (r * x + w * y),),
        "inverted": lambda **kernel: inverted(right.elementwise_intensity(**kernel)),
    },
    "sc-005": {
        "one_chip": lambda n, **step: right.model_flops_utilisation(n=ONE, **step),
        "percent": lambda **step: scaled(right.model_flops_utilisation(**step), 100),
        "sparse_peak": lambda P, **step: right.model_flops_utilisation(P=2 * P, **step),
        "inverted": lambda **step: inverted(right.model_flops_utilisation(**step)),
    },
    "sc-006": {
        "weight_dominated": lambda D, F, b, I: crossing(lambda B: 2 * B * D * F / (b * D * F), I),
        "rounded_down": one_batch_short,
        "output_forgotten": lambda D, F, b, I: crossing(
            lambda B: 2 * B * D * F / (b * (B * D + D * F)), I
        ),
    },
}

FLOPS: dict[str, dict[str, Callable[..., Row]]] = {
    "sc-007": {
        "passes_swapped": lambda N, D: passes(4 * N * D, 2 * N * D),
        "equal_passes": lambda N, D: passes(2 * N * D, 2 * N * D),
        "multiply_adds": lambda **run: scaled(right.training_flops(**run), Fraction(1, 2)),
        "recomputation": lambda N, D: (8 * N * D, 2 * N * D, 4 * N * D),
    },
    "sc-008": {
        "plain_mlp": lambda D, F: layer(2 * D * F, 4 * D * D),
        "output_projection_forgotten": lambda D, F: layer(3 * D * F, 3 * D * D),
        "bytes": lambda **widths: scaled(right.layer_parameters(**widths), 2),
        "attention_left_out": lambda D, F: (3 * D * F, 4 * D * D, 3 * D * F),
    },
    "sc-009": {
        "tied_embeddings": lambda L, D, F, V: model(L, 3 * D * F + 4 * D * D, V * D),
        "embeddings_forgotten": lambda V, **widths: right.model_parameters(V=Fraction(0), **widths),
        "plain_mlp": lambda L, D, F, V: model(L, 2 * D * F + 4 * D * D, 2 * V * D),
        "output_projection_forgotten": lambda L, D, F, V: model(
            L, 3 * D * F + 3 * D * D, 2 * V * D
        ),
    },
    "sc-010": {
        "half": lambda **batch: scaled(right.attention_flops(**batch), Fraction(1, 2)),
        "linear_in_sequence": lambda B, S, D: (2 * B * S * D, 2 * B * S * D, 4 * B * S * D),
        "backward_counted": lambda **batch: scaled(right.attention_flops(**batch), 3),
    },
    "sc-011": {
        "ratio_to_mlp": lambda D, F, B, S: (
            6 * B * S * D * F,
            4 * B * S * S * D,
            (4 * B * S * S * D) / (6 * B * S * D * F),
        ),
        "two_matrices": lambda D, F, B, S: share(2 * (2 * D * F) * B * S, 4 * B * S * S * D),
        "attention_half": lambda D, F, B, S: share(2 * (3 * D * F) * B * S, 2 * B * S * S * D),
        "backward_counted": lambda D, F, B, S: right.attention_share(D, F, 3 * B, S),
    },
    "sc-012": {
        "full_utilization": lambda u, **run: right.training_time(u=ONE, **run),
        "multiplied_by_mfu": multiplied_by_mfu,
        "one_chip": lambda n, **run: right.training_time(n=ONE, **run),
        "forward_only": lambda **run: scaled(right.training_time(**run), Fraction(1, 3)),
        "hours_for_days": lambda N, D, n, P, u: ending(
            right.training_time(N, D, n, P, u), 6 * N * D / (n * P * u) / HOUR
        ),
    },
    "sc-013": {
        "full_utilization": lambda u, **run: right.training_cost(u=ONE, **run),
        "forward_only": lambda N, D, P, u, p: priced(2 * N * D / (P * u) / HOUR, p),
        "chip_days": lambda N, D, P, u, p: priced(6 * N * D / (P * u) / DAY, p),
        "multiplied_by_mfu": lambda N, D, P, u, p: priced(6 * N * D * u / P / HOUR, p),
    },
    "sc-014": {
        "inverted": lambda **factors: inverted(right.rescaled_training_flops(**factors)),
        "increase": lambda **factors: tuple(
            ratio - 1 for ratio in numbers(right.rescaled_training_flops(**factors))
        ),
        "compute_optimal_coupling": lambda x, y, z, w: (x * x, y * y, x * y, z * w),
        "divided_by_factor": lambda x, y, z, w: (x, y, x * y, w / z),
        "shrinking_ignored": lambda x, y, z, w: (x, y, x * y, w),
    },
}

MEMORY: dict[str, dict[str, Callable[..., Row]]] = {
    "sc-015": {
        "keys_only": lambda **cache: scaled(right.kv_cache(**cache), Fraction(1, 2)),
        "decimal_gigabytes": lambda **cache: in_gigabytes(right.kv_cache(**cache), 1),
        "one_sequence": lambda B, **cache: right.kv_cache(B=ONE, **cache),
        "one_layer": lambda L, **cache: right.kv_cache(L=ONE, **cache),
    },
    "sc-016": {
        "grouped_heads": lambda L, N, K, H, T, B, b: (
            right.keys_and_values(L, K, H, T, B, b),
            N / K,
        ),
        "keys_only": lambda L, N, K, H, T, B, b: (
            right.keys_and_values(L, N, H, T, B, b) / 2,
            N / K,
        ),
        "inverted_factor": lambda **model: last_inverted(right.grouped_query_reduction(**model)),
        "share_saved": lambda K, N, **model: ending(
            right.grouped_query_reduction(K=K, N=N, **model), 1 - K / N
        ),
    },
    "sc-017": {
        "decimal_gigabytes": lambda **bytes: in_gigabytes(right.adam_memory(**bytes), 3),
        "no_master_copy": lambda b_c, **bytes: right.adam_memory(b_c=Fraction(0), **bytes),
        "weights_twice": lambda N, b_w, b_c, b_m, b_v: adam(N * b_w, N * (b_w + b_c + b_m + b_v)),
        "gradients_added": lambda N, b_w, b_c, b_m, b_v: ending(
            right.adam_memory(N, b_w, b_c, b_m, b_v), N * (2 * b_w + b_c + b_m + b_v) / GIB
        ),
    },
    "sc-018": {
        "rounded_down": too_few_chips,
        "whole_capacity": lambda u, **state: right.chips_for_training_state(
            u=Fraction(100), **state
        ),
        "decimal_gigabytes": decimal_capacity,
        "weights_only": lambda b_o, **state: right.chips_for_training_state(
            b_o=Fraction(0), **state
        ),
    },
    "sc-019": {
        "decimal_gigabytes": lambda **step: in_gigabytes(right.activation_memory(**step), 1),
        "one_layer": lambda L, **step: right.activation_memory(L=ONE, **step),
        "one_sequence": lambda B, **step: right.activation_memory(B=ONE, **step),
        "element_width_twice": lambda **step: scaled(right.activation_memory(**step), 2),
    },
    "sc-020": {
        "rounded_down": lambda H, C, R: (Fraction(C // H), R / H),
        "fraction_of_a_chip": lambda H, C, R: (C / H, R / H),
        "share_of_the_cache": lambda H, C, R: ending(right.chips_for_cache(H, C, R), R / C),
        "share_of_all_chips": share_of_all_chips,
        "inverted_share": lambda **cache: last_inverted(right.chips_for_cache(**cache)),
    },
}

SHARDING: dict[str, dict[str, Callable[..., Row]]] = {
    "sc-021": {
        "sends_every_shard": lambda n, V, W: sent(V, W),
        "buffer_as_shard": lambda n, V, W: right.ring_all_gather(n, n * V, W),
        "one_hop": lambda n, V, W: sent(V / n, W),
        "counted_as_all_reduce": right.ring_all_reduce,
    },
    "sc-022": {
        "counted_once": lambda n, V, W: sent(right.ring_pass(n, V), W),
        "sends_every_shard": lambda n, V, W: sent(V + V, W),
        "buffer_to_every_other": lambda n, V, W: sent((n - 1) * V, W),
        "both_directions": lambda n, V, W: ending(
            right.ring_all_reduce(n, V, W), right.ring_all_reduce_bytes(n, V) / (2 * W)
        ),
    },
    "sc-023": {
        "counted_once": lambda n, V: ending(right.ring_traffic(n, V), right.ring_pass(n, V)),
        "sends_every_shard": lambda n, V: (V, V, V + V),
        "one_hop": lambda n, V: (V / n, V / n, V / n + V / n),
        "buffer_as_shard": lambda n, V: right.ring_traffic(n, n * V),
    },
    "sc-024": {
        "counted_once": lambda n, N, b, W: gradient_sent(N * b, right.ring_pass(n, N * b), W),
        "sends_every_shard": lambda n, N, b, W: gradient_sent(N * b, 2 * (N * b), W),
        "gradient_sharded": lambda n, N, b, W: gradient_sent(
            N * b, right.ring_all_reduce_bytes(n, N * b / n), W
        ),
        "bits_for_bytes": lambda n, N, b, W: right.gradient_all_reduce(n, N, 8 * b, W),
    },
    "sc-025": {
        "counted_once": lambda n, N, b, W, t: overlapped(right.ring_pass(n, N * b) / W, t),
        "sends_every_shard": lambda n, N, b, W, t: overlapped(2 * (N * b) / W, t),
        "inverted_ratio": lambda n, N, b, W, t: (
            t / (right.ring_all_reduce_bytes(n, N * b) / W),
            *right.gradient_overlap(n, N, b, W, t)[1:],
        ),
        "share_of_the_sum": lambda n, N, b, W, t: (
            right.ring_all_reduce_bytes(n, N * b)
            / W
            / (right.ring_all_reduce_bytes(n, N * b) / W + t),
            *right.gradient_overlap(n, N, b, W, t)[1:],
        ),
        "labels_swapped": lambda **step: other_label(
            right.gradient_overlap(**step), "compute", "communication"
        ),
    },
    "sc-026": {
        "counted_once": lambda t, B, T, D, b, c, L: (
            B * T * D * b,
            right.ring_pass(t, B * T * D * b),
            L * c * right.ring_pass(t, B * T * D * b),
        ),
        "sends_every_shard": lambda t, B, T, D, b, c, L: (
            B * T * D * b,
            2 * (B * T * D * b),
            L * c * 2 * (B * T * D * b),
        ),
        "one_per_layer": lambda c, **model: right.tensor_parallel_traffic(c=ONE, **model),
        "one_layer": lambda L, **model: right.tensor_parallel_traffic(L=ONE, **model),
        "activation_sharded": lambda t, B, T, D, b, c, L: (
            B * T * D * b,
            right.ring_all_reduce_bytes(t, B * T * D * b / t),
            L * c * right.ring_all_reduce_bytes(t, B * T * D * b / t),
        ),
    },
    "sc-027": {
        "counted_once": lambda n, N, g, t, B, T, D, b, c, L: weighed(
            right.ring_pass(n, N * g), L * c * right.ring_pass(t, B * T * D * b)
        ),
        "sends_every_shard": lambda n, N, g, t, B, T, D, b, c, L: weighed(
            2 * (N * g), L * c * 2 * (B * T * D * b)
        ),
        "one_per_layer": lambda c, **model: right.data_or_tensor_parallel(c=ONE, **model),
        "one_layer": lambda L, **model: right.data_or_tensor_parallel(L=ONE, **model),
        "inverted_ratio": lambda **model: last_inverted(right.data_or_tensor_parallel(**model)),
    },
}

INFERENCE: dict[str, dict[str, Callable[..., Row]]] = {
    "sc-028": {
        "read_and_written": lambda N, b, W: right.streaming_decode(N, 2 * b, W),
        "bits_for_bytes": lambda N, b, W: right.streaming_decode(N, 8 * b, W),
        "binary_bandwidth": lambda N, b, W: right.streaming_decode(N, b, W * TIB_OVER_TB),
        "seconds_for_rate": lambda N, b, W: (N * b, N * b / W, N * b / W),
    },
    "sc-029": {
        "one_flop_per_param": lambda N, B, b, I: bound(N * B, N * b, I),
        "training_flops": lambda N, B, b, I: bound(6 * N * B, N * b, I),
        "bits_for_bytes": lambda N, B, b, I: bound(2 * N * B, N * 8 * b, I),
        "labels_swapped": lambda **step: other_label(
            right.decode_roofline(**step), "compute", "memory"
        ),
    },
    "sc-030": {
        "one_flop_per_param": lambda **step: scaled(
            right.decode_intensities(**step), Fraction(1, 2)
        ),
        "weights_read_per_sequence": lambda b, **batches: (2 / b, 2 / b, 2 / b),
        "bits_for_bytes": lambda b, **batches: right.decode_intensities(b=8 * b, **batches),
        "inverted_intensity": lambda **step: inverted(right.decode_intensities(**step)),
    },
    "sc-031": {
        "stops_at_equality": lambda b, I: tuple(
            batch - 1 for batch in numbers(right.smallest_compute_bound_decode(b, I))
        ),
        "one_flop_per_param": lambda b, I: batch_above(ONE, b, I),
        "training_flops": lambda b, I: batch_above(6 * ONE, b, I),
        "bits_for_bytes": lambda b, I: batch_above(2 * ONE, 8 * b, I),
    },
    "sc-032": {
        "training_flops": lambda T, N: (6 * N * T, 6 * N, T),
        "one_flop_per_param": lambda T, N: (N * T, N, T),
        "context_decoded_again": lambda T, N: (2 * N * T, 2 * N * (T + 1), T / (T + 1)),
        "inverted_ratio": lambda **prompt: last_inverted(right.prefill_and_decode(**prompt)),
    },
    "sc-033": {
        "keys_only": lambda L, K, H, T, B, b, N, b_w: cached(L * K * H * T * B * b, N * b_w),
        "over_weights": lambda L, K, H, T, B, b, N, b_w: (
            2 * L * K * H * T * B * b,
            N * b_w,
            2 * L * K * H * T * B * b / (N * b_w),
        ),
        "one_sequence": lambda B, **model: right.cache_share(B=ONE, **model),
        "weights_read_per_sequence": lambda B, N, **model: right.cache_share(B=B, N=B * N, **model),
    },
    "sc-034": {
        "cache_left_out": lambda W, N, b_w, L, K, H, T, B, b: speed(N * b_w, W, B),
        "weights_left_out": lambda W, N, b_w, L, K, H, T, B, b: speed(
            2 * L * K * H * T * B * b, W, B
        ),
        "weights_read_per_sequence": lambda B, N, **model: right.serving_speed(
            B=B, N=B * N, **model
        ),
        "keys_only": lambda W, N, b_w, L, K, H, T, B, b: speed(
            N * b_w + L * K * H * T * B * b, W, B
        ),
        "batch_shares_the_rate": lambda B, **model: (
            *right.serving_speed(B=B, **model)[:1],
            *scaled(right.serving_speed(B=B, **model)[1:], 1 / B),
        ),
    },
}

MISTAKES = {**ROOFLINE, **FLOPS, **MEMORY, **SHARDING, **INFERENCE}
"""The wrong row of every mistake of every task."""
