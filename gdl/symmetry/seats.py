"""Players who sit in other seats: the symmetry of games whose rules call nobody by name.

Everything that belongs to a player is another's, in turn, and so is every value that is a player. Where rules are too
long to be written out and proved symmetric, that is seen in play: positions of some games at random and their images
must have the same outcomes, with the players renamed. That is no proof, so only what guesses may rely on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from math import prod

from gdl.errors import GameError
from gdl.game import Chance, Probability, Terminal, actions
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.domains import Named
from gdl.model.games import RulesModel, Variable
from gdl.states.playouts import random_positions
from gdl.states.random_numbers import Generator
from gdl.symmetry.group import Symmetry, symmetry_from
from gdl.symmetry.rule_terms import PLAYER

PLIES = 300  # of games at random


def seats(game: RulesGame) -> tuple[Symmetry, ...]:
    """The rotation of all players by one seat, as a tuple of one; empty if random plays show that it is no symmetry."""
    found = _rotation(game.model)
    try:
        return (found,) if len(game.players) > 1 and _holds(game, found) else ()
    except GameError:  # a position that play never meets
        return ()


def _rotation(model: RulesModel) -> Symmetry:
    count = len(model.players)
    after = {player: (player + 1) % count for player in range(count)}
    cells = {place: image for one in model.variables for place, image in enumerate(_images(one, after), one.place)}
    return symmetry_from(model, cells, {PLAYER: after})


def _images(variable: Variable, after: dict[int, int]) -> Iterator[int]:
    """For each element of a variable the cell of its image, where player p becomes `after[p]`."""
    extents = variable.extents
    players = [isinstance(type, Named) and type.name == PLAYER for type in variable.indices]
    for at in product(*map(range, extents)):
        to = [after[i] if is_player else i for i, is_player in zip(at, players, strict=True)]
        yield variable.place + sum(i * prod(extents[k + 1 :]) for k, i in enumerate(to))


def _holds(game: RulesGame, symmetry: Symmetry) -> bool:
    """True if no position of some random plays has an outcome of which the position's image lacks the image."""
    for state, node in islice(random_positions(game, Generator(1)), PLIES):
        image = symmetry.image(state)
        there = game.node(image)
        if type(node) is not type(there):
            return False
        if isinstance(node, Terminal) and isinstance(there, Terminal):
            if symmetry.utilities(node.utilities) != there.utilities:
                return False
            continue
        led = {symmetry.image(to): weight for to, weight in _outcomes(game, state).items()}
        if led != _outcomes(game, image):
            return False
    return True


def _outcomes(game: RulesGame, state: State) -> Mapping[State, Probability]:
    """The states that follow a position, each with its probability at a move of chance."""
    node, found = game.node(state), dict[State, Probability]()
    if isinstance(node, Chance):
        for action, probability in node.outcomes:
            to = game.successor(state, action)
            found[to] = found.get(to, 0) + probability
        return found
    return {game.successor(state, action): 1 for action in actions(node)}
