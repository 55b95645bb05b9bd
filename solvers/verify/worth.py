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

from gdl.game import Chance, Number, Terminal, Unknown, exact, require_number
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
