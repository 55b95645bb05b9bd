"""Learning an evaluation from the rules alone: for a number of games or seconds, saved so that it can be continued
later.

A learner plays game after game, and the lesson of a game follows from the seed, the number of the game and what was
learned before it. So learning that was saved between two games, whenever that was, ends with the same bytes when it is
continued. It is saved in the format of the evaluation's file, with exact numbers and all that only the learner needs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from gdl.errors import DamagedData, Refusal, clean
from gdl.formats import files
from gdl.formats.resuming import differs
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.fingerprint import rules_key
from gdl.states.random_numbers import stream
from gdl.wings.learning import learned_files, tensors
from gdl.wings.learning.learning_match import LearningMatchResult
from gdl.wings.learning.temporal_differences import TdSelfPlay, inputs_for
from gdl.wings.symmetry.rule_terms import MOST_WORK

EVERY, RARELY = 10.0, 20.0  # between two savings, at least: seconds, and times the time that one takes
GROUPS = 100  # groups of games of the match that judges
_MATCH = 1 << 20  # the stream of random numbers of the match
SYMMETRY_WORK = 30_000  # terms looked at in search of symmetries, for each second given: a tenth of the time, or three
LEAST_SHARE = 0.05  # of the time, at least, for the games of learning, and as much for those of the match
MATCH_SHARE, MATCH_SECONDS = 0.4, 60.0  # for the match: the share of the time, and the most seconds


@dataclass(frozen=True)
class TrainingRequest:
    """A request for learning: the kind of model, and how long to learn, in games or seconds; None: no limit."""

    model: str
    games: int | None
    seconds: float | None
    seed: int


class TrainingCourse:
    """One course of learning, which saves itself in a file now and then."""

    def __init__(
        self, game: RulesGame, start: State, engine: str, wanted: TrainingRequest, kept: Path | None
    ):  # fmt: skip
        """`kept`: the file to save to, None: nothing is saved. Raises Refusal if the game is not suitable."""
        self._before = 0.0  # seconds of learning that were saved
        self._since = monotonic()
        self.game, self.wanted, self.kept = game, wanted, kept
        work = MOST_WORK if wanted.seconds is None else min(MOST_WORK, int(SYMMETRY_WORK * wanted.seconds))
        self.learner = TdSelfPlay(game, start, engine, inputs_for(game, wanted.model == "tuples", work))
        self._games = wanted.games or 1 << 40
        self._known = {"model": wanted.model, "seed": str(wanted.seed), "begins": _of_game(game, start)}

    @property
    def seconds(self) -> float:
        """The seconds of learning so far, earlier runs included."""
        return self._before + monotonic() - self._since

    def go_on(self) -> bool:
        """Continue from the saved file. Returns False if there is none. Raises DamagedData if it is not whole, Refusal
        if it was made by another command."""
        if self.kept is None or not self.kept.is_file():
            return False
        name = str(self.kept)
        if self.kept.stat().st_size > tensors.LARGEST:
            raise DamagedData(f"{clean(name)} is damaged: --fresh begins anew")
        arrays, texts = tensors.read(self.kept.read_bytes(), name)
        if differs(texts, self._known):
            raise Refusal(f"{clean(name)} is of another game, --model or --seed: --fresh begins anew")
        found: Any = learned_files.read(self.game.model, arrays, texts, name)  # of this model
        try:
            self._before = float(texts["seconds"])
            self.learner.go_on(found, arrays, int(texts["games"]))
        except (KeyError, ValueError):
            raise DamagedData(f"{clean(name)} is damaged: --fresh begins anew") from None
        return True

    def save(self, games: int | None = None) -> None:
        """Save what has been learned between two games; `games` is their number so far."""
        if self.kept is not None:
            games = self.learner.games if games is None else games
            told = {**self._known, "games": str(games), "seconds": f"{self.seconds:.3f}"}
            learned, further = self.learner.learned_so_far, self.learner.extra_arrays
            data = learned_files.encode_learned(learned, self.game.model, told, further)
            files.write(self.kept, data)

    def run(self, progress: Callable[[int], None]) -> LearningMatchResult:
        """Learn to the end; then judge the result in a match. A limit of seconds is for both."""
        learner, wanted = self.learner, self.wanted
        judging = 0.0 if wanted.seconds is None else min(MATCH_SECONDS, MATCH_SHARE * wanted.seconds)

        def pause() -> None:
            progress(learner.games)

        self._end_games(judging / 2)
        if learner.games == 0:
            learner.measure(stream(wanted.seed, _MATCH + 1), pause)
        saved, took = monotonic(), 0.0
        for _ in learner.teach(self._games, stream(wanted.seed, 0)):
            pause()
            if wanted.seconds is not None and self.seconds > wanted.seconds - judging:
                learner.stop_soon()
            elif (now := monotonic()) - saved > max(EVERY, RARELY * took):
                self.save()
                saved = monotonic()
                took = saved - now
        games, is_short = learner.games, wanted.seconds is not None and judging <= EVERY
        if not is_short:  # saving would take a large part of the time for the match
            self.save()
        self._end_games(0.0)
        try:
            return learner.match(GROUPS, stream(wanted.seed, _MATCH), pause)
        except KeyboardInterrupt:
            if is_short:
                self.save(games)  # the match counts its own
            raise

    def _end_games(self, early: float) -> None:
        """Let the games end `early` seconds before the limit of time, if there is one; but leave them a little time in
        any case."""
        seconds = self.wanted.seconds
        if seconds is not None:
            self.learner.deadline = monotonic() + max(LEAST_SHARE * seconds, seconds - early - self.seconds)


def _of_game(game: RulesGame, start: State) -> str:
    """A key that distinguishes games: by their rules, their first position and the weights in the file."""
    return rules_key(
        game.model, str([[str(feature.weight) for feature in game.model.features], start.turn, start.cells])
    )
