"""gdl check and gdl test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

import gdl
from gdl import wings
from gdl.commands import completing, console, game_argument
from gdl.commands.console import WrongCommand
from gdl.commands.engines import CompiledCounter, falling_back, game_with_engine, takes_engine
from gdl.commands.help_pages import Command
from gdl.commands.limiting import LOOKING, Limits, briefly, takes_limits
from gdl.commands.progress import is_watched
from gdl.errors import GameError, Interrupted, LimitReached, Problem, Refusal, clean, count_text
from gdl.formats.check_answers import (
    CheckAnswer,
    EngineAnswer,
    ExpectationsAnswer,
    FailedExpectation,
    FileCoverage,
    IdlePart,
    LineShare,
    PlaysAnswer,
)
from gdl.formats.playout_answers import PlaysOfFile
from gdl.game import NO_ENGINE, Game
from gdl.model.games import Model
from gdl.playing.loading import Asking, check_names, load_asked, remark_on_language
from gdl.states.explore import Progress, attach_partial
from gdl.states.game_wrapper import GameWithEngine

if TYPE_CHECKING:
    from gdl.inspection.coverage import Coverage
    from gdl.inspection.expectations import ExpectationOutcome
    from gdl.solution import Solution

PATIENCE = 60.0  # seconds for a file, if nobody says
MOST_PLAYS = 100_000
FIX_ROUNDS = 20  # rounds of corrections of a file, since one problem may hide another
GAMES_KEPT = 20  # loaded games of one file that are kept, by the settings of recorded plays
TOLD_SECONDS = 2.0  # seconds after which a file's time is told
_WORSE = (0, 4, 3)  # exit statuses: fine as far as it was looked at, and wrong


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", shell_complete=completing.games)
@console.takes_json("Print the problems as one JSON object.")
@click.option("--play", "plays", type=click.IntRange(1, MOST_PLAYS), metavar="N",
              help="Also play each game N times at random, and report on the plays.")  # fmt: skip
@click.option("--profile", is_flag=True, help="Also show which lines of a file take the most time in play.")
@click.option("--fix", is_flag=True, help="First correct what the help of a problem says plainly, and show it.")
@takes_limits("time", "memory", usual=LOOKING)
@game_argument.settings_and_variant
def check(
    files: tuple[str, ...],
    plays: int | None,
    profile: bool,
    fix: bool,
    settings: Mapping[str, str],
    variant: str | None,
    limits: Limits,
) -> int:
    """Look for mistakes in game files.

    Reads each file with all its variants, and plays its game for a while: a dead end, a value out of range or a broken
    claim is shown with a shortest play that leads to it. Warnings are about things that only look like mistakes. A file
    that takes longer than a minute is left, and what was found so far is reported. The report ends with the engine that
    plays the game, and with what keeps the compiled engine from it. --play adds how long plays are, how often each
    player wins, and which actions and ends no play met; --profile adds the lines that take the time.
    """
    if profile and len(files) > 1:
        raise console.WrongCommand("--profile is for a single file", help="name one file")
    if fix:
        with (limits if limits.seconds is not None else replace(limits, seconds=PATIENCE)).enforce():
            for file in game_argument.spread(files):
                _fix(file, settings, variant)
    run = _CheckRun(settings, variant, plays, profile)
    status = run.check(files, limits)
    if console.is_json():
        single = next(iter(run.engines.values()), None) if len(files) == 1 else None
        console.answer_json(
            CheckAnswer(
                console.problem_records(console.GAME), run.played if plays else None, single,
                run.engines if len(files) > 1 else None, run.profiled,
            )
        )  # fmt: skip
    return status


def _fix(file: str, settings: Mapping[str, str], variant: str | None) -> None:
    """Correct a file as its problems say, and show the changes; repeat for problems found then. If a limit stops it,
    the corrections so far are kept."""
    text, name, folder = game_argument.text_in_place(file)
    mended = [text]
    try:
        mended += _mend_in_rounds(text, name, folder, settings, variant)
    finally:
        if len(mended) > 1:
            game_argument.write_in_place(file, text, mended[-1])
            if not console.is_json():
                lines = unified_diff(text.splitlines(), mended[-1].splitlines(), file, file, lineterm="")
                console.answer("\n".join(map(clean, lines)))


def _mend_in_rounds(text: str, name: str, folder: Path | None, *chosen: Any) -> Iterator[str]:
    """Yield the text after each round of corrections. A correction after which the same problem is still there on its
    line is given up."""
    from gdl.formats.problems import replacement, with_edits
    from gdl.inspection.findings import inspect_text

    def look(text: str) -> list[Problem]:
        try:
            return list(inspect_text(text, name, folder, gdl.play, *chosen).problems)
        except GameError as wrong:
            return list(wrong.problems)

    def places(problems: Iterable[Problem]) -> set[tuple[str, int]]:
        return {(one.message, one.span.line) for one in problems if one.span and replacement(one) is not None}

    def failed_places(asked: list[Problem], left: list[Problem]) -> set[tuple[str, int]]:
        """The corrections in whose place another error now stands that nothing corrects."""
        known = {(one.message, one.span.line) for one in asked if one.span}
        new = [one.span for one in left if one.span and not one.warning and replacement(one) is None
               and (one.message, one.span.line) not in known]  # fmt: skip
        return {
            (one.message, one.span.line)
            for one in asked
            if one.span and (told := replacement(one)) is not None and one.kind != "unknown-sign"
            for span in new
            if span.line == one.span.line and abs(span.column - one.span.column) <= len(told)
        }

    problems, useless = look(text), set[tuple[str, int]]()
    for _ in range(FIX_ROUNDS):
        asked = [one for one in problems if one.span and (one.message, one.span.line) not in useless]
        after = with_edits(text, name, asked)
        if after == text:
            return
        left = look(after)
        if still := (places(left) & places(asked)) | failed_places(asked, left):
            useless |= still
        else:
            text, problems = after, left
            yield text


@dataclass
class _CheckRun:
    """The options of the command line for each file, and the findings for JSON."""

    settings: Mapping[str, str]
    variant: str | None
    plays: int | None
    profile: bool
    played: list[PlaysOfFile] = field(default_factory=list)
    engines: dict[str, EngineAnswer] = field(default_factory=dict)
    profiled: Sequence[LineShare] | None = None

    def check(self, files: tuple[str, ...], limits: Limits) -> int:
        """Check the files: print all problems and, for text, which files are fine. Returns the exit status."""
        status = 0
        timed = limits.seconds is not None
        for file in game_argument.spread(files):
            try:
                with (limits if timed else replace(limits, seconds=PATIENCE, is_user_set=False)).enforce(
                    "positions"
                ) as progress:
                    found = 0 if self._check_file(file, progress) else 3
            except (LimitReached, Interrupted) as stop:
                with briefly(stop):
                    found = 4 if self._tell(file, stop.partial, stopped=True) else 3
                if timed or isinstance(stop, Interrupted):
                    raise
                console.remark(f"{clean(file)}: {stop}")
            status = max(status, found, key=_WORSE.index)
        return status

    def _check_file(self, file: str, progress: Progress | None) -> bool:
        """Check a file and print the findings; True if it has no error. Then play its game at random, if that was asked
        for; a library has no game."""
        from gdl.inspection.findings import inspect_text
        from gdl.syntax.composition import is_library

        try:
            text, name, folder = game_argument.read_text(file)
            if self.settings or self.variant:
                check_names(text, name, folder, self.settings, self.variant)
            look = wings.installed_hook("kept findings") or inspect_text
            found = look(text, name, folder, _play, self.settings, self.variant, progress)
        except GameError as wrong:
            console.problems(wrong.problems)
            return False
        with attach_partial(lambda: found):  # the engine that plays it may take long to make
            is_fine = self._tell(name, found)
        if is_fine and self.plays is not None and not is_library(gdl.described(text, name, folder).sections):
            asked = load_asked(Asking(text, name, self.settings, self.variant, folder=folder))
            told = wings.hook("check --play")(name, asked, self.plays, progress)
            self.played += [] if told is None else [told]
        return is_fine

    def _tell(self, name: str, found: object, stopped: bool = False) -> bool:
        """Print what was found in a file, even if the check was stopped early; True if the file has no error."""
        from gdl.inspection.findings import Inspection

        if not isinstance(found, Inspection):
            return True
        console.problems(found.problems)
        if any(not problem.warning for problem in found.problems):
            return False
        none = "nothing wrong so far" if stopped else "fine"
        warnings = {0: none, 1: "1 warning"}.get(len(found.problems), f"{len(found.problems)} warnings")
        which = "all " if found.complete else "the first "
        few = {0: "no position", 1: "the only position" if found.complete else "the first position"}
        played = few.get(found.states, which + count_text(found.states, "position"))
        self._tell_engine(name, found.game, f"{clean(name)}: {warnings}; {played} looked at")
        return True

    def _tell_engine(self, name: str, game: Game[Any] | None, told: str) -> None:
        """Print the line on a file (`told`) with the engine that plays its game, if it is one by rules; with --profile,
        also the lines that take the time."""
        from gdl.compiler.compiled_engine import by_rules, is_by_rules, playing_engine
        from gdl.formats.problems import problem_record

        if game is None:
            engine, because = None, None
        else:
            engine, because = playing_engine(game)
            record = None if because is None else problem_record(because, console.ENGINE)
            self.engines[clean(name)] = EngineAnswer(engine, record)  # type: ignore[arg-type]
        if game is not None and is_by_rules(game):
            told += f"; the {'interpreter' if engine == 'interpreter' else 'compiled engine'} plays it"
        if not console.is_json():
            console.answer(told)
            if because is not None:
                console.answer(str(because).replace("warning:", "slow:", 1))
        if self.profile and game is not None and is_by_rules(game):
            from gdl.commands.checking_profile import report_lines

            self.profiled = report_lines(name, by_rules(game)[0], engine or "interpreter")


def _play(model: Model) -> Game[Any]:
    """The game of a model, with a remark if it is slow: a check of such a one takes long."""
    game = gdl.play(model)
    remark_on_language(game, console.remark)
    return game


@click.command(cls=Command)
@click.argument("files", nargs=-1, metavar="[FILE|FOLDER]...", shell_complete=completing.games)
@click.option("--coverage", is_flag=True, help="Also list the parts of the rules that never fired.")
@click.option("--plays", metavar="FILE", help="Replay the recorded plays of this file (.jsonl), and report the first "
                                              "difference from the rules.")  # fmt: skip
@console.takes_json("Print what failed as one JSON object.")
@takes_engine
@takes_limits("time", "memory")
@game_argument.settings_and_variant
def test(
    files: tuple[str, ...],
    coverage: bool,
    plays: str | None,
    engine: str,
    settings: Mapping[str, str],
    variant: str | None,
    limits: Limits,
) -> int:
    """Check the known answers of game files.

    Runs the `expect` lines of every file, by default of the games that come with gdl. With --coverage, plays each game
    and its variants at random as well, and lists the guards, effects and ends that never fired.
    """
    if plays is not None:
        with limits.enforce():
            return _replay(files, plays, settings, variant)
    report = _Report()
    with limits.enforce():
        for file in game_argument.spread(files) if files else gdl.shipped():
            report.games += 1
            started = monotonic()
            try:
                _run_expectations(file, settings, variant, coverage, engine, report)
            except GameError as wrong:
                console.problems(wrong.problems)
                report.broken += 1
            if monotonic() - started > TOLD_SECONDS and is_watched():
                console.remark(f"{clean(file)}: {monotonic() - started:.1f} s")
    report.end()
    return 3 if report.broken else 1 if report.failures else 0


def _replay(files: tuple[str, ...], plays: str, settings: Mapping[str, str], variant: str | None) -> int:
    """Check recorded plays against the rules of one game; returns the exit status."""
    from gdl.inspection.recorded_plays import difference, read_plays

    if len(files) != 1:
        raise WrongCommand("--plays is for one game", help="name its file: gdl test GAME --plays FILE.jsonl")
    games: dict[str, Game[Any]] = {}

    def game_of(play: Mapping[str, Any]) -> Game[Any]:
        given = (play.get("set") or {}).items()
        own = {name: ",".join(map(str, v)) if isinstance(v, list) else str(v) for name, v in given}
        asked = {**own, **settings}, variant or play.get("variant")
        if len(games) > GAMES_KEPT:
            games.clear()
        if str(asked) not in games:
            games[str(asked)] = game_argument.load(files[0], *asked).game
        return games[str(asked)]

    count, found = 0, None
    with game_argument.open_bytes(plays) as stream:
        for count, play in enumerate(read_plays(stream, plays), start=1):
            found = found or difference(game_of(play), play, count)
    told = count_text(count, "play")
    if found is None:
        text = f"{told}, no difference from the rules"
    else:
        place = clean(files[0]) if found.line is None else f"{clean(files[0])}:{found.line}"
        text = f"{place}: play {found.play}, ply {found.ply}: {found.message} ({found.kind})"
    console.answer_as(lambda: PlaysAnswer(count, found), lambda: text)
    return 1 if found else 0


@dataclass
class _Report:
    """The results of expectations, printed as they come or, as JSON, at the end."""

    games: int = 0
    expectations: int = 0
    failures: int = 0
    broken: int = 0
    failed: list[FailedExpectation] = field(default_factory=list)
    idle: list[IdlePart] = field(default_factory=list)  # parts of the rules that never fired
    coverage: list[FileCoverage] = field(default_factory=list)

    def expectation(self, name: str, outcome: ExpectationOutcome) -> None:
        self.expectations += 1
        if outcome.holds:
            return
        self.failures += 1
        file, line = clean(name), outcome.span.line
        text, found = clean(outcome.text), clean(outcome.found)
        self.failed.append(FailedExpectation(file, line, text, found))
        if not console.is_json():
            console.answer(f"{file}:{line}: {text}, but found {found}")

    def add_coverage(self, name: str, coverage: Coverage) -> None:
        """Add a file's coverage, and print every part of its rules that never fired."""
        missing = coverage.missing()
        for part in missing:
            line, column = part.span.source.position(part.span.start)
            file, text = clean(part.span.source.name), clean(part.text())
            self.idle.append(IdlePart(file, line, column, part.kind, text))
            if not console.is_json():
                console.answer(f"{file}:{line}:{column}: {part.kind} {part.missing()}: {text}")
        parts, fired = len(coverage.parts), len(coverage.parts) - len(missing)
        self.coverage.append(FileCoverage(clean(name), parts, fired))
        if not console.is_json():
            console.answer(f"{clean(name)}: {fired} of {parts} guards, effects and ends fired")

    def end(self) -> None:
        if not console.is_json():
            console.answer(_summary(self.games, self.expectations, self.failures, self.broken))
            return
        idle, problems = self.idle if self.coverage else None, console.problem_records(console.GAME)
        told = ExpectationsAnswer.fill_from(self, coverage=self.coverage or None, idle=idle, problems=problems)
        console.answer_json(told)


def _run_expectations(
    file: str, settings: Mapping[str, str], variant: str | None, coverage: bool, engine: str, report: _Report
) -> None:
    """Run the expectations of a file one by one."""
    from gdl.inspection.expectations import run
    from gdl.solvers import solve
    from gdl.states import count

    def solve_falling_back(game: Game[Any], *asked: Any, **options: Any) -> Solution:
        try:
            return falling_back(lambda: solve(game, *asked, **options), game)
        except Refusal:
            if not game.engine.is_user_choice:
                raise  # else the engine that was named has no such search, or does not take the game
            return solve(GameWithEngine(game, NO_ENGINE), *asked, **options)

    play: Callable[[Model], Game[Any]] = partial(game_with_engine, engine=engine)
    watch = None
    if coverage:
        from gdl.inspection.coverage import Coverage

        watch = Coverage(gdl.play)
        play = watch.play
    text, name, folder = game_argument.read_text(file)
    description = gdl.described(text, name, folder)
    if settings or variant:
        check_names(text, name, folder, settings, variant)
    counting = count if watch else CompiledCounter(engine)
    for outcome in run(description, play, solve_falling_back, settings, variant, counting):
        report.expectation(name, outcome)
    if watch is not None:
        from gdl.inspection.coverage import play_at_random

        play_at_random(watch, description, settings)
        report.add_coverage(name, watch)


def _summary(games: int, expectations: int, failures: int, broken: int) -> str:
    counted = f"{count_text(games, 'game')}, {count_text(expectations, 'expectation')}"
    ends = [f"{failures} {'fails' if failures == 1 else 'fail'}"] if failures else []
    ends += [f"{broken} {'game is' if broken == 1 else 'games are'} wrong"] if broken else []
    return f"{counted}, {' and '.join(ends) or 'all hold'}"
