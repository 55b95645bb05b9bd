"""Estimates of the size of a game: how many states its variables can tell apart, and the size of its tree.

The guess is Knuth's (1975, "Estimating the efficiency of backtrack programs"): walk down at random, and multiply the
numbers of ways met; the mean of what the walks say of a level is, on average, the number of its nodes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import log10, prod
from operator import mul
from random import Random
from typing import Any, NamedTuple

from gdl.errors.courtesy import Courtesy
from gdl.game import Chance, Decision, Game, Node, Simultaneous
from gdl.model.domains import size
from gdl.model.games import RulesModel
from gdl.states.explore import choosers
from gdl.states.game_wrapper import without_wrappers

WALKS = 20
PLIES = 400  # of all walks together; where the rules are slow, fewer


@dataclass(frozen=True)
class TreeSizeGuess:
    """An estimate of the number of nodes of the tree. If `ended` is False there was not even time for one whole walk,
    and the tree has more nodes than that."""

    nodes: int
    ended: bool


def state_space_size(game: Game[Any]) -> int | None:
    """The number of states that the variables of a game by rules can tell apart; None for a game without rules."""
    model = getattr(without_wrappers(game), "model", None)
    if not isinstance(model, RulesModel):
        return None
    cells = (size(variable.type) ** prod(map(size, variable.indices)) for variable in model.variables)
    told_apart: int = prod(cells) * (len(game.players) + len(model.chances))
    return told_apart


class SampleWalk(NamedTuple):
    """A random walk down the tree: the number of moves at each node, and True if it came to an end of play."""

    ways: list[int]
    ended: bool

    @property
    def nodes(self) -> int:
        """The estimate of the number of nodes of the tree."""
        widths: Iterator[int] = accumulate(self.ways, mul)
        return 1 + sum(widths)


def guess_tree_size(game: Game[Any], seed: int = 1) -> TreeSizeGuess:
    """An estimate of the number of nodes of the whole tree."""
    walks = _walks(game, None, seed, WALKS)
    return TreeSizeGuess(sum(walk.nodes for walk in walks) // len(walks), walks[0].ended)


def sequences(game: Game[Any], plies: int, seed: int = 1, walks: int = WALKS) -> int:
    """An estimate of the number of action sequences with this number of plies, from at most `walks` random walks."""
    made = _walks(game, plies, seed, walks)
    return sum(prod(walk.ways) for walk in made if len(walk.ways) == plies) // len(made)


def _walks(game: Game[Any], depth: int | None, seed: int, most: int) -> list[SampleWalk]:
    """Random walks to the end (`depth` None) or to a depth, as many as there is time for; if there is not even time for
    one, a walk that was cut short."""
    random, left, clock = Random(seed), PLIES, Courtesy()
    walks: list[SampleWalk] = []
    while len(walks) < most:
        walk = sample_walk(game, random, left if depth is None else min(left, depth), clock)
        if not walk.ended and len(walk.ways) != depth:
            return walks or [walk]
        left -= len(walk.ways)
        walks.append(walk)
    return walks


def sample_walk(game: Game[Any], random: Random, most: int, clock: Courtesy | None = None) -> SampleWalk:
    """A random walk down the tree, of at most `most` plies."""
    state, ways = game.initial(), list[int]()
    while len(ways) < most and not (clock and clock.is_over):
        count, move = sample_branch(game.node(state), random)
        if not count:
            return SampleWalk(ways, True)
        ways.append(count)
        state = game.successor(state, move)
    return SampleWalk(ways, False)


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
    """A large number as text: `3,000`, or only its order of magnitude, `10^27`."""
    if number < 10**7:
        return f"{round(number, 1 - len(str(number))):,}"
    return f"10^{round(log10(number))}"
