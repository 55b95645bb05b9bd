"""A game made in Python, held to the protocol: a Game around a Game.

What a file says is checked before it is played, and a graph when it is read. A class that somebody wrote is checked
where it is asked: what breaks the protocol is a GameError with the class, the state and, where a search meets it, the
play that leads there. So no answer that is called exact rests on numbers that are not.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable
from pathlib import Path
from typing import Any

from gdl import wings
from gdl.errors import GameError, Problem, listing
from gdl.game import (
    NO_ENGINE,
    NO_PROMISES,
    Action,
    Game,
    Joint,
    Node,
    Number,
    Simultaneous,
    Traits,
    actions,
)
from gdl.states.game_wrapper import GameWrapper
from gdl.states.protocol import ProtocolFault, claim_fault, has, no_action, node_fault, short_repr, vector_fault

MEMBERS = "name players traits initial node successor information_set describe evaluate label show".split()


GRAPHS = "gdl.graph:GraphGame"  # what makes a game of a graph; it stands above this


def is_networkx(thing: object) -> bool:
    """True for a graph of networkx, which is not imported to find out."""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(thing, networkx.Graph)


def ensure_checked(game: Game[Any], traits: Traits | None = None) -> Game[Any]:
    """The game itself if it is one of gdl's own classes; of a networkx graph, the game; else the game in a wrapper that
    checks its answers and its `traits`. Raises GameError if it is no game."""
    own = type(game).__module__.partition(".")[0] == "gdl" and hasattr(game, "successor")
    if not own and is_networkx(game):
        found: Game[Any] = wings.load(GRAPHS)(game)
        return found
    return game if own else CheckedGame(game, traits)


class CheckedGame(GameWrapper):
    """A game whose `initial`, `node`, `successor` and `evaluate` raise GameError where they break the protocol."""

    def __init__(self, game: Game[Any], traits: Traits | None = None):
        if isinstance(game, str | Path):
            help = "gdl.load makes one of a file, or of the name of a shipped game"
            raise GameError(Problem(f"{short_repr(game)} is no game, but a name", help=help))
        if isinstance(game, type):
            raise GameError(Problem(f"{game.__name__} is a class, and no game", help=f"write {game.__name__}()"))
        missing = [one for one in MEMBERS if one not in dir(game) and not hasattr(game, one)]
        if missing:
            message = f"{type(game).__name__} is no game: it has no {listing(missing, 'or')}"
            raise GameError(Problem(message, help="derive it from gdl.OwnGame, or write what gdl.game.Game asks for"))
        super().__init__(game)
        self._claims = traits
        self._last: tuple[Any, Node | None, frozenset[Action]] = None, None, frozenset()  # state, node, actions
        self.engine = getattr(game, "engine", NO_ENGINE)
        names = self.players
        if not isinstance(names, tuple) or not names or not all(isinstance(name, str) for name in names):
            raise self._error(ProtocolFault("the players are no tuple of names", "write ('Ann', 'Bob')"), "players")
        if len(set(names)) < len(names):
            raise self._error(
                ProtocolFault("two players have the same name", "give each a name of their own"), "players"
            )
        if hasattr(game, "forever") and not hasattr(game, "promises"):
            message = f"{type(game).__name__}.forever is not read: what a game promises is one record"
            raise GameError(Problem(message, help="write promises = Promises(forever=...), of gdl.game"))
        self.promises = getattr(game, "promises", NO_PROMISES)
        price = self.promises.forever
        fault = None if price is None else vector_fault("number", price, names)
        if fault:
            raise self._error(fault, f"promises.forever = {short_repr(price)}")

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.game, self._claims)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CheckedGame) and bool(self.game == other.game)

    def __hash__(self) -> int:
        return hash(self.game)

    def initial(self) -> Any:
        return self._hashable(self.game.initial(), "initial()")

    def node(self, state: Any) -> Node:
        node = self.game.node(state)
        fault = node_fault(node, self.players) or (claim_fault(node, self._claims) if self._claims else None)
        if fault:
            raise self._error(fault, f"node({short_repr(state)}) = {short_repr(node)}", state)
        self._last = state, node, frozenset(actions(node))
        return node

    def successor(self, state: Any, action: Action | Joint) -> Any:
        last, node, names = self._last
        if node is None or last is not state:
            node, names = self.node(state), self._last[2]
        if action not in names and not (isinstance(node, Simultaneous) and has(node, action)):
            raise no_action(node, action)
        return self._hashable(
            self.game.successor(state, action), f"successor({short_repr(state)}, {short_repr(action)})"
        )

    def evaluate(self, state: Any) -> tuple[Number, ...] | None:
        found = self.game.evaluate(state)
        fault = None if found is None else vector_fault("number", found, self.players)
        if fault:
            raise self._error(fault, f"evaluate({short_repr(state)}) = {short_repr(found)}", state)
        return found

    def information_set(self, state: Any, player: int) -> Hashable:
        known: Hashable = self._hashable(
            self.game.information_set(state, player),
            f"information_set({short_repr(state)}, {player})",
            "information set",
        )
        return known

    def _hashable(self, found: Any, where: str, what: str = "state") -> Any:
        try:
            hash(found)
        except TypeError:
            fault = ProtocolFault(
                f"the {what} {short_repr(found)} cannot be hashed", "make it of tuples or frozen dataclasses"
            )
            raise self._error(fault, where) from None
        return found

    def _error(self, fault: ProtocolFault, where: str, state: Any = None) -> GameError:
        """The fault as an error that names the method at fault and, where it is known, the state."""
        place = f"It is so in {type(self.game).__name__}.{where}."
        error = GameError(Problem(fault.message, note=place, help=fault.help))
        error.state = state
        return error
