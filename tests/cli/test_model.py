"""`symscale model`: files, ids, JSON, and errors in one line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from symscale.cli import run

CONFIG = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "intermediate_size": 18944,
    "num_attention_heads": 28,
    "num_hidden_layers": 28,
    "num_key_value_heads": 4,
    "vocab_size": 152064,
    "tie_word_embeddings": False,
    "quantization_config": {"bits": 4},
    "frobnicate": 7,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG), encoding="utf-8")
    return path


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, Any]]:
    assert run(["model", *arguments, "--json"]) == 0
    return {line["name"]: line for line in json.loads(capsys.readouterr().out)["lines"]}


def test_a_file(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", str(path)]) == 0
    out = capsys.readouterr().out
    assert "7615616512" in out
    assert "biases (qkv)" in out
    assert "L·(2·D·(N + K)·H + (N + 2·K)·H)" in out.replace("\n", "")
    assert "quantization_config: the checkpoint is quantised" in out
    assert "frobnicate" in out


def test_a_folder_with_one(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, str(path.parent))["n_params"]["exact"] == "7615616512"


def test_json(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["model", str(path), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["unknown"] == ["frobnicate"]
    assert {"symbol": "K", "quantity": "n_kv_heads", "value": "4", "unit": "1"} in data["sizes"]
    each = next(line for line in data["lines"] if line["name"] == "kv_bytes_per_token")
    assert each == {
        "name": "kv_bytes_per_token",
        "title": "KV cache of a token in bf16",
        "unit": "byte/token",
        "expression": "kv_cache_bytes_per_token(2 [byte], L, K, H)",
        "formulas": ["kv_cache_bytes_per_token"],
        "closed_form": "4*L*K*H",
        "latex": r"4 \, L \, K \, H",
        "exact": "57344",
        "decimal": "57344",
    }


def test_a_model_of_the_catalog(capsys: pytest.CaptureFixture[str]) -> None:
    counted = lines(capsys, "mixtral-8x7b")
    assert counted["n_params"]["exact"] == "46702792704"
    assert counted["n_params_active"]["exact"] == "12879925248"


def test_a_context(capsys: pytest.CaptureFixture[str]) -> None:
    short, long = (lines(capsys, "llama-3-8b", "--context", n)["kv_bytes"] for n in ("10", "8192"))
    assert (short["exact"], long["exact"]) == ("1310720", str(2**30))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"model_type": "rwkv"}', "config.json: model_type: no family is called 'rwkv'"),
        ('{"model_type": "llama"}', "config.json: num_hidden_layers: is missing"),
        ("not JSON", "config.json: is not a JSON file"),
    ],
)
def test_a_bad_file(
    content: str, message: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_text(content, encoding="utf-8")
    assert run(["model", str(path)]) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["nowhere.json"], 3, "nowhere.json: cannot be read"),
        (["llama-3-9b"], 2, "no model is called 'llama-3-9b'; did you mean llama-3-8b"),
        (["gpt2-xl", "--context", "2048"], 2, "learned positions for 1024 tokens, not 2048"),
        (["gpt2-xl", "--context", "0"], 2, "'--context'"),
    ],
)
def test_what_cannot_be_counted(
    arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["model", *arguments]) == status
    assert message in capsys.readouterr().err
