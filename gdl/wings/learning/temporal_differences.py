"""Evaluations that are learned by self-play of players who look one move ahead, on the compiled engine: for any game in
which nothing is hidden and one player moves at a time; the game needs no evaluation of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gdl.compiler.joining import kernel_constants
from gdl.errors import Refusal
from gdl.interpreter.rules_game import RulesGame, State
from gdl.wings.learning.learned import Inputs
from gdl.wings.learning.patterns import inputs_of
from gdl.wings.learning.self_play_learners import Learner, TablePupil, outputs
from gdl.wings.learning.series import Payoffs, Series
from gdl.wings.symmetry.group import find_symmetries, generate_group
from gdl.wings.symmetry.rule_terms import MOST_WORK

K = kernel_constants("temporal_differences", "series")  # what stands where in the kernel's memory
OPENING = 6  # random moves that a game begins with, at most
LONGEST = 4000  # plies of a game; then it counts as endless
TRACE = 0.7  # lambda
RANDOM_MOVE = 0.1  # the probability of a random move in self-play
IMAGES = 64  # size of the group of symmetries that is used, at most
BATCH = 1024  # games of a match whose results are kept


def inputs_for(game: RulesGame, tuples: bool, work: int = MOST_WORK) -> Inputs:
    """The inputs of a game's tables, made alike under the symmetries that are found with this amount of work. Raises
    Refusal if the state is too large."""
    found = find_symmetries(game.model, work)
    group = generate_group([*found.keeping, *found.exchanging], IMAGES)
    return inputs_of(game.model, tuples, outputs(game), group)


class TdSelfPlay(Learner, Series):
    """Self-play of players who look one move ahead, from which a pupil learns, and matches that judge the pupil."""

    is_as_begun = False  # the first game changes the evaluation

    def __init__(self, game: RulesGame, start: State, engine: str, pupil: TablePupil):
        if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
            raise Refusal("an evaluation is learned where nothing is hidden and one player moves at a time")
        super().__init__(game, start, engine, lowered=pupil.lowered)
        self.pupil: TablePupil = pupil
        rival = bool(game.model.features)
        self.join("table_differences", BATCH, OPENING, TD_LONGEST=LONGEST, TD_RIVAL=rival, **pupil.sizes)
        self.rate = self.module["td_rate"]
        self.rate[K.TD_DECAY] = TRACE
        pupil.fill(self.module)

    def teach(self, games: int, seed: int) -> Iterator[None]:
        """Learn until this number of games have been played, counting earlier ones; yields after each slice."""
        self.rate[K.TD_RANDOM_MOVE] = RANDOM_MOVE
        self.wants(-1, seed, games)
        yield from self.playing()

    def results(self, groups: int, seed: int, pause: Callable[[], None], random: bool = False) -> Payoffs:
        self.rate[K.TD_RANDOM_MOVE] = float(random)
        return self.match_payoffs(groups, seed, pause)
