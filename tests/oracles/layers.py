"""The matmuls of a transformer layer, run on a counting machine."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.machine import Machine, Visible, matrix, squares_of


def forward(run: Callable[[Machine], object]) -> int:
    """FLOPs of a forward pass."""
    machine = Machine()
    run(machine)
    return machine.flops


def train(run: Callable[[Machine], object]) -> int:
    """FLOPs of a forward and a backward pass."""
    machine = Machine()
    run(machine)
    machine.backward()
    return machine.flops


def pass_through(machine: Machine, tokens: int, params: int, frozen: bool = False) -> None:
    """Run tokens through some matrices that hold so many parameters."""
    for side in squares_of(params):
        machine.matmul(matrix(tokens, side), matrix(side, side, not frozen))


def gated_mlp(machine: Machine, tokens: int, D: int, F: int) -> None:
    x = matrix(tokens, D)
    machine.matmul(x, matrix(D, F))
    hidden = machine.matmul(x, matrix(D, F))
    machine.matmul(hidden, matrix(F, D))


def plain_mlp(machine: Machine, tokens: int, D: int, F: int) -> None:
    hidden = machine.matmul(matrix(tokens, D), matrix(D, F))
    machine.matmul(hidden, matrix(F, D))


def projections(machine: Machine, tokens: int, D: int, N: int, K: int, H: int) -> None:
    x = matrix(tokens, D)
    for _query_head in range(N):
        attended = machine.matmul(x, matrix(D, H))
        machine.matmul(attended, matrix(H, D))
    for _kv_head in range(K):
        machine.matmul(x, matrix(D, H))
        machine.matmul(x, matrix(D, H))


def heads(
    machine: Machine, B: int, N: int, key_width: int, value_width: int, keys: int, visible: Visible
) -> None:
    """Attention scores and weighted sums of each head of each sequence."""
    for _sequence in range(B):
        for _head in range(N):
            queries = matrix(len(visible), key_width)
            machine.attention(queries, matrix(keys, key_width), matrix(keys, value_width), visible)


def logits(machine: Machine, tokens: int, D: int, V: int) -> None:
    machine.matmul(matrix(tokens, D), matrix(D, V))
