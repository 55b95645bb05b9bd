"""Many games stepped together on the compiled engine (gdl/compiler/kernels/batch.py)."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from gdl.compiler.joining import constants
from gdl.compiler.searches.stepping import Digits, Stepping
from gdl.interpreter.rules import RulesGame, State
from gdl.states.random_numbers import signed


class Batch(Stepping):
    """So many games; `legal`: actions of each for which there is room, `masked`: numbers of a mask, 1 where it has
    none."""

    keeps_past = False
    stuck = constants("batch")["BATCH_STUCK"]
    kernels = ("batch",)
    entries = ("batch_run", "batch_begin")

    def __init__(
        self, game: RulesGame, start: State, engine: str, digits: Sequence[Digits], count: int, legal: int, masked: int
    ):
        self.settings = {"BATCH": count, "BATCH_LEGAL": legal, "BATCH_MASKED": masked}
        super().__init__(game, start, engine, digits)
        self._room = legal
        self.run, self.begin_all = self.module["batch_run"], self.module["batch_begin"]

    def seed(self, seeds: Sequence[int]) -> None:  # type: ignore[override]
        """Let each game have its seed."""
        self.module["batch_random"][:] = memoryview(array("q", map(signed, seeds)))

    def position(self, play: int) -> State:
        """Where a game stands, as the interpreter holds it, without what players remember."""
        size = len(self.state)
        words = self.module["batch_state"][play * size : (play + 1) * size]
        return self.reading.state(bytes(words), None, ())

    def legal_of(self, play: int) -> Sequence[int]:
        """The numbers of the legal actions of a game."""
        first = play * self._room
        found: Sequence[int] = self.module["batch_legal"][first : first + self.module["batch_count"][play]].tolist()
        return found
