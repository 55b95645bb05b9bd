"""Rules by which play comes back to a position, and the players remember more each time round."""

from __future__ import annotations

from typing import Any, Protocol

from gdl.errors import LimitReached
from gdl.game import Game
from gdl.interpreter.memory import remember_more
from gdl.states.again import Again, comes_again

WORK = 300_000  # values that the rules run through, after which the walk ends: some tenths of a second


class CountsWork(Game[Any], Protocol):
    """A game that tells how many values its rules have run through."""

    worked: int


def detect_repetition(game: CountsWork) -> Again:
    """What there is of it in a game by rules. A position is a state without what is remembered."""
    most = game.worked + WORK

    def bare(state: Any) -> Any:
        return state._replace(memories=None)

    def more(before: Any, after: Any) -> bool:
        return bare(before) == bare(after) and remember_more(before.memories, after.memories)

    def enough(met: int) -> None:
        if game.worked > most:
            raise LimitReached(f"the rules of {game.name} take long for a position")

    return comes_again(game, bare, more, enough)
