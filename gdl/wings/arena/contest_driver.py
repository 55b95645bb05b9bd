"""Plays in which tree search moves, on the compiled engine: many moves in one call, each with a new tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple, Protocol

from gdl.compiler import python
from gdl.compiler.joining import kernel_constants
from gdl.compiler.reading import Reading
from gdl.compiler.searches.mcts_driver import KernelMctsTree, MctsTreeOptions, TreeGrowthSettings
from gdl.errors import Refusal
from gdl.game import Action, Decision, Number, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.random_numbers import as_signed_word, stream

K = kernel_constants("contest", "tree_descent", "mcts")
TOGETHER = 25  # plies that are made in one call; a stop loses no more
PLIES = 512  # moves of a call, at most
KEPT = slice(1, 3)  # cells of a state that belong to no variable, behind the mover: they stay as they are


class Chooser(Protocol):
    """The settings of a tree search that plays or judges: its simulations for each move, and its two constants of
    exploration (for few visits and for many)."""

    @property
    def simulations(self) -> int: ...
    @property
    def c(self) -> tuple[float, float]: ...


class ContestMove(NamedTuple):
    """A move that was made: its action and rule, the number of legal actions (`ways`), and the names of their rules
    (`offered`). If asked for, also the judged worth of the position before it to each player, or that position."""

    player: int
    action: Action
    rule: str
    ways: int
    offered: frozenset[str]
    worth: tuple[Number | float, ...] | None
    before: State | None


class KernelContest(KernelMctsTree):
    """Plays of tree search in kernel memory, one after the other."""

    kernels = ("contest",)
    entries = ("contest_run",)
    keeps_past = False

    def __init__(
        self, game: RulesGame, start: State, engine: str, *, share: TreeGrowthSettings, manner: Mapping[str, Any],
        opposed: bool, positions: int, least: Sequence[Number | None], evaluates: bool = False,
    ):  # fmt: skip
        """`share`: the settings of the largest tree; `opposed`: whether an action chosen by a proven tree needs no
        refutation; `positions`: the most that refutations of one move may visit; `least`: by player, the least utility,
        None if that is not known; `evaluates`: whether the game's evaluation judges positions."""
        if evaluates and not game.model.evaluates:
            raise Refusal("the game says nothing of what positions are worth")
        if not isinstance(start, State) or start.memories is not None or start.earned is not None:
            raise Refusal("plays of tree search are made at once where nothing is hidden or gained on the way")
        self._opposed, self._positions, self._rules = opposed, positions, len(game.model.actions)
        self._evaluates = evaluates
        super().__init__(game, start, engine, share, MctsTreeOptions(**manner))
        module = self.module
        module["contest_patience"][:] = self._now[K.NOW_PATIENCE : K.NOW_LEAST + 1]
        for player, number in enumerate(least):
            if number is not None:
                module["contest_least"][player] = floor(number * self.lowered.denominator)
                module["contest_least_is_known"][player] = 1
        self._reading = Reading(game, self.lowered, module)
        self._heads: dict[bytes, Action] = {}
        self._offers: dict[bytes, frozenset[str]] = {}
        self._judge: Chooser | None = None
        self._judges = self._watched = False
        self.stuck = False  # whether something else must look for the next move of this play

    def settings(self) -> dict[str, int]:
        return {
            "CONTEST_PLIES": PLIES, "CONTEST_RULES": self._rules, "CONTEST_OPPOSED": self._opposed,
            "CONTEST_REFUTED": self._positions, "CONTEST_EVALUATES": self._evaluates,
        }  # fmt: skip

    def observe_moves(self, judge: Chooser | None, seed: int, watched: bool) -> None:
        """`judge`: the settings of the search that judges positions from now on, or None; `seed`: of its trees;
        `watched`: True if moves are to hold the positions before them."""
        self._judge, self._watched, self._judges = judge, watched, self._evaluates or judge is not None
        self.module["contest_seed"][1] = as_signed_word(seed)

    def begin(self, seats: Sequence[Chooser | None], seed: int) -> None:
        """Begin the next play. `seats`: for each player the settings of the tree search that makes their moves, or None
        if something else makes them; `seed`: of these trees."""
        self.stuck = False
        for place, chooser in enumerate((*seats, self._judge)):
            self.module["contest_simulations"][place] = 0 if chooser is None else chooser.simulations
            if chooser is not None:
                self.module["contest_c"][2 * place], self.module["contest_c"][2 * place + 1] = chooser.c
        self.module["contest_seed"][0] = as_signed_word(stream(seed, 0))

    def moves_for(self, player: int) -> bool:
        """True if tree search makes the player's next move."""
        return not self.stuck and player >= 0 and bool(self.module["contest_simulations"][player])

    def moves(self, state: State, most: int, draw: object = None) -> tuple[list[ContestMove], State]:
        """Let tree search play from a state on, for at most `most` moves. Returns the moves and the state after them;
        afterwards `stuck` is True if something else has to make the next move. `draw` is not used: tree search has
        random numbers of its own."""
        words, now = self.lowered.layout.words, self.module["contest_now"]
        self.module["contest_state"][:words] = memoryview(self.words_of(state))
        now[K.CONTEST_STAGE], now[K.CONTEST_MOVED] = K.CONTEST_LOOKS, 0
        now[K.CONTEST_MOST] = min(most, PLIES, TOGETHER)
        try:
            for _ in self.slices():
                pass
            self.stuck = self.last_result < 0
        except python.Trap:  # the interpreter will meet the fault, and tell it
            self.stuck = True
        moved = int(now[K.CONTEST_MOVED])
        return [self._read_move(number) for number in range(moved)], self._state_at(moved)

    # -- reading --------------------------------------------------------------------------------------------

    def _state_at(self, number: int) -> State:
        """The position before move `number`, as the interpreter holds it."""
        size = self.lowered.layout.words
        words = self.module["contest_state"][number * size : (number + 1) * size]
        return State(words[0], (words[1], *self.first.cells[KEPT], *self.lowered.layout.read(words)), None)

    def _read_move(self, number: int) -> ContestMove:
        player = int(self.module["contest_state"][number * self.lowered.layout.words])
        action, rule = self._action_of_move(number)
        ways = int(self.module["contest_rows"][number])
        worth = self._value_before_move(number) if self._judges else None
        before = self._state_at(number) if self._watched else None
        return ContestMove(player, action, rule, ways, self._legal_rules(number), worth, before)

    def _action_of_move(self, number: int) -> tuple[Action, str]:
        """The action of the move with this number, and its rule's name. (A row always has the same name if its name is
        its head.)"""
        width = self.module["WIDTH"]
        row = self.module["contest_row"][number * width : (number + 1) * width]
        held, rule = bytes(row), self.game.model.actions[row[0]]
        if held in self._heads:
            return self._heads[held], rule.name
        state = self._state_at(number)
        if self.lowered.chooses[row[0]]:
            node = self.game.node(state)
            assert isinstance(node, Decision)
            return node.actions[self.module["contest_way"][number]], rule.name
        self.module["move"][:width] = row
        (action,) = self._reading.names(state, state.turn, range(1))
        if rule.template is None:
            self._heads[held] = action
        return action, rule.name

    def _legal_rules(self, number: int) -> frozenset[str]:
        """The names of the rules with a legal action before the move with this number."""
        held = bytes(self.module["contest_rules"][number * self._rules : (number + 1) * self._rules])
        if held not in self._offers:
            rules = self.game.model.actions
            self._offers[held] = frozenset(rule.name for rule, legal in zip(rules, held, strict=True) if legal)
        return self._offers[held]

    def _value_before_move(self, number: int) -> tuple[Number | float, ...] | None:
        """The value of the position before move `number` to each player: exact if it is proven, otherwise the average
        of the simulations; None if it was not judged."""
        record, proven = 1 + len(self.game.players), self.module["contest_proven"][number]
        visits, *totals = self.module["contest_worth"][number * record : (number + 1) * record]
        if not visits:
            return None
        over = self.lowered.evaluation_denominator if self._evaluates else abs(visits) * self.lowered.denominator
        means = [Fraction(total, over) for total in totals]
        return tuple(map(exact, means)) if proven else tuple(map(float, means))
