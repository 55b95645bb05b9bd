"""What a student may call the nodes of a tree: by the author's name, by the action that leads there, or by the way.

The way is the actions from the root with dots between, `a2.c1` or `2.1`; the root is `root`. A name that fits several
nodes is none.
"""

from __future__ import annotations

from typing import Any

from gdl.game import Game
from gdl.render.node_names import Nodes
from gdl.solution import Path

ROOT = "root"
MAX_NAMED_NODES = 100_000  # nodes that are named


class Names:
    """The names of all nodes of a tree, and the nodes by their names."""

    def __init__(self, game: Game[Any], depth: int | None = None):
        self.nodes = Nodes(game)
        self.depth = depth
        self.paths: list[Path] = [()]
        for path in self.paths:  # grows while it is walked
            if len(self.paths) > MAX_NAMED_NODES:
                break
            self.paths += self.below(path)
        self.complete = len(self.paths) <= MAX_NAMED_NODES
        ways: dict[Path, str] = {(): ROOT}
        for path in self.paths[1:]:  # each after the one before it
            action = self.nodes.at(path).action
            ways[path] = f"{ways[path[:-1]]}.{action}" if len(path) > 1 else action
        self._found = {**self._unique(), **{way: path for path, way in ways.items()}}
        self._found_alike = self._alike()

    def _unique(self) -> dict[str, Path]:
        """The labels and actions that one node alone bears."""
        bearers: dict[str, set[Path]] = {}
        for path in self.paths:
            label, action = self.nodes.label(path), self.nodes.at(path).action
            for name in (label, action if path and action != str(path[-1] + 1) else None):
                if name:
                    bearers.setdefault(name, set()).add(path)
        return {name: next(iter(paths)) for name, paths in bearers.items() if len(paths) == 1}

    def _alike(self) -> dict[str, Path]:
        """The names that are those of one node alone, however their letters are written."""
        bearers: dict[str, set[Path]] = {}
        for name, path in self._found.items():
            bearers.setdefault(name.casefold(), set()).add(path)
        return {name: next(iter(paths)) for name, paths in bearers.items() if len(paths) == 1}

    def below(self, path: Path) -> list[Path]:
        """The children of a node that search may look at."""
        return self.nodes.children(path) if self.depth is None or len(path) < self.depth else []

    def way(self, path: Path) -> str:
        return ".".join(self.nodes.at(path[:length]).action for length in range(1, len(path) + 1)) or ROOT

    def path(self, name: str) -> Path | None:
        """The node that is meant; a slash or `>` may stand for the dots, and small letters for capitals where that
        names one node alone."""
        way = name.replace(">", ".").replace("/", ".").replace(" ", "")
        return next((self._found[n] for n in (name, way) if n in self._found), self._found_alike.get(name.casefold()))

    def name(self, path: Path) -> str:
        """The shortest name that fits this node alone; in a tree with too many nodes to name them all, the way."""
        label, action = self.nodes.label(path), self.nodes.at(path).action
        return next((name for name in (label, action) if name and self._found.get(name) == path), self.way(path))

    def branch(self, path: Path) -> str:
        """What to call a skipped branch: by its action rather than by its node's name."""
        action = self.nodes.at(path).action
        numbered = bool(path) and action == str(path[-1] + 1)
        return action if action and not numbered and self._found.get(action) == path else self.name(path)

    def leaves(self, path: Path) -> list[Path]:
        """The ends below a node."""
        stack, found = [path], []
        while stack:
            here = stack.pop()
            below = self.below(here)
            stack += reversed(below)
            found += [] if below else [here]
        return found
