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
            raise self.told(trap, self._line()) from None

    def _line(self) -> list[bytes]:
        """The states of the frames: the fault was met at the last, or one move later."""
        size, states = len(self._start), self.module["frame_state"]
        frames = [bytes(states[f * size : (f + 1) * size]) for f in range(self.module["frames"][0])]
        return frames or [self._start.tobytes()]


def perft(game: RulesGame, start: State, depth: int, engine: str, progress: Progress | None = None) -> int:
    """The number of action sequences of exactly `depth` plies, every one walked."""
    search = Perft(game, start, depth, engine)
    for _ in search:
        if progress:
            progress(search.count)
    return search.count
