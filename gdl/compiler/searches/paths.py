"""Searches along a path (gdl/compiler/kernels/path.py): what they have in common."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.compiler import python
from gdl.compiler.kernels import path
from gdl.compiler.searches.slices import Search
from gdl.errors import LimitReached, Refusal, clean
from gdl.interpreter import RulesGame, State

UNLIMITED = 1 << 62  # nodes

_WHY = {
    path.TOO_DEEP: "it goes deeper than this search can",
    path.TOO_GREAT: "its numbers become too large",
    path.AT_ONCE: "players move at the same time, or cannot move",
    path.COMES_AGAIN: "positions come again",
    path.UNEVEN: "its utilities do not always have the same sum",
    path.BEYOND: "a number lies outside the bounds that the file promises",
    path.TOO_WIDE: "a position has too many actions",
}


class PathSearch(Search):
    """A depth-first search that stops after any number of nodes and goes on."""

    def __init__(self, game: RulesGame, start: State, engine: str):
        """Raises Refusal where the game is not for such a search."""
        super().__init__(game, start, engine)
        if self.at_once:
            raise Refusal("this search is for games in which one moves at a time")
        if self.lowered.keys is not None:
            raise Refusal(f"{clean(game.name)} asks for earlier positions, and this search does not tell them apart")

    def stop_after(self, nodes: int | None) -> None:
        """Visit so many at most."""
        self.module["most"][0] = UNLIMITED if nodes is None else nodes

    def work(self) -> Iterator[None]:
        """Go on until it is done or its nodes are spent; yields after each slice.

        Raises LimitReached where the table is full, and Refusal where the search does not suit the game, or a fault of
        the rules is met: it may lie where the readable twin does not come, so that is to tell it.
        """
        try:
            for _ in self.slices():
                if self.nodes >= self.module["most"][0]:
                    return
                yield
        except python.Trap as trap:
            raise self.lowered.refusal(trap.code) from None
        code = self.module["refused"][0]
        if code == path.FULL:
            raise LimitReached(f"stopped after {self.nodes:,} nodes, when the table of this search was full")
        if code:
            raise Refusal(f"the compiled search does not suit {clean(self.game.name)}: {_WHY[code]}")

    @property
    def nodes(self) -> int:
        """Visited so far, in all."""
        return int(self.module["nodes"][0])

    @property
    def leaves(self) -> int:
        """Ends and cut-off nodes of the last search."""
        return int(self.module["leaves"][0])

    @property
    def cut_off(self) -> int:
        """Leaves that were estimated."""
        return int(self.module["cut_off"][0])
