"""One game stepped by a program on the compiled engine (gdl/compiler/kernels/stepping.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from struct import Struct
from typing import Any, Self

from gdl.compiler.fault import engine_faults
from gdl.compiler.joining import constants, kernel
from gdl.compiler.reading import Reading
from gdl.compiler.searches.playouts_driver import seed_generator
from gdl.compiler.searches.slices import KernelSearch
from gdl.compiler.short_calls import WarmUp
from gdl.compiler.wasm import TWIN
from gdl.errors import EngineFault, Refusal, clean
from gdl.game import Action, Number, exact
from gdl.interpreter.bodies import EVERYONE
from gdl.interpreter.earlier import Past
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.random_numbers import Generator
from gdl.wings.programs.action_numbers import ActionNumbers, Digits

K = constants("stepping")
PLAYED_RANDOM = constants("generator")["PLAYED_RANDOM"]
ROWS, UNNUMBERED, ILLEGAL, ENDLESS = K["STEP_ROWS"], K["STEP_UNNUMBERED"], K["STEP_ILLEGAL"], K["STEP_ENDLESS"]
FULL = K["STEP_FULL"]
TRAIL = 1 << 18  # words of states on the trail, at most,
MOST_TRAIL = 1 << 12  # and records
ENTRIES = ("step_reset", "step_do", "step_row", "step_save", "step_restore")


class Stepping(KernelSearch):
    """A game that is stepped. Its calls return the answers of the kernel (kernels/stepping.py); `legal` has the numbers
    of the legal actions."""

    kernels: tuple[str, ...] = ("stepping",)
    entries: tuple[str, ...] = ()  # entry points beside ENTRIES

    def __init__(self, game: RulesGame, start: State, engine: str, digits: Sequence[Digits]):
        super().__init__(game, start, engine)
        if len(game.players) > ROWS:
            raise Refusal(f"{clean(game.name)} has more players than this engine asks")
        numbers = ActionNumbers(game.model, self.lowered, digits)
        code = kernel(
            *self.kernels, WEIGHED=self.lowered.weighs, AT_ONCE=self.at_once, **numbers.settings, **self.settings()
        )
        self.load(code, *self.entries, *ENTRIES)
        numbers.fill(self.module)
        self.module["step_start"][:] = memoryview(self._start)
        self.readers, self._warming = Readers(), WarmUp()
        self._bind(self.module)

    def _bind(self, module: dict[str, Any]) -> None:
        """Make the calls and the memory of a module those of this object."""
        self.module = module
        self.reading = Reading(self.game, self.lowered, module)
        self._make_calls()
        self.state, self.legal = module["s"], module["step_legal"]
        self._saved, self._trail, self._depth = module["step_saved"], module["step_trail"], module["step_depth"]
        self.owner: Callable[[], Any] = lambda: None  # gives the object whose play stands here; None: nobody's
        self._played, self._util = module["played"], module["util"]
        self._pays = Struct(f"{len(self.game.players)}{self._util.format}").unpack_from
        self._turn = module["step_turn"]

    def twin(self) -> Self | None:
        """Another game to step, on another instance of the same module; None if there is no room for one, or the engine
        has no twins."""
        if TWIN not in self.module:
            return None
        try:
            with engine_faults(self.game.name):
                module = self.module[TWIN]()
        except EngineFault:
            return None
        other = copy(self)
        other._bind(module)
        return other

    def settings(self) -> dict[str, int]:
        """Values of further constants of the kernel."""
        return {"STEP_TRAIL": max(16, min(MOST_TRAIL, TRAIL // self.lowered.layout.words))}

    def _make_calls(self) -> None:
        """Make the calls of the entry points anew, each in the fastest way that may be taken now."""
        self.calls_are(lambda name: self._warming.entry(self.module, name, self._make_calls))

    def calls_are(self, made: Callable[[str], Callable[[int], int]]) -> None:
        """Make the calls of the entry points with `made`, a function of their names."""
        self.reset, self.do, self.row, self.save, self.restore = map(made, ENTRIES)

    # -- what stands in memory ------------------------------------------------------------------------------

    def begin(self) -> int:
        """Begin a play. Returns the answer."""
        if self.lowered.keys is not None:
            self.load_start_state()
        return self.reset(0)

    def seed(self, seed: int) -> None:
        """Set the seed of the generator by which chance moves."""
        seed_generator(self.module["played"], Generator(seed).state)

    @property
    def chance(self) -> int:
        """The state of the generator of random numbers."""
        return int(self._played[PLAYED_RANDOM]) & (1 << 64) - 1

    @property
    def utilities(self) -> tuple[Number, ...]:
        """The players' utilities, when play is over."""
        paid, denominator = self._pays(self._util), self.lowered.denominator
        if denominator == 1:
            return paid
        from fractions import Fraction

        return tuple(exact(Fraction(amount, denominator)) for amount in paid)

    @property
    def recalls(self) -> bool:
        """True if the earlier positions in memory are those of the present state."""
        keys = self.lowered.keys
        return keys is None or keys.holds(self.module, self.state)

    @property
    def stack(self) -> tuple[bytes, ...] | None:
        """The earlier positions of the present state as they stand in memory; None if there are none."""
        keys = self.lowered.keys
        return None if keys is None else keys.cut_out(self.module, self.state)

    def recall(self, past: Past | None, stack: tuple[bytes, ...] | None) -> None:
        """Write the earlier positions of the present state into memory, as the interpreter or a `stack` holds them."""
        keys = self.lowered.keys
        if keys is not None and stack is not None:
            keys.put_back(self.module, stack)
        elif keys is not None and past is not None:
            keys.load(self.module, past)

    @property
    def position(self) -> State:
        """The present state as the interpreter holds it, without what players remember."""
        keys = self.lowered.keys
        found = None if keys is None else keys.read(self.module, self.state)
        return self.reading.state(bytes(self.state), None, () if found is None else found)

    def place_now(self) -> bytes:
        """The record of where play stands: the state, the generator, and the choices in a simultaneous move."""
        self.save(0)
        return bytes(self._saved)

    def hold(self, place: bytes) -> None:
        """Load a record of where play stood, with its state; `restore` then continues from there."""
        self._saved[:] = memoryview(place).cast("i")
        self.state[:] = self._saved[: len(self.state)]

    def chance_of(self, place: bytes) -> int:
        """The state of the generator in a record of where play stood."""
        at = 4 * len(self.state)
        return int.from_bytes(place[at : at + 8], "little")

    def records(self) -> list[tuple[bytes, int]]:
        """Empty the trail. Returns its records: where play stood, and the number of the action done there."""
        size = 4 * len(self._saved)
        block = bytes(self._trail[: len(self._saved) * self._depth[0]])
        self._depth[0] = 0
        found = [block[at : at + size] for at in range(0, len(block), size)]
        return [(record, int.from_bytes(record[-8:], "little")) for record in found]

    @property
    def choosers(self) -> tuple[int, ...]:
        """The players who choose at the present state."""
        player = self._turn[0]
        if self.state[0] != EVERYONE or player < 0:
            return () if player < 0 else (player,)
        first = self.module["first"]
        return tuple(p for p in range(len(self.game.players)) if first[p + 1] > first[p])

    def names(self) -> list[Action]:
        """The names of the legal actions."""
        player, begin, count = self._turn
        if player < 0:
            return []
        return self.reading.names(self.position, player, range(begin, begin + count))


class Unusual(Exception):
    """An answer that is not just who is asked: play is over, a number was not legal, or something has no number or
    room."""


class Readers(dict[int, tuple[int, Callable[[Any], tuple[int, ...]]]]):
    """For each usual answer, the player who is asked, and a function that reads the numbers of their actions from
    memory. Raises Unusual for any other answer."""

    def __missing__(self, answer: int) -> tuple[int, Callable[[Any], tuple[int, ...]]]:
        if not 0 < answer < UNNUMBERED:
            raise Unusual
        found = self[answer] = answer % ROWS, Struct(f"{answer // ROWS}q").unpack_from
        return found
