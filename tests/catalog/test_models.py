"""Public models as data: their counts, and models as values of formulas."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from symscale.catalog.loader import Catalog, load
from symscale.errors import CatalogError, DomainError, UnknownNameError
from symscale.models.counting import count

MODELS = sorted(load().models)
ROUNDED = {"gpt-3-175b": Fraction(1, 200)}
"""Models whose published count is rounded, with how far off it may be."""

MINE = """
id = "mine"
title = "My model"
source = "a test"

biases = ["qkv"]

[sizes]
n_layers = 2
d_model = 8
d_ff = 16
n_heads = 2
n_kv_heads = 1
d_head = 4
vocab_size = 32
n_embedding_matrices = 1
norms_per_block = 2

[values]
bytes_per_element = { value = 2, source = "a test" }
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "models").mkdir()
    return tmp_path


class TestCounts:
    @pytest.mark.parametrize("id", MODELS)
    def test_are_the_published_ones(self, catalog: Catalog, id: str) -> None:
        model = catalog.models[id]
        sheet = count(model.architecture, catalog)
        for name in ("n_params", "n_params_active"):
            if name in model.values:
                published = model.values[name].value
                assert abs(sheet[name].value - published) <= ROUNDED.get(id, 0) * published

    @pytest.mark.parametrize(
        ("id", "published"),
        [
            ("llama-2-7b", 6_738_415_616),
            ("llama-2-13b", 13_015_864_320),
            ("llama-2-70b", 68_976_648_192),
            ("llama-3-8b", 8_030_261_248),
            ("llama-3-70b", 70_553_706_496),
            ("llama-3.1-405b", 405_853_388_800),
            ("qwen3-4b", 4_022_468_096),
            ("mixtral-8x7b", 46_702_792_704),
            ("gemma-2-9b", 9_241_705_984),
            ("gpt2-xl", 1_557_611_200),
            ("deepseek-v3", 671_026_404_352),
            ("gpt-oss-120b", 116_829_156_672),
        ],
    )
    def test_are_those_of_the_checkpoints(self, catalog: Catalog, id: str, published: int) -> None:
        assert count(catalog.models[id].architecture, catalog)["n_params"].value == published

    @pytest.mark.parametrize(
        ("id", "billions"),
        [
            ("mixtral-8x7b", "12.9"),
            ("mixtral-8x22b", "39.2"),
            ("qwen3-30b-a3b", "3.4"),
            ("qwen3-235b-a22b", "22.2"),
            ("qwen1.5-moe-a2.7b", "2.7"),
            ("deepseek-v2", "21.4"),
            ("deepseek-v3", "37.6"),
            ("olmoe-1b-7b", "1.3"),
        ],
    )
    def test_of_a_token_are_near_the_name(self, catalog: Catalog, id: str, billions: str) -> None:
        active = count(catalog.models[id].architecture, catalog)["n_params_active"].value
        assert round(active / 10**9, 1) == Fraction(billions)


class TestAsValues:
    def test_a_cache(self, catalog: Catalog) -> None:
        cache = catalog.formula("kv_cache_bytes")
        # 2 of 2 bytes, 80 layers, 8 heads of 128, 32 sequences of 8192 tokens
        assert cache.evaluate(model="llama-3-70b", seq_len=8192, batch=32) == 80 * 2**30

    def test_explicit_values_win(self, catalog: Catalog) -> None:
        cache = catalog.formula("kv_cache_bytes_per_token")
        assert cache.evaluate(model="llama-3-8b") == 131_072
        assert cache.evaluate(model="llama-3-8b", bytes_per_element=1) == 65_536
        assert cache.evaluate(model="llama-3-8b", b=1, n_kv_heads=32) == 262_144

    def test_a_model_and_a_device_together(self, catalog: Catalog) -> None:
        seconds = catalog.formula("sharded_weight_read_seconds").evaluate(
            model="llama-2-7b", hardware="h100-sxm", n_devices=8
        )
        assert seconds == Fraction(2 * 6_738_415_616, 8 * 3_350_000_000_000)

    def test_latent_caches_have_their_own_formula(self, catalog: Catalog) -> None:
        assert catalog.formula("mla_cache_bytes_per_token").evaluate(model="deepseek-v3") == 70_272
        with pytest.raises(DomainError, match=r"K \(n_kv_heads\), H \(d_head\)"):
            catalog.formula("kv_cache_bytes_per_token").evaluate(model="deepseek-v3")

    def test_windows(self, catalog: Catalog) -> None:
        cache = catalog.formula("kv_cache_bytes_sliding_window").evaluate(
            model="gpt-oss-20b", batch=32, seq_len=8192
        )
        assert cache == Fraction(195, 32) * 2**30

    def test_bytes_follow_all_parameters_and_flops_the_active_ones(self, catalog: Catalog) -> None:
        weights, flops = catalog.formula("weight_bytes"), catalog.formula("forward_flops")
        assert weights.evaluate(model="mixtral-8x7b") == 2 * 46_702_792_704
        with pytest.raises(DomainError) as error:
            flops.evaluate(model="mixtral-8x7b", n_tokens=1)
        assert "N (n_params: bytes of mixtral-8x7b follow all its parameters" in str(error.value)
        assert flops.evaluate(model="mixtral-8x7b", n_tokens=1, n_params=10) == 20
        moe = catalog.formula("moe_train_flops")
        assert moe.evaluate(model="mixtral-8x7b", n_tokens=1) == 6 * 12_879_925_248

    def test_dense_models_have_one_count_for_both(self, catalog: Catalog) -> None:
        flops = catalog.formula("forward_flops").evaluate(model="llama-2-7b", n_tokens=1)
        assert flops == 2 * 6_738_415_616

    def test_an_unknown_model(self, catalog: Catalog) -> None:
        with pytest.raises(UnknownNameError, match="did you mean llama-3-8b"):
            catalog.formula("kv_cache_bytes_per_token").evaluate(model="llama-3-9b")


class TestFiles:
    def test_a_file_in_a_directory_of_ones_own(self, folder: Path) -> None:
        (folder / "models" / "mine.toml").write_text(MINE, encoding="utf-8")
        cache = load(folder).formula("kv_cache_bytes_per_token")
        assert cache.evaluate(model="mine") == 2 * 2 * 2 * 1 * 4

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("n_layers = 2", "n_layer = 2", "sizes.n_layer: no quantity is called"),
            ("n_layers = 2", "n_layers = 0", "sizes.n_layers: n_layers is integer >= 1, not 0"),
            ("n_layers = 2", "n_layers = 2.5", "sizes.n_layers: is an integer, not"),
            ("n_layers = 2", "", "sizes.n_layers: is missing"),
            ("n_layers = 2", "n_layers = 2\nn_devices = 2", "sizes.n_devices: is not a size"),
            ('["qkv"]', '["qvk"]', "biases: 'qvk' is not known; known are attention_output"),
            ('biases = ["qkv"]', 'norm = "batch"', "norm: is rmsnorm or layernorm or unscaled"),
            ('biases = ["qkv"]', "attention_sinks = 1", "attention_sinks: is true or false"),
            ("[values]", "[value]", "values: is missing"),
            ("value = 2", 'value = "2 s"', "values.bytes_per_element.value: s measures s"),
            ('source = "a test"\n', "", "source: is missing"),
        ],
    )
    def test_what_is_wrong_is_said_with_file_and_key(
        self, folder: Path, old: str, new: str, message: str
    ) -> None:
        assert old in MINE
        path = folder / "models" / "mine.toml"
        path.write_text(MINE.replace(old, new, 1), encoding="utf-8")
        with pytest.raises(CatalogError) as error:
            load(folder).models["mine"]
        assert str(error.value).startswith(f"{folder.name}/models/mine.toml: ")
        assert message in str(error.value)

    def test_two_files_with_one_id(self, folder: Path) -> None:
        for name in ("one", "two"):
            (folder / "models" / f"{name}.toml").write_text(MINE, encoding="utf-8")
        with pytest.raises(CatalogError, match=r"'mine' also stands in .*models/one\.toml"):
            load(folder).models  # noqa: B018
