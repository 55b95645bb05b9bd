"""Plays of agents that move at random, on the compiled engine: actions are chosen by their rows in the listing."""

from __future__ import annotations

from array import array
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from math import prod
from random import Random
from typing import Any

from gdl.analysis.dependence import Dependence
from gdl.compiler import python
from gdl.compiler.joining import constants, kernel
from gdl.compiler.reading import Reading
from gdl.compiler.searches.slices import KernelSearch
from gdl.compiler.wasm import SWIFT
from gdl.errors import Refusal
from gdl.game import Action, Number
from gdl.interpreter.closures import PAST
from gdl.interpreter.earlier import Past
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.estimate import SampleWalk
from gdl.wings.arena.contest_driver import ContestMove
from gdl.wings.arena.draws import draw_action, seed_after

NODES = constants("nodes")
DECISION, SIMULTANEOUS, TERMINAL = NODES["DECISION"], NODES["SIMULTANEOUS"], NODES["TERMINAL"]


class ListedMoves(KernelSearch):
    """Random moves of all players and of chance, with the rules that were legal before each, and random walks."""

    def __init__(self, game: RulesGame, start: State, engine: str, watched: bool = False, evaluates: bool = False):
        """`watched`: whether moves are to hold the positions before them; `evaluates`: or what the game's evaluation
        says of these."""
        if not isinstance(start, State) or start.earned is not None:
            raise Refusal("plays are made at once where nothing is gained on the way")
        self.evaluates = evaluates
        super().__init__(game, start, engine)
        made = kernel("random_step", WEIGHED=self.lowered.weighs, AT_ONCE=self.at_once, LISTS_JUDGED=evaluates)
        self.load(made, "list_after", *["apply_joint"] * self.at_once)
        self._list_after = self.module.get(SWIFT, self.module.__getitem__)("list_after")
        self._ended: State | None = None  # the last state that moves() came to
        self._reading = Reading(game, self.lowered, self.module)
        self._watched = watched
        pairs, dependence = zip(self._reading.rules, self.lowered.chooses, strict=True), Dependence(game.model)
        self._fixed = [not chooses and dependence.fixes_name(rule) for rule, chooses in pairs]
        asks = game.model.times and (self.lowered.keys is None or not all(self._fixed))  # of the past, at every move
        self._follows = watched or bool(asks)
        self._names: dict[tuple[int, bytes], Action] = {}
        self._stuck = False  # whether the interpreter must make the next move of this play

    def begin(self) -> None:
        """Begin the next play."""
        self._stuck = False

    def moves_for(self, player: int) -> bool:
        """True if the compiled engine makes the next move, of a player or of chance; False where something is hidden,
        and after a fault, where the interpreter has to."""
        return not self._stuck and self.first.memories is None

    def moves(self, state: State, most: int, draw: str) -> tuple[list[ContestMove], State]:
        """Draw at most `most` moves, beginning in a state; fewer where all move at once. `draw` seeds the
        first. Returns the moves and the state after them."""
        if state is self._ended:
            return [], state
        self._set_start(state)
        self.load_start_state()
        self.module["list_judges"][0] = self.evaluates
        found, past = list[ContestMove](), state.cells[PAST]
        try:
            row = -1
            while len(found) < most:
                ways, kind = divmod(self._list_after(row), 4)
                if not ways or kind == SIMULTANEOUS:
                    break
                worth = self._present_worth() if self.evaluates else None
                before = self._state(past) if self._follows else None
                if kind == DECISION:
                    row = Random(draw).choice(range(ways))
                    action = self._name(row, before)
                else:
                    rows, shares = self._outcomes(ways, before)
                    action = draw_action(shares, Random(draw))
                    row = rows[action]
                found.append(self._move(row, ways, action, worth, before))
                draw = seed_after(draw, action)
                past = past if before is None else self.game.plies.past_after(before)
            else:
                self._list_after(row)
        except python.Trap:  # the interpreter will meet the fault, and tell it
            self._stuck = True
            for move in found[:-1]:
                state = self.game.successor(state, move.action)
            return found[:-1], state
        if self.lowered.keys is not None and not self._follows:
            past = self.lowered.keys.read(self.module, self.module["s"])
            assert past is not None
        self._ended = self._state(past)
        return found, self._ended

    def walk(self, start: State, random: Random, most: int) -> SampleWalk | None:
        """The walk that `sample_walk` makes from a state with these random numbers; None at a fault of the rules."""
        self._set_start(start)
        self.load_start_state()
        self.module["list_judges"][0] = 0
        try:
            return self._walk(random, most)
        except python.Trap:
            return None

    def _walk(self, random: Random, most: int) -> SampleWalk | None:
        module, ways, row = self.module, list[int](), -1
        while len(ways) < most:
            rows, kind = divmod(self._list_after(row), 4)
            if kind == TERMINAL:
                return SampleWalk(ways, True)
            if not rows:
                return None
            if kind == SIMULTANEOUS:
                ends = list(module["first"][: len(self.game.players) + 1])
                own = [range(low, high) for low, high in pairwise(ends)]
                module["joint"][:] = memoryview(array("i", [random.choice(rows) if rows else -1 for rows in own]))
                ways.append(prod(len(rows) for rows in own if rows))
                module["apply_joint"]()
                row = -1
                continue
            choices = range(rows) if kind == DECISION else list(self._outcomes(rows, None)[0].values())
            ways.append(len(choices))
            row = random.choice(choices)
        return SampleWalk(ways, False)

    def _state(self, past: Past) -> State:
        """The present position, as the interpreter holds it."""
        return self._reading.state(bytes(self.module["s"]), None, past)

    def _present_worth(self) -> tuple[Fraction, ...]:
        """The worth of the present position to each player, by the game's evaluation."""
        over = self.lowered.evaluation_denominator
        return tuple(Fraction(number, over) for number in self.module["util"][: len(self.game.players)])

    def _outcomes(self, ways: int, before: State | None) -> tuple[dict[Action, int], dict[Action, Number]]:
        """The rows of chance's outcomes, and their probabilities, by name."""
        rows, weights = dict[Action, int](), Counter[Action]()
        for row in range(ways):
            if weight := int(self.module["weight"][row]) if self.lowered.weighs else 1:
                weights[name := self._name(row, before)] += weight
                rows.setdefault(name, row)
        return rows, {name: Fraction(weight, weights.total()) for name, weight in weights.items()}

    def _name(self, row: int, before: State | None) -> Action:
        """The name of a row of the listing. `before`: the present position, if earlier ones count."""
        module, width = self.module, self.module["WIDTH"]
        held, player = module["move"][row * width : (row + 1) * width], module["s"][0]
        name = self._names.get((player, bytes(held))) if (fixed := self._fixed[held[0]]) else None
        if name is None:
            (name,) = self._reading.names(before or self._state(self._past), player, range(row, row + 1))
            if fixed:
                self._names[player, bytes(held)] = name
        return name

    def _move(
        self, row: int, ways: int, action: Action, worth: tuple[Fraction, ...] | None, before: State | None
    ) -> ContestMove:  # fmt: skip
        """The move by this row of the listing."""
        module, width = self.module, self.module["WIDTH"]
        rules, listed = self._reading.rules, set(module["move"][0 : ways * width : width])
        offered = frozenset(rules[number].name for number in listed)
        rule = rules[module["move"][row * width]].name
        return ContestMove(module["s"][0], action, rule, ways, offered, worth, before if self._watched else None)


def listed_moves(game: Any, start: Any, engine: str, watched: bool, evaluates: bool) -> ListedMoves | None:
    """A ListedMoves for the game; None if the compiled engine does not take the game. The other arguments are those of
    ListedMoves."""
    try:
        return ListedMoves(game, start, engine, watched, evaluates)
    except Refusal:
        return None
