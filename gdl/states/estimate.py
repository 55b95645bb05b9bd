"""How large a game is, before anybody looks through it: what its state can hold, and a guess at its tree.

The guess is Knuth's (1975, "Estimating the efficiency of backtrack programs"): walk down at random, and multiply the
numbers of ways met; the mean of what the walks say of a level is, on average, the number of its nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log10, prod
from random import Random
from typing import Any

from gdl.errors.courtesy import Courtesy
from gdl.game import Chance, Decision, Game, Node, Simultaneous
from gdl.model.domains import size
from gdl.model.games import RulesModel
from gdl.states.explore import choosers

WALKS = 20
PLIES = 400  # of all walks together; where the rules are slow, fewer


@dataclass(frozen=True)
class TreeSizeGuess:
    """A guess at the nodes of the tree, and whether the walks came to an end; else there are more."""

    nodes: int
    ended: bool


def state_space_size(game: Game[Any]) -> int | None:
    """How many states the variables of a game by rules can tell apart; None where there are no rules."""
    whole: Any = game
    while hasattr(whole, "game"):  # a game around a game
        whole = whole.game
    model = getattr(whole, "model", None)
    if not isinstance(model, RulesModel):
        return None
    cells = (size(variable.type) ** prod(map(size, variable.indices)) for variable in model.variables)
    told_apart: int = prod(cells) * (len(game.players) + len(model.chances))
    return told_apart


def guess_tree_size(game: Game[Any], seed: int = 1) -> TreeSizeGuess:
    """The nodes of the whole tree."""
    walks, ended = _walks(game, None, seed)
    return TreeSizeGuess(sum(map(sum, walks)) // max(1, len(walks)), ended)


def sequences(game: Game[Any], plies: int, seed: int = 1, walks: int = WALKS) -> int:
    """An estimate of the number of action sequences of this length, from so many walks at most."""
    made, _ = _walks(game, plies, seed, walks)
    return sum(walk[-1] for walk in made if len(walk) == plies + 1) // max(1, len(made))


def _walks(game: Game[Any], depth: int | None, seed: int, most: int = WALKS) -> tuple[list[list[int]], bool]:
    """For some walks, `most` of them, the guess at each level's nodes, and whether all of them came to an end."""
    random, left, clock = Random(seed), PLIES, Courtesy()
    walks: list[list[int]] = []
    while len(walks) < most:
        state, levels = game.initial(), [1]
        while depth is None or len(levels) <= depth:
            if left == 0 or clock.is_over:
                return (walks, True) if walks else ([levels], False)
            left -= 1
            node = game.node(state)
            count, move = sample_branch(node, random)
            if not count:
                break
            levels.append(levels[-1] * count)
            state = game.successor(state, move)
        walks.append(levels)
    return walks, True


def sample_branch(node: Node, random: Random) -> tuple[int, Any]:
    """The number of moves at a node, and one of them at random."""
    if isinstance(node, Simultaneous):
        joint = tuple(random.choice(own) if own else "" for own in node.actions)
        return prod(len(node.actions[player]) for player in choosers(node)), joint
    if isinstance(node, Decision):
        return len(node.actions), random.choice(node.actions)
    if isinstance(node, Chance):
        return len(node.outcomes), random.choice(node.outcomes)[0]
    return 0, ""


def magnitude_text(number: int) -> str:
    """A large number by its order: `3,000` or `10^27`."""
    if number < 10**7:
        return f"{round(number, 1 - len(str(number))):,}"
    return f"10^{round(log10(number))}"
