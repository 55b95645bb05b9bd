"""Searches on the compiled engine: a game's module joined with a kernel, run in slices on one of the back-ends.

Between two slices Python tells of progress and answers Ctrl-C. A fault that kernel code meets is looked for again with
the interpreter, which tells it in its own words.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from time import monotonic

from gdl.compiler import python, wasm
from gdl.compiler.engine import CompiledGame
from gdl.compiler.engine import State as Words
from gdl.compiler.kernels import perft as perft_kernel
from gdl.compiler.kernels import playouts as playouts_kernel
from gdl.compiler.lower import lower
from gdl.errors import GameError, Interrupted, Problem, Refusal
from gdl.explore import Progress, moves
from gdl.interpreter import RulesGame, State
from gdl.playouts import Playouts

ENGINES = ("wasm", "python")
SLICE = 0.05  # seconds that kernel code runs before Python has a look
_FIRST = 500  # nodes of the first slice


class _Search:
    """A game from a state on, joined with a kernel."""

    def __init__(self, game: RulesGame, start: State, engine: str):
        self.game = game
        self.lowered = lower(game.model, game)
        self.at_once = "\ndef apply_joint(" in self.lowered.source
        self.engine = engine
        self._start = array("i", self.lowered.layout.written(start.turn, start.cells))

    def load(self, kernel: str, *entries: str) -> None:
        """Make the module; its state is the first. The first entry runs the kernel for a number of nodes."""
        source = f"{self.lowered.source}\n{kernel}"
        self.module = wasm.load(source, entries) if self.engine == "wasm" else python.load(source)
        self.run = self.module[entries[0]]
        self.module["s"][:] = memoryview(self._start)

    def slices(self) -> Iterator[None]:
        """Run the kernel to its end; yields after each slice."""
        budget = _FIRST
        while True:
            started = monotonic()
            if not self.run(budget):
                return
            spent = max(monotonic() - started, 1e-6)
            budget = min(1 << 30, max(1, int(budget * min(4.0, SLICE / spent))))
            yield

    def told(self, trap: python.Trap, words: bytes) -> GameError | Refusal:
        """The fault that is met at a state or one move later, in the interpreter's words."""
        memories = self.game.initial().memories
        met = state = CompiledGame(self.game.model).as_reference(Words(words, memories))
        try:
            for move in moves(self.game.node(state)):
                met = state
                met = self.game.successor(state, move)
                self.game.node(met)
        except GameError as error:
            error.state = None if memories else met
            return error
        fault = self.lowered.faults[trap.code]
        return Refusal(str(Problem(fault.message, fault.span, help="take the interpreter: --engine interpreter")))


class Perft(_Search):
    """Counts action sequences of a length; iterating does a slice of the work."""

    def __init__(self, game: RulesGame, start: State, depth: int, engine: str):
        super().__init__(game, start, engine)
        self.load(perft_kernel.kernel(max(1, depth), self.at_once), "perft_run", "perft_enter")
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


class Playing(_Search):
    """Random playouts."""

    def __init__(self, game: RulesGame, start: State, count: int, seed: int, engine: str):
        super().__init__(game, start, engine)
        kernel = playouts_kernel.kernel(bool(game.model.chances), self.at_once)
        self.load(kernel, "playouts_run")
        self.module["playout_start"][:] = memoryview(self._start)
        self._count = count
        self._played = self.module["played"]
        self._played[playouts_kernel.LEFT] = count
        self._played[playouts_kernel.RANDOM] = (seed + (1 << 63)) % (1 << 64) - (1 << 63)

    def done(self) -> Playouts:
        """The plays that are complete."""
        count = self._count - self._played[playouts_kernel.LEFT] - self.module["playing"][0]
        denominator = self.lowered.denominator
        sums = [total / denominator for total in self.module["played_sum"]]
        squares = [total / denominator**2 for total in self.module["played_squares"]]
        return Playouts.of(self.game.players, count, self._played[playouts_kernel.PLIES], sums, squares)

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
        self._played[playouts_kernel.RANDOM] = self._played[playouts_kernel.BEGUN]
        self._played[playouts_kernel.LEFT] += 1
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
