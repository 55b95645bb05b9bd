"""What trees in kernel memory have in common, whichever search grows them (gdl/compiler/kernels/tree.py)."""

from __future__ import annotations

from math import ceil, floor
from typing import Any, Self

from gdl.compiler.joining import kernel_constants
from gdl.game import Number

K = kernel_constants("tree")  # what stands where in the kernel's memory


class Growth:
    """How far the tree of a module has grown, and how far it is to."""

    module: dict[str, Any]

    def set_simulation_target(self, simulations: int | None) -> None:
        """Grow up to so many simulations."""
        self.module["tree_count"][K.TREE_WANTED] = -1 if simulations is None else simulations

    @property
    def simulations(self) -> int:
        return int(self.module["tree_count"][K.TREE_SIMULATIONS])

    @property
    def nodes(self) -> int:
        return int(self.module["tree_count"][K.TREE_NODES])

    @property
    def full(self) -> int:
        """The positions of a tree that had no room for more; 0: it had."""
        count = self.module["tree_count"]
        return int(count[K.TREE_USED]) if count[K.TREE_FULL] else 0


class Linked:
    """A node of a tree, by its number."""

    def __init__(self, tree: Any, number: int):
        self._tree, self._number = tree, number

    def _link(self, number: int) -> Any:
        return self._tree.module["tree_link"][number * K.LINK : (number + 1) * K.LINK]

    @property
    def children(self) -> list[Self | None]:
        """One for each action; None where nobody was."""
        link = self._link(self._number)
        numbers = range(link[K.LINK_FIRST], link[K.LINK_FIRST] + link[K.LINK_ROWS])
        return [type(self)(self._tree, child) if self._link(child)[K.LINK_WHOSE] else None for child in numbers]


def fill_least(module: Any, least: tuple[Number | None, ...], denominator: int) -> None:
    """Say what no utility falls below, where that is known."""
    for player, low in enumerate(least):
        module["uct_least_known"][player] = low is not None
        module["uct_least"][player] = 0 if low is None else floor(low * denominator)


def fill_greatest(module: Any, greatest: tuple[Number | None, ...], denominator: int) -> None:
    """Say what no utility exceeds, where that is known."""
    for player, most in enumerate(greatest):
        if most is not None:
            module["greatest_utility"][player] = ceil(most * denominator)
            module["greatest_is_known"][player] = 1
