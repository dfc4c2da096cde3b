"""The machine that counts: cases that can be told by hand."""

from __future__ import annotations

from tests.oracles.machine import Machine, causal, matrix, squares_of, window


def test_a_multiply_add_is_two_flops_and_four_for_its_gradients() -> None:
    machine = Machine()
    machine.dot([True] * 3, [True] * 3)
    assert (machine.flops, machine.backward(), machine.flops) == (6, 12, 18)


def test_a_frozen_factor_gets_no_gradient() -> None:
    machine = Machine()
    machine.matmul(matrix(2, 3), matrix(3, 5, number=False))
    assert (machine.flops, machine.backward()) == (60, 60)


def test_what_needs_no_gradient_passes_none_on() -> None:
    machine = Machine()
    inner = machine.matmul(matrix(1, 2, number=False), matrix(2, 3, number=False))
    machine.matmul(inner, matrix(3, 4))
    assert (machine.flops, machine.backward()) == (12 + 24, 24)


def test_what_was_forgotten_has_no_backward_pass() -> None:
    machine = Machine()
    machine.matmul(matrix(2, 3), matrix(3, 5))
    machine.forget()
    assert machine.backward() == 0


def test_each_query_meets_the_keys_it_sees() -> None:
    assert [list(keys) for keys in causal(3)] == [[0], [0, 1], [0, 1, 2]]
    assert [list(keys) for keys in window(4, 2)] == [[0], [0, 1], [1, 2], [2, 3]]
    machine = Machine()
    machine.attention(matrix(3, 5), matrix(3, 5), matrix(3, 7), causal(3))
    assert machine.flops == 2 * (1 + 2 + 3) * (5 + 7)


def test_squares_add_up() -> None:
    assert squares_of(61) == [7, 3, 1, 1, 1]
