"""Evaluations that are learned by self-play of players who look one move ahead, on the compiled engine: for any game in
which nothing is hidden and one player moves at a time; the game needs no evaluation of its own."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import Any

from gdl.compiler import python
from gdl.compiler.joining import kernel, kernel_constants
from gdl.compiler.lower import lower
from gdl.compiler.searches.slices import KernelNumber, KernelSearch, explain_trap
from gdl.errors import GameError, Refusal
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.random_numbers import as_signed_word, stream
from gdl.wings.learning import compiled_tables
from gdl.wings.learning.learned import Inputs, Scale, Tables
from gdl.wings.learning.learning_match import LearningMatchResult, Payoffs, judge_match
from gdl.wings.learning.patterns import inputs_of
from gdl.wings.learning.utility_scale import outputs, scale_from_payoffs, scale_from_rules
from gdl.wings.symmetry.group import find_symmetries, generate_group
from gdl.wings.symmetry.rule_terms import MOST_WORK

K = kernel_constants("table_differences", "series")  # what stands where in the kernel's memory
OPENING = 6  # random moves that a game begins with, at most
LONGEST = 4000  # plies of a game; then it counts as endless
TRACE = 0.7  # lambda
RANDOM_MOVE = 0.1  # the probability of a random move in self-play
IMAGES = 64  # size of the group of symmetries that is used, at most
TRIALS = 256  # random games to measure how large utilities are, where the rules do not bound them
BATCH = 1024  # games of a match whose results are kept
_FURTHER = ("error", "size")


def inputs_for(game: RulesGame, tuples: bool, work: int = MOST_WORK) -> Inputs:
    """The inputs of a game's tables, made alike under the symmetries that are found with this amount of work. Raises
    Refusal if the state is too large."""
    found = find_symmetries(game.model, work)
    group = generate_group([*found.keeping, *found.exchanging], IMAGES)
    return inputs_of(game.model, tuples, outputs(game), group)


class TdSelfPlay(KernelSearch):
    """Self-play of players who look one move ahead, from which tables learn, and matches that judge these: games one
    after the other, which begin alike in groups."""

    deadline: float | None = None  # the moment by monotonic() at which games end, whether they are over or not
    node_weight = 500  # a node is a move chosen by looking at all: with thousands of moves it takes a tenth of a second

    def __init__(self, game: RulesGame, start: State, engine: str, inputs: Inputs):
        if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
            raise Refusal("an evaluation is learned where nothing is hidden and one player moves at a time")
        lowered = lower(game.model, game)
        cells = compiled_tables.cells(lowered.layout, inputs.reads)
        super().__init__(game, start, engine, lowered=replace(lowered, further=(cells,)))
        self.inputs, scale = inputs, scale_from_rules(game, start)
        self.seats = max(2, len(game.players))
        self.batch = BATCH // self.seats * self.seats
        made = kernel(
            "table_differences", WEIGHED=lowered.weighs, SEATS=self.seats, SERIES_KEPT=self.batch, TD_LONGEST=LONGEST,
            TD_RIVAL=bool(game.model.features), TD_TOTAL=scale.total is not None,
            **compiled_tables.sizes(inputs, scale),
        )  # fmt: skip
        self.load(made, "series_run")
        self.count, self.rate = self.module["series_count"], self.module["td_rate"]
        self.module["series_start"][:] = memoryview(self._start)
        self.count[K.SERIES_OPENING] = OPENING
        self.count[K.SERIES_PRICED] = int(game.model.forever is not None)
        for player, price in enumerate(game.model.forever or ()):
            self.module["series_price"][player] = float(price)
        self.rate[K.TD_DECAY], self.rate[K.TD_BOTH] = TRACE, float(scale.total or 0)
        self.rescale(scale)

    games = KernelNumber("series_count", K.SERIES_PLAYED)  # the number of games that were played

    def rescale(self, scale: Scale) -> None:
        """Set the scale of the values."""
        self.scale = scale
        compiled_tables.fill_inputs(self.inputs, scale, self.module)

    def teach(self, games: int, seed: int) -> Iterator[None]:
        """Learn until this number of games have been played, counting earlier ones; yields after each slice."""
        self.rate[K.TD_RANDOM_MOVE] = RANDOM_MOVE
        self.wants(-1, seed, games)
        yield from self.playing()

    def results(self, groups: int, seed: int, pause: Callable[[], None], random: bool = False) -> Payoffs:
        """The payoffs of groups of games against the game's own evaluation, or against random play if it has none; with
        `random` everybody plays at random. They are played, as far as there is time, in parts of as many games as the
        kernel keeps, with streams of one seed; the number of games (`games`) stays as it was."""
        self.rate[K.TD_RANDOM_MOVE] = float(random)
        found: Payoffs = []
        taught, number = self.games, 0
        while len(found) < groups and not self.is_late:
            self.wants(0, stream(seed, number), min(self.batch, (groups - len(found)) * self.seats))
            self.count[K.SERIES_PLAYED] = 0
            for _ in self.playing():
                pause()
            found += self.game_payoffs()
            number += 1
        self.count[K.SERIES_PLAYED] = taught
        return found

    def playing(self) -> Iterator[None]:
        """Play the games that are wanted, or those for which there is time; yields after each slice."""
        self.count[K.SERIES_PLAYING] = 0
        try:
            for _ in self.slices():
                yield
                if self.is_late:
                    return
        except python.Trap as trap:
            raise self.explain_fault(trap) from None

    def wants(self, seat: int, seed: int, games: int) -> None:
        """Ask for games up to the number `games`, with random numbers by `seed`. If `seat` is not -1, one seat after
        the other plays differently from all others in a group."""
        self.count[K.SERIES_SEAT], self.count[K.SERIES_SEED] = seat, as_signed_word(seed)
        self.count[K.SERIES_WANTED] = games

    def stop_soon(self) -> None:
        """Stop after the game that is being played."""
        self.count[K.SERIES_WANTED] = self.games + self.count[K.SERIES_PLAYING]

    @property
    def is_late(self) -> bool:
        """True if the time for games is over."""
        return self.deadline is not None and monotonic() > self.deadline

    def explain_fault(self, trap: python.Trap) -> GameError | Refusal:
        """The fault that the last game has met, which is played once more, step by step, for it."""
        self.count[K.SERIES_PLAYING] = 0
        line = [self._start.tobytes()]
        with suppress(python.Trap):
            while self.run(1):
                line.append(bytes(self.module["s"]))
        return explain_trap(self, trap, line)

    def game_payoffs(self) -> Payoffs:
        """The payoffs of the games played, group by group, without a last group that is not complete; None for a game
        that does not count."""
        players = len(self.game.players)
        result, cut = self.module["series_result"], self.module["series_cut"]
        games = [None if cut[i] else tuple(result[i * players : (i + 1) * players]) for i in range(self.games)]
        return [games[i : i + self.seats] for i in range(0, len(games) + 1 - self.seats, self.seats)]

    @property
    def learned_so_far(self) -> Tables:
        """The evaluation so far."""
        return Tables(self.inputs, self.scale, array("d", self.module["estimate_table"]))

    @property
    def extra_arrays(self) -> dict[str, array[Any]]:
        """Further arrays, by name, that are saved so that learning can continue later."""
        return {name: array("d", self.module[f"td_{name}"]) for name in _FURTHER}

    def go_on(self, learned: Tables, further: Mapping[str, Any], games: int) -> None:
        """Continue from what was saved, its further arrays and the number of games. Raises ValueError if these do not
        fit."""
        if learned.inputs.entries != self.inputs.entries or any(
            further[name].typecode != "d" or len(further[name]) != self.inputs.entries for name in _FURTHER
        ):
            raise ValueError("of other inputs")
        self.rescale(learned.scale)
        self.module["estimate_table"][:] = memoryview(learned.table)
        for name in _FURTHER:
            self.module[f"td_{name}"][:] = memoryview(further[name])
        self.count[K.SERIES_PLAYED] = games

    def measure(self, seed: int, pause: Callable[[], None]) -> None:
        """Play random games to measure how large utilities are, if the rules do not bound them."""
        if self.scale.bounded:
            return
        results = self.results(TRIALS // self.seats, seed, pause, random=True)
        paid = [utility for group in results for play in group for utility in play or ()] or [0.0]
        self.rescale(scale_from_payoffs(self.game, self.scale, paid))

    def match(self, groups: int, seed: int, pause: Callable[[], None]) -> LearningMatchResult:
        """The result of games against the game's own evaluation, or against random play if it has none."""
        highest = 2 * self.scale.half if self.scale.bounded else 0.0
        return judge_match(self.results(groups, seed, pause), highest)
