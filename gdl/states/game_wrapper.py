"""A Game around a Game: what a wrapper does not change is passed on to the game inside."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from gdl.game import (
    NO_ENGINE,
    NO_PROMISES,
    Action,
    Chance,
    Engine,
    Game,
    Joint,
    Node,
    Number,
    Promises,
    Rest,
    Terminal,
    Traits,
    Unknown,
)


class GameWrapper:
    """A game that passes every question on to the game inside; a subclass overrides what is different.

    If the states of a subclass hold more than those of the game inside, its `inside` returns the state inside, and it
    has its own `initial`, `node` and `successor`. The engine and the promises are not passed on: a subclass for which
    they hold as well sets them.
    """

    def __init__(self, game: Game[Any]):
        self.game = game
        self.name = game.name
        self.players: tuple[str, ...] = game.players
        self.engine: Engine = NO_ENGINE
        self.promises: Promises = NO_PROMISES

    def __repr__(self) -> str:
        return repr(self.game)

    def inside(self, state: Any) -> Any:
        """The state of the game inside for a state of this one."""
        return state

    @property
    def traits(self) -> Traits:
        return self.game.traits

    def initial(self) -> Any:
        return self.game.initial()

    def node(self, state: Any) -> Node:
        return self.game.node(state)

    def successor(self, state: Any, action: Action | Joint) -> Any:
        return self.game.successor(state, action)

    def information_set(self, state: Any, player: int) -> Hashable:
        return self.game.information_set(self.inside(state), player)

    def describe(self, state: Any, player: int) -> str:
        return self.game.describe(self.inside(state), player)

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        return self.game.evaluate(self.inside(state))

    def label(self, state: Any) -> str | None:
        return self.game.label(self.inside(state))

    def show(self, state: Any) -> str:
        return self.game.show(self.inside(state))


def without_wrappers(game: Any) -> Any:
    """The game inside all games around it, which have it as `game`."""
    while hasattr(game, "game"):
        game = game.game
    return game


def innermost_game(game: Any, state: Any) -> tuple[Any, Any]:
    """The game inside all wrappers, and its state for a state of the outermost one."""
    while isinstance(game, GameWrapper):
        game, state = game.game, game.inside(state)
    return game, state


class Assigned(GameWrapper):
    """The game with a number, or a linear form, in place of each unknown: `value` gives it by the unknown's name."""

    def __init__(self, game: Game[Any], value: Callable[[str], Any]):
        super().__init__(game)
        self.value = value

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        if isinstance(node, Terminal):
            return Terminal(tuple(map(self.number, node.utilities)))
        if isinstance(node, Chance):
            return Chance(tuple((action, self.number(chance)) for action, chance in node.outcomes))
        return node

    def number(self, number: Any) -> Any:
        """The number that stands in place of another, which may be unknown. With three players or more each player's
        share of an unknown vector is an unknown of its own, with the player's name in brackets."""
        if isinstance(number, Rest):
            return number.share - sum(map(self.number, number.unknowns))
        if not isinstance(number, Unknown):
            return number
        name = number.name
        if number.player is not None and len(self.players) > 2:
            name = f"{name}[{self.players[number.player]}]"
        found = self.value(name)
        return -found if number.negative else found


class OtherGame:
    """A game in a language that a wing brings, played by the wing's own interpreter."""

    engine: Engine = NO_ENGINE
    reason = ""  # why it is not played by rules, which the compiled engine takes

    @property
    def remark(self) -> str:
        """A remark for whoever plays it; "" for none."""
        return ""


# A game with another engine than its own, which gives solvers its compiled searches.


class GameWithEngine(GameWrapper):
    """A game played with another engine than its own."""

    def __init__(self, game: Game[Any], engine: Engine):
        super().__init__(game)
        self.engine = engine
        self.promises = game.promises
