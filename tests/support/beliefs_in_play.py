"""Positions that a player takes for possible in a random play of a game by rules."""

from collections.abc import Iterator
from random import Random

from gdl.game import Decision, Terminal
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.possible import Possible
from gdl.states.sequential import Sequential


def alike_positions(game: RulesGame, seed: int = 4, most: int = 20) -> Iterator[tuple[State, State, int]]:
    """At each decision of a random play: its position, each of the first positions that its player thinks possible, and
    the player."""
    turns, random = Sequential(game), Random(seed)
    state = turns.initial()
    while not isinstance(node := turns.node(state), Terminal):
        if isinstance(node, Decision):
            belief = Possible(turns, state, node.player).all()
            assert belief is not None
            for other in [*belief.weights][:most]:
                yield state.state, other.state, node.player
            state = turns.successor(state, random.choice(node.actions))
        else:
            state = turns.successor(state, random.choice(node.outcomes)[0])  # type: ignore[union-attr]
