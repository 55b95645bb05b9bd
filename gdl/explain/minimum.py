"""The least that alpha-beta must look at in a uniform tree, whatever the order of the children.

In a tree in which every inner node has b children, every leaf lies d plies deep and MAX and MIN move in turn, no search
looks at fewer than b^ceil(d/2) + b^floor(d/2) - 1 leaves, and with the best child first alpha-beta looks at no more
(Knuth and Moore, An analysis of alpha-beta pruning, Artificial Intelligence 6, 1975).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from gdl.game import Decision, Game, Terminal
from gdl.solution import Solution

LOOKED_AT = 100_000  # nodes of a tree that is looked through, at most


class Uniform(NamedTuple):
    """The shape of a uniform tree: the number of children of every inner node, and the depth in plies."""

    branching: int
    depth: int

    @property
    def leaves(self) -> int:
        return int(self.branching**self.depth)

    @property
    def least(self) -> int:
        b, d = self.branching, self.depth
        return int(b ** -(-d // 2) + b ** (d // 2) - 1)

    @property
    def formula(self) -> str:
        b, d = self.branching, self.depth
        return f"{b}^{-(-d // 2)} + {b}^{d // 2} - 1"


def uniform(game: Game[Any], depth: int | None = None) -> Uniform | None:
    """The shape of the game's tree, cut off after `depth` plies (None: not), if it is uniform and consecutive movers
    differ; None for any other tree, and for one that is too large to look through."""
    level = [game.initial()]
    plies, seen, last = 0, 0, -1  # the last mover
    branching: int | None = None
    while plies != depth:
        nodes = [game.node(state) for state in level]
        if all(isinstance(node, Terminal) for node in nodes):
            break
        decisions = [node for node in nodes if isinstance(node, Decision)]
        shapes = {(node.player, len(node.actions)) for node in decisions}
        if len(decisions) < len(nodes) or len(shapes) > 1:
            return None
        ((mover, width),) = shapes
        seen += len(level)
        if mover == last or branching not in (None, width) or seen + len(level) * width > LOOKED_AT:
            return None
        moves = zip(level, decisions, strict=True)
        level = [game.successor(state, action) for state, node in moves for action in node.actions]
        branching, last, plies = width, mover, plies + 1
    return None if branching is None else Uniform(branching, plies)


def minimum_note(shape: Uniform, leaves: int) -> str:
    """A sentence with the number of leaves that were looked at, of all leaves, and the least number possible."""
    tree = f"a tree of {shape.branching} children and depth {shape.depth}"
    least = f"no order needs fewer than {shape.formula} = {shape.least:,}"
    return f"{leaves:,} of {shape.leaves:,} leaves were looked at; of {tree} {least}"


def with_minimum(game: Game[Any], solution: Solution, depth: int | None) -> Solution:
    """The solution; if alpha-beta searched a uniform tree, with a note on the least possible number of leaves."""
    if solution.solver != "alpha-beta" or solution.leaves is None or solution.value is None:
        return solution
    shape = uniform(game, depth)
    note = () if shape is None else (minimum_note(shape, solution.leaves),)
    return replace(solution, notes=(*solution.notes, *note))
