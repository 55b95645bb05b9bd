"""A game by rules as an environment on the compiled engine.

All environments of a game share one module: the one that was stepped last stands in its memory, the others hold what
they need to come back. So a copy costs little, and a search may hold as many as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from math import prod
from operator import index
from typing import SupportsIndex

from gdl.compiler import python
from gdl.compiler.searches.stepping import ENDLESS, FULL, ILLEGAL, UNNUMBERED, Stepping, Unusual
from gdl.errors import GameError
from gdl.game import Action, Number
from gdl.interpreter.closures import PAST
from gdl.interpreter.earlier import Past
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.network import Digits
from gdl.playing.stepping.course import endless
from gdl.playing.stepping.environment import Environment, illegal, known_seed, nothing_to_undo
from gdl.playing.stepping.numbering import RuleNumbering
from gdl.playing.stepping.reference import ReferenceEnvironment

GREATEST = 1 << 62  # what numbers that kernel code reckons with stay below


def machine(game: RulesGame, numbering: RuleNumbering, engine: str) -> Stepping:
    """The module in which a game is stepped. Raises Refusal where the engine does not take the game."""
    return Stepping(game, game.initial(), engine, digits_of(game, numbering))


def digits_of(game: RulesGame, numbering: RuleNumbering) -> list[Digits]:
    """How kernel code reckons the numbers of actions, as far as they are not too great."""
    digits = []
    for block in numbering.blocks:
        if block.first + prod(field.size for field in block.fields) < GREATEST and all(f.plain for f in block.fields):
            strides = block.strides
            first = block.first - sum(f.low * stride for f, stride in zip(block.fields, strides, strict=True))
            head = len(game.model.actions[block.rule].parameters)
            digits.append(Digits(block.rule, len(block.fields) - head, first, strides))
    return digits


class CompiledEnvironment(Environment):
    """A game by rules, stepped by kernel code."""

    numbering: RuleNumbering
    game: RulesGame

    def __init__(self, game: RulesGame, numbering: RuleNumbering, machine: Stepping, seed: int = 0):
        super().__init__(game, numbering)
        self._machine = machine
        self._readers, self._numbers = machine.readers, machine.legal
        self._nothing: tuple[Number, ...] = (0,) * len(self.players)
        self._held: bytes | None = None  # where play stands, while another one is in the module
        self._past: Past = ()
        self.reset(seed)

    # -- play -----------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> None:
        machine, given = self._machine, None if seed is None else known_seed(seed)
        if machine.owner is not self:
            _take_over(machine, self)
        if given is not None:
            machine.seed(given)
        self._begun = machine.chance
        self._trail: list[tuple[bytes, int]] = []  # before what the module has of it, its `records`
        self._twin: ReferenceEnvironment | None = None
        self._held = None
        self._ended: tuple[Number, ...] | None = None
        self._do: Callable[[int], int] = machine.do
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

    def step(self, number: int) -> None:
        try:
            answer = self._do(number)
            if answer:
                self.player, read = self._readers[answer]
                self.legal = read(self._numbers)
            else:
                self._end()
        except Unusual:
            if answer == ILLEGAL:
                raise illegal(self, number) from None
            self._settle(answer)
        except python.Trap as trap:
            self._trail += self._machine.records()
            before, _ = self._trail.pop()
            self._restore(before)  # play stands where it stood before
            machine = self._machine
            fault = _find_fault(self._reference().copy(), machine.chance_of(before), number)
            raise fault or machine.lowered.refusal(trap.code) from None
        except (TypeError, ValueError, OverflowError):
            if type(number) is int or not isinstance(number, SupportsIndex):
                raise illegal(self, number) from None
            self.step(index(number))  # a number of numpy's, say

    def undo(self) -> None:
        self._here()
        self._trail += self._machine.records()
        if not self._trail:
            raise nothing_to_undo()
        self._restore(self._trail.pop()[0])

    def copy(self) -> CompiledEnvironment:
        if self._machine.owner is self:
            self._leave()
            self._machine.owner = None
        other = CompiledEnvironment.__new__(CompiledEnvironment)
        other.__dict__.update(self.__dict__)
        other._trail = list(self._trail)
        other._do = other._do_elsewhere
        other._twin = None
        return other

    def reseed(self, seed: int) -> None:
        self._here().seed(known_seed(seed))

    @property
    def played(self) -> tuple[int, ...]:
        self._here()
        self._trail += self._machine.records()
        return tuple(number for _, number in self._trail)

    # -- what there is to do --------------------------------------------------------------------------------

    @property
    def choosers(self) -> tuple[int, ...]:
        return self._here().choosers

    @property
    def names(self) -> dict[int, Action]:
        return dict(zip(self.legal, self._here().names(), strict=True))

    # -- what it is worth -----------------------------------------------------------------------------------

    @property
    def utilities(self) -> tuple[Number, ...]:
        return self._ended or self._nothing

    rewards = utilities

    # -- what is seen ---------------------------------------------------------------------------------------

    def information(self, player: int) -> str:
        return self._reference().information(player)

    def information_set(self, player: int) -> Hashable:
        return self._reference().information_set(player)

    @property
    def position(self) -> State:
        """Where play stands, as the interpreter holds it, without what players remember."""
        machine = self._here()
        return machine.reading.state(bytes(machine.state), None, machine.past)

    def _reference(self) -> ReferenceEnvironment:
        """The same play on the interpreter, which knows what players remember."""
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

    # -- the module, which is shared ------------------------------------------------------------------------

    def _settle(self, answer: int) -> None:
        """Take over from the module where play stands."""
        if answer == ENDLESS:
            raise endless()
        machine = self._machine
        self._do, self._ended = machine.do, None
        if not answer:
            self._end()
            return
        self.over = False
        self.player, read = self._readers[answer % UNNUMBERED]
        self.legal = read(self._numbers)
        if answer & FULL:
            self._trail += self._machine.records()
        if answer & UNNUMBERED:
            options = self.game.options(self.position, self.player)
            self.legal = tuple(self.numbering.of_option(options[name]) for name in machine.names())
            self._do = partial(_do_by_row, self)

    def _end(self) -> None:
        """Play is over."""
        self.over, self.player, self.legal = True, None, ()
        self._ended = self._machine.utilities

    def _do_elsewhere(self, number: int) -> int:
        """A step while another play is in the module."""
        self._here()
        return self._do(number)

    def _here(self) -> Stepping:
        """The module, where this play stands now."""
        machine = self._machine
        if machine.owner is not self:
            _take_over(machine, self)
            assert self._held is not None
            held, self._held = self._held, None
            self._restore(held, self._past)
        return machine

    def _leave(self) -> None:
        """Take along what is needed to come back."""
        machine = self._machine
        self._trail += self._machine.records()
        self._held, self._past = machine.place_now(), machine.past
        self._do = self._do_elsewhere

    def _restore(self, held: bytes, past: Past | None = None) -> None:
        """Go to where play stood when this was saved."""
        machine = self._machine
        machine.hold(held)
        if not machine.recalls:
            machine.recall(self._reference().position.cells[PAST] if past is None else past)
        self._settle(machine.restore(0))


def _do_by_row(env: CompiledEnvironment, number: int) -> int:
    """A step where kernel code does not know the numbers."""
    number = index(number)
    if number not in env.legal:
        return ILLEGAL
    machine = env._machine
    answer: int = machine.row(env.legal.index(number))
    env._trail += machine.records()
    env._trail[-1] = env._trail[-1][0], number
    env._do = machine.do
    return answer


def _take_over(machine: Stepping, env: CompiledEnvironment) -> None:
    """Have the module for this play; whoever was there takes along what they need."""
    if machine.owner is not env:
        if isinstance(machine.owner, CompiledEnvironment):
            machine.owner._leave()
        machine.owner = env


def _find_fault(twin: ReferenceEnvironment, chance: int, number: int) -> GameError | None:
    """The fault that the interpreter meets in a step that kernel code could not do."""
    twin.chance = chance
    try:
        twin.step(number)
    except GameError as error:
        return error
    return None
