"""A game cut off at a depth, but only where play is quiet: quiescence search as a Game around a Game.

A file may give a number that quiet play keeps (`quiet:`, as the number of men that captures change). At the
horizon and past it:

1. The one who moves may be content with EVAL(s), "stand pat", or take an action that changes the number.
2. Where the number is none, the position is not quiet: nobody can be content, all actions are followed.
3. FURTHER plies past the horizon EVAL is taken everywhere.

Sources: Shannon, Programming a computer for playing chess, 1950, section 3; Beal, A generalised quiescence search
algorithm, Artificial Intelligence 43, 1990.
"""

from __future__ import annotations

from typing import Any

from gdl.game import Action, Decision, Game, Joint, Node, Terminal
from gdl.solvers.horizon import Horizon, HorizonState

FURTHER = 4  # plies past the horizon at most
CONTENT = ""  # the action of a mover who is content with EVAL; no game has an action of this name
_OVER = -FURTHER - 1  # plies left in a state where the mover was content: play is over there


def for_windows(game: Game[Any]) -> bool:
    """True if alpha-beta may suit the game: one player, or two with zero sum, and no chance as far as is known."""
    traits = game.traits
    return not traits.chance and (traits.players == 1 or (traits.players == 2 and traits.constant_sum == 0))


def goes_on(game: Game[Any]) -> bool:
    """True if search in this game continues beyond the depth to quiet positions."""
    return game.promises.quiet is not None and for_windows(game)


class Quiescence(Horizon):
    """The game cut off `depth` plies from its start, or later where play is not quiet."""

    def __init__(self, game: Game[Any], depth: int):
        super().__init__(game, depth)
        number = game.promises.quiet
        assert number is not None
        self.number = number

    def node(self, state: HorizonState) -> Node:
        node = self.game.node(state.state)
        if state.left > 0 or isinstance(node, Terminal):
            return node
        assert isinstance(node, Decision)
        restless = self.number(state.state) is None
        actions = node.actions if restless else self._noisy_actions(state, node)
        if state.left <= -FURTHER or not actions:
            return Terminal(self._evaluation(state))
        return Decision(node.player, actions if restless else (CONTENT, *actions))

    def _noisy_actions(self, state: HorizonState, node: Decision) -> tuple[Action, ...]:
        """The actions that change the number that quiet play keeps."""
        number = self.number(state.state)
        after = {action: self.number(self.game.successor(state.state, action)) for action in node.actions}
        return tuple(action for action, found in after.items() if found is not None and found != number)

    def is_cut_off(self, state: HorizonState) -> bool:
        return isinstance(self.node(state), Terminal) and not isinstance(self.game.node(state.state), Terminal)

    def successor(self, state: HorizonState, action: Action | Joint) -> HorizonState:
        return HorizonState(state.state, _OVER) if action == CONTENT else super().successor(state, action)
