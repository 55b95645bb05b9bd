"""Estimates of a learned net for the states of a game by rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdl.game import Action
from gdl.interpreter.plies import State
from gdl.interpreter.rulebook import Option
from gdl.model.games import Rule
from gdl.model.network import Net

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

    def of(self, state: State) -> list[ActionCode]:
        """The codes of all actions at a decision, in the order of the actions."""
        return [self._done(option) for option in self._options(state, state.turn).values()]

    def _done(self, option: Option) -> ActionCode:
        rule = self._number[id(option.rule)]
        if option.rule.simple:
            return rule, option.arguments, 0
        run = option.run()
        taken = [menu[at] for menu, at in zip(run.menus, run.path, strict=True) if menu]
        chosen = [value for values in taken for value in values]
        return rule, (*option.arguments, *chosen), len(chosen)


class NetAdviser:
    """A net as a function of states: the values for all players, on the net's own scale, and the mover's actions'
    shares, in their order."""

    def __init__(self, net: Net, deeds: ActionEncoder):
        self.net, self._deeds = net, deeds
        self.middle, self.half, self.ranks = net.scale.middle, net.scale.half, net.slots > 1

    def __call__(self, state: State) -> tuple[tuple[float, ...], tuple[float, ...]]:
        places = [self.net.places(*done) for done in self._deeds.of(state)]
        return self.net.values_and_shares(state.turn, state.cells, places)
