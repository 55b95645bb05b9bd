"""gdl learn: an evaluation that is learned from the rules alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from gdl import wings
from gdl.commands import console
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.engines import without_wasm
from gdl.commands.format_option import file_beside
from gdl.commands.game_argument import ask, takes_game, takes_weights
from gdl.commands.help_pages import Command
from gdl.commands.limiting import ABOVE_ZERO, Limits, takes_limits
from gdl.commands.workers import Staff, asked_again, takes_workers
from gdl.compiler.compiled_engine import by_rules
from gdl.errors import clean, count_text
from gdl.formats import files
from gdl.interpreter.rules_game import RulesGame, State
from gdl.playing.loading import STDIN, Asked, Asking
from gdl.wings.learning import learned_files, learned_strength, tensors
from gdl.wings.learning.learn_answer import LearnAnswer, LearningPointAnswer
from gdl.wings.learning.net_files import MOST_UNITS
from gdl.wings.learning.network import Net

if TYPE_CHECKING:
    from gdl.wings.learning.learning_match import LearningMatchResult
    from gdl.wings.learning.self_play import RoundNet
    from gdl.wings.learning.training import Judge, TrainingCourse, TrainingRequest


# gdl learn --model: an evaluation that is learned from the rules alone.

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
    asking: Asking
    staff: Staff
    first: Net | None = None  # the net with which self-play begins; None: a random one

    def run(self, engine: str, fresh: bool, limits: Limits) -> None:
        """Learn, print what was learned, and write the file."""
        held = files.lock_file(self.file, f"which learns {clean(self.game.name)}") if self.file else nullcontext()
        with held:
            course, match = without_wasm(lambda chosen: self._run_course(chosen, fresh, limits), engine)
            self._tell(course, match)
            if self.file and self.kept:
                about = {"games": str(course.learner.games), "seed": str(self.wanted.seed)}
                files.write(
                    self.file, learned_files.encode_learned(course.learner.learned_so_far, self.game.model, about)
                )
                self.kept.unlink(missing_ok=True)
                console.remark(
                    f"written to {clean(str(self.file))}, for --weights of solve, play and match{self._next_command}"
                )

    @property
    def _next_command(self) -> str:
        """The rest of a remark with a command that plays against the learned evaluation; "" if the game is not simply
        that of its file."""
        by = self.asking
        play = wings.installed_hook("the command that plays")
        if not play or by.file == STDIN or by.settings or by.variant or by.position or by.after:
            return ""
        return f": {play} {clean(quote(by.file))} --weights {clean(quote(str(self.file)))}"

    def _run_course(self, engine: str, fresh: bool, limits: Limits) -> tuple[TrainingCourse, LearningMatchResult]:
        from gdl.wings.learning.training import TrainingCourse

        with self._workers_for(engine) as others:
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
        if self.wanted.model != "net":
            return None
        from gdl.wings.learning.learned_strength import PLIES, freeze_positions

        seconds = self.wanted.seconds
        plies = PLIES if seconds is None else min(PLIES, int(PLIES_A_SECOND * seconds))
        return lambda seed: freeze_positions(self.game, self.start, seed, plies).judge

    @contextmanager
    def _workers_for(self, engine: str) -> Iterator[Any]:
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

    def _tell(self, course: TrainingCourse, match: LearningMatchResult) -> None:
        """Print what was learned, from how many games, and how it did in the match."""
        found = course.learner.learned_so_far
        as_begun = isinstance(found, Net) and course.learner.is_as_begun and course.learner.games > 0
        if console.is_json():
            told = LearnAnswer.fill_from(
                self.wanted,
                games=course.learner.games,
                patterns=None if isinstance(found, Net) else found.inputs.patterns,
                numbers=_count(found),
                match=learned_strength.match_record(match),
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
            *learned_strength.match_words(match, others, _how_chosen(found)),
            *learned_strength.curve_lines(course.curve),
        ]
        console.answer("".join(f"{line}\n" for line in lines))

    def _no_progress_lines(self) -> Iterator[str]:
        """Lines that say that the training brought no progress."""
        whose = "drawn at random, which know nothing" if self.first is None else "those of --weights"
        yield "In each match the net that learns lost to the one that it began with, and that one is kept:"
        yield f"its numbers are still {whose}."


def prepare(about: tuple[Asking, str, TrainingRequest]) -> Callable[[RoundNet, tuple[int, int]], Any]:
    """The function with which a worker's process plays games for the net."""
    from gdl.wings.learning.training import learner

    by, engine, wanted = about
    game, start = by_rules(asked_again(by).game)
    player = learner(game, start, engine, wanted, numbers_of(game))
    return lambda taught, piece: player.play_games(taught, *piece)


def numbers_of(game: RulesGame) -> Any:
    """The numbers of a game's actions, as far as they follow from its rules."""
    from gdl.wings.learning.self_play import MOST_SLOTS, Numbers
    from gdl.wings.programs.compiled import digits_of, steps_of
    from gdl.wings.programs.numbering import RuleNumbering, numbering

    found = numbering(game)
    if not isinstance(found, RuleNumbering):
        return Numbers()
    if found.total < MOST_SLOTS:
        return Numbers(digits_of(game, found), found.total)
    return Numbers(*steps_of(game, found), by_steps=True)


def _how_chosen(found: Any) -> str:
    """A phrase that says how the learned evaluation chooses its moves in the match."""
    if isinstance(found, Net):
        from gdl.wings.learning.self_play import JUDGED_BY

        return f"searching with {JUDGED_BY} simulations"
    return "one move ahead"


def _size(found: Any) -> str:
    """A phrase that says how large an evaluation is."""
    if isinstance(found, Net):
        return f"A net of two layers of {found.units}, {count_text(found.slots, 'row')} of actions"
    return f"{count_text(found.inputs.patterns, 'pattern')} of the state"


def _count(found: Any) -> int:
    return len(found.weight) if isinstance(found, Net) else int(found.inputs.entries)


MOST_SIMULATIONS = 4096  # simulations for a move of self-play, at most
_UNFINISHED = ".unfinished"  # ends the name of the file that keeps what is learned until then


def _by_eights(ctx: click.Context, parameter: click.Parameter, width: int | None) -> int | None:
    if width is not None and width % 8:
        raise click.BadParameter(f"{width} is no multiple of 8")
    return width


@click.command(cls=Command, rare="hidden fresh seed")
@click.option("--model", type=click.Choice(["linear", "tuples", "net"]),
              help="What to learn: an evaluation by patterns of the board (tuples, the default) or a linear one, or a "
                   "net for puct.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=16), metavar="N",
              help="Learn from N games of self-play; 20,000 by default.")  # fmt: skip
@click.option(
    "--time",
    type=ABOVE_ZERO,
    metavar="S",
    help="Learn, and test the result, for this many seconds.",
)
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of the random numbers; 0 by default.")
@click.option("-o", "--output", metavar="FILE",
              help="Write the result to this file (-: to no file); by default beside the game.")  # fmt: skip
@console.takes_json("Print the result as one JSON object.")
@click.option("--engine", type=click.Choice(["auto", "python", "wasm"]), default="auto",
              help="The engine that plays; auto takes the fastest. The answer is the same.")  # fmt: skip
@click.option("--simulations", type=click.IntRange(2, MOST_SIMULATIONS), metavar="N",
              help="Simulations for a move of self-play: 16 by default for a net, by sequential halving with Gumbel "
                   "noise.")  # fmt: skip
@click.option("--hidden", type=click.IntRange(8, MOST_UNITS), callback=_by_eights, metavar="N",
              help="The width of a net's two layers, a multiple of 8; 64 by default.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Begin again, and do not continue where the same command was stopped.")
@takes_workers(checkpoint=False)
@takes_limits("memory")
@takes_game
@takes_weights
def learn(
    asked: Asked, model: str | None, games: int | None, time: float | None, seed: int, output: str | None,
    engine: str, simulations: int | None, hidden: int | None, fresh: bool,
    staff: Staff, limits: Limits,
) -> None:  # fmt: skip
    """Learn an evaluation by self-play.

    It is learned from the rules alone and written to a file, for --weights of solve, play and match. A match tests
    whether it plays stronger than the game's own, or than random play where there is none. After an interruption the
    same command continues, to the same numbers.
    """
    game, start = by_rules(asked.game)
    model = model or "tuples"
    given = {"model": model, "workers": staff.should_split_work, "hidden": hidden}
    refuse_clashes("learn", {**given, "simulations": simulations, "players": len(game.players)})
    from gdl.wings.learning.training import TrainingRequest

    first = game.model.learned if asked.by.weights else None
    if asked.by.weights:
        if model != "net" or not isinstance(first, Net):
            raise WrongCommand("--weights is for a net that goes on by self-play", help="leave it out")
        game, start = by_rules(ask(asked.by._replace(weights=None), quietly=True).game)
    games = GAMES if games is None and time is None else games
    wanted = TrainingRequest(model, games, time, seed, simulations, hidden)
    file = file_beside(asked.loaded.description, output, ENDING, "weights", tensors.is_such, "gdl learn")
    kept = file and file.with_name(f"{file.name}{_UNFINISHED}")
    work = TrainingCommand(game, start, wanted, file, kept, asked.by, staff, first)
    work.run(engine, fresh, limits)
