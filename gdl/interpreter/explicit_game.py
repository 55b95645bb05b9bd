"""Explicit games, played as they stand: a tree or a matrix typed by its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from functools import cached_property
from itertools import product
from typing import Any

from gdl.errors import GameError, Problem
from gdl.game import (
    NO_ENGINE,
    Action,
    Chance,
    Decision,
    Engine,
    Joint,
    Node,
    Number,
    Promises,
    Simultaneous,
    Terminal,
    Traits,
    Unknown,
    constant_sum,
)
from gdl.model.games import MatrixModel, TreeModel, TreeNode
from gdl.states.protocol import ProtocolFault, no_action, node_fault, probabilities_fault, short_repr, vector_fault

# Checks of trees and matrices made in Python, as strict as those of a file: every problem at once, as a GameError.


def check_tree(model: TreeModel) -> None:
    """Raise a GameError with every problem if the nodes do not make a tree, or one of them breaks the protocol of
    games."""
    if not model.nodes:
        raise GameError(Problem(f"the tree {model.name} has no nodes", help="write its root first"))
    parents: dict[int, int] = {}
    problems = [
        Problem(f"node {number}{f' ({node.label})' if node.label else ''}: {fault.message}", node.span, help=fault.help)
        for number, node in enumerate(model.nodes)
        for fault in _faults(model, number, node, parents)
    ]
    if problems:
        raise GameError(problems)


def _faults(model: TreeModel, number: int, node: TreeNode, parents: dict[int, int]) -> Iterator[ProtocolFault]:
    if number and number not in parents:
        yield ProtocolFault("it is nobody's child", "write every node before its children, and the root first")
    if node.kind != "terminal" and len(node.children) != len(node.actions):
        yield ProtocolFault(
            f"{len(node.actions)} actions and {len(node.children)} children", "write a child for each action"
        )
    for child in node.children:
        if not isinstance(child, int) or not number < child < len(model.nodes):
            help = f"children have greater numbers than their parents, up to {len(model.nodes) - 1}"
            yield ProtocolFault(f"it has no child {short_repr(child)}", help)
        elif child in parents:
            yield ProtocolFault(
                f"its child {child} is a child of node {parents[child]} already", "write that node once more"
            )
        else:
            parents[child] = number
    found = node_fault(_as_node(node), model.players)
    if found is None and node.kind == "chance":
        found = _chances_fault(node)
    if found is None and node.evaluation is not None:
        found = vector_fault("number", node.evaluation, model.players)
    if found is not None:
        yield found


def _chances_fault(node: TreeNode) -> ProtocolFault | None:
    if len(node.probabilities) == len(node.actions):
        return probabilities_fault(list(node.probabilities))
    return ProtocolFault(
        f"{len(node.actions)} outcomes and {len(node.probabilities)} probabilities", "write one for each"
    )


def _as_node(node: TreeNode) -> Any:
    """The node as a game gives it. At a chance node probabilities are not part of it."""
    if node.kind == "terminal":
        return Terminal(node.utilities)  # type: ignore[arg-type]
    return Decision(0 if node.kind == "chance" else node.player, node.actions)  # type: ignore[arg-type]


def check_matrix(model: MatrixModel) -> None:
    """Raise a GameError if the actions, or the utilities of a joint action, break the protocol of games."""
    found = node_fault(Simultaneous(model.actions), model.players)
    if found is None and not all(model.actions):
        found = ProtocolFault("a player has no actions", "write one at least")
    if found is not None:
        raise GameError(Problem(f"the matrix {model.name}: {found.message}", help=found.help))
    problems = []
    for joint in product(*model.actions):
        fault = vector_fault("utility", model.utilities.get(joint), model.players)
        if fault:
            problems.append(Problem(f"{', '.join(joint)}: {fault.message}", help=fault.help))
    if problems:
        raise GameError(problems)


class TreeGame:
    """An explicit tree as a Game; a state is a node's index."""

    engine: Engine = NO_ENGINE

    def __init__(self, model: TreeModel):
        check_tree(model)
        self.model = model
        self.name = model.name
        self.players = model.players
        none: dict[Action, int] = {}
        self._children = [
            dict(zip(node.actions, node.children, strict=True)) if node.children else none for node in model.nodes
        ]

    def initial(self) -> int:
        return 0

    def node(self, state: int) -> Node:
        node = self.model.nodes[state]
        if node.kind == "terminal":
            return Terminal(node.utilities)  # type: ignore[arg-type]
        if node.kind == "chance":
            return Chance(tuple(zip(node.actions, node.probabilities, strict=True)))  # type: ignore[arg-type]
        assert node.player is not None
        return Decision(node.player, node.actions)

    def successor(self, state: int, action: Action | Joint) -> int:
        try:
            return self._children[state][action]  # type: ignore[index]
        except KeyError:
            raise no_action(self.node(state), action) from None

    def information_set(self, state: int, player: int) -> Hashable:
        named = self.model.nodes[state].information_set
        return state if named is None else named

    def describe(self, state: int, player: int) -> str:
        node = self.model.nodes[state]
        if node.information_set is not None:
            return node.information_set
        if node.label is not None and self._unique_names[node.label]:
            return node.label
        name = self.path_text(state)
        while name in self._unique_names:  # another node or set bears it
            name = f"start > {name}"
        return name

    def evaluate(self, state: int) -> tuple[Number, ...] | None:
        return self.model.nodes[state].evaluation

    @cached_property
    def promises(self) -> Promises:
        model = self.model
        return Promises(
            lambda state: model.nodes[state].bounds, numbers_of=model.numbers_of, cost=model.cost,
            listed=lambda: {n: node.utilities for n, node in enumerate(model.nodes) if node.kind == "terminal"},
        )  # fmt: skip

    def label(self, state: int) -> str | None:
        return self.model.nodes[state].label

    def show(self, state: int) -> str:
        node = self.model.nodes[state]
        who = "chance" if node.kind == "chance" else "" if node.player is None else self.players[node.player]
        where = node.label or self.path_text(state)
        return f"{who} at {where}".strip() if who else where

    def path_text(self, state: int) -> str:
        """The actions from the root, `a1 > b2`; `start` for the root itself."""
        actions: list[str] = []
        parents, places = self._ways
        while state:
            place, state = places[state], parents[state]
            actions.append(self.model.nodes[state].actions[place])
        return " > ".join(reversed(actions)) or "start"

    @cached_property
    def _ways(self) -> tuple[list[int], list[int]]:
        """For each node its parent's index, and its place among the parent's children, from 0; both 0 for the root."""
        parents, places = [0] * len(self.model.nodes), [0] * len(self.model.nodes)
        for number, node in enumerate(self.model.nodes):
            for place, child in enumerate(node.children):
                parents[child], places[child] = number, place
        return parents, places

    @cached_property
    def _unique_names(self) -> dict[str, bool]:
        """For each name of a node or an information set, True if only one node or set has it."""
        seen: dict[str, bool] = {}
        for node in self.model.nodes:
            for name in filter(None, {node.label, node.information_set}):
                seen[name] = name not in seen
        return seen

    @cached_property
    def traits(self) -> Traits:
        nodes = self.model.nodes
        total = constant_sum([node.utilities for node in nodes if node.kind == "terminal"])
        shared = Counter(node.information_set for node in nodes if node.information_set is not None)
        return Traits(
            players=len(self.players),
            zero_sum=total == 0,
            constant_sum=total,
            chance=any(node.kind == "chance" for node in nodes),
            simultaneous=False,
            perfect_information=all(count == 1 for count in shared.values()),
            perfect_recall=forgetting(nodes) is None,
            cyclic=False,
            states=len(nodes),
            actions=max(len(node.actions) for node in nodes),
            unknowns=any(
                isinstance(number, Unknown) for node in nodes for number in (*node.utilities, *node.probabilities)
            ),
        )


def forgetting(nodes: tuple[TreeNode, ...]) -> tuple[int, int] | None:
    """The first two nodes of one information set with different pasts of the player who moves there: the sequences of
    the player's own information sets and actions. None if there are no such nodes: recall is perfect (Kuhn 1953;
    Osborne and Rubinstein, A Course in Game Theory, section 11.1.3)."""
    if all(node.information_set is None for node in nodes):
        return None  # everybody knows where they are, and how they came there
    pasts: dict[Hashable, int] = {}  # one step after an earlier past -> a number for the whole past
    own: dict[int, dict[int, int]] = {0: {}}  # node -> player -> the number of its own past there
    remembered: dict[tuple[int, str], tuple[int, int]] = {}  # the past and the node at which a set was first met
    for index, node in enumerate(nodes):
        here = own.pop(index)
        player = node.player
        if node.kind != "decision" or player is None:
            own.update((child, here) for child in node.children)
            continue
        before = here.get(player, 0)
        named = node.information_set
        if named is not None:
            past, first = remembered.setdefault((player, named), (before, index))
            if past != before:
                return first, index
        met: Hashable = index if named is None else named
        for action, child in zip(node.actions, node.children, strict=True):
            number = pasts.setdefault((before, player, met, action), len(pasts) + 1)
            own[child] = {**here, player: number}
    return None


class MatrixGame:
    """A matrix as a Game: everyone chooses once, at the same time. A state is the joint action, or () before it."""

    engine: Engine = NO_ENGINE

    def __init__(self, model: MatrixModel):
        check_matrix(model)
        self.promises = Promises(numbers_of=model.numbers_of, cost=model.cost, listed=lambda: model.utilities)
        self.model = model
        self.name = model.name
        self.players = model.players

    def initial(self) -> Joint:
        return ()

    def node(self, state: Joint) -> Node:
        if not state:
            return Simultaneous(self.model.actions)
        return Terminal(self.model.utilities[state])  # type: ignore[arg-type]

    def successor(self, state: Joint, action: Action | Joint) -> Joint:
        if state or action not in self.model.utilities:
            raise no_action(self.node(state), action)
        return action  # type: ignore[return-value]

    def information_set(self, state: Joint, player: int) -> Hashable:
        return state

    def describe(self, state: Joint, player: int) -> str:
        return ", ".join(state) or "start"

    def evaluate(self, state: Joint) -> tuple[Number, ...] | None:
        return None

    def label(self, state: Joint) -> str | None:
        return None

    def show(self, state: Joint) -> str:
        return ", ".join(state) or "start"

    @cached_property
    def traits(self) -> Traits:
        total = constant_sum(list(self.model.utilities.values()))
        return Traits(
            players=len(self.players),
            zero_sum=total == 0,
            constant_sum=total,
            chance=False,
            simultaneous=len(self.players) > 1,
            perfect_information=len(self.players) == 1,
            perfect_recall=True,
            cyclic=False,
            states=1 + len(self.model.utilities),
            actions=max(len(actions) for actions in self.model.actions),
            unknowns=any(isinstance(number, Unknown) for cell in self.model.utilities.values() for number in cell),
        )
