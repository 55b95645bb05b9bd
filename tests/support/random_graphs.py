"""Trees at random for tests of walks and graphs."""

from __future__ import annotations

import random

from gdl.interpreter.explicit_game import TreeGame
from gdl.model.games import TreeModel, TreeNode


def random_tree(seed: int) -> TreeGame:
    """A random tree of two players in which some nodes of a player share an information set, with no regard to their
    past."""
    chooser = random.Random(seed)
    nodes: list[TreeNode | None] = []

    def add(depth: int) -> int:
        index = len(nodes)
        nodes.append(None)
        if depth == 0 or chooser.random() < 0.2:
            nodes[index] = TreeNode("terminal", utilities=(chooser.randint(0, 3), chooser.randint(0, 3)))
            return index
        children = (add(depth - 1), add(depth - 1))
        player = chooser.randrange(2)
        named = f"{'AB'[player]}{chooser.randrange(6)}" if chooser.random() < 0.5 else None
        nodes[index] = TreeNode("decision", player, information_set=named, actions=("l", "r"), children=children)
        return index

    add(3)
    return TreeGame(TreeModel(f"tree {seed}", ("A", "B"), tuple(nodes)))
