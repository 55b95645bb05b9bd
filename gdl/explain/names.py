"""Names by which a student may call the nodes of a tree: the author's name, the action that leads there, or the way.

The way is the sequence of actions from the root with dots between, `a2.c1` or `2.1`; the root is `root`. A name that
fits several nodes names none of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from gdl.game import Game
from gdl.render.node_names import Nodes
from gdl.solution import Path

ROOT = "root"
MAX_NAMED_NODES = 100_000  # nodes that are named
MAX_STEPS = 100  # actions after a name

_SIGNS: Mapping[str, str] = {
    "≤": "<=", "≥": ">=", "≦": "<=", "≧": ">=", "⩽": "<=", "⩾": ">=", "−": "-", "–": "-", "—": "-", "⁄": "/",
    "→": "->", "⟶": "->", "⇒": "->", "↦": "->", "،": ",", "、": ",", "؛": ";", "·": ";", "。": ".", "٫": ".",
    "\u2066": "", "\u2069": "", "\u200f": "", "∞": "inf", "“": '"', "”": '"', "„": '"',
    "⟨": "(", "⟩": ")", "〈": "(", "〉": ")", "‹": "(", "›": ")",
}  # fmt: skip
_GREEK = str.maketrans("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX")  # capitals that look like ours


def with_plain_signs(text: str) -> str:
    """The text with digits and signs of any script, also of full width, replaced by those of ASCII."""
    plain = "".join(_SIGNS.get(sign, sign) for sign in unicodedata.normalize("NFKC", text))
    return "".join(str(unicodedata.digit(sign)) if sign.isdecimal() else sign for sign in plain)


def fold(name: str) -> str:
    """The name in the form in which names are compared: plain signs, small letters, Greek capitals as the Latin ones
    that look alike."""
    return with_plain_signs(name).translate(_GREEK).casefold()


class Names:
    """The names of all nodes of a tree, and the nodes by their names. A tree with too many nodes is not `complete`."""

    def __init__(self, game: Game[Any], depth: int | None = None):
        self.nodes = Nodes(game)
        self.depth = depth
        self.paths: list[Path] = [()]
        for path in self.paths:  # grows while it is walked
            if len(self.paths) > MAX_NAMED_NODES:
                break
            self.paths += self.children(path)
        self.complete = len(self.paths) <= MAX_NAMED_NODES
        ways: dict[Path, str] = {(): ROOT}
        for path in self.paths[1:]:  # each after the one before it
            action = self.nodes.node_at(path).action
            ways[path] = f"{ways[path[:-1]]}.{action}" if len(path) > 1 else action
        bearers = self._bearers()
        unique = {name: next(iter(paths)) for name, paths in bearers.items() if len(paths) == 1}
        self._found = {**unique, **{way: path for path, way in ways.items()}}
        self._alike: dict[str, dict[Path, None]] = {}  # all that a name may mean, however it is written
        for name, paths in [*bearers.items(), *((way, {path: None}) for path, way in ways.items())]:
            self._alike.setdefault(fold(name), {}).update(paths)

    def _bearers(self) -> dict[str, dict[Path, None]]:
        """For each label and each action that is not a mere number, the nodes that bear the label or to which the
        action leads."""
        bearers: dict[str, dict[Path, None]] = {}
        for path in self.paths:
            label, action = self.nodes.label(path), self.nodes.node_at(path).action
            for name in (label, action if path and action != str(path[-1] + 1) else None):
                if name:
                    bearers.setdefault(name, {})[path] = None
        return bearers

    def children(self, path: Path) -> list[Path]:
        """The children of a node, as far down as the search may look."""
        return self.nodes.children(path) if self.depth is None or len(path) < self.depth else []

    def way(self, path: Path) -> str:
        return ".".join(self.nodes.actions_to(path)) or ROOT

    def path(self, name: str) -> Path | None:
        """The path of the node of that name; None if no node has it, or several do."""
        paths = self.meanings(name)
        return paths[0] if len(paths) == 1 else None

    def meanings(self, name: str) -> list[Path]:
        """The paths of all nodes that the name may mean: a label, an action, or the actions from the root or from a
        named node. Dots, slashes or `>` separate actions; capitals and small letters are the same if there is no exact
        match."""
        way = name.replace(">", ".").replace("/", ".").replace(" ", "")
        exact = next((self._found[n] for n in (name, way) if n in self._found), None)
        found = [exact] if exact is not None else list(self._alike.get(fold(name), ()))
        above, _, action = way.rpartition(".")
        if found or not above or way.count(".") > MAX_STEPS:
            return found
        steps = (child for path in self.meanings(above) for child in self.children(path))
        return [child for child in steps if fold(self.nodes.node_at(child).action) == fold(action)]

    def name(self, path: Path) -> str:
        """The shortest name that only this node has; in a tree that is not complete, the actions from the root."""
        label, action = self.nodes.label(path), self.nodes.node_at(path).action
        return next((name for name in (label, action) if name and self._found.get(name) == path), self.way(path))

    def branch(self, path: Path) -> str:
        """The name of a skipped branch: its action, if only this node has that, else the name of the node."""
        action = self.nodes.node_at(path).action
        numbered = bool(path) and action == str(path[-1] + 1)
        return action if action and not numbered and self._found.get(action) == path else self.name(path)

    def leaves(self, path: Path) -> list[Path]:
        """The paths of the leaves below a node."""
        stack, found = [path], []
        while stack:
            here = stack.pop()
            below = self.children(here)
            stack += reversed(below)
            found += [] if below else [here]
        return found
