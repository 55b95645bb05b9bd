"""Tables of patterns that are learned by self-play, on the compiled engine: any game in which nothing is hidden and one
player moves at a time, without an evaluation of its own."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gdl.compiler.joining import named
from gdl.compiler.lower import estimates, lower
from gdl.compiler.searches.learning import Match, Rung, judged
from gdl.compiler.searches.series import Play, Series
from gdl.errors import Refusal, clean
from gdl.game import Number, surely_at
from gdl.interpreter.rules import RulesGame, State
from gdl.model.learned import Inputs, Scale, Tables
from gdl.states.random_numbers import signed, stream
from gdl.symmetry import find, generated
from gdl.symmetry.patterns import inputs_of

K = named("table_differences", "temporal_differences", "series")  # what stands where in the kernel's memory
OPENING = 6  # random moves that a game begins with, at most
LONGEST = 4000  # plies of a game; then it counts as endless
RANDOM_MOVE = 0.1  # how often self-play tries something
TRACE = 0.7  # lambda
PACE = 1.0  # of the corrections
IMAGES = 64  # symmetries that are used, at most
SAFE = 0.99  # of the greatest utility: no evaluation should be worth as much as a victory
TRIALS = 256  # games at random that tell how large utilities are, where the rules do not
_FURTHER = ("error", "size")
BATCH = 1024  # games of a match whose results are kept


def inputs_for(game: RulesGame, tuples: bool) -> Inputs:
    """The inputs of a game's tables. Raises Refusal where the state is too large."""
    found = find(game.model)
    group = generated([*found.keeping, *found.exchanging], IMAGES)
    return inputs_of(game.model, tuples, outputs(game), group)


def _total(game: RulesGame) -> Number | None:
    """What the utilities of two players always sum to, where that is known."""
    if len(game.players) != 2:
        return None
    promised = game.promises.constant_sum
    return game.traits.constant_sum if promised is None else promised


def outputs(game: RulesGame) -> int:
    """How many players are evaluated: of two whose utilities have a sum that is known, the first alone."""
    return 1 if _total(game) is not None else len(game.players)


class Teaching(Series):
    """Self-play that teaches tables, and matches of who looks at them."""

    def __init__(self, game: RulesGame, start: State, engine: str, inputs: Inputs):
        if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
            raise Refusal("an evaluation is learned where nothing is hidden and one player moves at a time")
        lowered = lower(game.model, game)
        code = estimates.cells(lowered.layout, inputs.reads)
        super().__init__(game, start, engine, lowered=replace(lowered, further=(code,)))
        self.inputs = inputs
        self.scale = bounded(game, start)
        self.join(
            "table_differences", BATCH, OPENING, TD_LONGEST=LONGEST, TD_TOTAL=self.scale.total is not None,
            TD_RIVAL=bool(game.model.features), **estimates.sizes(inputs, self.scale),
        )  # fmt: skip
        self.rate = self.module["td_rate"]
        estimates.fill_inputs(inputs, self.scale, self.module)
        self.rate[K.TD_DECAY] = TRACE
        self.module["td_table"][K.TD_PACE], self.module["td_table"][K.TD_BOTH] = PACE, float(self.scale.total or 0)

    @property
    def learned(self) -> Tables:
        """The evaluation so far."""
        return Tables(self.inputs, self.scale, array("d", self.module["estimate_table"]))

    @property
    def rungs(self) -> Sequence[Rung]:
        """That is looked at with nets only."""
        return ()

    @property
    def further(self) -> dict[str, array[float]]:
        """What is needed besides to go on."""
        return {name: array("d", self.module[f"td_{name}"]) for name in _FURTHER}

    def go_on(self, learned: Tables, further: Mapping[str, Any], games: int) -> None:
        """Go on from what was saved. Raises ValueError where that does not fit."""
        self.scale = learned.scale
        if learned.inputs.entries != self.inputs.entries or any(
            further[name].typecode != "d" or len(further[name]) != self.inputs.entries for name in _FURTHER
        ):
            raise ValueError("of other inputs")
        estimates.fill_inputs(self.inputs, self.scale, self.module)
        self.module["estimate_table"][:] = memoryview(learned.table)
        for name in _FURTHER:
            self.module[f"td_{name}"][:] = memoryview(further[name])
        self.count[K.SERIES_PLAYED] = games

    def measure(self, seed: int, pause: Callable[[], None]) -> None:
        """Play at random to see how large utilities are, where the rules do not say."""
        if self.scale.bounded:
            return
        results = self._results(TRIALS // self.seats, seed, 1.0, pause)
        paid = [utility for group in results for play in group for utility in play or ()] or [0.0]
        self.scale = measured(self.game, self.scale, paid)
        estimates.fill_inputs(self.inputs, self.scale, self.module)

    def teach(self, games: int, seed: int) -> Iterator[None]:
        """Learn until so many games have been played, whatever has been learned before; yields after each slice."""
        self._play(-1, seed, games, RANDOM_MOVE)
        yield from self.playing()

    def stop_soon(self) -> None:
        """The game that is played is the last one."""
        self.count[K.SERIES_WANTED] = self.games + self.count[K.SERIES_PLAYING]

    def match(self, groups: int, seed: int, pause: Callable[[], None]) -> Match:
        """Games against the game's own evaluation, or against random play where it has none."""
        highest = 2 * self.scale.half if self.scale.bounded else 0.0
        return judged(self._results(groups, seed, 0.0, pause), highest)

    def _results(
        self, groups: int, seed: int, random_move: float, pause: Callable[[], None]
    ) -> list[list[Play | None]]:  # fmt: skip
        found: list[list[Play | None]] = []
        taught, number = self.games, 0
        while len(found) < groups:
            self._play(0, stream(seed, number), min(self.batch, (groups - len(found)) * self.seats), random_move)
            self.count[K.SERIES_PLAYED] = 0
            for _ in self.playing():
                pause()
            found += self.paid()
            number += 1
        self.count[K.SERIES_PLAYED] = taught
        return found

    def _play(self, seat: int, seed: int, games: int, random_move: float) -> None:
        """What is wanted: who looks at the tables (-1: all do, and learn), and how many games are to be played."""
        self.count[K.SERIES_SEAT], self.count[K.SERIES_SEED] = seat, signed(seed)
        self.count[K.SERIES_WANTED], self.rate[K.TD_RANDOM_MOVE] = games, random_move


def bounded(game: RulesGame, start: State) -> Scale:
    """How sums become utilities, as far as the rules say."""
    total = _total(game)
    bounds = surely_at(game, start)[: 1 if total is not None else None]
    known = [Fraction(bound) for pair in bounds for bound in pair if bound is not None]
    if len(known) < 2 * len(bounds):
        return Scale(0.0, 1.0, False, total)
    low, high = min(known), max(known)
    if total is not None:  # of both players the same
        low, high = min(low, Fraction(total) - high), max(high, Fraction(total) - low)
    scale = Scale(float(low + high) / 2, SAFE * float(high - low) / 2 or 1.0, True, total)
    return scale if scale.fits else Scale(0.0, 1.0, False, total)  # what is met tells more


def measured(game: RulesGame, scale: Scale, paid: Sequence[float]) -> Scale:
    """The scale where the rules do not say it, but these utilities were met."""
    middle = 0.0 if scale.total is None else float(scale.total) / 2
    found = replace(scale, middle=middle, half=max(abs(utility - middle) for utility in paid) or 1.0)
    if not found.fits:
        name = clean(game.name)
        raise Refusal(f"the utilities of {name} are too large, or too fine, for an evaluation to be learned")
    return found
