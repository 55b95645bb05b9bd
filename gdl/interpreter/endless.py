"""Rules by which play comes back to a position, and the players remember more each time round."""

from __future__ import annotations

from typing import Any

from gdl.game import Game
from gdl.interpreter.memory import remember_more
from gdl.states.again import Again, comes_again


def again(game: Game[Any]) -> Again:
    """What there is of it in a game by rules. A position is a state without what is remembered."""

    def bare(state: Any) -> Any:
        return state._replace(memories=None)

    def more(before: Any, after: Any) -> bool:
        return bare(before) == bare(after) and remember_more(before.memories, after.memories)

    return comes_again(game, bare, more)
