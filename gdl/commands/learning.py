"""gdl learn."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import gdl
from gdl.commands import telling
from gdl.commands.clashes import refuse_clashes
from gdl.commands.engines import without_wasm
from gdl.commands.format_option import file_beside, in_folder
from gdl.commands.game_argument import ask, takes_game, takes_weights
from gdl.commands.limiting import ABOVE_ZERO, Limits, briefly, takes_limits
from gdl.commands.telling import WrongCommand
from gdl.commands.workers import Staff, takes_workers
from gdl.compiler.compiled_engine import by_rules
from gdl.errors import Interrupted, LimitReached, Refusal, clean
from gdl.formats import files
from gdl.formats.answer_records import LearnAnswer
from gdl.formats.networks import MOST_UNITS
from gdl.model import weights
from gdl.model.network import Net
from gdl.playing import match_between_weights
from gdl.playing.asked_game import Asked

if TYPE_CHECKING:
    from gdl.commands.teaching import TrainingCommand
    from gdl.compiler.searches.learning_driver import LearningMatchResult
    from gdl.compiler.searches.lessons import Lesson
    from gdl.compiler.searches.training import TrainingRequest
    from gdl.game import Number
    from gdl.interpreter.rules_game import RulesGame

_FIRST_WORDS = "Weights of the evaluation"  # of the first remark of a file, by which it may be replaced
GAMES = 2000  # of self-play
MOST_SIMULATIONS = 4096  # for a move of it
_UNFINISHED = ".unfinished"  # ends the name of the file that keeps what is learned until then


def _by_eights(ctx: click.Context, parameter: click.Parameter, width: int | None) -> int | None:
    if width is not None and width % 8:
        raise click.BadParameter(f"{width} is no multiple of 8")
    return width


@click.command()
@click.option("--model", type=click.Choice(["features", "linear", "tuples", "net", "patterns"]),
              help="What is learned: weights of the features of evaluate (usual where the file has some), or an "
              "evaluation from the rules alone, by patterns of the board (tuples, usual otherwise), linear in what "
              "stands where, a net for puct, or patterns toward which random play of mcts leans.")  # fmt: skip
@click.option("--games", type=click.IntRange(min=16), metavar="N",
              help="Learn from N games of self-play; 2000 by default, of a model 20,000.")  # fmt: skip
@click.option(
    "--time",
    type=ABOVE_ZERO,
    metavar="S",
    help="Stop after this many seconds; of a model, learn and judge what was learned for so long.",
)
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of the random numbers; 0 by default.")
@click.option("-o", "--output", metavar="FILE",
              help="Write what was learned to this file, with - to none; by default beside the game.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON object.")
@click.option("--engine", type=click.Choice(["auto", "python", "wasm"]), default="auto",
              help="What plays; auto takes the fastest. The answer is the same.")  # fmt: skip
@click.option("--by", type=click.Choice(["search", "td"]),
              help="What a net learns from: games by search (usual), or values alone, by temporal differences of games "
              "in which all look one move ahead (td): also with chance, or for many players.")  # fmt: skip
@click.option("--simulations", type=click.IntRange(2, MOST_SIMULATIONS), metavar="N",
              help="For a move of the games by which a net is learned, 16 by default, or patterns, 256. A net's are "
              "spent by sequential halving with Gumbel's noise.")  # fmt: skip
@click.option("--hidden", type=click.IntRange(8, MOST_UNITS), callback=_by_eights, metavar="N",
              help="How wide the two layers of a net are, a multiple of 8; 64 by default.")  # fmt: skip
@click.option("--curve", metavar="FILE",
              help="Draw how the strength of a net grew with the games that it played, as SVG.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Start again, and do not continue where the same command was stopped.")
@takes_workers(checkpoint=False)
@takes_limits("memory")
@takes_game
@takes_weights
def learn(
    asked: Asked, model: str | None, games: int | None, time: float | None, seed: int, output: str | None,
    as_json: bool, engine: str, by: str | None, simulations: int | None, hidden: int | None, curve: str | None,
    fresh: bool, staff: Staff, limits: Limits,
) -> None:  # fmt: skip
    """Learn an evaluation by self-play.

    The numbers before the features of evaluate are fitted by temporal differences and written to a small file, for
    --weights of solve and play. A match tests whether they play stronger than the game's own, or those of --weights.
    Where there are none, or with --model, an evaluation is learned from the rules alone. After an interruption the same
    command continues, to the same weights.
    """
    game, start = by_rules(asked.game)
    model = model or ("net" if by else "features" if game.model.features else "tuples")
    given = {"model": model, "by": by, "workers": staff.should_split_work, "hidden": hidden}
    refuse_clashes("learn", {**given, "simulations": simulations, "curve": curve, "players": len(game.players)})
    drawn = None if curve is None else in_folder(Path(curve), "--curve")
    if model != "features":
        from gdl.compiler.searches.training import TrainingRequest

        wanted = TrainingRequest(model, games, time, seed, simulations, hidden, ahead=by == "td")
        course = _teach(asked, game, start, output, wanted, as_json, staff, drawn)
        course.run(engine, fresh, limits)
        return
    with replace(limits, seconds=time).enforce():
        _fit(asked, game, start, games or GAMES, seed, output, as_json, engine, fresh, limits)


def _teach(
    asked: Asked, game: RulesGame, start: Any, output: str | None, wanted: TrainingRequest, as_json: bool,
    staff: Staff, curve: Path | None,
) -> TrainingCommand:  # fmt: skip
    """What learns an evaluation from the rules alone."""
    from gdl.commands import teaching

    first = game.model.learned if asked.by.weights else None
    if asked.by.weights:
        if wanted.model != "net" or not isinstance(first, Net):
            raise WrongCommand("--weights is for features, or a net that goes on by self-play", help="leave it out")
        game, start = by_rules(ask(asked.by._replace(weights=None), quietly=True).game)
    if wanted.games is None and wanted.seconds is None:
        wanted = replace(wanted, games=teaching.LEANING_GAMES if wanted.model == "patterns" else teaching.GAMES)
    file = _file(asked.loaded, output, teaching.ENDING)
    return teaching.TrainingCommand(
        game, start, wanted, file, _unfinished_file(file), as_json, asked.by, staff, first, curve
    )


def _unfinished_file(file: Path | None) -> Path | None:
    """The file that keeps what is learned until then."""
    return file and file.with_name(f"{file.name}{_UNFINISHED}")


def _fit(
    asked: Asked, game: RulesGame, start: Any, games: int, seed: int, output: str | None, as_json: bool, engine: str,
    fresh: bool, limits: Limits,
) -> None:  # fmt: skip
    """Fit the weights of features."""
    from gdl.compiler.searches import learning_driver, lessons

    if not game.model.features:
        why = f"{clean(game.name)} has no evaluate section whose weights could be learned"
        raise Refusal(f"{why}; leave --model out, and gdl learns from the rules alone")
    file = _file(asked.loaded, output, ".weights")
    told = _LessonReport(game, games, seed, as_json)
    kept = _unfinished_file(file)
    with files.lock_file(file, f"which learns weights of {clean(game.name)}") if file else nullcontext():
        known = {"game": lessons.of_game(game, start), "games": games, "seed": seed}
        begun = lessons.load(kept, known) if kept and not fresh else None
        if begun:
            telling.remark(f"continues after {told.so_far(begun)} games, saved in {clean(str(kept))}")
        keep = partial(lessons.save, kept, known=known) if kept else None

        def learned_on(chosen: str) -> tuple[tuple[Number, ...], LearningMatchResult]:
            with limits.enforce("games", games + games // 2) as progress:
                return learning_driver.learn(game, start, chosen, games, seed, progress, begun, keep)

        try:
            found, match = without_wasm(learned_on, engine)
        except (LimitReached, Interrupted) as stop:
            if isinstance(stop.partial, lessons.Lesson):
                with briefly(stop):
                    told.answer_unfinished(stop.partial)
                    if kept:
                        telling.remark(f"saved in {clean(str(kept))}: the same command continues from there")
            raise
        words = match_between_weights.match_words(match, "those of --weights" if asked.by.weights else "the game's own")
        text = told.answer(found, f"{games:,} games", words, match)
        if file and kept:
            files.write(file, text)
            kept.unlink(missing_ok=True)
            telling.remark(f"written to {clean(str(file))}, for --weights of solve and play")


@dataclass(frozen=True)
class _LessonReport:
    """Tells what was learned of a game."""

    game: RulesGame
    games: int
    seed: int
    as_json: bool

    def so_far(self, lesson: Lesson) -> str:
        """How many of the games the lesson has been taught by."""
        from gdl.compiler.searches import learning_driver

        return f"{learning_driver.games_of(self.game, self.games, len(lesson.rounds)):,} of {self.games:,}"

    def answer_unfinished(self, lesson: Lesson) -> None:
        """What is known of the weights before the end."""
        found = tuple(weights.round_weight(weight) for weight in lesson.weights)
        words = ["It is not finished, and no match has been played yet."]
        self.answer(found, f"{self.so_far(lesson)} games", words, None)

    def answer(
        self, found: tuple[Number, ...], played: str, words: list[str], match: LearningMatchResult | None
    ) -> str:
        """Print the weights; their file's text."""
        name = clean(self.game.name)
        remarks = [f"{_FIRST_WORDS} of {name}, by gdl learn from {played}, seed {self.seed}.", *words]
        text = weights.write(self.game.model, found, remarks)
        if self.as_json:
            numbers = dict(zip(weights.features(self.game.model), map(float, found), strict=True))
            score = None if match is None else match_between_weights.match_record(match)
            telling.answer_json(LearnAnswer(games=self.games, weights=numbers, match=score))
        else:
            telling.answer(text)
        return text


def _file(loaded: gdl.Loaded, output: str | None, ending: str) -> Path | None:
    """Where the weights go."""
    from gdl.formats import tensors

    def is_ours(begins: bytes) -> bool:
        return begins.startswith(f"# {_FIRST_WORDS}".encode()) or tensors.is_such(begins)

    return file_beside(loaded.description, output, ending, "weights", is_ours, "gdl learn")
