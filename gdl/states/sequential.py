"""Simultaneous moves as turns that nobody else sees, in the order of the players: a Game around a Game.

Every simultaneous node becomes one decision per player who has a choice; nobody sees the choices made so far, so
each player's information sets, and with them all equilibria, stay what they were (Osborne and Rubinstein, A Course
in Game Theory, section 6.3.2).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, Protocol

from gdl.game import Action, Decision, Game, Joint, Node, Number, Promises, Simultaneous, Traits
from gdl.states.checked_game import ensure_checked
from gdl.states.game_wrapper import GameWrapper
from gdl.states.protocol import no_action


class Turn(NamedTuple):
    """A state of the inner game, and the choices already made there, one for each player asked so far."""

    state: Any
    chosen: Joint


class Opponent(Protocol):
    """The player of the seats at which no person sits, who also gives hints to persons."""

    def move(self, state: Turn, player: int) -> Action:
        """The player's action at the state."""

    def hint(self, state: Turn, player: int) -> str:
        """Advice for the player at the state, with its reason."""


class Sequential(GameWrapper):
    """A game in which players who choose at once are asked one by one. States are Turns; games without simultaneous
    moves play as they were."""

    def __init__(self, game: Game[Any]):
        super().__init__(ensure_checked(game))
        inner = self.game.promises
        self.promises = Promises(
            bounds=lambda state: inner.bounds(state.state),
            unit=inner.unit,
            forever=inner.forever,
            constant_sum=inner.constant_sum,
            cost=inner.cost,
            endless=inner.endless,
            learnt=inner.learnt,
            likeness=inner.likeness,
            acts_until=lambda state, player, later: inner.acts_until(state.state, player, later),
        )

    def inside(self, state: Turn) -> Any:
        return state.state

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequential) and self.game == other.game

    def __hash__(self) -> int:
        return hash(self.game)

    @property
    def traits(self) -> Traits:
        inner = self.game.traits
        perfect = inner.perfect_information if not inner.simultaneous else False
        return replace(inner, simultaneous=False, perfect_information=perfect, states=None)

    def initial(self) -> Turn:
        return Turn(self.game.initial(), ())

    def node(self, state: Turn) -> Node:
        node = self.game.node(state.state)
        if not isinstance(node, Simultaneous):
            return node
        player = _next_chooser(node, len(state.chosen))
        return Decision(player, node.actions[player])

    def successor(self, state: Turn, action: Action | Joint) -> Turn:
        node = self.game.node(state.state)
        if not isinstance(node, Simultaneous):
            return Turn(self.game.successor(state.state, action), ())
        player = _next_chooser(node, len(state.chosen))
        if not isinstance(action, str) or action not in node.actions[player]:
            raise no_action(Decision(player, node.actions[player]), action)
        idle: Joint = ("",) * (player - len(state.chosen))
        chosen = (*state.chosen, *idle, action)
        if _next_chooser(node, len(chosen)) < len(self.players):
            return Turn(state.state, chosen)
        joint = (*chosen, *("",) * (len(self.players) - len(chosen)))
        return Turn(self.game.successor(state.state, joint), ())

    def evaluate(self, state: Turn) -> tuple[Number, ...] | None:
        return None if state.chosen else self.game.evaluate(state.state)

    def label(self, state: Turn) -> str | None:
        return None if state.chosen else self.game.label(state.state)


def _next_chooser(node: Simultaneous, start: int) -> int:
    """The first player from `start` on who has a choice; the number of players if there is none."""
    return next((p for p in range(start, len(node.actions)) if node.actions[p]), len(node.actions))
