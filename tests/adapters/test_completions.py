"""The text of a completion, in every shape that it comes in."""

from __future__ import annotations

from typing import Any

import pytest

from symscale.adapters.completions import completion_text


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("plain", "plain"),
        ([{"role": "assistant", "content": "said"}], "said"),
        ({"role": "assistant", "content": "said"}, "said"),
        ([{"content": "no role"}], "no role"),
        (
            [
                {"role": "assistant", "content": "let me look"},
                {"role": "tool", "content": "7"},
                {"role": "assistant", "content": "it is 7"},
            ],
            "it is 7",
        ),
        (
            [{"role": "assistant", "content": "right"}, {"role": "user", "content": "sure?"}],
            "right",
        ),
        ([{"role": "assistant", "content": [{"type": "text", "text": "a"}, {"text": "b"}]}], "ab"),
        ([{"role": "assistant", "content": [{"type": "image_url"}, "text", 7]}], ""),
        ([{"role": "assistant", "content": None, "tool_calls": []}], ""),
        ([{"role": "user", "content": '{"rows": [[1]]}'}], ""),
        ([], ""),
        (None, ""),
        (7, ""),
    ],
)
def test_text(completion: Any, text: str) -> None:
    assert completion_text(completion) == text
