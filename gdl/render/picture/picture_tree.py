"""The content of a picture of a game tree, before anyone decides where things stand or in which format.

A picture is a list of nodes, breadth first, each with the texts at it and at the edge that leads to it. All texts are
plain (`<= 2`, `-inf`): every format has its own way to write them, and to escape them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from gdl.render.picture.position_faces import Grid
from gdl.solution import Path

Shape = Literal["max", "min", "player", "chance", "end"]
Bounds = Literal["nodes", "edges"]


@dataclass(frozen=True, slots=True)
class PictureNode:
    """One node, and the edge that leads to it."""

    path: Path
    parent: int | None
    children: tuple[int, ...]
    shape: Shape
    mover: str = ""  # who moves here; "chance" for nature, "" at an end
    name: str = ""  # the author's name for the node
    grid: Grid | None = None  # the position's board
    lines: tuple[str, ...] = ()  # the position in words
    payoff: tuple[str, ...] = ()  # at an end: one number, or one per player; empty at an inner node
    value: str = ""  # the value that search found; "" if none
    bound: str = ""  # = <= >=: the relation of the node's true value to `value`; ~ for an estimate
    window: tuple[str, str] | None = None  # alpha and beta on entry; None: not recorded
    folded: str = ""  # what lies below and is not drawn: `12 nodes`, `9 moves`
    skipped: bool = False  # search never came here
    action: str = ""  # "" where the author gave no label
    probability: str = ""  # the probability of this outcome, if chance moves above
    played: str = ""  # the probability with which a mixed strategy moves here
    cut: str = ""  # why search skipped this subtree, at its root: `after c1: 2 <= alpha 3`
    principal: bool = False  # on the line of best play
    best: bool = False  # an optimal action of its parent's mover

    @property
    def is_position(self) -> bool:
        """True if a position fills the node, as a board or in words."""
        return bool(self.grid or self.lines)

    @property
    def has_tab(self) -> bool:
        """True if the mover's sign stands on top of the node, because a position fills it."""
        return self.is_position and self.shape != "end"


@dataclass(frozen=True, slots=True)
class PictureGroup:
    """The nodes of one information set, more than one."""

    player: str
    name: str
    members: tuple[int, ...]


@dataclass(frozen=True)
class Picture:
    """A tree to be drawn. `nodes[0]` is the root and every node stands before its children. `blank` leaves room for
    answers instead of showing them; `bounds` says whether windows stand at nodes or at edges; `strategic`, that what is
    marked best is what strategies play (which may be mixed); `words` are those of the legend in another language."""

    title: str
    players: tuple[str, ...]
    nodes: tuple[PictureNode, ...]
    groups: tuple[PictureGroup, ...] = ()
    caption: str = ""
    blank: bool = False
    bounds: Bounds | None = None
    strategic: bool = False
    words: Mapping[str, str] = field(default_factory=dict)

    def say(self, phrase: str, *parts: str) -> str:
        """The phrase, translated into the language of the picture, its placeholders filled with the parts."""
        return say(self.words, phrase, *parts)


def say(words: Mapping[str, str], phrase: str, *parts: str) -> str:
    """The phrase, translated if `words` has a translation, its placeholders filled with the parts."""
    return words.get(phrase, phrase).format(*parts)
