"""The nodes of a game's tree by their paths, and what to call them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from gdl.game import Chance, Decision, Game, Node
from gdl.solution import Path
from gdl.states.explore import Move, move_text, moves
from gdl.states.sequential import Sequential

ROOT = "the root"


class NodeAtPath(NamedTuple):
    """A node of the tree, and the action that leads there ("" at the root)."""

    state: Any
    node: Node
    action: str


class Nodes:
    """The nodes of a game's tree, addressed by paths of child positions and named for people. Simultaneous moves become
    turns one after the other that the later players do not see, unless `joint` keeps them. `told` are the nodes whose
    names must differ from each other."""

    def __init__(self, game: Game[Any], told: Iterable[Path] = (), joint: bool = False):
        self.game: Game[Any] = game if joint or game.traits.simultaneous is False else Sequential(game)
        self._told = told
        start = self.game.initial()
        self._known: dict[Path, NodeAtPath] = {(): NodeAtPath(start, self.game.node(start), "")}
        self._moves: dict[Path, tuple[Move, ...]] = {}  # listed once: a chance step may have very many outcomes

    def node_at(self, path: Path) -> NodeAtPath:
        known = len(path)
        while path[:known] not in self._known:
            known -= 1
        for length in range(known, len(path)):
            above = self._known[path[:length]]
            move = self._moves_at(path[:length])[path[length]]
            state = self.game.successor(above.state, move)
            self._known[path[: length + 1]] = NodeAtPath(state, self.game.node(state), move_text(move))
        return self._known[path]

    def _moves_at(self, path: Path) -> tuple[Move, ...]:
        if path not in self._moves:
            self._moves[path] = moves(self._known[path].node)
        return self._moves[path]

    def children(self, path: Path) -> list[Path]:
        return [(*path, position) for position in range(len(moves(self.node_at(path).node)))]

    def label(self, path: Path) -> str | None:
        """The name that the author gave to the node; None if there is none."""
        return self.game.label(self.node_at(path).state)

    def actions_to(self, path: Path) -> list[str]:
        """The actions that lead to the node."""
        return [self.node_at(path[:length]).action for length in range(1, len(path) + 1)]

    def play(self, path: Path) -> str:
        """The actions that lead to the node, `a2.c1`; `node 2.1` if the actions are mere numbers."""
        actions = self.actions_to(path)
        numbers = [str(position + 1) for position in path]
        return f"node {'.'.join(numbers)}" if actions == numbers else ".".join(actions)

    def action(self, path: Path) -> str:
        """The action that leads to the node; if this is a mere number, the node's name or the whole sequence of
        actions."""
        action = self.node_at(path).action
        return self.label(path) or self.play(path) if path and action == str(path[-1] + 1) else action

    def node_name(self, path: Path) -> str:
        """The name of a node: the author's name, otherwise the action that leads there; if this action leads to several
        of the nodes to be named, the whole sequence of actions."""
        if label := self.label(path):
            return label
        return self.play(path) if self.node_at(path).action in self._shared_actions else self.action(path) or ROOT

    @cached_property
    def _shared_actions(self) -> set[str]:
        """The actions that lead to several of those nodes to be named that have no label."""
        unnamed = [path for path in dict.fromkeys(self._told) if path and not self.label(path)]
        count = Counter(self.node_at(path).action for path in unnamed)
        return {action for action, times in count.items() if times > 1}

    def mover(self, path: Path) -> str:
        """Who moves at the node: a player, chance, or "" at an end."""
        node = self.node_at(path).node
        if isinstance(node, Decision):
            return self.game.players[node.player]
        return "chance" if isinstance(node, Chance) else ""

    def name_with_mover(self, path: Path) -> str:
        """The node and its mover, `C (MIN)`."""
        mover = self.mover(path)
        return f"{self.node_name(path)} ({mover})" if mover else self.node_name(path)
