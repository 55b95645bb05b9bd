"""All positions of a game as the verifier sees them, also where they can come again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from gdl.game import Chance, Decision, Game, Number, Simultaneous, Terminal, constant_sum, exact
from gdl.solvers.budget import Budget
from gdl.solvers.equilibria.positions import WALKED, FlatPositions, InformationSet, PositionGraph, explore, unfold_game
from gdl.solvers.verify.verdict import Unchecked
from gdl.states.explore import Walk, WalkResult, topological_order
from gdl.states.sequential import Sequential


@dataclass(frozen=True)
class VerifierGraph:
    """The positions; where one can come again (`cyclic`) they are in the order of their discovery, and whoever moves
    knows which it is. `turns` is the game with one mover at a time, `remembers` whether its states hold what the
    players remember (so that a program that forgets it counts fewer)."""

    turns: Game[Any]
    positions: PositionGraph
    cyclic: bool
    remembers: bool

    @cached_property
    def total(self) -> Number | None:
        """What the utilities of every end sum to, and those of play without end, if that is the same everywhere."""
        paid = [node.utilities for node in self.positions.nodes if isinstance(node, Terminal)]
        if self.cyclic and self.turns.promises.forever is not None:
            paid.append(self.turns.promises.forever)
            return constant_sum(paid)
        found = constant_sum(paid)
        return self.turns.traits.constant_sum if found is None else exact(found)

    @cached_property
    def open(self) -> bool:
        """Whether whoever moves always knows the position."""
        return self.positions.open_to_all()

    @cached_property
    def chance(self) -> bool:
        """Whether chance moves anywhere."""
        return any(isinstance(node, Chance) for node in self.positions.nodes)

    @cached_property
    def ends(self) -> int:
        """How many of the positions are ends."""
        return sum(isinstance(node, Terminal) for node in self.positions.nodes)

    @cached_property
    def set_of(self) -> Mapping[tuple[int, str], int]:
        """The information sets by player and name."""
        return {(found.player, found.name): h for h, found in enumerate(self.positions.information_sets)}


def collect(game: Game[Any], limit: int) -> VerifierGraph:
    """All positions, at most so many; LimitReached beyond them, Unchecked where they can come again and something is
    hidden."""
    turns: Game[Any] = game if game.traits.simultaneous is False else Sequential(game)
    walk = Walk(turns, limit)
    found = []
    for expansion in walk:
        if isinstance(expansion.node, Simultaneous):  # everyone is asked, though one alone has a choice
            return collect(Sequential(game), limit)
        found.append(expansion)
        if len(found) == WALKED and game.traits.cyclic is False and game.engine.fast:
            flat = unfold_game(game, Budget(limit))
            if flat is not None:
                return VerifierGraph(turns, FlatPositions(flat), False, _remembers(game))
    found.sort()
    remembers = _remembers(game)
    children = [expansion.children for expansion in found]
    if len(topological_order(children)) == len(children) and not game.traits.cyclic:
        positions = explore(turns, Budget(limit + 1), WalkResult(walk.states, found))
        return VerifierGraph(turns, positions, False, remembers)
    return VerifierGraph(turns, _returning(turns, walk, found), True, remembers)


def _remembers(game: Game[Any]) -> bool:
    """Whether states hold what the players remember."""
    while isinstance(game, Sequential):
        game = game.game
    start = game.initial()
    return any(game.information_set(start, player) != start for player in range(len(game.players)))


def _returning(game: Game[Any], walk: Walk[Any], found: list[Any]) -> PositionGraph:
    """Positions that can come again, each an information set of its own."""
    knowers: dict[tuple[int, Any], int] = {}
    sets: list[int | None] = []
    members: list[InformationSet] = []
    for number, node, _, _ in found:
        sets.append(len(members) if isinstance(node, Decision) else None)
        if isinstance(node, Decision):
            state = walk.states[number]
            if knowers.setdefault((node.player, game.information_set(state, node.player)), number) != number:
                raise Unchecked("something is hidden, and positions can come again")
            name = game.describe(state, node.player)
            members.append(InformationSet(node.player, name, node.actions, (number,)))
    return PositionGraph(
        game=game.name,
        players=game.players,
        nodes=tuple(expansion.node for expansion in found),
        successors=tuple(expansion.children for expansion in found),
        sets=tuple(sets),
        information_sets=tuple(members),
    )
