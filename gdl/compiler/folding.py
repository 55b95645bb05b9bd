"""Folding: a search takes states that symmetries of the game turn into each other for one.

The wing symmetry finds the symmetries, and makes the code that writes a state's images. Without it, and where nobody
asks for it, a search has NO_FOLDING.
"""

from __future__ import annotations

from typing import Any

from gdl.compiler.joining import Pieces
from gdl.compiler.lower.state_layout import Layout
from gdl.interpreter.rules_game import State

VERSION = 1  # of folding: one more if a state would become another image than before


class Folding:
    """A group of symmetries. What is written here is right for the group of the identity alone.

    Attributes:
        images: the number of symmetries, the identity included.
        kept: how many of them keep every player in their part.
        generators: symmetries that generate the group, as data that JSON can hold; the last of them exchanges the
            players, if one does.
    """

    images: int = 1
    kept: int = 1
    generators: tuple[Any, ...] = ()

    @property
    def exchanges(self) -> bool:
        """True if players change parts under one of the symmetries."""
        return self.images > self.kept

    @property
    def known_by(self) -> list[Any]:
        """A version of folding, and the symmetries, as data that JSON can hold."""
        return [VERSION, []]

    def code(self, layout: Layout) -> Pieces | None:
        """Kernel code of `fold()`, which makes a state the least of its images and writes its key; () if a state has
        one image only, None if the symmetries cannot be applied to states of this layout."""
        return ()

    def exchange(self, state: State) -> State:
        """The image of a state under the last generator."""
        return state


NO_FOLDING = Folding()
