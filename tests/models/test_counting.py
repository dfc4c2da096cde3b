"""What architectures amount to, against published figures and counts token by token."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symscale.catalog.architecture import Architecture
from symscale.catalog.loader import Catalog
from symscale.errors import CatalogError, DomainError
from symscale.expressions.kernel import compile_kernel
from symscale.expressions.parser import parse
from symscale.expressions.text import text
from symscale.models.counting import count
from symscale.models.sheet import Sheet

SMALL = {
    "n_layers": 5,
    "d_model": 12,
    "d_ff": 17,
    "n_heads": 6,
    "n_kv_heads": 2,
    "d_head": 7,
    "vocab_size": 19,
    "n_embedding_matrices": 2,
    "norms_per_block": 2,
}
WINDOWS = {"n_global_layers": 2, "n_local_layers": 3, "window_len": 4}
LATENT = {"d_kv_latent": 5, "d_nope": 3, "d_rope": 2, "d_value": 4}
EXPERTS = {
    "n_dense_layers": 2,
    "n_moe_layers": 3,
    "n_experts": 6,
    "n_experts_active": 2,
    "d_expert": 8,
}


def sheet_of(model: str, catalog: Catalog, context: int | None = None) -> Sheet:
    return count(catalog.models[model].architecture, catalog, context=context)


class TestCache:
    @pytest.mark.parametrize(
        ("model", "published"),
        [
            ("qwen3-4b", 147_456),
            ("llama-3-8b", 131_072),
            ("deepseek-v3", 70_272),
            ("gpt-oss-120b", 73_728),
        ],
    )
    def test_of_a_token(self, model: str, published: int, catalog: Catalog) -> None:
        assert sheet_of(model, catalog)["kv_bytes_per_token"].value == published

    def test_full_layers_alone_grow_beyond_the_window(self, catalog: Catalog) -> None:
        sheet = sheet_of("gpt-oss-120b", catalog)
        assert sheet["kv_bytes_per_token_beyond_window"].value == 36_864

    def test_of_a_context_longer_than_the_window(self, catalog: Catalog) -> None:
        cache = sheet_of("gpt-oss-20b", catalog, 8192)["kv_bytes"].value
        assert 32 * cache == Fraction(195, 32) * 2**30

    def test_of_a_context_inside_the_window(self, catalog: Catalog) -> None:
        sheet = sheet_of("gpt-oss-20b", catalog, 100)
        each = sheet["kv_bytes_per_token"].value
        assert sheet["kv_bytes"].value == 100 * each


class TestFlops:
    def test_matmuls_of_a_published_step(self, catalog: Catalog) -> None:
        """Llama 2 7B, 4 sequences of 8,192 tokens, weights alone (MaxText issue 1988)."""
        matmuls = sheet_of("llama-2-7b", catalog, 8192)["matmul_flops"].value
        assert 3 * 4 * 8192 * matmuls == 1_299_004_268_740_608

    @pytest.mark.parametrize("context", [1, 3, 4, 9])
    def test_attention_counted_pair_by_pair(self, context: int, catalog: Catalog) -> None:
        sheet = count(Architecture(sizes=SMALL | WINDOWS), catalog, context=context)
        pairs = [
            2 * (position + 1) + 3 * min(position + 1, 4)  # over global and local layers
            for position in range(context)
        ]
        each = 2 * 2 * 6 * 7  # a multiply-add for score and for sum, of each width of each head
        assert sheet["attention_flops_last"].value == each * pairs[-1]
        assert sheet["attention_flops_mean"].value == Fraction(each * sum(pairs), context)

    def test_latent_attention_counted_pair_by_pair(self, catalog: Catalog) -> None:
        grouped = {"n_kv_heads", "d_head"}
        sizes = {id: size for id, size in SMALL.items() if id not in grouped} | LATENT
        sheet = count(Architecture(sizes=sizes), catalog, context=9)
        expanded = 5 * 6 * (2 * (3 + 2) + 2 * 4)
        absorbed = 5 * 6 * (2 * (5 + 2) + 2 * 5)
        assert sheet["attention_flops_last"].value == 9 * expanded
        assert sheet["attention_flops_last_absorbed"].value == 9 * absorbed
        assert sheet["attention_flops_mean"].value == Fraction(sum(range(1, 10)) * expanded, 9)

    def test_training_is_three_passes(self, catalog: Catalog) -> None:
        for model in ("mixtral-8x7b", "deepseek-v2", "gemma-2-9b"):
            sheet = sheet_of(model, catalog)
            forward, train = sheet["forward_flops_mean"].value, sheet["train_flops_mean"].value
            assert train == 3 * forward


class TestSheet:
    @pytest.mark.parametrize(
        "model", ["gpt2-xl", "qwen3-30b-a3b", "gemma-3-4b", "deepseek-v3", "gpt-oss-20b"]
    )
    def test_closed_forms_read_back_and_give_the_values(self, model: str, catalog: Catalog) -> None:
        sheet = sheet_of(model, catalog, 1000)
        letters = tuple(sheet.symbols)
        numbers = {letter: symbol.value for letter, symbol in sheet.symbols.items()}
        for line in sheet:
            kernel = compile_kernel([parse(text(line.closed_form), catalog.units)], letters)
            assert kernel(numbers)[0] == line.value, line.name

    def test_every_line_but_sums_comes_from_formulas(self, catalog: Catalog) -> None:
        sheet = sheet_of("gpt-oss-20b", catalog)
        without = {line.name for line in sheet if not line.formulas}
        assert without == {"n_params", "forward_flops_last", "forward_flops_mean"}

    def test_parts_add_up(self, catalog: Catalog) -> None:
        sheet = sheet_of("gemma-2-9b", catalog)
        layer = [sheet[name].value for name in ("attention_matrices", "mlp_matrices")]
        rest = [sheet[name].value for name in ("norms", "embeddings")]
        assert 42 * sum(layer) + sum(rest) == sheet["n_params"].value

    def test_the_context_is_4096_unless_positions_end_before(self, catalog: Catalog) -> None:
        assert sheet_of("llama-2-7b", catalog).symbols["T"].value == 4096
        assert sheet_of("gpt2-xl", catalog).symbols["T"].value == 1024

    def test_no_context_beyond_learned_positions(self, catalog: Catalog) -> None:
        with pytest.raises(DomainError, match="learned positions for 1024 tokens, not 1025"):
            sheet_of("gpt2-xl", catalog, 1025)


class TestArchitecture:
    @pytest.mark.parametrize(
        ("sizes", "message"),
        [
            ({"d_head": None}, "d_head: is missing"),
            ({"d_ff": None}, "d_ff: is missing"),
            ({"seq_len": 7}, "seq_len: is not a size of an architecture"),
            (WINDOWS | {"n_local_layers": 2}, "n_local_layers: with n_global_layers adds up to 4"),
            (EXPERTS | {"n_moe_layers": 4}, "n_moe_layers: with n_dense_layers adds up to 6"),
            (LATENT | WINDOWS, "n_local_layers: windows over latents are not known"),
        ],
    )
    def test_sizes_that_make_no_model(self, sizes: dict[str, int | None], message: str) -> None:
        given = {id: size for id, size in (SMALL | sizes).items() if size is not None}
        with pytest.raises(CatalogError) as error:
            Architecture(sizes=given)
        assert message in str(error.value)
