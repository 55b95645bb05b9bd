"""All reachable states of a game on the compiled engine."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from gdl.compiler import python
from gdl.compiler.folding import NO_FOLDING, Folding
from gdl.compiler.joining import Kernel, Pieces, constants, kernel, kernel_constants
from gdl.compiler.searches.slices import KernelNumber, KernelSearch, explain_trap
from gdl.compiler.searches.state_table import DIRECT_BITS, most_in, slots_for
from gdl.compiler.wasm import ADDRESSES
from gdl.errors import LimitReached, Refusal, size_text
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.count import StateCount
from gdl.states.explore import Progress, attach_partial

# The play that leads to a numbered state: the enumeration does not note it, so it is found again to report a fault.

CANDIDATES = constants("predecessors")["CANDIDATES"]  # states that are looked at in one call


class Discovery:
    """The states that were discovered. Their keys, of a fixed number of words each, lie one after another in the order
    of their numbers. `levels` has the first number of each level, `module` is the game joined with the kernel, and
    `key` its function that writes the key of a state."""

    def __init__(self, keys: Any, words: int, levels: Sequence[int], module: dict[str, Any], key: str):
        self._keys, self._words, self._levels = keys, words, levels
        self._module = module
        self._key = key

    def line(self, number: int) -> list[bytes]:
        """The states from the first to the one with this number, as words, each discovered from the one before it."""
        line = [number]
        for level in reversed(range(bisect_right(self._levels, number) - 1)):
            line.append(self._discoverer(line[-1], range(self._levels[level], self._levels[level + 1])))
        return [self._state(n) for n in reversed(line)]

    def key_of(self, state: bytes) -> tuple[int, ...]:
        """The packed key of a state."""
        self._module["s"][:] = memoryview(state).cast("i")
        self._module[self._key]()
        return tuple(self._module["key"])

    def _discoverer(self, number: int, among: range) -> int:
        """The first of some states, given by their numbers, from which a move leads to the state `number`."""
        self._module["wanted"][:] = self._part(number, 1)
        for first in among[::CANDIDATES]:
            count = min(CANDIDATES, among.stop - first)
            self._module["candidate"][: count * self._words] = self._part(first, count)
            if (found := self._module["discoverer"](count)) >= 0:
                return first + int(found)
        raise AssertionError("a state that nothing leads to")

    def _state(self, number: int) -> bytes:
        self._module["key"][:] = self._part(number, 1)
        self._module["unpack"]()
        return array("i", self._module["s"]).tobytes()

    def _part(self, first: int, count: int) -> Any:
        """The keys of `count` states from `first` on."""
        return self._keys[first * self._words : (first + count) * self._words]


K = kernel_constants("enumerate")  # what stands where in the kernel's memory
MEMORY = 1 << 31  # bytes that the states may take, unless another limit is given
_SPARE = 1 << 24  # bytes for the game's tables


class Enumeration(KernelSearch):
    """Numbers the states of a game in the order of their discovery; iterating does a slice of the work."""

    def __init__(
        self,
        game: RulesGame,
        start: State,
        engine: str,
        limit: int | None = None,
        memory: int | None = None,
        folding: Folding = NO_FOLDING,
    ):
        """The enumeration stops at `limit` states or `memory` bytes (None: MEMORY). Of states that are images of each
        other under the symmetries of `folding` only one is met; these may exchange players."""
        if start.memories is not None:
            raise Refusal("the compiled engine does not tell states apart by what players remember")
        super().__init__(game, start, engine)
        if self.at_once and not self.takes_joint_moves:
            raise Refusal("the compiled engine does not number the states of games in which players act at once")
        self.limit = limit
        self.memory = min(memory or MEMORY, ADDRESSES - _SPARE)
        self.folding = folding
        bits = self.packing.bits
        self.direct = bits if bits <= DIRECT_BITS and 16 << bits <= self.memory else 0
        room = min(self.memory, self.states_room)
        self.most = most_in(room, self.packing.words, self.extra_bytes + folding.exchanges, self.direct)
        if limit is not None:
            self.most = min(self.most, limit)
        code = folding.code(self.lowered.layout)
        if code is None:
            raise Refusal("the compiled engine does not hold the states so that they can be turned into each other")
        self.folds = bool(code)
        self.key = "fold" if self.folds else "pack"  # the kernel function that writes the key of a state
        self.keys: Pieces = (self.packing.code, *code)
        entries = ("enumerate_run", "enumerate_start", "key_of", "unpack", *self.entries)
        self.load(self.kernel(), *entries, memory=ADDRESSES, keys=self.keys)
        self.found = self.module["enumerated"]

    entries: tuple[str, ...] = ()  # further entry points of the kernel
    takes_joint_moves = False  # whether states in which players act at once are numbered
    extra_bytes = 0  # bytes for each state, beside its key and its number
    states_room = ADDRESSES - _SPARE  # bytes that all states may take

    def kernel(self) -> Kernel:
        """The kernel that is joined with the game."""
        return kernel("enumerate", **self.settings)

    @property
    def settings(self) -> dict[str, int]:
        """The values of the kernel's constants."""
        return {
            "MOST_STATES": self.most, "MAX_SLOTS": slots_for(self.most, self.direct), "DIRECT": bool(self.direct),
            "FOLDS": self.folds, "EXCHANGES": self.folding.exchanges, "AT_ONCE": self.at_once,
        }  # fmt: skip

    @property
    def has_joined_states(self) -> bool:
        """True if an exchange of players has made two states one that would stay apart without it. (Found out for two
        players; for more it is assumed.)"""
        return self.folding.exchanges and (len(self.game.players) > 2 or bool(self.module["found_twice"][0]))

    states = KernelNumber("enumerated", K.STATES)

    def counts(self) -> StateCount:
        """The counts of all states found so far."""
        starts = [*self.module["levels"][: self.found[K.LEVELS]], self.found[K.LEVEL_END], self.states]
        depth = tuple(end - start for start, end in pairwise(starts) if end > start)
        joined = self.folding.images if self.has_joined_states else self.folding.kept
        used = 0 if self.folding is NO_FOLDING else joined
        return StateCount(self.states, self.found[K.ENDS], self.found[K.EDGES], depth, used)

    def __iter__(self) -> Iterator[None]:
        return self.numbering(begins=True)

    def numbering(self, begins: bool) -> Iterator[None]:
        """Number all states, a slice at a time; unless it `begins`, it goes on from the states that are in memory."""
        try:
            if begins:
                self.module["enumerate_start"]()
            yield from self.slices()
        except python.Trap as trap:
            raise explain_trap(self, trap, self._line()) from None
        if self.found[K.MORE]:
            raise LimitReached(self._too_many())

    def result(self, progress: Progress | None = None) -> StateCount:
        """Count all states. LimitReached and Interrupted keep the counts so far."""
        with attach_partial(self.counts):
            for _ in self:
                if progress:
                    progress(self.states)
        return self.counts()

    def _too_many(self) -> str:
        if self.found[K.MORE] == 2:
            return f"a position of {self.game.name} has more than {K.MOST_JOINT:,} joint moves"
        if self.most == self.limit:
            return f"{self.game.name} has more than {self.limit:,} states, the limit set for this walk"
        return f"{self.game.name} has more states than fit in {size_text(self.memory)}"

    # -- faults -----------------------------------------------------------------------------------------------

    def _line(self) -> list[bytes]:
        """The states of a play that leads to the one that is being expanded, as words; that one alone if the rules ask
        for earlier positions, or players may act at once."""
        number = int(self.found[K.EXPANDED] + self.found[K.GATHERED])
        if self.lowered.keys is None and not self.at_once:
            return self._discovery.line(number)
        self.module["key_of"](number)
        self.module["unpack"]()
        return [bytes(self.module["s"])]

    def mark(self, words: bytes) -> Hashable:
        """A key of the state that is the same for all its symmetric images."""
        return words if self.lowered.keys else self._discovery.key_of(words)

    @cached_property
    def _discovery(self) -> Discovery:
        levels = [*self.module["levels"][: self.found[K.LEVELS]], int(self.found[K.LEVEL_END])]
        code = (*self.keys, *kernel("predecessors", FOLDS=self.folds).parts)
        module = self.joined_with(code, ("discoverer", "unpack", self.key))
        return Discovery(self.module["keys"], self.packing.words, levels, module, self.key)
