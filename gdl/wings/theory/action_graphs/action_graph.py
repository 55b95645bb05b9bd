"""Action-graph games: each player takes one of some nodes, of which several players may have the same. What a node pays
depends on the counts of its neighbours: how many players take a node, or the value of a function of such counts.

Source: Jiang, Leyton-Brown and Bhat, Action-graph games, Games and Economic Behavior 71, 2011.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import product
from math import prod
from typing import Literal

from gdl import syntax
from gdl.errors import Problem
from gdl.game import Number
from gdl.model.games import MatrixModel, OtherModel
from gdl.record import Record

PAYOFFS = 250_000  # of a table that is written out, at most

Configuration = tuple[int, ...]  # the count of each neighbour
Payoffs = Mapping[Configuration, Number]  # of a node
Counts = Mapping[int, int]  # how many players take each node; those that nobody takes may be left out


Kind = Literal["sum", "exists", "highest", "lowest"]


class Function(Record):
    """A function of how many players take each node: the sum of what they contribute by the node they take, true (1) if
    that is more than nothing, or the highest or lowest of these contributions, leaving out `default`, which it is if
    nothing is left."""

    kind: Kind
    default: int
    contributions: tuple[int, ...]

    def value(self, counts: Counts) -> int:
        """The value if the nodes are taken so often."""
        times = {node: count if self.kind == "sum" else 1 for node, count in counts.items() if count}
        return reduce(self.join, (self.contributions[node] * count for node, count in times.items()))

    def join(self, one: int, other: int) -> int:
        """The value for some players and further ones, from the values for both."""
        if self.kind == "sum":
            return one + other
        if self.kind == "exists":
            return int(one or other)
        if self.default in (one, other):
            return other if one == self.default else one
        return max(one, other) if self.kind == "highest" else min(one, other)


class ActionGraph(Record):
    """The nodes, and who may take which. `choices` are each player's nodes by types, of which `chances` has the
    probabilities; `neighbours` of a node are functions, `payoffs` its payoff by their values."""

    players: tuple[str, ...]
    nodes: tuple[str, ...]
    choices: tuple[tuple[tuple[int, ...], ...], ...]
    chances: tuple[tuple[Number, ...], ...]
    functions: tuple[Function, ...]
    neighbours: tuple[tuple[int, ...], ...]
    payoffs: tuple[Payoffs, ...]

    @property
    def are_alike(self) -> bool:
        """True if all players have the same nodes, and one type."""
        return len(set(self.choices)) == 1 and len(self.choices[0]) == 1

    def payoff(self, node: int, counts: Counts) -> Number:
        """The payoff of whoever takes the node, if the nodes are taken so often."""
        return self.payoffs[node][tuple([self.functions[one].value(counts) for one in self.neighbours[node]])]

    def utilities(self, chosen: Sequence[int]) -> tuple[Number, ...]:
        """The payoff of each player, from the nodes that they take."""
        counts: dict[int, int] = {}
        for node in chosen:
            counts[node] = counts.get(node, 0) + 1
        paid = {node: self.payoff(node, counts) for node in counts}
        return tuple([paid[node] for node in chosen])


class ActionGraphFile(syntax.OtherLanguage):
    """A file that holds an action-graph game."""

    check = "gdl.wings.theory.action_graphs.action_graph:check_action_graph"
    graph: ActionGraph
    ending: str


class ActionGraphModel(OtherModel):
    """A game given as an action graph."""

    playable = "gdl.wings.theory.action_graphs.action_graph_game:ActionGraphGame"
    language, ending = "an action graph", ".agg"

    graph: ActionGraph


class TypesGraphModel(ActionGraphModel):
    """An action graph with types of players."""

    ending = ".bagg"


class CountsModel(ActionGraphModel):
    """An action graph by which players who are alike are paid by counts."""

    ending = ".counts"


_MODELS = {kind.ending: kind for kind in (ActionGraphModel, TypesGraphModel, CountsModel)}


def check_action_graph(name: str, file: ActionGraphFile) -> tuple[MatrixModel | ActionGraphModel, tuple[Problem, ...]]:
    """The model of an action graph: a table where that is small and no player has types."""
    graph = file.graph
    sizes = [len(own) for types in graph.choices for own in types]
    if len(sizes) > len(graph.players) or len(sizes) * prod(sizes) > PAYOFFS:
        return _MODELS[file.ending](name, graph.players, graph), ()
    actions = tuple(tuple(graph.nodes[node] for node in own) for (own,) in graph.choices)
    cells = zip(product(*actions), product(*(own for (own,) in graph.choices)), strict=True)
    return MatrixModel(name, graph.players, actions, {joint: graph.utilities(cell) for joint, cell in cells}), ()
