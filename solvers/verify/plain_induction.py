"""Backward induction in its plainest form, to a depth or to the ends, for what the verifier has to do once more.

An end is worth its utilities, a node at the depth limit the file's evaluation, a chance node the average of its
outcomes, and a player's node what its mover likes best, the first of equals. Equal nodes are looked at once.
"""

from __future__ import annotations

from typing import Any

from gdl.game import Chance, Decision, Game, Node, Number, Terminal, actions, require_number
from gdl.solvers.verify.verdict import Unchecked
from gdl.solvers.verify.worth import mean

Vector = tuple[Number, ...]
Key = tuple[Any, int | None]  # a state, and the plies until the depth limit; None: there is none


class Worths:
    """The values of nodes for all players; at most `most` nodes are visited. With a `side`, only the number of that
    player counts, and all others want it low."""

    def __init__(self, game: Game[Any], most: int, side: int | None = None):
        self.game = game
        self.most = most
        self.side = side
        self.found: dict[Key, Vector] = {}

    def of(self, state: Any, left: int | None) -> Vector:
        """The value vector of a state with `left` plies to the depth limit (None: no limit). Raises Unchecked where
        there is none."""
        stack: list[Key] = [(state, left)]
        entered: dict[Key, None] = {}
        while stack:
            key = stack[-1]
            node = self.game.node(key[0])
            missing = [child for child in self.children(key, node) if child not in self.found]
            if not missing:
                self.found[stack.pop()] = self._vector(key, node)
                continue
            if missing[0] in entered:
                raise Unchecked("positions can come again")
            if len(self.found) + len(entered) >= self.most:
                raise Unchecked(f"the search has more than {self.most:,} nodes")
            entered[key] = None
            stack.append(missing[0])
        return self.found[state, left]

    def children(self, key: Key, node: Node) -> list[Key]:
        """The nodes that follow a node, in the order of the file; none at an end, or at the depth limit."""
        state, left = key
        if left == 0:
            return []
        return [(self.game.successor(state, action), None if left is None else left - 1) for action in actions(node)]

    def _vector(self, key: Key, node: Node) -> Vector:
        if isinstance(node, Terminal):
            return tuple(map(require_number, node.utilities))
        if key[1] == 0:
            found = self.game.evaluate(key[0])
            if found is None:
                raise Unchecked("the file gives no evaluation where search is cut off")
            return found
        after = [self.found[child] for child in self.children(key, node)]
        if isinstance(node, Decision):
            return self._chosen(after, node.player)
        if not isinstance(node, Chance):
            raise Unchecked("everyone moves at once")
        return mean([weight for _, weight in node.outcomes], after)

    def keeps(self, mover: int, key: Key, after: Key) -> bool:
        """True if the mover's number is the same after this step as before."""
        side = mover if self.side is None else self.side
        return self.found[after][side] == self.found[key][side]

    def _chosen(self, after: list[Vector], mover: int) -> Vector:
        """The vector that the mover likes best; the first of equal ones."""
        side = mover if self.side is None else self.side
        choose = max if side == mover else min
        return choose(after, key=lambda vector: vector[side])
