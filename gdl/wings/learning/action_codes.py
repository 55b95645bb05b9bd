"""Actions of a game by rules as a net knows them: by their rules and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdl.game import Action
from gdl.interpreter.plies import State
from gdl.interpreter.rulebook import Option
from gdl.model.games import Rule

Options = Callable[[State, int], Mapping[Action, Option]]  # state and player -> the player's options by name

ActionCode = tuple[
    int, tuple[Any, ...], int
]  # an action: its rule, the values of its head and those chosen, how many these


class ActionEncoder:
    """Codes of actions for a net: the number of the rule, the values chosen, and how many of these were chosen in the
    body."""

    def __init__(self, rules: Sequence[Rule], options: Options):
        self._options = options
        self._number = {id(rule): k for k, rule in enumerate(rules)}

    def encode(self, state: State) -> list[ActionCode]:
        """The codes of all actions at a decision, in the order of the actions."""
        return [self._code_of_option(option) for option in self._options(state, state.turn).values()]

    def _code_of_option(self, option: Option) -> ActionCode:
        rule = self._number[id(option.rule)]
        if option.rule.simple:
            return rule, option.arguments, 0
        run = option.run()
        taken = [menu[at] for menu, at in zip(run.menus, run.path, strict=True) if menu]
        chosen = [value for values in taken for value in values]
        return rule, (*option.arguments, *chosen), len(chosen)
