"""derive, solve, check, prove and identify on the command line."""

from __future__ import annotations

import json
from typing import Any

import pytest

from symscale.cli import run

RUN = [
    "n_params=7e10",
    "n_tokens=2e12",
    "n_devices=1024",
    "peak_flops=4e14 flop/s/device",
    "mfu=0.4",
]
MATMUL = ["solve", "matmul_intensity(B, D, F, s) > I", "--for", "B", "--given", "D=4096", "F=4096"]


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    status, out, err = call(capsys, *arguments, "--json")
    assert status in (0, 1), err
    return json.loads(out)


def test_derive(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "derive", "train_days", "--given", *RUN)
    assert status == 0
    assert "546875/9216 day" in out
    told = data(capsys, "derive", "train_days", "--given", *RUN)
    assert told["value"] == {"exact": "546875/9216", "decimal": "59.3397352431"}
    assert [step["formula"] for step in told["steps"]] == ["train_flops", "train_days"]


def test_given_may_be_repeated_and_stand_anywhere(capsys: pytest.CaptureFixture[str]) -> None:
    words = [word for value in RUN for word in ("--given", value)]
    told = data(capsys, "derive", *words, "train_days")
    assert told["value"]["exact"] == "546875/9216"


def test_derive_with_names_alone(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, "derive", "train_flops", "--given", "n_params", "n_tokens")
    assert told["closed_form"] == "6*n_params*n_tokens"
    assert told["value"] is None


def test_restating_a_figure(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(
        capsys, "derive", "adam_state_bytes_zero", "--given", "adam_state_bytes_seed=980 GB"
    )
    assert told["value"]["exact"] == "1120000000000"


def test_assume(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--given", "n_params=47e9", "n_params_active=13e9", "n_tokens=1e12"]
    told = data(capsys, "derive", "train_flops", *given, "--assume", "moe_train_flops")
    assert told["value"]["exact"] == str(6 * 13 * 10**9 * 10**12)


def test_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = call(capsys, "derive", "train_cost", "--given", "n_params=7e10")
    assert (status, out) == (1, "")
    assert "missing, nearest first" in err


def test_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, "derive", "train_days", "--markdown", "--given", *RUN)
    assert status == 0
    assert out.startswith("## train_days")
    assert "| 1 | train_flops | $" in out


def test_solve(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, *MATMUL, "s=2", "I=250")
    assert told["smallest"]["exact"] == "285"
    assert [check["holds"] for check in told["checks"]] == [False, True]
    status, out, _ = call(capsys, *MATMUL, "s=2", "I=250")
    assert status == 0
    assert "B ≥ 285" in out


def test_solve_without_a_solution(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = call(capsys, *MATMUL, "s=2", "I=5000")
    assert status == 1
    assert "no value" in out


def test_cross(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(
        capsys, "solve", "--cross", "compute_seconds", "memory_seconds", "--for", "kernel_flops",
        "--given", "peak_flops=2e14", "memory_traffic=1e9", "hbm_bandwidth=8e11",
    )  # fmt: skip
    assert told["points"] == [{"exact": "250000000000", "decimal": "250000000000"}]
    assert [segment["larger"] for segment in told["segments"]] == ["right", "equal", "left"]


def test_check(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, "check", "2*L*n_heads*d_head*S*B*b", "kv_cache_bytes")
    assert told["ratio"] == "n_heads/n_kv_heads"
    assert [wrong["name"] for wrong in told["mistakes"]] == ["query_heads_for_kv_heads"]
    assert call(capsys, "check", "2*L*n_heads*d_head*S*B*b", "kv_cache_bytes")[0] == 1
    assert (
        call(capsys, "check", "6*P*D", "train_flops", "--map", "P=n_params", "D=n_tokens")[0] == 0
    )


def test_prove(capsys: pytest.CaptureFixture[str]) -> None:
    claim = "ring_all_reduce_bytes(V, n) = 2*ring_all_gather_bytes(V, n)"
    told = data(capsys, "prove", claim)
    assert told["verdict"] == "proved"
    assert told["left_form"] == told["right_form"] == "2*V*(n - 1)/n"
    assert call(capsys, "prove", claim)[0] == 0
    assert call(capsys, "prove", "ring_all_reduce_bytes(V, n) = 2*V")[0] == 1
    assert call(capsys, "prove", "max(a, b) = a", "--where", "a >= b")[0] == 0
    assert call(capsys, "prove", "overlap_gains_serial_over_roofline_time")[0] == 0


def test_identify(capsys: pytest.CaptureFixture[str]) -> None:
    told = data(capsys, "identify", "9.8e11", "byte", "--given", "n_params=7e10")
    assert told["matches"][0]["id"] == "adam_state_bytes_seed"
    assert call(capsys, "identify", "1 byte", "--given", "n_params=7e10")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["derive", "train_dayz", "--given", *RUN], "did you mean train_days"),
        (["derive", "train_days", "--given", "n_params=many"], "given n_params"),
        (["derive", "train_days", "--given", "=3"], "is not a name with a value"),
        (["derive", "train_days", "--given", "mfu=1", "mfu=2"], "given twice"),
        (["solve", "--for", "x"], "either a condition or --cross"),
        (["solve", "x > 1", "--for", "x", "--given", "y"], "needs a value"),
        (["solve", "x > ", "--for", "x"], "expected a number"),
        (["check", "6*N*T", "train_flop"], "did you mean"),
        (["prove", "a"], "is not a claim"),
        (["identify", "9.8e11", "bite", "--given", "n_params=7e10"], "not a known unit"),
    ],
)
def test_errors_are_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    status, out, err = call(capsys, *arguments)
    assert (status, out) == (2, "")
    assert says in err
    assert "Traceback" not in err
