"""The folding of states by a group of symmetries that was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.compiler.folding import Folding
from gdl.compiler.joining import Pieces
from gdl.compiler.lower.state_layout import Layout
from gdl.interpreter.rules_game import State
from gdl.wings.symmetry.group import Symmetry, generate_group
from gdl.wings.symmetry.image_code import exchanges, image_code

MOST_IMAGES = 128  # images of a position, at most, of a folding that was asked for: those that keep the players


class GroupFolding(Folding):
    """Folds by a group of symmetries, given without the identity."""

    def __init__(self, group: Sequence[Symmetry], generators: Sequence[Symmetry] = ()):
        self.group = group
        self.images = len(group) + 1
        self.kept = 1 + sum(not exchanges([symmetry]) for symmetry in group)
        self.generators = tuple([symmetry.to_json() for symmetry in generators])
        self._last = generators[-1] if generators else None

    @property
    def known_by(self) -> list[Any]:
        """The version of folding, and all symmetries in order."""
        return [super().known_by[0], sorted(symmetry.to_json() for symmetry in self.group)]

    def code(self, layout: Layout) -> Pieces | None:
        """Kernel code that tries all images."""
        return image_code(layout, self.group) if self.group else ()

    def exchange(self, state: State) -> State:
        """The image of a state under the last generator."""
        return self._last.image(state) if self._last else state


def generated_folding(generators: Sequence[Symmetry]) -> GroupFolding:
    """The folding by the group that symmetries generate; the last of them may exchange players."""
    return GroupFolding(generate_group(generators, 2 * MOST_IMAGES), generators)


def read_folding(written: Sequence[Any]) -> Folding:
    """The folding whose generators were written as JSON."""
    return generated_folding([Symmetry.read(one) for one in written])
