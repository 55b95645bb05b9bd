"""A state of a game by rules, and what is found of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gdl.game import Node
from gdl.interpreter.closures import MOVER
from gdl.interpreter.memory import Memories
from gdl.interpreter.reward_totals import Earned
from gdl.interpreter.rulebook import Option


class State(NamedTuple):
    """A state: the turn (a player, EVERYONE, NOBODY or a chance step), the cells, and the memories of the players."""

    turn: int
    cells: tuple[Any, ...]
    memories: Memories | None
    earned: Earned | None = None

    def without_memory(self) -> State:
        """The position alone, which says nothing of what the players remember."""
        return self if self.memories is None else self._replace(memories=None)

    def with_mover(self, player: int) -> State:
        """The position with that player to move."""
        return self._replace(turn=player, cells=(player, *self.cells[MOVER + 1 :]))


class RulesExpansion(NamedTuple):
    """A state's node, what can be done there by name, and the successors that have been made."""

    node: Node
    options: Mapping[str, Option]
    made: dict[Any, State]
