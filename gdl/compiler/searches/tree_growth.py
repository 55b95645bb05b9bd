"""The common part of trees in kernel memory, whichever search grows them (gdl/compiler/kernels/tree.py)."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import Any

from gdl.game import Number

# Trees of simulations that go on from a position that they have met (gdl/compiler/kernels/rerooting.py).

PLIES = 6  # below the root, within which the position is looked for: a move, a reply, and chance after both
LOOKED_AT = 1 << 18  # nodes that are looked at for that, at most


class TreeReuse:
    """Reuse of a search's tree for a later position. `may`: True if trees may be reused, which they may only if time
    alone limits the search (so that nobody expects the same answer twice) and its positions have no past."""

    def __init__(self, may: bool):
        self.kernels = ["rerooting"] if may else []  # further kernels for it,
        self.entries = ["reroot"] if may else []  # and their entry points
        self._whole = False  # whether there is a tree that no fault has left half changed

    def slices(self, search: Any) -> Iterator[None]:
        """Yield from the slices of the search. A fault within a slice makes the tree useless for later positions."""
        self._whole = False
        for _ in search.slices():
            self._whole = True
            yield
            self._whole = False
        self._whole = True

    def try_reroot(self, module: Any) -> bool:
        """Make the module's present state the root of its tree. Returns False if that cannot be done, and the tree must
        begin anew."""
        self._whole = self._whole and bool(self.entries) and bool(module["reroot"](PLIES, LOOKED_AT))
        return self._whole


def fill_least(module: Any, least: tuple[Number | None, ...], denominator: int) -> None:
    """Write into the module, for each player, the number that no utility falls below, where it is known."""
    for player, low in enumerate(least):
        module["uct_least_known"][player] = low is not None
        module["uct_least"][player] = 0 if low is None else floor(low * denominator)


def fill_greatest(module: Any, greatest: tuple[Number | None, ...], denominator: int) -> None:
    """Write into the module, for each player, the number that no utility exceeds, where it is known."""
    for player, most in enumerate(greatest):
        if most is not None:
            module["greatest_utility"][player] = ceil(most * denominator)
            module["greatest_is_known"][player] = 1
