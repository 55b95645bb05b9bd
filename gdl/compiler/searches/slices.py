"""A game's module joined with a kernel, run in slices on one of the back-ends.

Between two slices Python tells of progress and answers Ctrl-C. A fault that kernel code meets is looked for again with
the interpreter, which tells it in its own words.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from time import monotonic
from typing import Any

from gdl.compiler import python, wasm
from gdl.compiler.engine import CompiledGame
from gdl.compiler.engine import State as Words
from gdl.compiler.fault import engine_faults
from gdl.compiler.joining import Kernel, Part
from gdl.compiler.lower import Lowered, lower
from gdl.compiler.lower.kept import keeping
from gdl.compiler.lower.packing import Packing, packing
from gdl.errors import GameError, LimitReached, Refusal, clean, with_play
from gdl.game import Action, Decision
from gdl.interpreter.closures import PAST
from gdl.interpreter.rules import RulesGame, State
from gdl.states.explore import move_text, moves

ENGINES = ("wasm", "python")
SLICE = 0.05  # seconds that kernel code runs before Python has a look
_FIRST = 500  # nodes of the first slice


class Search:
    """A game from a state on, joined with a kernel."""

    said = 1  # by the kernel, at the end of the last slice
    keeps_past = True  # whether it knows, of each state that it tells of, the positions before it

    def __init__(
        self, game: RulesGame, start: State, engine: str, features: bool = False, lowered: Lowered | None = None
    ):
        """`features`: whether the kernel asks for those of the game's evaluation one by one; `lowered`: the game as an
        earlier search lowered it."""
        self.game = game
        with engine_faults(game.name):
            self.lowered = lowered or lower(game.model, game, features)
        self.at_once = self.lowered.at_once
        self.engine = engine
        self._begins_at(start)

    @cached_property
    def packing(self) -> Packing:
        """How states are packed."""
        return packing(self.game.model, self.lowered.layout)

    def load(self, kernel: Kernel, *entries: str, memory: int = wasm.MEMORY, keys: str | None = None) -> None:
        """Make the module; its state is the first. The first entry runs the kernel for a number of nodes. `memory`:
        the bytes that it may have; `keys` packs states, if that is not to be done as usual."""
        keeps = "keep_past" in kernel.calls or "unpack" not in kernel.calls
        if self.lowered.keys is not None and not (self.keeps_past and keeps):
            raise Refusal(f"{clean(self.game.name)} asks for earlier positions, and this search keeps none of them")
        if keys is None:
            keys = self.packing.code if "pack" in kernel.calls else ""
        if "keep_past" in kernel.calls:
            keys += keeping(self.lowered.keys)
        self.module = self.joined_with([keys, *kernel.parts], entries, memory)
        self.run = self.module[entries[0]]
        self.place()

    def joined_with(
        self, code: Sequence[str | Part], entries: Sequence[str], memory: int = wasm.MEMORY
    ) -> dict[str, Any]:
        """A module of the game and some kernel code."""
        there = {part.file for part in self.lowered.further if isinstance(part, Part)}
        own = [part for part in code if not (isinstance(part, Part) and part.file in there)]
        whole = [self.lowered.source, *self.lowered.further, *own]
        with engine_faults(self.game.name):
            module = wasm.load(whole, entries, memory) if self.engine == "wasm" else python.load(whole)
        if self.lowered.fill is not None:
            self.lowered.fill(module)
        return module

    def _begins_at(self, start: State) -> None:
        self._first = start
        self._past = start.cells[PAST]
        self._start = array("i", self.lowered.layout.written(start.turn, start.cells))

    def place(self) -> None:
        """Make the first state that of the module, with its past."""
        self.module["s"][:] = memoryview(self._start)
        if self.lowered.keys is not None:
            self.lowered.keys.load(self.module, self._past)

    def slices(self, run: Callable[[int], int] | None = None) -> Iterator[None]:
        """Run the kernel (or another of its entries) as long as it says a number above 0; yields after each slice.
        The last number is `said`."""
        budget, run = _FIRST, run or self.run
        while True:
            started = monotonic()
            with engine_faults(self.game.name):
                self.said = run(budget)
            if self.said <= 0:
                return
            spent = max(monotonic() - started, 1e-6)
            budget = min(1 << 30, max(1, int(budget * min(4.0, SLICE / spent))))
            yield

    def played(self, rows: Sequence[int]) -> tuple[Action, ...]:
        """The actions of a line from the first state on, each given by its position at its node."""
        state, line = self._first, list[Action]()
        for row in rows:
            node = self.game.node(state)
            assert isinstance(node, Decision)
            line.append(node.actions[row])
            state = self.game.successor(state, line[-1])
        return tuple(line)

    # -- faults -----------------------------------------------------------------------------------------------

    def told(self, trap: python.Trap, line: Sequence[bytes]) -> GameError | Refusal:
        """The fault that is met at the last of these states or one move later, in the interpreter's words, with the
        play that leads there. The states follow one another from the first of the search on."""
        state, play = self._followed(line)
        if state is None:
            return self.lowered.refusal(trap.code)
        here = play
        try:
            for look in (self.game.node, self.game.evaluate):
                look(state)
                for move in moves(self.game.node(state)):
                    here = None if play is None else (*play, move_text(move))
                    look(self.game.successor(state, move))
                here = play
        except GameError as error:
            if here is not None:
                return with_play(error, here)
            error.state = None if state.memories else error.state
            return error
        except LimitReached:
            pass  # more joint moves than anybody lists
        return self.lowered.refusal(trap.code)

    def _followed(self, line: Sequence[bytes]) -> tuple[State | None, tuple[str, ...] | None]:
        """The last of these states as the interpreter holds it, if it can, and the play that leads there, if there is
        one."""
        state, play = self._first, tuple[str, ...]()
        for words in line if self.mark(line[0]) != self.mark(self._words(state)) else line[1:]:
            wanted = self.mark(words)
            for move in moves(self.game.node(state)):
                after = self.game.successor(state, move)
                if self.mark(self._words(after)) == wanted:
                    state, play = after, (*play, move_text(move))
                    break
            else:
                return self._held(line[-1]), None
        return state, play

    def mark(self, words: bytes) -> Hashable:
        """What a state is known by in this search."""
        return words

    def _words(self, state: State) -> bytes:
        return array("i", self.lowered.layout.written(state.turn, state.cells)).tobytes()

    def _held(self, words: bytes) -> State | None:
        """A state of which nothing is known but its words."""
        past = () if self.lowered.keys is None else self.lowered.keys.read(self.module, memoryview(words).cast("i"))
        memories = self.game.initial().memories
        return None if past is None else CompiledGame(self.game.model).as_reference(Words(words, memories, past))
