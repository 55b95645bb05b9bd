"""Max^n, expectiminimax and minimax on the compiled engine: cut off at a depth, or to the ends."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gdl.compiler.joining import constants, kernel
from gdl.compiler.searches.path_search import PathSearch
from gdl.compiler.searches.slices import KernelNumber
from gdl.compiler.wasm import SWIFT
from gdl.errors import Refusal
from gdl.game import Number, exact
from gdl.interpreter.rules_game import RulesGame, State

ROOM = 1 << 28  # bytes of the table of a search that is cut off,
MORE = 1 << 29  # of the table of a search to the ends,
FRAMES = 1 << 27  # and of its path
DEEPER = 8192  # plies of such a path, at most
WAITING = constants("children")["WAITING"]


def frames_to_ends(room: int, words: int, players: int) -> dict[str, int]:
    """The constants of a search to the ends whose path may take `room` bytes, in a game with `words` words in a state
    and this number of players."""
    frame = 4 * words * (WAITING + 1) + 8 * (WAITING + players) + 64
    return {"FRAMES": min(DEEPER, room // frame), "PLY": 0}


class Vectors(PathSearch):
    """A search for the vectors of all players' values. Iterating `search` does a slice of the work; then `value` gives
    the values of a state."""

    fractions = True

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        nodes: int | None = None,
        to_ends: bool = False,
        one_sum: bool = False,
        chance: bool = True,
        memory: int | None = None,
    ):
        """All searches together stop after `nodes` nodes, if given; `is_out_of_nodes` is then True. `to_ends`: no
        search is cut off, which is backward induction; `one_sum` then stops where utilities have different sums.
        `chance`: whether games with chance are taken; `memory`: the most bytes of the table, None: ROOM or MORE."""
        if game.model.chances and not chance:
            raise Refusal("this search is for games without chance")
        super().__init__(game, start, engine, nodes)
        largest = MORE if to_ends else ROOM
        self.room = largest if memory is None else min(largest, memory)
        if to_ends:
            self.common = self.lowered.denominator
            frames = frames_to_ends(FRAMES, len(self._start), len(game.players))
            settings = {**frames, "ONE_SUM": int(one_sum)}
        elif game.model.evaluates:
            utility, evaluation = self.lowered.denominator, self.lowered.evaluation_denominator
            settings = {"UTILITY": self.common // utility, "EVALUATION": self.common // evaluation}
        else:
            raise Refusal("where search is cut off the file has to give an evaluation")
        entries = self._entries
        buckets = 1 << max(10, min(22, entries.bit_length() - 1))
        weighed = bool(game.model.chances)
        made = kernel("vectors", ENTRIES=entries, BUCKETS=buckets, WEIGHED=weighed, **settings)
        self.load(made, "vectors_run", "vectors_begin", "vectors_asked")
        self._known = self.module.get(SWIFT, self.module.__getitem__)("vectors_asked")
        self.stop_after(nodes)

    @property
    def _entries(self) -> int:
        """The number of positions that the table has room for."""
        return self.room // (8 * (self.packing.words + len(self.game.players) + 3))

    def restart(self, start: State) -> None:
        """Set another state as the start of the next search."""
        self._set_start(start)
        self.module["nodes"][0] = self.module["refused"][0] = 0

    visited_count = KernelNumber("kept")  # the number of nodes of the last search, once it is done

    @property
    def is_out_of_nodes(self) -> bool:
        """True if the last search stopped because the nodes were spent."""
        return self.last_result > 0

    def search(self, depth: int = 1) -> Iterator[None]:
        """Search the start `depth` plies deep, or to the ends, until that is done or the nodes are spent; yields after
        each slice."""
        self.last_result = int(self.most is not None and self.nodes >= self.most)
        if not self.last_result:
            self.load_start_state()
            self.module["vectors_begin"](depth)
            yield from self.work()

    def value(self, state: State, left: int = 1) -> tuple[Number, ...]:
        """Every player's value at a state that the last search visited with `left` plies left; KeyError otherwise."""
        self._find(state, left)
        under = self.common * int(self.module["met_under"][0])
        return tuple(exact(Fraction(int(number), under)) for number in self.module["met"])

    def _find(self, state: State, left: int) -> None:
        self.module["s"][:] = memoryview(self.words_of(state))
        if not self._known(left):
            raise KeyError(state)

    # -- of a search to the ends ----------------------------------------------------------------------------

    @property
    def tie(self) -> bool:
        """True if a mover was indifferent between actions that are not the same to everyone."""
        return bool(self.module["tie"][0])

    def choice(self, state: State) -> int:
        """The row of the first best action at a state that was visited."""
        self._find(state, 1)
        return int(self.module["met_row"][0])
