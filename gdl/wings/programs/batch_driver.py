"""Many games stepped together on the compiled engine (gdl/compiler/kernels/batch.py)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from gdl.compiler import wasm
from gdl.compiler.joining import Pieces, constants
from gdl.errors import Refusal, clean
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.random_numbers import as_signed_word
from gdl.wings.programs.action_numbers import Digits
from gdl.wings.programs.batch_planes import BatchPlanes, batch_planes
from gdl.wings.programs.own_pasts import OwnPasts
from gdl.wings.programs.stepping_driver import Stepping

MOST_KEPT = 256  # rows of a game's listing that are kept, at most
SHORT = 16  # up to so many are copied whole
POINT = ("batch_state", "batch_random", "batch_chosen")  # the arrays that say where plays stand,
SAVED = (*POINT, *(f"batch_{name}" for name in "player count mask masks reward over final".split()), "step_legal")
PASTS = "earlier positions"
MOST_PATHS = 2048  # words kept of what their bodies choose, at most


class Batch(Stepping):
    """Many plays of a game, stepped together. `legal` is the room for actions of each play, `masked` the number of
    entries of a mask, 1 without one."""

    stuck = constants("batch")["BATCH_STUCK"]
    kernels: tuple[str, ...] = ("observing",)
    entries: tuple[str, ...] = ("batch_run", "batch_begin", "batch_look", "batch_observe")

    def __init__(
        self, game: RulesGame, start: State, engine: str, digits: Sequence[Digits], count: int, legal: int, masked: int
    ):
        self._plays, self._room, self._masked = count, legal, masked
        self._pasts: OwnPasts | None = None  # the earlier positions of all plays, where the rules ask for them
        super().__init__(game, start, engine, digits)
        if self.planes is not None:
            self.planes.fill(self.module)

    @cached_property
    def planes(self) -> BatchPlanes | None:
        """The tables by which kernel code makes observations; None where the interpreter makes them."""
        return batch_planes(self.game, self.lowered.layout, self._plays)

    def settings(self) -> dict[str, int]:
        lowered = self.lowered
        kept = 0 if lowered.has_joint_moves else min(MOST_KEPT, self._room, lowered.rows)
        return {
            "STEP_TRAIL": 0, "STEP_PLAYS": self._plays, "STEP_MOST": self._room, "BATCH_MASKED": self._masked,
            "BATCH_CHANCE": bool(self.game.model.chances),
            "BATCH_KEPT": kept, "BATCH_SHORT": kept <= SHORT,
            "BATCH_PATHS": MOST_PATHS if any(lowered.chooses) and not lowered.has_joint_moves else 0,
            **({} if self.planes is None else self.planes.settings),
        }  # fmt: skip

    def joined_with(
        self, code: Pieces, entries: Sequence[str], memory: int = wasm.MEMORY, shared: bool = False
    ) -> dict[str, Any]:  # fmt: skip
        if self.lowered.keys is not None:
            if any(variable.visibility.condition is not None for variable in self.game.model.variables):
                raise Refusal(f"what players of {clean(self.game.name)} see may depend on earlier positions")
            self._pasts = OwnPasts(self.lowered, self.lowered.keys, self._plays)
            self.lowered = self._pasts.lowered
        return super().joined_with(code, entries, wasm.ADDRESSES, shared)

    def load_start_state(self) -> None:
        self.module["s"][:] = memoryview(self._start)
        if self._pasts is not None:
            self._pasts.load(self.module, self._past)

    def calls_are(self, made: Callable[[str], Callable[[int], int]]) -> None:
        self.run, self.begin_all, self.look, self.observe = map(made, self.entries)

    def seed(self, seeds: Sequence[int]) -> None:  # type: ignore[override]
        """Set the seed of each game."""
        self.module["batch_random"][:] = memoryview(array("q", map(as_signed_word, seeds)))

    def save_plays(self) -> dict[str, Any]:
        """The arrays that say where all plays stand, as bytes by name, and the stacks of their earlier positions. (Rows
        that were kept are listed anew.)"""
        saved: dict[str, Any] = {name: bytes(self.module[name]) for name in SAVED}
        if self._pasts is not None:
            saved[PASTS] = [self._pasts.cut_out(self.module, k, self._words_of(k)) for k in range(self._plays)]
        return saved

    def load_plays(self, saved: Mapping[str, Any]) -> None:
        """Put all plays where they stood when they were saved."""
        for name in SAVED:
            self.module[name].cast("B")[:] = saved[name]
        self.module["batch_listed"][:] = bytes(self._plays)
        if self._pasts is not None:
            self._pasts.put_back(self.module, saved[PASTS])

    def position_of(self, play: int) -> State:
        """The state of a game as the interpreter holds it, without what players remember."""
        words = self._words_of(play)
        past = () if self._pasts is None else self._pasts.read(self.module, play, words)
        return self.reading.state(bytes(words), None, past)

    def _words_of(self, play: int) -> Any:
        size = len(self.state)
        return self.module["batch_state"][play * size : (play + 1) * size]

    def states_of(self, final: Sequence[Any]) -> list[State]:
        """The states of all games; where `final` says so, the last one of the play before."""
        size, now, last = 4 * len(self.state), bytes(self.module["batch_state"]), bytes(self.module["batch_final"])
        words = [(last if over else now)[k * size : (k + 1) * size] for k, over in enumerate(final)]
        return [self.reading.state(one, None, ()) for one in words]

    def legal_of(self, play: int) -> Sequence[int]:
        """The numbers of the legal actions of a game."""
        first = play * self._room
        found: Sequence[int] = self.legal[first : first + self.module["batch_count"][play]].tolist()
        return found
