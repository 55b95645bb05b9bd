"""Levels of the computer, with one meaning in the terminal and on the page: at a lower one it sees less far, and judges
worse.

1. It gives every action a worth. Where positions can be estimated, the position after each is searched, all of them one
   ply deeper at a time and the best first, until so many nodes are spent; estimates of those that were not looked at so
   deep are thought to change as the others did on average. Its chances, from -1 to 1, are the worth (`judging`). Else,
   and where something is hidden, simulations (UCT) are made. They try actions until the upper confidence bounds, mean +
   c sqrt(ln N / n), are alike, so an action that was tried n times of N is worth 2 c sqrt(ln N / n) less than that.
2. To each worth an error is added, up to so much of the chance to win. A seed, the position and the action make it: so
   the same action is misjudged alike whenever the same position is looked at.
3. It plays what then seems best.

Above the last level of the table it plays as well as it can.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from math import log, sqrt
from random import Random
from time import monotonic
from typing import NamedTuple, TypeVar

from gdl.game import Action
from gdl.model.fingerprint import fingerprint
from gdl.model.games import Model

Found = TypeVar("Found")
Worth = tuple[int, bool]  # of an action to the first player, as a search counts, and whether that is an estimate


class Level(NamedTuple):
    """The limits of a level: the nodes of a search, or the simulations; and the greatest error as a share of the chance
    to win, where positions are estimated (`error`) or simulations are made (`doubt`)."""

    nodes: int
    simulations: int
    error: float
    doubt: float


# Measured by tests/bench/levels.py. Sight and error change slowly at first, where each tells much.
NODES, ERRORS = (32, 100, 400, 1_600, 8_000, 25_000, 120_000), (0.5, 0.33, 0.22, 0.14, 0.08, 0.055, 0.03)
SIMULATIONS, DOUBTS = (40, 80, 160, 320, 800, 2_000, 6_000), (0.5, 0.25, 0.14, 0.08, 0.045, 0.02, 0.006)
LEVELS: Sequence[Level] = list(map(Level, NODES, SIMULATIONS, ERRORS, DOUBTS))
BEST_LEVEL = len(LEVELS) + 1  # which plays as well as it can
# By the fingerprint of a game: the lowest level that scores 45 of 100 points or more against the best, as measured.
AS_THE_BEST: Mapping[str, int] = {
    "1:c6e95e3b691555c9a1ba003e79554b5f": 3,  # tic_tac_toe
    "1:8b1a2d31170dba2f767b38b021622e1d": 5,  # nim
    "1:cc14844d2f8ab709985e6b4275a9a0e2": 6,  # kayles
}
EXPLORED = 0.6  # c, as few simulations have it


def lowest_best_level(model: Model) -> int:
    """The lowest level that plays a game as the best does, as far as that was measured."""
    return AS_THE_BEST.get(fingerprint(model), BEST_LEVEL)


def worth_by_visits(visits: Mapping[Action, int]) -> dict[Action, float]:
    """The worth of actions that simulations tried so many times; 0 is the most."""
    most = log(sum(visits.values()) + 1)
    return {action: -2 * EXPLORED * sqrt(most / count) for action, count in visits.items() if count}


def join_depths(found: Mapping[Action, Worth], deeper: Mapping[Action, Worth]) -> dict[Action, Worth]:
    """The worth of all actions, some of which, the best as `found`, were searched `deeper`; an estimate of another is
    thought to change by the mean of what estimates changed by. What is proved stays, and tells nothing of others."""
    if not found:
        return {**deeper}
    changes = [worth - found[action][0] for action, (worth, guessed) in deeper.items() if guessed and found[action][1]]
    change = sum(changes) // max(1, len(changes))
    return {
        action: deeper.get(action, (worth + change if guessed else worth, guessed))
        for action, (worth, guessed) in found.items()
    }


def choose_by_level(worths: Mapping[Action, float], error: float, place: str) -> Action:
    """The action that seems best with so great an error; errors are drawn by the place, a seed and a position."""
    return max(worths, key=lambda action: worths[action] + 2 * error * Random(f"{place}/{action}").uniform(-1, 1))


def run_until(work: Generator[None, None, Found], end: float) -> Found | None:
    """Do a work in slices: its result, or None where the time, on the clock `monotonic`, comes first."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            found: Found = done.value
            return found
        if monotonic() > end:
            return None
