"""How large a game is: its tree by Knuth's sampling, with the error of the guess, and its positions.

Walk down from the start, at each node to a child at random, and multiply the numbers of children met: what the walk
says of a level is on average the number of its nodes, and the sum over the levels that of the whole tree (Knuth,
"Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975). The mean of several walks comes
with its standard error. Few walks meet the bushiest parts, so that the guess is more often too small than too large.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, log10
from random import Random
from typing import Any

from gdl.errors import GameError, LimitReached
from gdl.game import Game
from gdl.inspection.report.trace import RuleNames
from gdl.states.estimate import sample_walk, state_space_size
from gdl.states.explore import Walk

WALKS = 200
PLIES = 20_000  # of all walks together
COUNTED = 20_000  # states that are counted one by one
WORK = 3_000_000  # values that slow rules run through for the walks, and as many for the count: a second or two each


@dataclass(frozen=True)
class GameSizeReport:
    """The guess at the nodes of the tree and its standard error, from so many walks, and whether all of these came to
    an end; how many children a node that is no end had on the walks, and how long these were, on average; the positions
    that can be reached, if they are few enough to be counted; and how many the variables of the rules can tell apart,
    None where there are no rules."""

    nodes: int
    error: int
    walks: int
    ended: bool
    children: float
    plies: float
    positions: int | None
    most_positions: int | None

    @property
    def power(self) -> float | None:
        """The logarithm of b^m to the base of ten, of the mean number b of children and the mean length m."""
        return self.plies * log10(self.children) if self.children else None


def tree_size(game: Game[Any], seed: int, positions_counted: int | None) -> GameSizeReport:
    """Estimate the size of the game tree by random walks; `positions_counted` is the number of positions, if it is
    known."""
    random, left, done = Random(seed), PLIES, _work(game)
    walks = [sample_walk(game, random, left)]
    while len(walks) < WALKS and walks[-1].ended and done() < WORK:
        left -= len(walks[-1].ways)
        walks.append(sample_walk(game, random, left))
    whole = [walk for walk in walks if walk.ended] or walks
    mean, error = _mean([walk.nodes for walk in whole])
    plies, children = sum(len(walk.ways) for walk in whole), sum(sum(walk.ways) for walk in whole)
    return GameSizeReport(
        mean, error, len(whole), whole[0].ended, children / plies if plies else 0.0, plies / len(whole),
        positions_counted, state_space_size(game),
    )  # fmt: skip


def _work(game: Game[Any]) -> Callable[[], int]:
    """How much the rules have worked from now on; it depends on no clock."""
    rules = RuleNames(game).rules
    before = 0 if rules is None else rules.work
    return lambda: 0 if rules is None else rules.work - before


def _mean(totals: list[int]) -> tuple[int, int]:
    """The mean and its standard error, as whole numbers."""
    count, whole = len(totals), sum(totals)
    if count < 2:
        return whole, 0
    spread = Fraction(sum(total * total for total in totals)) - Fraction(whole * whole, count)
    return round(Fraction(whole, count)), isqrt(int(spread / (count * (count - 1))))


def count_positions(game: Game[Any]) -> int | None:
    """The positions, if they are few enough to be counted."""
    walk, done = Walk(game, COUNTED), _work(game)
    try:
        for _ in walk:
            if done() > WORK:
                return None
    except (LimitReached, GameError):  # a fault of the rules is told where agents meet it
        return None
    return len(walk.states)
