"""Games for tests of graphs, and what it means that a graph plays as they do."""

from __future__ import annotations

from fractions import Fraction

from handmade import Circle, tree

import gdl
from gdl.game import Promises
from gdl.interpreter.explicit_game import TreeGame
from gdl.states.explore import choosers, moves

COIN = tree(
    "MAX",
    "MIN",
    name="coin",
    root=(
        "chance",
        {
            ("sunny", Fraction(3, 4)): ("MAX", {"go": 10, "stay": Fraction(1, 3)}, {"information_set": "forecast"}),
            ("rainy", Fraction(1, 4)): ("MAX", {"go": -6, "stay": 3}, {"information_set": "forecast"}),
        },
        {"label": "weather", "evaluation": (4, -4)},
    ),
)


RESTLESS = gdl.loads("""
game "restless"
players A, B

state
    n: 0..4

action add(k: 1..2) when n + k <= 4
    n := n + k

terminal
    n = 4 -> lose mover

evaluate
    n
    quiet: if n mod 3 = 0 then none else n / 2
""").game


def assert_same_play(game, other) -> None:
    """The games have the same tree of states: nodes, labels, estimates, names, and the same information sets."""
    assert (other.name, other.players, other.traits) == (game.name, game.players, game.traits)
    pairs = {game.initial(): other.initial()}
    keys = {}
    queue = [game.initial()]
    for state in queue:
        twin = pairs[state]
        node = game.node(state)
        assert other.node(twin) == node
        assert (other.label(twin), other.evaluate(twin)) == (game.label(state), game.evaluate(state))
        assert other.show(twin) == game.show(state)
        for player in choosers(node):
            assert other.describe(twin, player) == game.describe(state, player)
            key, twin_key = game.information_set(state, player), other.information_set(twin, player)
            assert keys.setdefault((player, "of game", key), twin_key) == twin_key
            assert keys.setdefault((player, "of other", twin_key), key) == key
        for move in moves(node):
            child, twin_child = game.successor(state, move), other.successor(twin, move)
            if child not in pairs:
                pairs[child] = twin_child
                queue.append(child)
            assert pairs[child] == twin_child
    assert len(set(pairs.values())) == len(pairs)


class Priced(Circle):
    """The Circle with a price of endless play, which is better for the player who could stop."""

    promises = Promises(forever=(Fraction(4, 3), Fraction(-4, 3)))


def bounded() -> TreeGame:
    """A game in which every utility of A is between -5 and 10, and at most 7 1/2 after the second action."""
    half = Fraction(1, 2)
    first = ("chance", {("h", half): 1, ("t", half): 9})
    second = ("chance", {("h", half): -5, ("t", half): 2})
    model = tree("A", "B", root=("A", {"l": first, "r": second}), name="bounded").model
    general, narrow = ((-5, 10), (-10, 5)), ((-5, Fraction(15, 2)), (Fraction(-15, 2), None))
    nodes = tuple(node.copy_with(bounds=general if k < 4 else narrow) for k, node in enumerate(model.nodes))
    return TreeGame(model.copy_with(nodes=nodes))
