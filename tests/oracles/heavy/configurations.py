"""What transformers builds from the configurations of tests/models/configurations.jsonl.

    python -m tests.oracles.heavy.configurations [--write]

Parameters are counted on the meta device; small models also run on 7 tokens under torch's counter
of FLOPs, with eager attention, which computes every score. With --write the lines take the figures
and the versions that gave them. The exit status is 1 where a figure differs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode
from transformers import AutoConfig, AutoModelForCausalLM, PreTrainedConfig

from tests.oracles.heavy.recompute import versions

LINES = Path(__file__).parents[2] / "models" / "configurations.jsonl"
TOKENS = 7
SMALL = 10**7
NUMBERS = ("num_experts", "num_local_experts", "n_routed_experts")
LEFT_OUT = ("architectures", "auto_map", "pad_token_id", "quantization_config")


def figures(written: Mapping[str, Any]) -> dict[str, Any]:
    """What the model of a configuration has and costs."""
    config = configuration(written)
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config)
    total = sum(weight.numel() for weight in model.parameters())
    result = {"n_params": total, "n_params_active": total - resting(model, config)}
    if total < SMALL:
        result["forward_flops"] = forward_flops(config)
    if getattr(config, "layer_types", None):
        result["n_local_layers"] = config.layer_types.count("sliding_attention")
    return result


def configuration(written: Mapping[str, Any]) -> PreTrainedConfig:
    """The configuration of the language model, without what is only of a checkpoint."""
    text = written.get("text_config", written)
    fields = {key: value for key, value in text.items() if key not in LEFT_OUT}
    return AutoConfig.for_model(
        **fields,
        pad_token_id=None,
        attn_implementation="eager",
        experts_implementation="eager",
    )


def resting(model: torch.nn.Module, config: PreTrainedConfig) -> int:
    """Parameters of the routed experts that a token does not go to."""
    routed = sum(w.numel() for name, w in model.named_parameters() if ".experts." in name)
    if not routed:
        return 0
    number = next(getattr(config, field) for field in NUMBERS if hasattr(config, field))
    return int(routed // number * (number - config.num_experts_per_tok))


def forward_flops(config: PreTrainedConfig) -> int:
    """Of 7 tokens, without the angles of the rotary positions."""
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(input_ids=torch.arange(TOKENS)[None], use_cache=False)
    angles = [
        sum(flops.values())
        for module, flops in counter.get_flop_counts().items()
        if module.rpartition(".")[2].startswith("rotary_emb")
    ]
    return int(counter.get_total_flops() - sum(angles))


def main(arguments: list[str]) -> int:
    lines = [json.loads(line) for line in LINES.read_text(encoding="utf-8").splitlines()]
    differing = 0
    for line in lines:
        now = figures(line["config"])
        if now != line.get("figures"):
            differing += 1
            print(f"{line['name']}: {line.get('figures') or 'nothing'} is now {now}")
        line |= {"figures": now, "with": versions()}
    if "--write" in arguments:
        LINES.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return 0
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
