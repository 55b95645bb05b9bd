"""A game unfolded as a tree, level by level, as far as it can be looked at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gdl.game import Action, Chance, Decision, Game, Node, Number
from gdl.interpreter.explicit_game import TreeGame
from gdl.solution import Path

MAX_DRAWN_NODES = 5_000  # nodes drawn; the levels below are folded
AT_A_GLANCE = 150  # nodes drawn of a game of rules when no depth is asked for


@dataclass(slots=True)
class UnfoldingNode:
    """A node of the unfolded tree; equal states reached on different paths stand at different places."""

    path: Path
    parent: int | None
    state: Any
    node: Node
    action: Action | None = None  # the action that led here; None at the root
    probability: Number | None = None  # the probability of the outcome that led here; None if chance did not move
    children: list[int] = field(default_factory=list)
    folded: str = ""  # what lies below and was left out


def unfold(game: Game[Any], depth: int | None = None, limit: int = MAX_DRAWN_NODES) -> list[UnfoldingNode]:
    """The nodes of the tree, breadth first: all levels down to `depth` (None: as deep as is readable), stopping before
    a level that would make more than `limit` nodes."""
    tree = explicit_tree(game)
    if depth is None and tree is None:
        limit = min(limit, AT_A_GLANCE)
    start = game.initial()
    places = [UnfoldingNode((), None, start, game.node(start))]
    level = [0]
    plies = 0
    while level and (depth is None or plies < depth):
        offspring = sum(len(moves(places[number].node)) for number in level)
        if len(places) + offspring > limit:
            break
        level = [child for number in level for child in _grow(game, places, number)]
        plies += 1
    below = _Below(tree)
    for number in level:
        places[number].folded = below.text(places[number])
    return places


def explicit_tree(game: Game[Any]) -> TreeGame | None:
    """The tree that the game is, also where play begins later in it; None for a game of rules."""
    inner: Any = game
    while inner is not None and not isinstance(inner, TreeGame):
        inner = getattr(inner, "game", None)
    return inner


def moves(node: Node) -> list[tuple[Action, Number | None]]:
    """The moves that are possible at the node, with chance's probabilities."""
    if isinstance(node, Decision):
        return [(action, None) for action in node.actions]
    return list(node.outcomes) if isinstance(node, Chance) else []


def _grow(game: Game[Any], places: list[UnfoldingNode], number: int) -> list[int]:
    """Append the children of a node to the places; the numbers of the children."""
    parent = places[number]
    for position, (action, probability) in enumerate(moves(parent.node)):
        state = game.successor(parent.state, action)
        parent.children.append(len(places))
        places.append(UnfoldingNode((*parent.path, position), number, state, game.node(state), action, probability))
    return parent.children


class _Below:
    """Counts what is left out below a node: the nodes of an explicit tree, or in a game by rules the moves or outcomes
    of the position."""

    def __init__(self, tree: TreeGame | None):
        self.sizes: list[int] | None = None
        if tree is not None:
            nodes = tree.model.nodes
            self.sizes = [1] * len(nodes)
            for index in reversed(range(len(nodes))):  # every node stands before its children
                self.sizes[index] += sum(self.sizes[child] for child in nodes[index].children)

    def text(self, place: UnfoldingNode) -> str:
        if not moves(place.node):
            return ""
        count = len(moves(place.node)) if self.sizes is None else self.sizes[place.state] - 1
        thing = "node" if self.sizes is not None else "move" if isinstance(place.node, Decision) else "outcome"
        return f"{count:,} {thing}{'' if count == 1 else 's'}"
