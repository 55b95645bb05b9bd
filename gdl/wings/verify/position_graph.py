"""All positions of a game as the verifier sees them, also where they can come again.

Moves at once are turns taken unseen, and equal states are one position. Where play ends in any case, each position
stands before those that follow it; else they are in the order of their discovery.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from typing import Any, TypeVar

from gdl.compiler.search_kinds import UNFOLDING
from gdl.errors import Refusal
from gdl.game import Action, Chance, Decision, Game, Number, Simultaneous, Terminal, constant_sum, exact
from gdl.states.explore import Walk, WalkExpansion, position_names, topological_order
from gdl.states.flat import FlatGame, other_actions
from gdl.states.sequential import Sequential
from gdl.wings.verify.verdict import Unchecked

MOST_POSITIONS = 500_000  # the default limit of positions; each takes about 1 kB
HIDDEN_AND_CYCLIC = "something is hidden, and positions can come again"
WALKED = 200  # positions looked at before the compiled engine is tried

Found = TypeVar("Found", bound=Hashable)
Worth = TypeVar("Worth")
Row = tuple[Number, ...]
Behaviour = tuple[Row | None, ...]  # for each information set the probabilities of its actions; None: not given
Place = Terminal | Chance | Decision  # the nodes that are left when simultaneous moves are turns


class InformationSet:
    """Positions (`members`, by number) that the player to move cannot tell apart. `describe` gives the set's name, and
    is only called when that is wanted."""

    def __init__(self, player: int, actions: tuple[Action, ...], describe: Callable[[], str]):
        self.player, self.actions, self._describe = player, actions, describe
        self.members: list[int] = []

    @cached_property
    def name(self) -> str:
        return self._describe()


@dataclass(frozen=True)
class VerifierPositions:
    """The positions 0 (the first one), 1, 2, …: for each its node, its successors in the order of actions or outcomes,
    and the number of its information set (None if nobody decides there)."""

    game: str
    players: tuple[str, ...]
    nodes: tuple[Place, ...]
    successors: tuple[tuple[int, ...], ...]
    sets: tuple[int | None, ...]
    information_sets: tuple[InformationSet, ...]

    def __post_init__(self) -> None:
        for position, h in enumerate(self.sets):
            if h is not None:
                self.information_sets[h].members.append(position)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names by which answers call positions."""
        return position_names(self.nodes, self.successors)

    def sets_of(self, player: int) -> list[int]:
        """The player's information sets, in the order in which they appear."""
        return [h for h, found in enumerate(self.information_sets) if found.player == player]


@dataclass(frozen=True)
class VerifierGraph:
    """The positions of a game. `cyclic`: one can come again, and then whoever moves knows the position. `turns`: the
    game with one mover at a time."""

    turns: Game[Any]
    positions: VerifierPositions
    cyclic: bool

    @cached_property
    def total(self) -> Number | None:
        """The sum of the utilities, if it is the same at all ends and for play without end; else None."""
        paid = [node.utilities for node in self.positions.nodes if isinstance(node, Terminal)]
        if self.cyclic and self.turns.promises.forever is not None:
            paid.append(self.turns.promises.forever)
            return constant_sum(paid)
        found = constant_sum(paid)
        return self.turns.traits.constant_sum if found is None else exact(found)

    @cached_property
    def open(self) -> bool:
        """True if whoever moves always knows the position."""
        return all(len(found.members) == 1 for found in self.positions.information_sets)

    @cached_property
    def chance(self) -> bool:
        """True if chance moves anywhere."""
        return any(isinstance(node, Chance) for node in self.positions.nodes)

    @cached_property
    def ends(self) -> int:
        """The number of positions that are ends."""
        return sum(isinstance(node, Terminal) for node in self.positions.nodes)


def fold(positions: VerifierPositions, combine: Callable[[int, list[Worth]], Worth]) -> list[Worth]:
    """A result for each position, made by `combine` from the position and the results of its successors. Not for cyclic
    positions."""
    found: list[Any] = [None] * len(positions.nodes)
    for position in reversed(range(len(found))):
        found[position] = combine(position, [found[successor] for successor in positions.successors[position]])
    return found


def reach(roots: Iterable[Found], after: Callable[[Found], Iterable[Found]], most: float = inf) -> list[Found]:
    """Everything that can be reached from the roots, each once, in the order of discovery. Raises Unchecked if there is
    more than `most`."""
    found = dict.fromkeys(roots)
    queue = list(found)
    for one in queue:  # grows while it is walked
        fresh = [other for other in dict.fromkeys(after(one)) if other not in found]
        found |= dict.fromkeys(fresh)
        queue += fresh
        if len(queue) > most:
            raise Unchecked(f"there are more than {most:,} positions")
    return queue


def collect(game: Game[Any], limit: int) -> VerifierGraph:
    """All positions of a game. Raises LimitReached if there are more than `limit`, Unchecked if positions can come
    again and something is hidden."""
    if game.traits.cyclic and game.traits.perfect_information is False:
        raise Unchecked(HIDDEN_AND_CYCLIC)
    turns: Game[Any] = game if game.traits.simultaneous is False else Sequential(game)
    walk = Walk(turns, limit)
    found: list[WalkExpansion] = []
    for expansion in walk:
        if isinstance(expansion.node, Simultaneous):  # everyone is asked, though one alone has a choice
            return collect(Sequential(game), limit)
        found.append(expansion)
        if len(found) == WALKED and game.traits.states is None and not game.traits.cyclic and game.engine.fast:
            flat = _unfold(game, limit)  # there are more positions than were looked at for the traits
            if flat is not None:
                return VerifierGraph(turns, _read_flat(flat), False)
    found.sort()
    order = topological_order([expansion.children for expansion in found])
    cyclic = len(order) < len(found) or bool(game.traits.cyclic)
    positions = _number(turns, walk.states, found, list(range(len(found))) if cyclic else order)
    if cyclic and any(len(one.members) > 1 for one in positions.information_sets):
        raise Unchecked(HIDDEN_AND_CYCLIC)
    return VerifierGraph(turns, positions, cyclic)


def _number(game: Game[Any], states: list[Any], found: list[WalkExpansion], order: list[int]) -> VerifierPositions:
    """The positions of a walk, numbered in this order; information sets are numbered by their first positions."""
    number = {old: new for new, old in enumerate(order)}
    index: dict[tuple[int, Hashable], int] = {}
    information_sets: list[InformationSet] = []
    sets: list[int | None] = []
    for old in order:
        node, state = found[old].node, states[old]
        if not isinstance(node, Decision):
            sets.append(None)
            continue
        h = index.setdefault((node.player, game.information_set(state, node.player)), len(index))
        sets.append(h)
        if h == len(information_sets):
            told = partial(game.describe, state, node.player)
            information_sets.append(InformationSet(node.player, node.actions, told))
        elif information_sets[h].actions != node.actions:
            one = information_sets[h]
            raise other_actions(game.players[node.player], one.name, one.actions, node.actions)
    return VerifierPositions(
        game=game.name,
        players=game.players,
        nodes=tuple(found[old].node for old in order),  # type: ignore[misc]  # none is simultaneous
        successors=tuple(tuple(number[child] for child in found[old].children) for old in order),
        sets=tuple(sets),
        information_sets=tuple(information_sets),
    )


def _unfold(game: Game[Any], limit: int) -> FlatGame | None:
    """All positions as numbered by the compiled engine; None if it refuses the game or a position can come again."""
    try:
        search = game.engine.search(UNFOLDING, limit=limit, memory=game.engine.room())
        for _ in search:
            pass
        flat: FlatGame = search.flat()
    except Refusal:
        return None
    return flat


def _read_flat(flat: FlatGame) -> VerifierPositions:
    """The positions, read from the engine's arrays."""
    words = flat.words
    information_sets = tuple(
        InformationSet(player, words.actions(h), partial(words.name, h)) for h, player in enumerate(flat.owners)
    )
    return VerifierPositions(
        game=flat.name,
        players=flat.players,
        nodes=flat.nodes([Decision(one.player, one.actions) for one in information_sets]),
        successors=flat.successors(),
        sets=flat.sets(),
        information_sets=information_sets,
    )
