"""Play that comes back to a position, and players who remember more each time round.

States hold what the players remember, so such a game has no end of states though it may have few positions: no walk
over its states ends, and no method that needs all of them. It is found among the positions alone:

1. Walk over the positions: what is remembered is left out, and two states that differ in nothing else are one.
2. Find a way from a position back to itself. No rule asks what is remembered, so it can be gone again and again.
3. Go round twice. If after the second round everybody remembers all that they did after the first, and somebody more,
   so it is after every round. (After a `forget` on the way the second round adds nothing.)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from typing import Any, NamedTuple

from gdl.errors import GameError, LimitReached
from gdl.errors.limits import LOOK
from gdl.game import Game, Play, Round
from gdl.states.explore import Move, Progress, Walk, WalkExpansion, topological_order
from gdl.states.game_wrapper import GameWrapper

POSITIONS = 2_000  # that are walked
MOST_RETURNS_TRIED = 20  # positions that play may come back to, at most


class Again(NamedTuple):
    """The result of a walk over the positions: `cyclic` is True if play can come back to a position (None: not known);
    `round` is a round of play after which players remember more (None: none was found)."""

    cyclic: bool | None
    round: Round | None = None


class _Positions(GameWrapper):
    """The game without the memories of the players in its states."""

    def __init__(self, game: Game[Any], bare: Callable[[Any], Any]):
        super().__init__(game)
        self.bare = bare

    def initial(self) -> Any:
        return self.bare(self.game.initial())

    def successor(self, state: Any, action: Move) -> Any:
        return self.bare(self.game.successor(state, action))


def comes_again(
    game: Game[Any],
    bare: Callable[[Any], Any],
    remembers_more: Callable[[Any, Any], bool],
    progress: Progress | None = None,
) -> Again:
    """Find out if play can come back to a position.

    `bare` returns a state without what players remember; `remembers_more` says whether the second of two states is at
    the same position as the first, and its players remember all that they remember in the first, and more. `progress`
    may end the walk by LimitReached.
    """
    walk = Walk(_Positions(game, bare), POSITIONS, progress, LOOK)
    found: dict[int, WalkExpansion] = {}
    with suppress(LimitReached, GameError):
        found.update((expansion.number, expansion) for expansion in walk)
    children = [found[n].children if n in found else () for n in range(len(walk.states))]
    ordered = set(topological_order(children))
    left = [number for number in range(len(children)) if number not in ordered]
    for number in left[:MOST_RETURNS_TRIED]:
        back = _way_back(number, found)
        if back is not None:
            once = reduce(game.successor, (*walk.way(number), *back), game.initial())
            if remembers_more(once, reduce(game.successor, back, once)):
                return Again(True, Round(walk.way(number), back))
    return Again(False if len(found) == len(children) and not left else None)


def _way_back(start: int, found: dict[int, WalkExpansion]) -> Play | None:
    """A shortest way from a position back to itself."""
    arrivals: dict[int, tuple[int, Move]] = {}
    queue = [start]
    for number in queue:  # grows while it is walked
        expansion = found.get(number)
        for move, child in zip(expansion.moves, expansion.children, strict=True) if expansion else ():
            if child not in arrivals:
                arrivals[child] = number, move
                queue.append(child)
        if start in arrivals:
            break
    if start not in arrivals:
        return None
    here, move = arrivals[start]
    way = [move]
    while here != start:
        here, move = arrivals[here]
        way.append(move)
    return tuple(reversed(way))
