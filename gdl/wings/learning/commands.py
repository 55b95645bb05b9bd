"""gdl learn: an evaluation that is learned from the rules alone."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from gdl import wings
from gdl.commands import console
from gdl.commands.console import WrongCommand
from gdl.commands.engines import without_wasm
from gdl.commands.game_argument import STDIN_NAME, takes_game
from gdl.commands.help_pages import Command
from gdl.commands.limiting import ABOVE_ZERO, Limits, takes_limits
from gdl.compiler.compiled_engine import by_rules
from gdl.errors import clean, count_text
from gdl.formats import files
from gdl.interpreter.rules_game import RulesGame, State
from gdl.playing.loading import STDIN, Asked, Asking
from gdl.syntax import Description
from gdl.wings.learning import learned_files, tensors
from gdl.wings.learning.learn_answer import LearnAnswer

if TYPE_CHECKING:
    from gdl.wings.learning.learning_match import LearningMatchResult
    from gdl.wings.learning.training import TrainingCourse, TrainingRequest


# gdl learn --model: an evaluation that is learned from the rules alone.

ENDING = ".safetensors"  # ending of the files of weights
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

        course = TrainingCourse(self.game, self.start, engine, self.wanted, self.kept)
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
        inputs = course.learner.learned_so_far.inputs
        if console.is_json():
            told = LearnAnswer.fill_from(
                self.wanted,
                games=course.learner.games,
                patterns=inputs.patterns,
                numbers=inputs.entries,
                match=match.to_record(),
            )
            console.answer_json(told)
            return
        others = "the game's own evaluation" if self.game.model.features else "random play"
        lines = [
            f"{clean(self.game.name)}: {count_text(course.learner.games, 'game')} of self-play, "
            f"seed {self.wanted.seed}.",
            f"{count_text(inputs.patterns, 'pattern')} of the state, {count_text(inputs.entries, 'number')}.",
            *match.to_lines(others),
        ]
        console.answer("".join(f"{line}\n" for line in lines))


_UNFINISHED = ".unfinished"  # ends the name of the file that keeps what is learned until then


class _Model(click.Choice):  # type: ignore[type-arg]  # generic since click 8.4 alone
    """The kinds of models that can be learned."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "net":
            own = "gdl.make_vec has the positions for one of your own"
            self.fail(f"nets are no longer learned. Write --model tuples, which plays better; {own}")
        return super().convert(value, param, ctx)


@click.command(cls=Command, rare="fresh seed")
@click.option("--model", type=_Model(["linear", "tuples"]), default="tuples",
              help="What to learn: an evaluation by patterns of the board (tuples, the default) or a linear "
                   "one.")  # fmt: skip
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
@click.option("--fresh", is_flag=True, help="Begin again, and do not continue where the same command was stopped.")
@takes_limits("memory")
@takes_game
def learn(
    asked: Asked, model: str, games: int | None, time: float | None, seed: int, output: str | None,
    engine: str, fresh: bool, limits: Limits,
) -> None:  # fmt: skip
    """Learn an evaluation by self-play.

    It is learned from the rules alone and written to a file, for --weights of solve, play and match. A match tests
    whether it plays stronger than the game's own, or than random play where there is none. After an interruption the
    same command continues, to the same numbers.
    """
    game, start = by_rules(asked.game)
    from gdl.wings.learning.training import TrainingRequest

    games = GAMES if games is None and time is None else games
    wanted = TrainingRequest(model, games, time, seed)
    file = _weights_file(asked.loaded.description, output)
    kept = file and file.with_name(f"{file.name}{_UNFINISHED}")
    work = TrainingCommand(game, start, wanted, file, kept, asked.by)
    work.run(engine, fresh, limits)


def _weights_file(description: Description, output: str | None) -> Path | None:
    """The file for the weights: by default beside the game's file or, for a shipped game, in the current folder. None
    if they are not to be kept. Raises WrongCommand where there is no such folder, or the file holds something else."""
    if output == STDIN:
        return None
    name = description.span.source.name if description.span else STDIN_NAME
    if output is None and name == STDIN_NAME:
        none = "a game from the standard input has no folder for its weights"
        raise WrongCommand(none, help="say where: --output FILE")
    file = Path(output) if output is not None else Path(name).with_suffix(ENDING)
    if not file.parent.is_dir():
        raise WrongCommand(f"there is no folder '{clean(str(file.parent))}'", help="name another file with --output")
    if file.exists():
        with files.name_in_errors(file), open(file, "rb") as stream:
            if not tensors.is_such(stream.read(100)):
                told = f"'{clean(str(file))}' exists, and was not written by gdl learn"
                raise WrongCommand(told, help="name another with --output")
    return file
