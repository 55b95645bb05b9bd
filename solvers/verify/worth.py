"""Values of positions of perfect information, computed anew for the verifier.

Two-player games of constant sum, and games of one player, by interval backward induction: a leaf of unknown utility
may be anything, and a value is proved where low and high meet. General-sum games by the set of all vectors that
backward induction can give, ties broken in every way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from gdl.game import Chance, Decision, Game, Node, Number, Terminal, Unknown, actions, exact, require_number
from gdl.solvers.verify.position_graph import VerifierPositions, fold
from gdl.solvers.verify.verdict import Unchecked

Interval = tuple[Number | float, Number | float]  # low and high; floats only where infinite
Vector = tuple[Number, ...]

MAX_VECTORS = 1000  # the most value vectors of one position
MANY_TIES = "ties can be broken in too many ways"


def intervals(positions: VerifierPositions, player: int) -> list[Interval]:
    """For each position the bounds of the player's value, if all others want it low. They differ where utilities are
    unknown."""

    def worth(position: int, after: list[Interval]) -> Interval:
        node = positions.nodes[position]
        if isinstance(node, Terminal):
            utility = node.utilities[player]
            return (-math.inf, math.inf) if isinstance(utility, Unknown) else (utility, utility)
        if isinstance(node, Chance):
            weighted = [(p, interval) for (_, p), interval in zip(node.outcomes, after, strict=True) if p]
            return _average([(p, i[0]) for p, i in weighted]), _average([(p, i[1]) for p, i in weighted])
        choose = max if node.player == player else min
        return choose(low for low, _ in after), choose(high for _, high in after)

    return fold(positions, worth)


def _average(weighted: Sequence[tuple[Number, Number | float]]) -> Number | float:
    infinite = [number for _, number in weighted if isinstance(number, float)]
    if infinite:
        return infinite[0]
    return exact(sum((p * number for p, number in weighted if not isinstance(number, float)), Fraction(0)))


def outcomes(positions: VerifierPositions) -> list[list[Vector]]:
    """For each position all value vectors that backward induction can give, ties broken in every way. Raises Unchecked
    if there are too many."""

    def vectors(position: int, after: list[list[Vector]]) -> list[Vector]:
        node = positions.nodes[position]
        if isinstance(node, Terminal):
            return [tuple(map(require_number, node.utilities))]
        if isinstance(node, Chance):
            if prod(map(len, after)) > MAX_VECTORS:
                raise Unchecked(MANY_TIES)
            weights = [probability for _, probability in node.outcomes]
            found = [mean(weights, combination) for combination in product(*after)]
        else:
            found = [vector for choice in optimal(after, node.player) for vector in choice]
        found = list(dict.fromkeys(found))
        if len(found) > MAX_VECTORS:
            raise Unchecked(MANY_TIES)
        return found

    return fold(positions, vectors)


def optimal(after: Sequence[Sequence[Vector]], player: int) -> list[list[Vector]]:
    """For each action, those of its vectors by which the action can be best for the player: at least as good as the
    worst vector of each other action."""
    least = [min(vector[player] for vector in vectors) for vectors in after]
    return [
        [v for v in vectors if all(v[player] >= other for j, other in enumerate(least) if j != k)]
        for k, vectors in enumerate(after)
    ]


def mean(weights: Sequence[Number], vectors: Sequence[Vector]) -> Vector:
    """The weighted sum of vectors."""
    return tuple(
        exact(sum((w * x for w, x in zip(weights, column, strict=True)), Fraction(0)))
        for column in zip(*vectors, strict=True)
    )


# Backward induction in its plainest form, to a depth or to the ends, for what the verifier has to do once more.
#
# An end is worth its utilities, a node at the depth limit the file's evaluation, a chance node the average of its
# outcomes, and a player's node what its mover likes best, the first of equals. Equal nodes are looked at once.

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
