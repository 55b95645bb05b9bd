"""gdl learn --model: an evaluation that is learned from the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from gdl.commands import console
from gdl.commands.engines import without_wasm
from gdl.commands.limiting import Limits
from gdl.commands.workers import Staff, asked_again
from gdl.compiler.compiled_engine import by_rules
from gdl.errors import clean, count_text
from gdl.formats import files
from gdl.formats import learned_files as learned_files
from gdl.formats.answer_records import LearnAnswer, LearningPointAnswer
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.network import Net
from gdl.playing import match_between_weights
from gdl.playing.asked_game import STDIN, Asking

if TYPE_CHECKING:
    from gdl.compiler.searches.learning_match import LearningMatchResult
    from gdl.compiler.searches.self_play import RoundNet
    from gdl.compiler.searches.training import Judge, TrainingCourse, TrainingRequest

ENDING = ".safetensors"  # ending of the files of weights
PLIES_A_SECOND = 200_000  # of the searches that value positions, for each second given
GAMES = 20_000  # games of self-play, if neither games nor seconds are given


@dataclass(frozen=True)
class TrainingCommand:
    """One run of gdl learn: the game and its start, the training wanted, the `file` for the weights (None: not kept),
    and the `kept` file of the unfinished training."""

    game: RulesGame
    start: State
    wanted: TrainingRequest
    file: Path | None
    kept: Path | None
    as_json: bool
    asking: Asking
    staff: Staff
    first: Net | None = None  # the net with which self-play begins; None: a random one
    curve: Path | None = None  # the file for the picture of the strength curve

    def run(self, engine: str, fresh: bool, limits: Limits) -> None:
        """Learn, print what was learned, and write the file."""
        held = files.lock_file(self.file, f"which learns {clean(self.game.name)}") if self.file else nullcontext()
        with held:
            course, match = without_wasm(lambda chosen: self._run_course(chosen, fresh, limits), engine)
            self._tell(course, match)
            self._draw(course)
            if self.file and self.kept:
                about = {"games": str(course.learner.games), "seed": str(self.wanted.seed)}
                files.write(
                    self.file, learned_files.encode_learned(course.learner.learned_so_far, self.game.model, about)
                )
                self.kept.unlink(missing_ok=True)
                console.remark(
                    f"written to {clean(str(self.file))}, for --weights of solve, play and match{self._next}"
                )

    @property
    def _next(self) -> str:
        """The rest of a remark with a command that plays against the learned evaluation; "" if the game is not simply
        that of its file."""
        by = self.asking
        if by.file == STDIN or by.settings or by.variant or by.position or by.after:
            return ""
        return f": gdl play {clean(quote(by.file))} --weights {clean(quote(str(self.file)))}"

    def _run_course(self, engine: str, fresh: bool, limits: Limits) -> tuple[TrainingCourse, LearningMatchResult]:
        from gdl.compiler.searches.training import TrainingCourse

        with self._others(engine) as others:
            course = TrainingCourse(
                self.game, self.start, engine, self.wanted, self.kept, self._numbers, others, self._judge
            )
            if self.first is not None:
                course.begin_with(self.first)
            return self._run(course, fresh, limits)

    @cached_property
    def _numbers(self) -> Any:
        return numbers_of(self.game) if self.wanted.model == "net" else None

    @property
    def _judge(self) -> Callable[[int], Judge] | None:
        """The maker of the judge of a net that learns by search; it takes about a tenth of the time that is given."""
        if self.wanted.model != "net" or self.wanted.ahead:
            return None
        from gdl.playing.frozen_positions import PLIES, freeze_positions

        seconds = self.wanted.seconds
        plies = PLIES if seconds is None else min(PLIES, int(PLIES_A_SECOND * seconds))
        return lambda seed: freeze_positions(self.game, self.start, seed, plies).judge

    @contextmanager
    def _others(self, engine: str) -> Iterator[Any]:
        """Yield the function by which workers play the games; None if this process plays them itself."""
        if not self.staff.should_split_work:
            yield None
            return
        from gdl.solvers.cluster.pieces import Job

        job = Job(prepare, (self.asking._replace(weights=None), engine, self.wanted))
        with self.staff.hire_workers(self.kept) as workers:
            yield lambda taught, pieces: workers.map(job, pieces, taught)

    def _run(self, course: TrainingCourse, fresh: bool, limits: Limits) -> tuple[TrainingCourse, LearningMatchResult]:
        if not fresh and course.go_on():
            games = count_text(course.learner.games, "game")
            console.remark(f"continues after {games}, saved in {clean(str(self.kept))}")
        try:
            with limits.enforce("games", self.wanted.games) as progress:
                return course, course.run(progress)
        except BaseException:
            if self.kept and self.kept.is_file():
                console.remark(f"saved in {clean(str(self.kept))}: the same command continues from there")
            raise

    def _draw(self, course: TrainingCourse) -> None:
        """Write the picture of the curve, if it was asked for."""
        if self.curve is None:
            return
        files.write(self.curve, match_between_weights.curve_picture(course.curve, self.game.name))
        console.remark(f"the curve is drawn in {clean(str(self.curve))}")

    def _tell(self, course: TrainingCourse, match: LearningMatchResult) -> None:
        """Print what was learned, from how many games, and how it did in the match."""
        found = course.learner.learned_so_far
        as_begun = isinstance(found, Net) and course.learner.is_as_begun and course.learner.games > 0
        if self.as_json:
            told = LearnAnswer.fill_from(
                self.wanted,
                games=course.learner.games,
                patterns=None if isinstance(found, Net) else found.inputs.patterns,
                numbers=_count(found),
                match=match_between_weights.match_record(match),
                replaced=not as_begun if isinstance(found, Net) else None,
                curve=[LearningPointAnswer.fill_from(point) for point in course.curve] or None,
            )
            console.answer_json(told)
            return
        others = "the game's own evaluation" if self.game.model.features else "random play"
        lines = [
            f"{clean(self.game.name)}: {count_text(course.learner.games, 'game')} of self-play, "
            f"seed {self.wanted.seed}.",
            f"{_size(found)}, {count_text(_count(found), 'number')}.",
            *(self._no_progress_lines() if as_begun else ()),
            *match_between_weights.match_words(match, others, _how(found, self.wanted)),
            *match_between_weights.curve_lines(course.curve),
        ]
        console.answer("".join(f"{line}\n" for line in lines))

    def _no_progress_lines(self) -> Iterator[str]:
        """Lines that say that the training brought no progress."""
        whose = "drawn at random, which know nothing" if self.first is None else "those of --weights"
        yield "In each match the net that learns lost to the one that it began with, and that one is kept:"
        yield f"its numbers are still {whose}."


def prepare(about: tuple[Asking, str, TrainingRequest]) -> Callable[[RoundNet, tuple[int, int]], Any]:
    """The function with which a worker's process plays games for the net."""
    from gdl.compiler.searches.training import learner

    by, engine, wanted = about
    game, start = by_rules(asked_again(by).game)
    player = learner(game, start, engine, wanted, numbers_of(game))
    return lambda taught, piece: player.play_games(taught, *piece)


def numbers_of(game: RulesGame) -> Any:
    """The numbers of a game's actions, as far as they follow from its rules."""
    from gdl.compiler.searches.self_play import MOST_SLOTS, Numbers
    from gdl.playing.stepping.compiled import digits_of, steps_of
    from gdl.playing.stepping.numbering import RuleNumbering, numbering

    found = numbering(game)
    if not isinstance(found, RuleNumbering):
        return Numbers()
    if found.total < MOST_SLOTS:
        return Numbers(digits_of(game, found), found.total)
    return Numbers(*steps_of(game, found), by_steps=True)


def _how(found: Any, wanted: TrainingRequest) -> str:
    """A phrase that says how the learned evaluation chooses its moves in the match."""
    if isinstance(found, Net) and not wanted.ahead:
        from gdl.compiler.searches.self_play import JUDGED_BY

        return f"searching with {JUDGED_BY} simulations"
    return "one move ahead"


def _size(found: Any) -> str:
    """A phrase that says how large an evaluation is."""
    if isinstance(found, Net):
        return f"A net of two layers of {found.units}, {count_text(found.slots, 'row')} of actions"
    return f"{count_text(found.inputs.patterns, 'pattern')} of the state"


def _count(found: Any) -> int:
    return len(found.weight) if isinstance(found, Net) else int(found.inputs.entries)
