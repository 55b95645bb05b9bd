"""The action that tree search chooses at a node."""

from gdl.compiler.kernels.mcts import *
from gdl.compiler.kernels.tree import *
from gdl.compiler.kernels.tree_values import *


def uct_choice(node: i32, player: i32) -> i32:
    """The number of the action to play at a node: the most visited one that is not proven, unless a proven one gives at
    least as much; -1 if none was tried."""
    first_child = tree_link[node * LINK + LINK_FIRST]
    estimated = -1
    certain = -1
    for child in range(first_child, first_child + tree_link[node * LINK + LINK_ROWS]):
        if uct_sum[child * RECORD] == 0:
            continue
        if tree_link[child * LINK + LINK_PROVEN]:
            if certain < 0 or tree_pays(child, player) > tree_pays(certain, player):
                certain = child
        elif estimated < 0 or uct_visits(child) > uct_visits(estimated):
            estimated = child
    if estimated < 0 or certain < 0:
        found = certain if estimated < 0 else estimated
        return found - first_child if found >= 0 else -1
    pays = tree_pays(certain, player)
    level = pays * uct_visits(estimated) >= uct_sum[estimated * RECORD + 1 + player]
    return certain - first_child if level else estimated - first_child
