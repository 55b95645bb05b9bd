"""A state of a game by rules, and its expansion: the node, the options and the successors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gdl.game import Node
from gdl.interpreter.closures import MOVER
from gdl.interpreter.memory import Memories
from gdl.interpreter.reward_totals import Earned
from gdl.interpreter.rulebook import Option


class State(NamedTuple):
    """A state: the turn (a player's number, EVERYONE, NOBODY or a chance step), the cells, the memories of the players
    (None where everyone sees everything), and the rewards so far (None if positions do not hold them)."""

    turn: int
    cells: tuple[Any, ...]
    memories: Memories | None
    earned: Earned | None = None

    def without_memory(self) -> State:
        """The state without the players' memories."""
        return self if self.memories is None else self._replace(memories=None)

    def with_mover(self, player: int) -> State:
        """The state with this player as the one to move."""
        return self._replace(turn=player, cells=(player, *self.cells[MOVER + 1 :]))


class RulesExpansion(NamedTuple):
    """The node of a state, its options by name, and those of its successors that were computed already."""

    node: Node
    options: Mapping[str, Option]
    made: dict[Any, State]
