"""The marks that models put around reasoning, each block with how it opens and how it closes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Block:
    """A kind of reasoning block. Marks are read in any case, ASCII letters only, and with
    spaces before the bracket that closes a tag."""

    opening: str
    closings: tuple[str, ...]
    written_by: str


REASONING = (
    Block("<think>", ("</think>",), "DeepSeek, Qwen, GLM, MiniMax, Nemotron, OLMo, Phi, Hunyuan"),
    Block("<thinking>", ("</thinking>",), "prompts that ask for it"),
    Block("<thought>", ("</thought>",), "EXAONE"),
    Block("<scratchpad>", ("</scratchpad>",), "prompts that ask for it"),
    Block("<reasoning>", ("</reasoning>",), "prompts that ask for it"),
    Block("<seed:think>", ("</seed:think>",), "Seed-OSS"),
    Block("[THINK]", ("[/THINK]",), "Magistral"),
    Block("◁think▷", ("◁/think▷",), "Kimi"),
    Block("<|begin_of_thought|>", ("<|end_of_thought|>",), "Sky-T1, OpenThinker"),
    Block("<|START_THINKING|>", ("<|END_THINKING|>",), "Command"),
    Block("<|channel|>analysis", ("<|end|>", "<|channel|>final"), "gpt-oss"),
    Block("<|channel|>commentary", ("<|end|>", "<|call|>", "<|channel|>final"), "gpt-oss"),
    Block("<|channel>thought", ("<channel|>",), "Gemma"),
)
"""Every block that extraction removes. A block runs from its opening to the first of its closings,
or to the end of the text; blocks do not nest."""

STRIPPED = Block("analysis", ("assistantfinal",), "gpt-oss, its special tokens stripped")
"""A block only where a text begins with it, letter for letter."""

ANSWER_OPENING, ANSWER_CLOSING = "<answer>", "</answer>"
