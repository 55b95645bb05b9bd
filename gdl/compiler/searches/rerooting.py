"""Trees of simulations that go on from a position that they have met (gdl/compiler/kernels/rerooting.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

PLIES = 6  # below the root, within which it is looked for: a move, a reply, and what chance does to both
LOOKED_AT = 1 << 18  # nodes that are looked at for that


class TreeReuse:
    """Whether the tree of a search may go on so. `may`: whether it is one that nothing but time limits, so that nobody
    asks for the same answer twice, and whose positions have no past."""

    def __init__(self, may: bool):
        self.kernels = ["rerooting"] if may else []  # that are joined for it,
        self.entries = ["reroot"] if may else []  # and what is called
        self._whole = False  # whether there is a tree, and nothing but a pause has left it as it is

    def slices(self, search: Any) -> Iterator[None]:
        """Those of the search."""
        self._whole = False
        for _ in search.slices():
            self._whole = True
            yield
            self._whole = False
        self._whole = True

    def try_reroot(self, module: Any) -> bool:
        """Whether the tree begins with the module's state from now on: where it can, it does."""
        self._whole = self._whole and bool(self.entries) and bool(module["reroot"](PLIES, LOOKED_AT))
        return self._whole
