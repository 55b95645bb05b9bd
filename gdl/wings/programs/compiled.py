"""A game by rules as an environment on the compiled engine.

A play that goes on stands in the memory of an instance of the game's module, and has it for itself as long as there are
enough. Of very many plays those that were stepped longest ago make room: they hold what they need to come back. So a
copy costs little, and a search may hold as many as it likes. Who uses an instance holds the lock of all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from math import prod
from operator import index
from threading import Lock, RLock
from typing import Any, SupportsIndex
from weakref import ref

from gdl.compiler import python, wasm
from gdl.errors import GameError
from gdl.game import Game, Number
from gdl.interpreter.closures import PAST
from gdl.interpreter.rules_game import RulesGame
from gdl.states.game_wrapper import innermost_game
from gdl.wings.programs.action_numbers import Digits
from gdl.wings.programs.batch_planes import KernelPlanes, batch_planes
from gdl.wings.programs.environment import Environment, illegal, known_player, known_seed, nothing_to_undo
from gdl.wings.programs.numbering import RuleNumbering, rules_of
from gdl.wings.programs.play_course import endless
from gdl.wings.programs.reference import ReferenceEnvironment
from gdl.wings.programs.stepping_driver import ENDLESS, FULL, ILLEGAL, UNNUMBERED, Stepping, Unusual

GREATEST = 1 << 62  # a bound of the numbers with which kernel code computes
ROOM, FEWEST, MOST = 1 << 28, 16, 256  # bytes that the instances of a module may have, and how many these are

_OF_A_PROCESS = "_machine _machines _lock _self _readers _numbers _busy _do _do_here _twin planes".split()
_making = Lock()


def digits_of(game: RulesGame, numbering: RuleNumbering) -> list[Digits]:
    """The ways in which kernel code computes the numbers of actions, for those blocks whose numbers are small
    enough."""
    digits = []
    for block in numbering.blocks:
        if block.first + prod(field.size for field in block.fields) < GREATEST and all(f.plain for f in block.fields):
            strides = block.strides
            first = block.first - sum(f.low * stride for f, stride in zip(block.fields, strides, strict=True))
            head = len(game.model.actions[block.rule].parameters)
            digits.append(Digits(block.rule, len(block.fields) - head, first, strides))
    return digits


def machines_of(game: Game[Any], numbering: RuleNumbering, engine: str = "auto") -> Machines:
    """The instances in which a game is stepped by an engine. The game keeps them. Raises Refusal where the engine does
    not take the game."""
    rules = rules_of(game)
    assert rules is not None
    chosen = engine if engine != "auto" else "wasm" if wasm.available() else "python"
    with _making:
        made: dict[str, Machines] = vars(game).setdefault("machines", {})
        if chosen not in made:
            made[chosen] = Machines(partial(Stepping, *rules, chosen, digits_of(rules[0], numbering)))
    return made[chosen]


class Machines:
    """The instances of the module in which a game is stepped, each for one play at a time."""

    def __init__(self, make: Callable[[], Stepping]):
        """`make` makes an instance with a module of its own, for where no other instance is left."""
        self.lock = RLock()  # of whoever uses an instance without being `busy`
        self._make = make
        self.first = make()  # a play refers to it before it takes one, whoever has it
        self._all = [self.first]  # the one taken longest ago first
        self._free = {self.first}
        self._most = max(FEWEST, min(MOST, ROOM // self.first.module.get(wasm.BYTES, ROOM)))

    def take(self, play: ref[CompiledEnvironment]) -> Stepping:
        """Take an instance for a play: a free one, else a new one, else that of the play that took its own longest ago.
        The caller holds the lock."""
        machine = self._free.pop() if self._free else None
        if machine is None and len(self._all) < self._most:
            machine = self.first.twin()
        if machine is not None:
            machine.records()  # nobody needs what stands there any more
        else:
            held = ((one, one.owner()) for one in self._all)
            machine = next((one for one, other in held if other is None or other.gives_way()), None) or self._make()
        self._free.discard(machine)  # a play may end meanwhile
        if machine in self._all:
            self._all.remove(machine)
        self._all.append(machine)
        machine.owner = play
        return machine

    @cached_property
    def kernel_planes(self) -> KernelPlanes | None:
        """The kernel by which observations are made; None where the interpreter makes them."""
        planes = batch_planes(self.first.game, self.first.lowered.layout, FEWEST)
        return KernelPlanes(self.first, planes) if planes else None

    def give_back(self, machine: Stepping) -> None:
        """Mark an instance as free. The caller holds the lock. (The memory of the instance is left alone: where all of
        a game is freed at once, it may be gone.)"""
        self._free.add(machine)


def _in_memory(read: Callable[[CompiledEnvironment, Stepping], Any]) -> property:
    """A property that `read` takes from the instance where a play stands, while nobody else may take that instance."""

    def read_there(env: CompiledEnvironment) -> Any:
        with env._lock:
            return read(env, env._present_instance())

    return property(read_there)


def _by_interpreter(name: str) -> Any:
    """A method that asks the same play on the interpreter, which knows what players remember."""

    def ask(env: CompiledEnvironment, player: int) -> Any:
        with env._lock:
            return getattr(env._reference(), name)(player)

    return ask


class CompiledEnvironment(Environment):
    """A game by rules, stepped by kernel code."""

    numbering: RuleNumbering
    _twin: ReferenceEnvironment | None
    _do: Callable[[int], int]

    def __init__(self, game: Game[Any], numbering: RuleNumbering, machines: Machines, seed: int = 0):
        super().__init__(game, numbering)
        self._nothing: tuple[Number, ...] = (0,) * len(self.players)
        self._remembers = innermost_game(game, game.initial())[1].memories is not None  # which no machine does
        self._held: bytes | None = None  # where play stands, while no machine has it; None: nowhere yet
        self._stack: tuple[bytes, ...] | None = None  # the earlier positions as memory held them; None: ask elsewhere
        self._stand_by(machines)
        self.reset(seed)

    def _stand_by(self, machines: Machines) -> None:
        self._busy = False  # whether the machine is in use without the lock
        self._machines, self._lock, self._self = machines, machines.lock, ref(self)
        self._machine, self._twin = machines.first, None
        self._do = self._do_elsewhere

    def __del__(self) -> None:
        machine = self.__dict__.get("_machine")
        if machine is not None and self._lock.acquire(blocking=False):  # else whoever takes one next sees to it
            if machine.owner is self._self:
                self._machines.give_back(machine)
            self._lock.release()

    # -- play -----------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        given = None if seed is None else known_seed(seed)
        with self._lock:
            machine = self._present_instance()
            if given is not None:
                machine.seed(given)
            self._begun = machine.chance
            self._trail: list[tuple[bytes, int]] = []  # the steps before those that the module has as `records`
            self._twin = None
            self._ended: tuple[Number, ...] | None = None
            self._do = self._do_here = machine.do
            try:
                answer = machine.begin()
                self.player, read = self._readers[answer]
                self.legal, self.over = read(self._numbers), False
            except Unusual:
                self._settle(answer)
            except python.Trap as trap:
                self._settle(0)
                ReferenceEnvironment(self.game, self.numbering, self._begun)  # is to meet the same fault
                raise machine.lowered.refusal(trap.code) from None

    def step(self, number: SupportsIndex) -> None:
        self._busy = True
        try:
            answer = self._do(number)  # type: ignore[arg-type]  # it takes what is none, and fails
            if answer:
                self.player, read = self._readers[answer]
                self.legal = read(self._numbers)
            else:
                self._settle(0)
        except Unusual:
            if answer == ILLEGAL:
                raise illegal(self, number) from None
            self._settle(answer)
        except python.Trap as trap:
            machine = self._machine
            before, _ = self._whole_trail(machine).pop()
            self._restore(before)  # play stands where it stood before
            fault = _find_fault(self._reference().copy(), machine.chance_of(before), number)
            raise fault or machine.lowered.refusal(trap.code) from None
        except (TypeError, ValueError, OverflowError):
            if type(number) is int or not isinstance(number, SupportsIndex):
                raise illegal(self, number) from None
            self.step(index(number))  # a number of numpy's, say
        finally:
            self._busy = False

    def undo(self) -> None:
        with self._lock:
            trail = self._whole_trail(self._present_instance())
            if not trail:
                raise nothing_to_undo()
            self._restore(trail.pop()[0])

    def copy(self) -> CompiledEnvironment:
        with self._lock:
            if self._machine.owner is self._self:
                self.gives_way()
            other = CompiledEnvironment.__new__(CompiledEnvironment)
            other.__dict__.update(self.__dict__)
            other._trail, other._twin, other._self = list(self._trail), None, ref(other)
            other._do = other._do_elsewhere
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        with self._lock:
            if self._machine.owner is self._self:
                self.gives_way()
            return _unpickle, ({name: held for name, held in vars(self).items() if name not in _OF_A_PROCESS},)

    def reseed(self, seed: int) -> None:
        with self._lock:
            self._present_instance().seed(known_seed(seed))

    chance = _in_memory(lambda env, machine: machine.chance)
    played = _in_memory(lambda env, machine: tuple(number for _, number in env._whole_trail(machine)))
    choosers = _in_memory(lambda env, machine: machine.choosers)
    names = _in_memory(lambda env, machine: dict(zip(env.legal, machine.names(), strict=True)))
    position = _in_memory(lambda env, machine: env._reference().position if env._remembers else machine.position)
    utilities = rewards = property(lambda env: env._ended or env._nothing)
    information, information_set = _by_interpreter("information"), _by_interpreter("information_set")

    def observation(self, player: int) -> memoryview[float]:
        known_player(self.players, player)
        with self._lock:
            machine, shown = self._present_instance(), self._machines.kernel_planes
            return shown.show(machine.state, player) if shown else self.planes.observe(machine.position, player)

    def _whole_trail(self, machine: Stepping) -> list[tuple[bytes, int]]:
        """For each step of the play so far, the saved state before it and the number of the action."""
        self._trail += machine.records()
        return self._trail

    def _reference(self) -> ReferenceEnvironment:
        """The play on the interpreter, which knows what players remember."""
        played = self.played
        if self._twin is None:
            self._twin = ReferenceEnvironment(self.game, self.numbering, self._begun)
        twin = self._twin
        while twin.played != played[: len(twin.played)]:
            twin.undo()
        for place, number in self._trail[len(twin.played) :]:
            twin.chance = self._machine.chance_of(place)
            twin.step(number)
        return twin

    # -- the instance of the module, which this play may have lost to another -------------------------------

    def _settle(self, answer: int) -> None:
        """Set `player`, `legal`, `over` and the payoffs from an answer of the module, of whatever kind. (`step` does so
        itself for the usual ones.)"""
        if answer == ENDLESS:
            raise endless()
        machine = self._machine
        self._do = self._do_here = machine.do
        self._ended = None
        if not answer:
            self.over, self.player, self.legal = True, None, ()
            self._ended = machine.utilities
            return
        self.over = False
        self.player, read = self._readers[answer % UNNUMBERED]
        self.legal = read(self._numbers)
        if answer & FULL:
            self._whole_trail(machine)
        if answer & UNNUMBERED:
            rules, state = innermost_game(self.game, self.position)
            options = rules.options(state, self.player)
            self.legal = tuple(self.numbering.of_option(options[name]) for name in machine.names())
            self._do = self._do_here = partial(_do_by_row, self._self)

    def _present_instance(self) -> Stepping:
        """The instance where this play stands; one is taken, and the play restored there, if another play has it. The
        caller holds the lock."""
        if self._machine.owner is not self._self:
            machine = self._machine = self._machines.take(self._self)
            self._readers, self._numbers = machine.readers, machine.legal
            if self._held is not None:
                self._restore(self._held, self._stack)
        return self._machine

    def _do_elsewhere(self, number: int) -> int:
        """Do an action where the instance may be another play's by now. Returns the module's answer."""
        with self._lock:
            self._present_instance()
            self._do = self._do_here
        return self._do_here(number)

    def gives_way(self) -> bool:
        """Save what is needed to come back, so that another play can have the instance. Returns False amid a step, when
        that cannot be done. The caller holds the lock, so a step that begins now waits."""
        self._do = self._do_elsewhere
        if not self._busy:
            machine = self._machine
            self._whole_trail(machine)
            self._held, self._stack = machine.place_now(), machine.stack
        return not self._busy

    def _restore(self, held: bytes, stack: tuple[bytes, ...] | None = None) -> None:
        """Go back to where play stood when `held` was saved; `stack` has the earlier positions, None: the interpreter
        finds them."""
        machine = self._machine
        machine.hold(held)
        if not machine.recalls:
            past = self._reference().position.cells[PAST] if stack is None else None
            machine.recall(past, stack)
        self._settle(machine.restore(0))


def _unpickle(state: dict[str, Any]) -> CompiledEnvironment:
    """An environment as it was pickled, in an instance of this process."""
    env = CompiledEnvironment.__new__(CompiledEnvironment)
    vars(env).update(state)
    env._stand_by(machines_of(env.game, env.numbering))
    return env


def _do_by_row(play: ref[CompiledEnvironment], number: int) -> int:
    """Do an action by its place among the legal ones, where kernel code does not know its number. Returns the module's
    answer."""
    number, env = index(number), play()
    assert env is not None
    if number not in env.legal:
        return ILLEGAL
    machine = env._machine
    answer: int = machine.row(env.legal.index(number))
    trail = env._whole_trail(machine)
    trail[-1] = trail[-1][0], number
    env._do = env._do_here = machine.do
    return answer


def _find_fault(twin: ReferenceEnvironment, chance: int, number: SupportsIndex) -> GameError | None:
    """The error that the interpreter meets in a step that kernel code could not do; None if it meets none. `chance` is
    the state of the generator before the step."""
    twin.chance = chance
    try:
        twin.step(number)
    except GameError as error:
        return error
    return None
