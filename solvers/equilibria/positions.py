"""Every position of a game that ends: the form in which equilibrium solvers, the judge and the verifier see games.

Simultaneous moves become turns taken unseen, equal states are one position, and positions are numbered so that each
stands before its successors. What follows a position is then a sweep upwards, what led to it a sweep downwards, and
nothing has to recurse.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

from gdl.errors import GameError, Problem, Refusal
from gdl.game import Action, Chance, Decision, Game, Node, Number, Simultaneous, Terminal, constant_sum, exact
from gdl.states.explore import Expansion, Walk, Walked, topological_order
from gdl.states.sequential import Sequential
from solvers.budget import Budget

LIMIT = 1_000_000  # positions; some 1 kB each

Place = Terminal | Chance | Decision  # the nodes that are left when simultaneous moves are turns


class InformationSet(NamedTuple):
    """Positions that their mover cannot tell apart, by `name` as `Game.describe` gives it."""

    player: int
    name: str
    actions: tuple[Action, ...]
    members: tuple[int, ...]


@dataclass(frozen=True)
class Positions:
    """The positions 0 (the initial one), 1, 2, …: for each its node, its successors in the order of the node's
    actions or outcomes, and the index of its information set (None where nobody decides)."""

    game: str
    players: tuple[str, ...]
    nodes: tuple[Place, ...]
    successors: tuple[tuple[int, ...], ...]
    sets: tuple[int | None, ...]
    information_sets: tuple[InformationSet, ...]

    def sets_of(self, player: int) -> list[int]:
        """The player's information sets, by index, in the order in which they appear."""
        return [h for h, found in enumerate(self.information_sets) if found.player == player]

    def open_to_all(self) -> bool:
        """Whether whoever moves always knows the position."""
        return all(len(found.members) == 1 for found in self.information_sets)

    def constant_sum(self) -> Number | None:
        """What the utilities add up to at every end; None if that varies."""
        total = constant_sum([node.utilities for node in self.nodes if isinstance(node, Terminal)])
        return None if total is None else exact(total)


def explore(game: Game[Any], budget: Budget | None = None, walked: Walked | None = None) -> Positions:
    """All positions of the game, each before its successors, and earlier ones first; `walked`, if they were met before.

    Raises LimitReached when the budget is spent (LIMIT positions if none is given), Refusal where a position can
    come again.
    """
    if game.traits.cyclic:
        raise _endless(game)
    budget = budget or Budget(LIMIT)
    turns: Game[Any] = game if walked or game.traits.simultaneous is False else Sequential(game)
    walk = Walk(turns)
    states, expansions = walked or Walked(walk.states, walk)
    found: dict[int, Expansion] = {}
    for expansion in expansions:
        if isinstance(expansion.node, Simultaneous):  # everyone is asked, though one alone has a choice
            return explore(Sequential(game), budget)
        budget.visit()
        found[expansion.number] = expansion
    children = [found[number].children for number in range(len(found))]
    order = topological_order(children)
    if len(order) < len(children):
        raise _endless(game)
    number = {state: i for i, state in enumerate(order)}
    nodes = [_place(found[state].node) for state in order]
    sets, information_sets = _information_sets(turns, [states[state] for state in order], nodes)
    return Positions(
        game=game.name,
        players=game.players,
        nodes=tuple(nodes),
        successors=tuple(tuple(number[child] for child in children[state]) for state in order),
        sets=sets,
        information_sets=information_sets,
    )


def _endless(game: Game[Any]) -> Refusal:
    return Refusal(f"a position of {game.name} can come again: this method needs a game that ends")


def _place(node: Node) -> Place:
    assert not isinstance(node, Simultaneous)
    return node


def _information_sets(
    game: Game[Any], states: list[Any], nodes: list[Place]
) -> tuple[tuple[int | None, ...], tuple[InformationSet, ...]]:
    """The information set of every position, and the sets in the order of their first positions."""
    index: dict[Hashable, int] = {}
    all_is_seen = game.traits.perfect_information is True  # then every position is a set of its own
    members: list[list[int]] = []
    sets: list[int | None] = []
    for position, (state, node) in enumerate(zip(states, nodes, strict=True)):
        if not isinstance(node, Decision):
            sets.append(None)
            continue
        known = position if all_is_seen else (node.player, game.information_set(state, node.player))
        found = index.setdefault(known, len(members))
        if found == len(members):
            members.append([])
        members[found].append(position)
        sets.append(found)
    information_sets = tuple(_information_set(game, states, nodes, group) for group in members)
    assert len({(found.player, found.name) for found in information_sets}) == len(members), "a name for two sets"
    return tuple(sets), information_sets


def _information_set(game: Game[Any], states: list[Any], nodes: list[Place], members: list[int]) -> InformationSet:
    first = nodes[members[0]]
    assert isinstance(first, Decision)
    name = game.describe(states[members[0]], first.player)
    for position in members:
        here = nodes[position]
        assert isinstance(here, Decision)
        if here.actions != first.actions:
            raise GameError(
                Problem(
                    f"{game.players[first.player]} cannot tell two positions of {name} apart, "
                    "but has different actions there",
                    note=f"one offers {', '.join(first.actions)}; the other {', '.join(here.actions)}",
                    help="let the player see what makes the difference, or offer the same actions in the same order",
                )
            )
    return InformationSet(first.player, name, first.actions, tuple(members))
