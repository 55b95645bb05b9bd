"""The common part of trees in kernel memory, whichever search grows them (gdl/compiler/kernels/tree.py)."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import Any

from gdl.game import Number

# Trees of simulations that go on from a position that they have met (gdl/compiler/kernels/rerooting.py).

PLIES = 6  # below the root, within which it is looked for: a move, a reply, and what chance does to both
LOOKED_AT = 1 << 18  # nodes that are looked at for that


class TreeReuse:
    """Reuse of a search's tree for a later position. `may`: True if nothing but time limits the search, so that nobody
    asks for the same answer twice, and its positions have no past."""

    def __init__(self, may: bool):
        self.kernels = ["rerooting"] if may else []  # that are joined for it,
        self.entries = ["reroot"] if may else []  # and what is called
        self._whole = False  # whether there is a tree, and nothing but a pause has left it as it is

    def slices(self, search: Any) -> Iterator[None]:
        """The slices of the search."""
        self._whole = False
        for _ in search.slices():
            self._whole = True
            yield
            self._whole = False
        self._whole = True

    def try_reroot(self, module: Any) -> bool:
        """Begin the tree with the module's state from now on; False where it cannot."""
        self._whole = self._whole and bool(self.entries) and bool(module["reroot"](PLIES, LOOKED_AT))
        return self._whole


def fill_least(module: Any, least: tuple[Number | None, ...], denominator: int) -> None:
    """Say what no utility falls below, where that is known."""
    for player, low in enumerate(least):
        module["uct_least_known"][player] = low is not None
        module["uct_least"][player] = 0 if low is None else floor(low * denominator)


def fill_greatest(module: Any, greatest: tuple[Number | None, ...], denominator: int) -> None:
    """Write into the module, for each player, the number that no utility exceeds, where it is known."""
    for player, most in enumerate(greatest):
        if most is not None:
            module["greatest_utility"][player] = ceil(most * denominator)
            module["greatest_is_known"][player] = 1
