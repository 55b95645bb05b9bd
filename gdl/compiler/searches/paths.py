"""Searches along a path (gdl/compiler/kernels/frames.py): what they have in common."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.compiler import python
from gdl.compiler.joining import constants
from gdl.compiler.searches.slices import Search
from gdl.errors import GameError, LimitReached, Refusal, clean

UNLIMITED = 1 << 62  # nodes
REASON = constants("reasons")
WHY = {
    REASON["TOO_DEEP"]: "its plays can be longer than this search goes down",
    REASON["TOO_WIDE"]: "a position has too many actions",
    REASON["TOO_GREAT"]: "its numbers become too large",
    REASON["NOT_CONSTANT"]: "its utilities do not always have the same sum",
    REASON["NO_DECISION"]: "it has chance or moves at once, or no evaluation where one is wanted",
    REASON["BEYOND"]: "a number lies outside the bounds that the file promises",
    REASON["COMES_AGAIN"]: "positions come again",
}


class PathSearch(Search):
    """A depth-first search that stops after any number of nodes and goes on."""

    def stop_after(self, nodes: int | None) -> None:
        """Visit so many at most."""
        self.module["most"][0] = UNLIMITED if nodes is None else nodes

    @property
    def nodes(self) -> int:
        """The nodes of the search so far."""
        return int(self.module["nodes"][0])

    @property
    def spent(self) -> bool:
        """Whether the nodes that were given to this part of the work are spent."""
        return self.nodes >= int(self.module["most"][0])

    @property
    def leaves(self) -> int:
        """Ends and cut-off nodes of the last search."""
        return int(self.module["leaves"][0])

    def work(self) -> Iterator[None]:
        """Go on until it is done or its nodes are spent; yields after each slice.

        Raises LimitReached where the table is full, Refusal where the search does not suit the game, and GameError or
        Refusal where a fault of the rules is met.
        """
        try:
            for _ in self.slices():
                if self.spent:
                    return
                yield
        except python.Trap as trap:
            raise self.met(trap) from None
        code = self.module["refused"][0]
        if code == REASON["FULL"]:
            raise LimitReached(f"stopped after {self.nodes:,} nodes, when the table of this search was full")
        if code and not self.bears(code):
            raise Refusal(f"the compiled search does not suit {clean(self.game.name)}: {WHY[code]}")

    def met(self, trap: python.Trap) -> GameError | Refusal:
        """What to say of a fault of the rules. Unless a search knows better, it may lie where the reference
        implementation does not come, so that is to report it."""
        return self.lowered.refusal(trap.code)

    def bears(self, code: int) -> bool:
        """Whether the search looks itself after what has stopped the kernel."""
        return False
