"""Which positions of a game of rules are shown in a picture, and how: as a board, in words, or not at all."""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import Any

from gdl.errors import clean
from gdl.explicit import TreeGame
from gdl.game import Decision, Game
from gdl.render.picture.boards import Grid, read_grid
from gdl.render.picture.unfold import Place, explicit_tree

_WIDTH = 18  # characters of a line of words
_HEIGHT = 5  # lines; a position that needs more is not shown in words
_ROOMY = 80  # nodes; in a larger tree words would drown the play


class Positions:
    """The boards and words of the places of a tree. `named` maps places of named information sets to their names."""

    def __init__(self, played: Game[Any], places: list[Place], wanted: bool | None):
        tree = explicit_tree(played)
        self.explicit = tree is not None
        self.named = {} if tree is None else _named(tree, places)
        open_to_all = played.traits.perfect_information is not False
        show = not self.explicit and (open_to_all if wanted is None else wanted)
        self._texts = [clean_text(played.show(place.state)) for place in places] if show else []
        self._grids = [read_grid(text) for text in self._texts]
        self._constant = _constant_lines(self._texts)
        self._words = len(places) <= _ROOMY or bool(wanted)

    def of(self, number: int) -> tuple[Grid | None, tuple[str, ...]]:
        """The board and the words to show at a place; what never changes is left out."""
        if not self._texts:
            return None, ()
        grid = self._grids[number]
        if grid is not None or not self._words:
            return grid, ()
        changing = [line for line in self._texts[number].split("\n") if line not in self._constant]
        lines = [part for line in changing for part in textwrap.wrap(line, _WIDTH)]
        return None, tuple(lines) if len(lines) <= _HEIGHT else ()


def clean_text(text: str) -> str:
    return "\n".join(map(clean, text.split("\n")))


def _constant_lines(texts: list[str]) -> set[str]:
    """The lines that all texts share."""
    counts = Counter(line for text in texts for line in set(text.split("\n")))
    return {line for line, count in counts.items() if count == len(texts) > 1}


def _named(game: TreeGame, places: list[Place]) -> dict[int, str]:
    return {
        number: name
        for number, place in enumerate(places)
        if isinstance(place.node, Decision) and (name := game.model.nodes[place.state].information_set) is not None
    }
