"""Equal parts of trees made one and the same, so that a compiler meets each once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from symscale.expressions.nodes import Call, Label, Name, Node, Number, children, rewrite


def share(nodes: Sequence[Node]) -> list[Node]:
    """The same trees, in which parts that are equal are the same object.

    Takes time linear in the number of distinct nodes.
    """
    known: dict[Hashable, Node] = {}

    def one(node: Node) -> Node:
        """The node that stands for all its equals; its parts are such nodes already."""
        if isinstance(node, Number | Name | Label):
            return known.setdefault(node, node)
        kind = node.function if isinstance(node, Call) else node.op
        return known.setdefault((type(node), kind, *map(id, children(node))), node)

    return [rewrite(node, one) for node in nodes]
