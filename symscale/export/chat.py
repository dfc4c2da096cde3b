"""A question as a chat: the one system prompt, then the question as it stands in the row."""

from __future__ import annotations

from symscale.catalog.protocol import SYSTEM_PROMPT


def messages(question: str) -> list[dict[str, str]]:
    """The chat that asks a question, as `{"role": ..., "content": ...}`.

    >>> [message["role"] for message in messages("How many bytes?")]
    ['system', 'user']
    """
    return [
        {"role": "system", "content": SYSTEM_PROMPT},
        {"role": "user", "content": question},
    ]
