"""Counting action sequences on the compiled engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any

from gdl.compiler import python
from gdl.compiler.joining import kernel
from gdl.compiler.searches.slices import KernelSearch, explain_trap
from gdl.errors import GameError, Refusal, clean
from gdl.game import Simultaneous
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.explore import Move, Progress, choosers, move_text, moves, plies

DEEPEST = 100_000  # plies of a sequence
KEPT_WORDS = 2_000_000  # words of states whose counts are kept; up to twice as many


class Perft(KernelSearch):
    """Counts action sequences of a length; iterating does a slice of the work."""

    evaluates = False

    def __init__(self, game: RulesGame, start: State, depth: int, engine: str):
        super().__init__(game, start, engine)
        if depth > DEEPEST:
            raise Refusal(f"the compiled engine counts sequences of at most {DEEPEST:,} plies")
        # Equal words of a state do not say that the same earlier positions came before it.
        places = 1 << (KEPT_WORDS // self.lowered.layout.words).bit_length()
        kept = places if self.at_once and self.lowered.keys is None else 0
        joined = kernel("perft", DEPTH=max(1, depth), AT_ONCE=self.at_once, KEPT=kept)
        self.load(joined, "perft_run", "perft_enter")
        self._depth = depth

    def restart(self, start: State, depth: int) -> None:
        """Begin to count from another state, to a depth that is no greater than the one at first."""
        self._set_start(start)
        self.load_start_state()
        self._depth = depth

    @property
    def count(self) -> int:
        """The number of sequences counted so far."""
        return 1 if self._depth == 0 else int(self.module["perft_count"][0])

    def __iter__(self) -> Iterator[None]:
        if self._depth == 0:
            return
        self.load_start_state()  # where an earlier iteration has not left it
        self.module["frames"][0] = 0
        self.module["perft_count"][0] = 0
        try:
            self.module["perft_enter"](self._depth)
            yield from self.slices()
        except python.Trap as trap:
            raise explain_trap(self, trap, self.line_of_frames("frame_state", "frames")) from None
        if self.module["refused"][0]:
            self.module["refused"][0] = 0
            raise Refusal(f"{clean(self.game.name)} has more action sequences than the compiled engine can count")


class Division:
    """Counts action sequences split by their first actions; iterating does a slice of the work."""

    def __init__(self, game: RulesGame, start: State, depth: int, engine: str):
        self.counts: dict[str, int] = {}
        self._game, self._start, self._depth = game, start, depth
        self._perft = Perft(game, start, depth, engine)

    @property
    def count(self) -> int:
        """The number of sequences counted so far."""
        return sum(self.counts.values())

    def __iter__(self) -> Iterator[None]:
        self.counts.clear()
        node = self._game.node(self._start)
        who = choosers(node)
        left = self._depth - plies(node)
        for move in moves(node) if self._depth > 0 else ():
            first = move if isinstance(move, str) else move[who[0]] if who else ""
            if left >= 0:
                yield from self._count_below(move, left)
                self.counts[first] = self.counts.get(first, 0) + self._perft.count
            elif isinstance(node, Simultaneous):  # the sequences end within the joint move
                self.counts[first] = prod(len(node.actions[player]) for player in who[1 : self._depth])

    def _count_below(self, move: Move, left: int) -> Iterator[None]:
        """Count the sequences after a first move."""
        self._perft.restart(self._game.successor(self._start, move), left)
        try:
            yield from self._perft
        except GameError as fault:
            told = GameError(replace(problem, play=(move_text(move), *problem.play)) for problem in fault.problems)
            raise told from None


def divide(game: RulesGame, start: State, depth: int, engine: str, progress: Progress | None = None) -> dict[str, int]:
    """`gdl.states.count.divide` on the compiled engine."""
    return dict(_count_to_end(Division(game, start, depth, engine), progress).counts)


def perft(game: RulesGame, start: State, depth: int, engine: str, progress: Progress | None = None) -> int:
    """The number of action sequences of exactly `depth` plies, walked; equal results of joint moves are walked once."""
    return int(_count_to_end(Perft(game, start, depth, engine), progress).count)


def _count_to_end(search: Any, progress: Progress | None) -> Any:
    """The search, with its count finished."""
    for _ in search:
        if progress:
            progress(search.count)
    return search
