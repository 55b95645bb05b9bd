"""Plays of agents that move at random, on the compiled engine: actions are chosen by their rows in the listing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from gdl.compiler import python
from gdl.compiler.joining import constants, kernel
from gdl.compiler.reading import Reading
from gdl.compiler.searches.contest_driver import ContestMove
from gdl.compiler.searches.slices import KernelSearch
from gdl.errors import Refusal
from gdl.game import Action
from gdl.interpreter.closures import PAST
from gdl.interpreter.rules_game import RulesGame, State

DECISION = constants("nodes")["DECISION"]
Draw = Callable[[Sequence[Action]], str]  # the actions made since -> the seed of the next choice


class ListedMoves(KernelSearch):
    """Random moves of all players, with the rules that were legal before each."""

    def __init__(self, game: RulesGame, start: State, engine: str, watched: bool = False):
        """`watched`: whether moves are to hold the positions before them."""
        if not isinstance(start, State) or start.memories is not None or start.earned is not None:
            raise Refusal("plays are made at once where nothing is hidden or gained on the way")
        if game.model.times:
            raise Refusal("plays are made at once where earlier positions do not count")
        super().__init__(game, start, engine)
        made = kernel("random_step", WEIGHED=self.lowered.weighs, AT_ONCE=self.at_once)
        self.load(made, "playout_step", "status", "moves", "apply")
        self._reading = Reading(game, self.lowered, self.module)
        self._watched = watched
        self._names: dict[bytes, Action] = {}
        self._stuck = False  # whether the interpreter must make the next move of this play

    def begin(self) -> None:
        """Begin the next play."""
        self._stuck = False

    def moves_for(self, player: int) -> bool:
        """True if the compiled engine makes the player's next move; False after a fault, where the interpreter has
        to."""
        return not self._stuck

    def moves(self, state: State, most: int, draw: Draw) -> tuple[list[ContestMove], State]:
        """Draw at most `most` moves, beginning in a state; fewer where the next position is no player's decision.
        Returns the moves and the state after them."""
        self._set_start(state)
        self.load_start_state()
        found: list[ContestMove] = []
        try:
            while len(found) < most and self.module["status"]() == DECISION and (ways := self.module["moves"]()):
                row = Random(draw([move.action for move in found])).choice(range(ways))
                found.append(self._read_move(row, ways))
                self.module["apply"](row)
        except python.Trap:  # the interpreter will meet the fault, and tell it
            self._stuck = True
            for move in found[:-1]:
                state = self.game.successor(state, move.action)
            return found[:-1], state
        return found, self._state()

    def _state(self) -> State:
        """The present position, as the interpreter holds it."""
        return self._reading.state(bytes(self.module["s"]), None, self.first.cells[PAST])

    def _read_move(self, row: int, ways: int) -> ContestMove:
        module, width = self.module, self.module["WIDTH"]
        held = module["move"][row * width : (row + 1) * width]
        rules = self.game.model.actions
        rule, player = rules[held[0]], module["s"][0]
        offered = frozenset(rules[number].name for number in set(module["move"][0 : ways * width : width]))
        state = self._state() if self._watched else None
        is_head = rule.template is None and not self.lowered.chooses[held[0]]
        action = self._names.get(bytes(held)) if is_head else None
        if action is None:
            (action,) = self._reading.names(state or self._state(), player, range(row, row + 1))
            if is_head:
                self._names[bytes(held)] = action
        return ContestMove(player, action, rule.name, ways, offered, None, state)


def listed_moves(game: Any, start: Any, engine: str, watched: bool) -> ListedMoves | None:
    """A ListedMoves for the game; None if the compiled engine does not take the game. `watched`: each move comes with
    the position before it."""
    try:
        return ListedMoves(game, start, engine, watched)
    except Refusal:
        return None
