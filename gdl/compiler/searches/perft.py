"""Counting action sequences on the compiled engine."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.compiler import python
from gdl.compiler.kernels import perft as kernel
from gdl.compiler.searches.slices import Search
from gdl.explore import Progress
from gdl.interpreter import RulesGame, State


class Perft(Search):
    """Counts action sequences of a length; iterating does a slice of the work."""

    def __init__(self, game: RulesGame, start: State, depth: int, engine: str):
        super().__init__(game, start, engine)
        self.load(kernel.kernel(max(1, depth), self.at_once), "perft_run", "perft_enter")
        self._depth = depth

    @property
    def count(self) -> int:
        """The sequences that have been counted."""
        return 1 if self._depth == 0 else int(self.module["perft_count"][0])

    def __iter__(self) -> Iterator[None]:
        if self._depth == 0:
            return
        self.module["frames"][0] = 0
        self.module["perft_count"][0] = 0
        try:
            self.module["perft_enter"](self._depth)
            yield from self.slices()
        except python.Trap as trap:
            raise self.told(trap, self._above()) from None

    def _above(self) -> bytes:
        """The state of the last frame: the fault was met there, or one move later."""
        last = self.module["frames"][0] - 1
        if last < 0:
            return self._start.tobytes()
        size = len(self._start)
        return bytes(self.module["frame_state"][last * size : (last + 1) * size])


def perft(game: RulesGame, start: State, depth: int, engine: str, progress: Progress | None = None) -> int:
    """The number of action sequences of exactly `depth` plies, every one walked."""
    search = Perft(game, start, depth, engine)
    for _ in search:
        if progress:
            progress(search.count)
    return search.count
