"""What a player sees of a position, and what they may write for their actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from gdl.game import Action, Game
from gdl.interpreter.explicit import MatrixGame
from gdl.interpreter.rules import RulesGame, State
from gdl.model.board import AXES, column_letters
from gdl.model.domains import board_of
from gdl.model.games import Rule
from gdl.playing.replies import Replies, most_common
from gdl.render.position import matrix_text
from gdl.states.sequential import Turn


class Sight:
    """How a game looks to a player. Of trees nothing is drawn."""

    def __init__(self, game: Game[Any]):
        whole: Any = game
        while hasattr(whole, "game"):  # a game around a game
            whole = whole.game
        self.rules = whole if isinstance(whole, RulesGame) else None
        self.matrix = whole.model if isinstance(whole, MatrixGame) else None

    def draw_for(self, state: Any, player: int) -> str | None:
        """The position as the player sees it, a matrix as a table; None where there is nothing to draw."""
        if self.rules is not None:
            return self.rules.show_to(_inner(state), player)
        return None if self.matrix is None else matrix_text(self.matrix)

    def sayings_to(self, state: Any, player: int) -> tuple[str, ...]:
        """All that was said to the player."""
        return () if self.rules is None else self.rules.sayings_to(_inner(state), player)

    def replies(self, state: Any, player: int, actions: Sequence[Action], before: Iterable[Action]) -> Replies:
        """What can be written for the player's actions."""
        if self.rules is None:
            return Replies(actions, before=before)
        here = _inner(state)
        names = {action: option.rule.name for action, option in self.rules.options(here, player).items()}
        return Replies(
            actions, self._squares, self.rules.signs(here, player), self._common(player),
            _with_letters(actions, self.rules.model.actions), names, before,
        )  # fmt: skip

    @cached_property
    def _squares(self) -> tuple[str, ...]:
        """The squares of all boards, by name."""
        assert self.rules is not None
        types = [type for variable in self.rules.model.variables for type in variable.indices]
        types += [parameter.type for rule in self.rules.model.actions for parameter in rule.parameters]
        boards = [board for type in types if (board := board_of(type)) is not None]
        return tuple(dict.fromkeys(square for board in boards for square in board.squares))

    def _common(self, player: int) -> str:
        """The most common sign at the start of the game."""
        assert self.rules is not None
        return most_common(self.rules.signs(self.rules.initial(), player))


def _inner(state: Any) -> State:
    """The rules' own state."""
    while isinstance(state, Turn):
        state = state.state
    assert isinstance(state, State)
    return state


def _with_letters(actions: Sequence[Action], rules: Sequence[Rule]) -> Mapping[Action, str]:
    """Second names of actions, with letters for the columns that stand in their brackets as numbers."""
    found = {}
    for rule in rules:
        axes = [parameter.axis for parameter in rule.parameters]
        if rule.template is not None or AXES[0] not in axes:
            continue
        for action in actions:
            name, _, inside = action.partition("(")
            words = inside.removesuffix(")").split(", ")
            if name == rule.name and len(words) == len(axes):
                letters = [
                    column_letters(int(word)) if axis == AXES[0] else word
                    for axis, word in zip(axes, words, strict=True)
                ]
                found[action] = f"{name}({', '.join(letters)})"
    return found
