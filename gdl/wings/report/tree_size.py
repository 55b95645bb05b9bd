"""How large a game is: its tree by Knuth's sampling, with the error of the guess, and its positions.

Walk down from the start, at each node to a child at random, and multiply the numbers of children met: what the walk
says of a level is on average the number of its nodes, and the sum over the levels that of the whole tree (Knuth,
"Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975). The mean of several walks comes
with its standard error. Few walks meet the bushiest parts, so that the guess is more often too small than too large.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt, log10
from random import Random
from statistics import mean, variance
from typing import Any

from gdl.errors import LimitReached
from gdl.game import Game
from gdl.states.estimate import SampleWalk, sample_walk, state_space_size
from gdl.wings.report.report_answers import GameSizeAnswer
from gdl.wings.report.trace import RuleNames

WALKS = 200
PLIES = 20_000  # of all walks together
COUNTED = 20_000  # states that are counted one by one
WORK = 3_000_000  # values that slow rules run through for the walks, and as many for the count: a second or two each
POSITION = 140  # values that take about as long as what players remember of a position


def tree_size(
    game: Game[Any], seed: int, positions_counted: int | None, fast: Callable[..., SampleWalk | None] | None = None
) -> GameSizeAnswer:  # fmt: skip
    """Estimate the size of the game tree by random walks. `positions_counted` is the number of positions, None if it is
    not known; `fast` makes walks as `sample_walk` does, from a state; None at a fault."""
    random, left, done = Random(seed), PLIES, _work(game)
    walks = list[SampleWalk]()
    while not walks or (len(walks) < WALKS and walks[-1].ended and done() < WORK):
        before = random.getstate()
        found = fast(game.initial(), random, left) if fast else None
        if found is None:
            random.setstate(before)
            found = sample_walk(game, random, left)
        left -= len(found.ways)
        walks.append(found)
    whole = [walk for walk in walks if walk.ended] or walks
    nodes, error = _mean([walk.nodes for walk in whole])
    plies, children = sum(len(walk.ways) for walk in whole), sum(sum(walk.ways) for walk in whole)
    b, m = children / plies if plies else 0.0, plies / len(whole)
    return GameSizeAnswer(
        nodes, error, len(whole), whole[0].ended, b, m, m * log10(b) if b else None, positions_counted,
        state_space_size(game),
    )  # fmt: skip


def _work(game: Game[Any]) -> Callable[[], int]:
    """A function to the work that the rules have done since now; it counts values, not time."""
    rules = RuleNames(game).rules
    before = 0 if rules is None else rules.work
    return lambda: 0 if rules is None else rules.work - before


def _mean(totals: list[int]) -> tuple[int, int]:
    """The mean of whole numbers and its standard error, both rounded."""
    exactly = [Fraction(total) for total in totals]
    return round(mean(exactly)), isqrt(int(variance(exactly) / len(totals))) if len(totals) > 1 else 0


def work_limit(game: Game[Any]) -> Callable[[int], None]:
    """A function of the number of positions met that raises LimitReached once the rules, and what players remember,
    have taken as long as to run through WORK values, counted from now."""
    rules, done = RuleNames(game).rules, _work(game)
    each = 0 if rules is None or rules.initial().memories is None else POSITION

    def check_work(met: int) -> None:
        if done() + each * met > WORK:
            raise LimitReached(f"the rules of {game.name} take long for a position")

    return check_work
