"""Equal parts of trees made one and the same, so that a compiler meets each once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from symscale.expressions.nodes import Call, Label, Name, Node, Number, children, rebuild


def share(nodes: Sequence[Node]) -> list[Node]:
    """The same trees, in which parts that are equal are the same object.

    Takes time linear in the number of distinct nodes.
    """
    sharing = _Sharing()
    return [sharing.one(node) for node in nodes]


class _Sharing:
    def __init__(self) -> None:
        self.done: dict[int, Node] = {}
        self.known: dict[Hashable, Node] = {}
        self.alive: list[Node] = []

    def one(self, node: Node) -> Node:
        shared = self.done.get(id(node))
        if shared is None:
            self.alive.append(node)  # so that its id stays its own
            shared = self.done[id(node)] = self._one(node)
        return shared

    def _one(self, node: Node) -> Node:
        if isinstance(node, Number | Name | Label):
            return self.known.setdefault(node, node)
        parts = tuple(self.one(part) for part in children(node))
        kind = node.function if isinstance(node, Call) else node.op
        key = (type(node), kind, tuple(map(id, parts)))
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = rebuild(node, parts)
        return found
