"""What a model wrote, out of the shapes that libraries hand completions over in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def completion_text(completion: Any) -> str:
    """The text of a completion: a text, a message, or the last of the assistant's messages.

    Content is a text or a list of parts, of which those with text count. What holds no text is
    the empty answer.

    >>> completion_text([{"role": "assistant", "content": [{"type": "text", "text": "7"}]}])
    '7'
    """
    match completion:
        case str():
            return completion
        case Mapping():
            return _content(completion.get("content"))
        case Sequence():
            spoken = [m for m in completion if isinstance(m, Mapping) and _by_assistant(m)]
            return completion_text(spoken[-1]) if spoken else ""
        case _:
            return ""


def _by_assistant(message: Mapping[str, Any]) -> bool:
    return bool(message.get("role", "assistant") == "assistant")


def _content(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        texts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(text for text in texts if isinstance(text, str))
    return ""
