"""Random playouts on the compiled engine."""

from __future__ import annotations

from gdl.compiler import python
from gdl.compiler.kernels import playouts as kernel
from gdl.compiler.searches.slices import Search
from gdl.errors import GameError, Interrupted, Refusal
from gdl.explore import Progress
from gdl.interpreter import RulesGame, State
from gdl.playouts import Playouts
from gdl.random_numbers import signed


class Playing(Search):
    """Random playouts."""

    def __init__(self, game: RulesGame, start: State, count: int, seed: int, engine: str):
        super().__init__(game, start, engine)
        self.load(kernel.kernel(self.lowered.weighs, self.at_once), "playouts_run")
        self.module["playout_start"][:] = memoryview(self._start)
        self._count = count
        self._played = self.module["played"]
        self._played[kernel.LEFT] = count
        self._played[kernel.RANDOM] = signed(seed)

    def done(self) -> Playouts:
        """The plays that are complete."""
        count = self._count - self._played[kernel.LEFT] - self.module["playing"][0]
        denominator = self.lowered.denominator
        sums = [total / denominator for total in self.module["played_sum"]]
        squares = [total / denominator**2 for total in self.module["played_squares"]]
        return Playouts.of(self.game.players, count, self._played[kernel.PLIES], sums, squares)

    def result(self, progress: Progress | None = None) -> Playouts:
        """Play them all; Interrupted keeps the plays that were complete."""
        try:
            for _ in self.slices():
                if progress:
                    progress(self.done().playouts)
        except python.Trap as trap:
            raise self._again(trap) from None
        except KeyboardInterrupt:
            raise Interrupted(self.done()) from None
        return self.done()

    def _again(self, trap: python.Trap) -> GameError | Refusal:
        """Play the last playout once more, step by step, to the state before the fault."""
        self._played[kernel.RANDOM] = self._played[kernel.BEGUN]
        self._played[kernel.LEFT] += 1
        self.module["playing"][0] = 0
        before = self._start.tobytes()
        try:
            while self.run(1):
                before = bytes(self.module["s"])
        except python.Trap:
            pass
        return self.told(trap, before)


def playouts(
    game: RulesGame, start: State, count: int, seed: int, engine: str, progress: Progress | None = None
) -> Playouts:
    """Plays the game to its end so many times; Interrupted keeps the plays that were complete."""
    return Playing(game, start, count, seed, engine).result(progress)
