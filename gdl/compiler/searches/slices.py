"""A game's module joined with a kernel, run in slices on one of the back-ends.

Between two slices Python reports progress and answers Ctrl-C. A fault that kernel code meets is looked for again with
the interpreter, which reports it in its own words.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any

from gdl.compiler import python, wasm
from gdl.compiler.fault import engine_faults
from gdl.compiler.joining import Kernel, KernelPart, Pieces
from gdl.compiler.lower import Lowered, lower, making_in_time
from gdl.compiler.lower.files import keeping
from gdl.compiler.lower.packing import Packing, packing
from gdl.compiler.reading import Reading
from gdl.errors import GameError, LimitReached, Refusal, clean, with_play
from gdl.errors.deadline import CLOCK, check_deadline
from gdl.interpreter.closures import PAST
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.explore import move_text, moves

SLICE = 0.025  # seconds that kernel code runs before Python takes over, at most
SHORT, PART = 0.005, 8  # seconds of a slice, at least; in a new search it is this part of the time spent, 1 / PART
_FIRST_SLICE_NODES = 100  # nodes of the first slice, in a game whose states have _USUAL_WORDS words or fewer
_USUAL_WORDS = 100


class KernelNumber:
    """A number in the memory of a search's module, as an attribute of the search: the one at a place of an array."""

    def __init__(self, array: str, place: int = 0):
        self._array, self._place = array, place

    def __get__(self, search: Any, of: type) -> int:
        return int(search.module[self._array][self._place])

    def __set__(self, search: Any, number: int) -> None:
        search.module[self._array][self._place] = number


class KernelSearch:
    """A game joined with a kernel: a search that begins at a given state and runs in slices."""

    last_result = 1  # of the kernel in the last slice; above 0: it is not done
    node_weight = 1  # how many nodes of an ordinary search take as long as one of this
    evaluates = True  # whether the kernel may call evaluate()
    keeps_past = True  # whether the kernel keeps the earlier positions of its states

    def __init__(self, game: RulesGame, start: State, engine: str, lowered: Lowered | None = None, views: bool = False):
        """`lowered`: the game, if it is lowered already; `views`: whether the kernel needs what players see and
        hear."""
        self.game = game
        if game.model.times and not self.keeps_past:
            raise _needs_past(self.game)
        with engine_faults(game.name):
            self.lowered = lowered or lower(game.model, game, views, evaluation=self.evaluates)
        self.at_once = self.lowered.has_joint_moves
        self.engine = engine
        self._set_start(start)

    @cached_property
    def packing(self) -> Packing:
        """The packing of states into keys."""
        with making_in_time(self.game.name):
            return packing(self.game.model, self.lowered.layout)

    def load(
        self, kernel: Kernel, *entries: str, memory: int = wasm.MEMORY, keys: Pieces | None = None,
        shared: bool = False,
    ) -> None:  # fmt: skip
        """Join the game with a kernel, and make the start the present state. The first of `entries` runs the kernel for
        a number of nodes. `memory`: the bytes that the module may have; `keys`: the code that packs states, if not the
        usual one; `shared`: whether the module may have twins (gdl/compiler/wasm.py)."""
        keeps = "keep_past" in kernel.calls or "unpack" not in kernel.calls
        if self.lowered.keys is not None and not (self.keeps_past and keeps):
            raise _needs_past(self.game)
        if keys is None:
            keys = (self.packing.code,) if "pack" in kernel.calls else ()
        if "keep_past" in kernel.calls:
            keys += keeping(self.lowered.keys)
        self.module = self.joined_with((*keys, *kernel.parts), entries, memory, shared)
        self.run = self.module[entries[0]]
        self.load_start_state()

    def joined_with(
        self, code: Pieces, entries: Sequence[str], memory: int = wasm.MEMORY, shared: bool = False
    ) -> dict[str, Any]:
        """The module of the game and this kernel code, on the engine of the search."""
        there = {part.file for part in self.lowered.further if isinstance(part, KernelPart)}
        own = [part for part in code if not (isinstance(part, KernelPart) and part.file in there)]
        more = [*self.lowered.further, *own]
        with engine_faults(self.game.name), making_in_time(self.game.name):
            if self.engine == "wasm":
                module = wasm.load([self.lowered.module, *more], entries, memory, shared)
            else:
                module = python.load([self.lowered.source, *more])
        if self.lowered.fill is not None:
            self.lowered.fill(module)
        return module

    def _set_start(self, start: State) -> None:
        self.first = start
        self._past = start.cells[PAST]
        self._start = self.words_of(start)

    def words_of(self, state: State) -> array[int]:
        """The words of a state, as kernel code holds it."""
        return array("i", self.lowered.layout.words_of_state(state.turn, state.cells))

    def load_start_state(self) -> None:
        """Make the start the present state of the module, with its earlier positions."""
        self.module["s"][:] = memoryview(self._start)
        if self.lowered.keys is not None:
            self.lowered.keys.load(self.module, self._past)

    def slices(self, run: Callable[[int], int] | None = None) -> Iterator[None]:
        """Call `run` (None: the kernel's first entry) with budgets of nodes until its result is 0 or less; yields after
        each slice. `last_result` is the last result."""
        heavy = max(1, self.lowered.layout.words // _USUAL_WORDS) ** 2  # a large state has many large successors
        budget, run = max(1, _FIRST_SLICE_NODES // heavy // self.node_weight), run or self.run
        begun = CLOCK.now()
        while True:
            started = CLOCK.now()
            with engine_faults(self.game.name):
                self.last_result = run(budget)
            if self.last_result <= 0:
                return
            spent = max((now := CLOCK.now()) - started, 1e-6)
            seconds = min(SLICE, max(SHORT, (now - begun) / PART))  # so that a short time is kept
            budget = min(1 << 30, max(1, int(budget * min(4.0, seconds / spent))))
            yield

    def line_of_frames(self, states: str, count: str) -> list[bytes]:
        """The states, as words, on the path of a search, by the names of the array that holds them and of the array
        with their number. A fault was met at the last one, or one move later."""
        size, held = len(self._start), self.module[states]
        frames = [bytes(held[f * size : (f + 1) * size]) for f in range(self.module[count][0])]
        return frames or [self._start.tobytes()]

    def mark(self, words: bytes) -> Hashable:
        """A key of a state, equal for states that this search takes for one."""
        return words


def _needs_past(game: RulesGame) -> Refusal:
    return Refusal(f"{clean(game.name)} asks for earlier positions, and this search keeps none of them")


# A fault of the rules that kernel code has met, in the interpreter's words.


def explain_trap(search: KernelSearch, trap: python.Trap, line: Sequence[bytes]) -> GameError | Refusal:
    """The error for a trap: the fault that the interpreter meets at the last of these states or one move later, with
    the play that leads there; where it meets none, the refusal that the trap's code stands for. The states, as words,
    follow one another; the first is that of the search or one move after it."""
    state, play = _follow_line(search, line)
    if state is None:
        return search.lowered.refusal(trap.code)
    here = play
    try:
        for look in (search.game.node, search.game.evaluate):
            look(state)
            for move in moves(search.game.node(state)):
                check_deadline()
                here = None if play is None else (*play, move_text(move))
                look(search.game.successor(state, move))
            here = play
    except GameError as error:
        if here is not None:
            return with_play(error, here)
        error.state = None if state.memories else error.state
        return error
    except LimitReached:
        pass  # the time is over, or there are more joint moves than the interpreter lists
    return search.lowered.refusal(trap.code)


def _follow_line(search: KernelSearch, line: Sequence[bytes]) -> tuple[State | None, tuple[str, ...] | None]:
    """The interpreter's state at the end of a line of states, and the play that leads there. The play is None if the
    interpreter cannot follow the line, and the state too if it cannot be made from its words."""
    state, play = search.first, tuple[str, ...]()
    for words in line if search.mark(line[0]) != search.mark(search.words_of(state).tobytes()) else line[1:]:
        wanted = search.mark(words)
        for move in moves(search.game.node(state)):
            after = search.game.successor(state, move)
            if search.mark(search.words_of(after).tobytes()) == wanted:
                state, play = after, (*play, move_text(move))
                break
        else:
            return _state_from_words(search, line[-1]), None
    return state, play


def _state_from_words(search: KernelSearch, words: bytes) -> State | None:
    """A state made from its words alone; None if the earlier positions that the rules ask for are not in memory."""
    past = () if search.lowered.keys is None else search.lowered.keys.read(search.module, memoryview(words).cast("i"))
    memories = search.game.initial().memories
    return None if past is None else Reading(search.game, search.lowered, search.module).state(words, memories, past)
