"""Checks of trees and matrices made in Python, as strict as those of a file: every problem at once, as a GameError."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from gdl.errors import GameError, Problem
from gdl.game import Decision, Simultaneous, Terminal
from gdl.model.games import MatrixModel, TreeModel, TreeNode
from gdl.states.protocol import ProtocolFault, node_fault, probabilities_fault, short_repr, vector_fault


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
        return Terminal(node.utilities)
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
