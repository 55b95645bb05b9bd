"""Action-graph games, played as they stand: chance draws the types of players who have several, and all choose at
once. No table is written out."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from math import prod
from operator import contains

from gdl.game import (
    NO_ENGINE,
    NO_PROMISES,
    Action,
    Chance,
    Engine,
    Joint,
    Node,
    Promises,
    Simultaneous,
    Terminal,
    Traits,
)
from gdl.playing.steppable import SteppableModel
from gdl.states.explore import reachable_traits
from gdl.states.protocol import no_action
from gdl.wings.theory.action_graphs.action_graph import ActionGraphModel

WALKED = 20_000  # positions that are walked through for the traits

State = tuple[tuple[int, ...], Joint]  # the types drawn until now, and what was chosen


class ActionGraphGame(SteppableModel):
    """An action-graph game, perhaps with types, of which each player sees their own."""

    engine: Engine = NO_ENGINE
    promises: Promises = NO_PROMISES

    def __init__(self, model: ActionGraphModel):
        self.model, self.graph = model, model.graph
        self.name, self.players = model.name, model.players
        self._number = {name: node for node, name in enumerate(self.graph.nodes)}

    def initial(self) -> State:
        return self._with_lone_types(()), ()

    def _with_lone_types(self, types: tuple[int, ...]) -> tuple[int, ...]:
        """The types with those of the next players who have only one."""
        while len(types) < len(self.players) and len(self.graph.choices[len(types)]) == 1:
            types = (*types, 0)
        return types

    def node(self, state: State) -> Node:
        types, joint = state
        if joint:
            return Terminal(self.graph.utilities([self._number[action] for action in joint]))
        if len(types) < len(self.players):
            chances = self.graph.chances[len(types)]
            who = self.players[len(types)]
            return Chance(tuple((f"{who}: type {k + 1}", chance) for k, chance in enumerate(chances)))
        own = zip(self.graph.choices, types, strict=True)
        return Simultaneous(tuple(tuple(self.graph.nodes[node] for node in sets[kind]) for sets, kind in own))

    def successor(self, state: State, action: Action | Joint) -> State:
        node, (types, _) = self.node(state), state
        if isinstance(node, Chance):
            names = [name for name, _ in node.outcomes]
            if action in names:
                return self._with_lone_types((*types, names.index(action))), ()
        elif isinstance(node, Simultaneous) and all(map(contains, node.actions, action)):
            return types, action  # type: ignore[return-value]
        raise no_action(node, action)

    def information_set(self, state: State, player: int) -> Hashable:
        types, joint = state
        return state if joint or len(types) < len(self.players) else types[player]

    def describe(self, state: State, player: int) -> str:
        types, joint = state
        drawn = [f"type {kind + 1}" for kind in types[player : player + 1] if len(self.graph.choices[player]) > 1]
        return ", ".join([*drawn, *joint]) or "start"

    def evaluate(self, state: State) -> None:
        return None

    label = evaluate

    def show(self, state: State) -> str:
        types = zip(self.players, state[0], self.graph.choices, strict=False)
        drawn = [f"{who}: type {kind + 1}" for who, kind, own in types if len(own) > 1]
        return ", ".join([*drawn, *state[1]]) or "start"

    @cached_property
    def traits(self) -> Traits:
        sizes = [sum(map(len, types)) for types in self.graph.choices]
        if prod(sizes) <= WALKED:
            return reachable_traits(self)
        return Traits(
            players=len(sizes), zero_sum=None, constant_sum=None, chance=isinstance(self.node(self.initial()), Chance),
            simultaneous=True, perfect_information=False, perfect_recall=True, cyclic=False,
        )  # fmt: skip
