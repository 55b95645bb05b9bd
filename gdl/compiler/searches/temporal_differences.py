"""Evaluations that are learned by self-play of players who look one move ahead, on the compiled engine: for any game in
which nothing is hidden and one player moves at a time; the game needs no evaluation of its own."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gdl.compiler.joining import kernel_constants
from gdl.compiler.searches.learning_match import LearningMatchResult, judge_match
from gdl.compiler.searches.self_play_learners import Pupil, outputs, scale_from_payoffs
from gdl.compiler.searches.series import Play, Series
from gdl.errors import Refusal
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.learned import Inputs
from gdl.model.network import Net
from gdl.symmetry import find, generate_group
from gdl.symmetry.patterns import inputs_of
from gdl.symmetry.rule_terms import MOST_WORK

K = kernel_constants("temporal_differences", "series")  # what stands where in the kernel's memory
OPENING = 6  # random moves that a game begins with, at most
LONGEST = 4000  # plies of a game; then it counts as endless
TRACE = 0.7  # lambda
IMAGES = 64  # size of the group of symmetries that is used, at most
TRIALS = 256  # random games to measure how large utilities are, where the rules do not bound them
BATCH = 1024  # games of a match whose results are kept


def inputs_for(game: RulesGame, tuples: bool, work: int = MOST_WORK) -> Inputs:
    """The inputs of a game's tables, made alike under the symmetries that are found with this amount of work. Raises
    Refusal if the state is too large."""
    found = find(game.model, work)
    group = generate_group([*found.keeping, *found.exchanging], IMAGES)
    return inputs_of(game.model, tuples, outputs(game), group)


class TdSelfPlay(Series):
    """Self-play of players who look one move ahead, from which a pupil learns, and matches that judge the pupil."""

    is_as_begun = False  # the first game changes the evaluation

    def __init__(self, game: RulesGame, start: State, engine: str, pupil: Pupil):
        if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
            raise Refusal("an evaluation is learned where nothing is hidden and one player moves at a time")
        super().__init__(game, start, engine, lowered=pupil.lowered)
        self.pupil = pupil
        rival = bool(game.model.features)
        self.join(pupil.kernel, BATCH, OPENING, TD_LONGEST=LONGEST, TD_RIVAL=rival, **pupil.sizes)
        self.rate = self.module["td_rate"]
        self.rate[K.TD_DECAY] = TRACE
        pupil.fill(self.module)

    @property
    def learned_so_far(self) -> Any:
        """The evaluation so far."""
        return self.pupil.learned_so_far

    @property
    def further(self) -> dict[str, array[Any]]:
        """Further arrays, by name, that are saved so that learning can continue later."""
        return self.pupil.further

    def go_on(self, learned: Any, further: Mapping[str, Any], games: int) -> None:
        """Continue from a saved evaluation, its further arrays and the number of games. Raises ValueError if these do
        not fit."""
        self.pupil.go_on(learned, further)
        self.count[K.SERIES_PLAYED] = games

    def begin_with(self, net: Net) -> None:
        """Begin with this net in place of random weights. Raises Refusal if its form is another one."""
        self.pupil.begin_with(net, self.game.name)

    def measure(self, seed: int, pause: Callable[[], None]) -> None:
        """Play random games to measure how large utilities are, if the rules do not bound them."""
        if self.pupil.scale.bounded:
            return
        results = self._results(TRIALS // self.seats, seed, 1.0, pause)
        paid = [utility for group in results for play in group for utility in play or ()] or [0.0]
        self.pupil.rescale(scale_from_payoffs(self.game, self.pupil.scale, paid))

    def teach(self, games: int, seed: int) -> Iterator[None]:
        """Learn until this number of games have been played, counting earlier ones; yields after each slice."""
        self._look(True, self.pupil.random_move)
        self.wants(-1, seed, games)
        yield from self.playing()

    def match(self, groups: int, seed: int, pause: Callable[[], None]) -> LearningMatchResult:
        """The result of games against the game's own evaluation, or against random play if it has none."""
        scale = self.pupil.scale
        highest = 2 * scale.half if scale.bounded else 0.0
        return judge_match(self._results(groups, seed, 0.0, pause), highest)

    def _results(
        self, groups: int, seed: int, random_move: float, pause: Callable[[], None]
    ) -> list[list[Play | None]]:
        self._look(False, random_move)
        return self.match_payoffs(groups, seed, pause)

    def _look(self, learns: bool, random_move: float) -> None:
        """Switch between learning and being judged, and set how often a move is random."""
        self.pupil.look(learns)
        self.rate[K.TD_RANDOM_MOVE] = random_move
