"""Hugging Face configurations: what they amount to, and what is refused rather than guessed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from symscale.catalog.loader import Catalog
from symscale.errors import CatalogError
from symscale.models.configurations import configuration_of, read_configuration
from symscale.models.counting import count
from symscale.models.families import FAMILIES, WRAPPERS

LINES = [
    json.loads(line, parse_float=str)
    for line in (Path(__file__).parent / "configurations.jsonl").read_text("utf-8").splitlines()
]
"""With the figures that tests/oracles/heavy/configurations.py gave."""
PUBLISHED = [line for line in LINES if not line["name"].startswith("small ")]
BY_NAME = {line["name"]: line["config"] for line in LINES}
TOKENS = 7


def named(lines: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("line", lines, ids=[line["name"] for line in lines])


def config(name: str = "llama-3-8b", **changes: Any) -> dict[str, Any]:
    return {**BY_NAME[name], **changes}


class TestFigures:
    @named(LINES)
    def test_parameters_are_those_that_transformers_builds(
        self, line: dict[str, Any], catalog: Catalog
    ) -> None:
        sheet = count(configuration_of(line["config"]).architecture, catalog, context=TOKENS)
        assert sheet["n_params"].value == line["figures"]["n_params"]
        assert sheet["n_params_active"].value == line["figures"]["n_params_active"]

    @named([line for line in LINES if "forward_flops" in line["figures"]])
    def test_flops_are_those_that_torch_counts_without_masks(
        self, line: dict[str, Any], catalog: Catalog
    ) -> None:
        sheet = count(configuration_of(line["config"]).architecture, catalog, context=TOKENS)
        # Eager attention computes all scores, so that every token costs what the last one does.
        assert TOKENS * sheet["forward_flops_last"].value == line["figures"]["forward_flops"]

    @named([line for line in LINES if "n_local_layers" in line["figures"]])
    def test_layers_with_windows_are_those_of_transformers(self, line: dict[str, Any]) -> None:
        sizes = configuration_of(line["config"]).architecture.sizes
        assert sizes.get("n_local_layers", 0) == line["figures"]["n_local_layers"]

    def test_every_family_has_figures(self) -> None:
        assert {line["config"]["model_type"] for line in LINES} == {*FAMILIES, *WRAPPERS}

    @named(PUBLISHED)
    def test_published_configurations_are_known_to_the_last_field(
        self, line: dict[str, Any]
    ) -> None:
        assert configuration_of(line["config"]).unknown == ()


class TestWindows:
    def window(self, config: dict[str, Any]) -> tuple[int | None, int | None]:
        sizes = configuration_of(config).architecture.sizes
        return sizes.get("n_local_layers"), sizes.get("window_len")

    def test_null_means_none(self) -> None:
        assert self.window(config("mistral-7b")) == (32, 4096)
        assert self.window(config("mistral-7b", sliding_window=None)) == (None, None)

    def test_qwen_must_ask_for_them(self) -> None:
        asked = {"sliding_window": 1024, "max_window_layers": 20}
        assert self.window(config("qwen2.5-7b", **asked)) == (None, None)
        assert self.window(config("qwen2.5-7b", **asked, use_sliding_window=True)) == (8, 1024)

    def test_a_list_of_layers_wins_over_the_pattern(self) -> None:
        kinds = ["sliding_attention"] * 5 + ["full_attention"] * 37
        assert self.window(config("gemma-2-9b", layer_types=kinds)) == (5, 4096)

    def test_the_period_can_be_said(self) -> None:
        assert self.window(config("gemma-3-1b", sliding_window_pattern=13)) == (24, 512)


class TestLeftOut:
    def test_parts_beside_the_language_model(self) -> None:
        read = configuration_of(config("gemma-3-4b"))
        assert read.notes == ("vision_config: only the language model is counted",)

    def test_layers_and_formats_of_the_checkpoint(self) -> None:
        notes = configuration_of(config("deepseek-v3")).notes
        assert [note.split(":")[0] for note in notes] == [
            "auto_map",
            "num_nextn_predict_layers",
            "quantization_config",
        ]

    def test_other_heads(self) -> None:
        read = configuration_of(config(architectures=["LlamaForSequenceClassification"]))
        assert "not as LlamaForSequenceClassification" in read.notes[0]

    def test_fields_that_are_not_known_are_said(self) -> None:
        read = configuration_of(config(n_experts=8, rope_theta=1, hyper_connections=None))
        assert read.unknown == ("n_experts",)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no family": (
        {key: value for key, value in config().items() if key != "model_type"},
        "config: model_type: is missing",
    ),
    "an unknown family": (config(model_type="mamba2"), "no family is called 'mamba2'"),
    "near a family": (config(model_type="lama"), "did you mean llama"),
    "a missing size": (
        {key: value for key, value in config().items() if key != "hidden_size"},
        "config: hidden_size: is missing",
    ),
    "null for a size": (config(num_hidden_layers=None), "num_hidden_layers: is missing"),
    "a text": (config(hidden_size="4096"), "hidden_size: is an integer, not '4096'"),
    "a decimal": (config(hidden_size="4096.0"), "hidden_size: is an integer"),
    "a truth value": (config(num_hidden_layers=True), "num_hidden_layers: is an integer, not True"),
    "zero": (config(num_attention_heads=0), "num_attention_heads: is an integer from 1"),
    "negative": (config(intermediate_size=-1), "intermediate_size: is an integer from 1"),
    "enormous": (config(vocab_size=10**12), "vocab_size: is an integer from 1 to 1,000,000,000"),
    "not a flag": (config(tie_word_embeddings="no"), "tie_word_embeddings: is true or false"),
    "uneven heads": (config(hidden_size=4097), "head_dim: is missing, and 32 heads do not divide"),
    "uneven groups": (config(num_key_value_heads=5), "n_kv_heads: divides the 32 query heads"),
    "too many active experts": (
        config("mixtral-8x7b", num_experts_per_tok=9),
        "n_experts_active: is at most n_experts (8), not 9",
    ),
    "an unknown kind of layer": (
        config("gemma-2-9b", layer_types=["linear_attention"] * 42),
        "layer_types: 'linear_attention' is not known",
    ),
    "too few kinds of layers": (
        config("gemma-2-9b", layer_types=["full_attention"]),
        "layer_types: is a list of 42 entries, one a layer",
    ),
    "layers that are not there": (
        config("qwen3-30b-a3b", mlp_only_layers=[48]),
        "mlp_only_layers: is a list of layers from 0 to 47",
    ),
    "biases that are not known": (
        config("deepseek-v3", attention_bias=True),
        "attention_bias: is known as False only, not True",
    ),
    "another language model inside": (
        config("gemma-3-4b", text_config={"model_type": "llama"}),
        "text_config.model_type: is gemma3_text here, not 'llama'",
    ),
    "no language model inside": (
        config("gemma-3-4b", text_config=7),
        "text_config: is a table, not 7",
    ),
}


class TestRefused:
    @pytest.mark.parametrize("case", REFUSED)
    def test_with_the_field_and_what_is_right(self, case: str) -> None:
        content, message = REFUSED[case]
        with pytest.raises(CatalogError) as error:
            configuration_of(content)
        assert message in str(error.value)
        assert str(error.value).startswith("config: ")

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("{", "config.json: is not a JSON file"),
            ("[]", "config.json: is not a JSON object"),
            ('{"model_type": "llama", "model_type": "gpt2"}', "the key 'model_type' stands twice"),
            ("[" * 100_000, "config.json: is not a JSON file"),
            ('{"vocab_size": ' + "9" * 5000 + "}", "config.json: is not a JSON file"),
            (" " * 1_000_001, "config.json: has more than 1,000,000 bytes"),
        ],
        ids=["cut off", "a list", "a key twice", "deep", "a long number", "long"],
    )
    def test_files_that_are_none(self, content: str, message: str, tmp_path: Path) -> None:
        path = tmp_path / "config.json"
        path.write_text(content, encoding="utf-8")
        with pytest.raises(CatalogError) as error:
            read_configuration(path)
        assert message in str(error.value)

    @pytest.mark.parametrize("write", [lambda path: path.write_bytes(b"\xff\xfe{}"), Path.mkdir])
    def test_files_that_cannot_be_read(
        self, write: Callable[[Path], object], tmp_path: Path
    ) -> None:
        path = tmp_path / "config.json"
        write(path)
        with pytest.raises(CatalogError, match=r"config\.json: "):
            read_configuration(path)
