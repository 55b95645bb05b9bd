"""gdl report: what plays between agents tell the designer of a game."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import monotonic, process_time
from typing import TYPE_CHECKING, NamedTuple

import click

import gdl
from gdl.commands import completing, console, engines, sweep_option
from gdl.commands.command_table import refuse_clashes
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import ask, takes_game
from gdl.commands.help_pages import Command
from gdl.commands.limiting import Limits, briefly, takes_limits
from gdl.compiler.compiled_engine import by_rules, is_by_rules
from gdl.errors import EngineFault, GameError, LimitReached, Refusal, clean, listing
from gdl.formats import files
from gdl.game import without_rewards
from gdl.model.games import RulesModel
from gdl.numbers import read_number, to_text
from gdl.playing.loading import Asked, Asking, continue_game
from gdl.states.explore import Progress
from gdl.wings.arena.company import company
from gdl.wings.arena.contestants import RANDOM, Contestant
from gdl.wings.arena.match_command import SECONDS, contestant
from gdl.wings.report import agents as report_agents
from gdl.wings.report import report_text
from gdl.wings.report.figures import Report, report_of
from gdl.wings.report.play_workers import MOST_PROCESSES, results_by_workers
from gdl.wings.report.position_judges import JUDGED_BY, position_judge
from gdl.wings.report.report_answers import GameSizeAnswer, LadderRung
from gdl.wings.report.trace import ENDLESS, Trace, play
from gdl.wings.report.tree_size import COUNTED, tree_size, work_limit

if TYPE_CHECKING:
    from gdl.wings.arena.contest_driver import KernelContest
    from gdl.wings.arena.listed_moves import ListedMoves

LEAST_BUDGET = 25  # simulations of the weaker of a rung
MOST_RUNGS = 8
SEEDS = 1_000_003  # a prime: plays of one seed and of the next have no seed in common, up to so many
RANDOM_PLAYS = 20  # with which a report begins where a search plays by default,
RANDOM_SECONDS = 2.0  # for at most so long once one of them has ended;
FEW_PLAYS = 5  # of the search: if fewer ended at a stop, the random ones tell more,
PATIENCE = 3  # and if none of so many ended, the search is given up
USUAL_TIME = 30.0  # seconds after which a search whose plays do not end is given up, where nobody has set anything
LEADS = ("auto", "exact", "evaluate", "search", "none")


class ReportSweep(NamedTuple):
    """A parameter and its values, as they were written."""

    name: str
    values: tuple[str, ...]


def _sweep(ctx: click.Context, parameter: click.Parameter, text: str | None) -> ReportSweep | None:
    """NAME=1,2,3 or, as in gdl solve, NAME=LOW..HIGH:STEP."""
    if text is None:
        return None
    if ".." in text:
        wanted = sweep_option.read(ctx, parameter, (text,))
        assert wanted is not None
        return ReportSweep(wanted.name, tuple(map(to_text, wanted.values)))
    name, equals, rest = text.partition("=")
    values = tuple(dict.fromkeys(value.strip() for value in rest.split(",")))
    if not (name.strip() and equals and all(values)):
        raise click.BadParameter(f"'{clean(text[:60])}' is not of the form NAME=1,2,3 or NAME=LOW..HIGH:STEP")
    for value in values:
        try:
            read_number(value)
        except ValueError:
            if not value.isidentifier():
                raise click.BadParameter(f"'{clean(value[:60])}' is neither a number nor a name") from None
    return ReportSweep(name.strip(), values)


@dataclass
class ReportRequest:
    """The settings from the command line that hold for every game of the report."""

    agents: tuple[str, ...]
    games: int
    seed: int
    opening: int
    lead: str
    engine: str
    workers: int | None = None  # processes that make the plays; None: this one


@dataclass
class ReportCase:
    """A game of the report, with its plays once they have begun (`table`)."""

    label: str
    asked: Asked
    restriction: tuple[str, str] | None = None  # an action, and the seat that is without it
    table: ReportSession | None = None
    random: ReportSession | None = None  # plays at random, made before those of a search
    is_given_up: bool = False  # True if the search's plays do not end, and random ones stand for them

    @property
    def report_so_far(self) -> Report | None:
        """The report of the plays so far, of those at random if few of the search have ended; None if there are
        none."""
        first = None if self.random is None else self.random.report()
        found = None if self.table is None else self.table.report()
        ended = 0 if found is None else len(found.ended_plays)
        if first is None or not first.traces:
            return found if found is not None and found.traces else None
        if not self.is_given_up and ended >= min(FEW_PLAYS, len(first.ended_plays) or 1):
            return found if found is not None and found.traces else None
        return replace(first, search=found)


@dataclass
class Work:
    """The work on a whole report, with its results so far."""

    wanted: ReportRequest
    cases: list[ReportCase]
    ladder: int | None
    patience: float | None = None  # seconds for a search whose plays do not end; None: no limit
    rungs: list[LadderRung] = field(default_factory=list)

    def run(self, progress: Progress) -> None:
        """Play all plays of all games, then the ladder of the first game. If a limit stops this, the results so far
        stay."""
        done = 0
        for case in self.cases:
            case.table = ReportSession(case.asked, self.wanted, restriction=case.restriction)
            if self.wanted.workers is None and len(self.cases) == 1 and case.table.searches_by_default:
                self._play_at_random(case)
                if self.patience is not None:
                    case.table.until = monotonic() + self.patience
            for _ in case.table.plays():
                done += 1
                progress(done)
                if case.random is not None and (
                    case.table.is_given_up or (done == PATIENCE and not case.table.report().ended_plays)
                ):
                    case.is_given_up = True
                    self._play_at_random(case, self.wanted.games)
                    break
        for high in self.budgets:
            self._climb(high, progress, done)
            done += self.wanted.games

    def _play_at_random(self, case: ReportCase, games: int = RANDOM_PLAYS) -> None:
        """Play at random: at first a few plays, so that there is something to report if those of a search never end;
        `games` in place of such a search."""
        wanted = replace(self.wanted, agents=(RANDOM,), games=min(games, self.wanted.games))
        if games == RANDOM_PLAYS:
            wanted.lead = "none"
        case.random, begun = ReportSession(case.asked, wanted, sized=games != RANDOM_PLAYS), process_time()
        for _ in case.random.plays():
            if games == RANDOM_PLAYS and process_time() > begun + RANDOM_SECONDS:
                break

    @property
    def reports(self) -> list[tuple[str, Report]]:
        """The reports of the games that were played; of the first game, with no play, if there was no time for one."""
        found = [(case.label, report) for case in self.cases if (report := case.report_so_far) is not None]
        case, wanted = self.cases[0], self.wanted
        agents = wanted.agents or (report_agents.default_agent(case.asked.game),)
        return found or [(case.label, report_of(case.asked.game, agents, wanted.seed, [], None, None, wanted.games))]

    @property
    def budgets(self) -> list[int]:
        """The budgets of simulations that play against half of themselves, the smallest first."""
        halves = [] if self.ladder is None else [self.ladder >> k for k in range(MOST_RUNGS)]
        return [budget for budget in reversed(halves) if budget >= 2 * LEAST_BUDGET]

    @property
    def total(self) -> int:
        return self.wanted.games * (len(self.cases) + len(self.budgets))

    def _climb(self, high: int, progress: Progress, done: int) -> None:
        """Play the rung of the ladder in which `high` simulations play against half as many, the seats exchanged after
        every play. `done` is the number of plays before."""
        wanted = replace(self.wanted, agents=(f"mcts:{high}", f"mcts:{high // 2}"), lead="none")
        table, place = ReportSession(self.cases[0].asked, wanted, sized=False), len(self.rungs)
        for number, _ in enumerate(table.plays(), start=1):
            found = table.report().standings[0]
            self.rungs[place:] = [LadderRung(high, high // 2, found.plays, found.score)]
            progress(done + number)


def _agent(asked: Asked, text: str, wanted: ReportRequest) -> Contestant:
    """The agent that the text describes: a solver with options, `mcts:200` for short, `random`, `gdl`, or a file of
    weights."""
    made = contestant(asked, report_agents.expand_agent(text), wanted.engine, SECONDS, wanted.seed)
    made.text = text
    return made


class ReportSession:
    """The agents that play a game, and all plays of it."""

    def __init__(
        self, asked: Asked, wanted: ReportRequest, sized: bool = True, restriction: tuple[str, str] | None = None
    ):  # fmt: skip
        self.game, self.wanted = asked.game, wanted
        without_rewards(self.game, "gdl report")
        self.texts = wanted.agents or (report_agents.default_agent(self.game),)
        if len(self.texts) > 1 and len(self.game.players) == 1:
            raise Refusal(f"{clean(self.game.name)} has one player; name one agent")
        self.agents = [_agent(asked, text, wanted) for text in self.texts]
        self.judged_by, self._judge = position_judge(
            self.game, wanted.lead, self.texts, wanted.engine, wanted.seed, lambda: self._positions, company()
        )  # fmt: skip
        self._offered = engines.offer(self.game, wanted.engine)
        self._searching = [report_agents.as_tree_search(agent) for agent in self.agents]
        self.size: GameSizeAnswer | None = None
        self._sized = sized
        self._seatings = report_agents.seatings(len(self.agents), len(self.game.players))
        self._told = (asked.by, restriction, wanted)
        self.traces: list[Trace] = []
        self.unfinished: Trace | None = None  # the play that was stopped
        self.until: float | None = None  # the moment from which on a play that does not end is the last

    @property
    def searches_by_default(self) -> bool:
        """True if nobody has named the agents, and a search plays."""
        return not self.wanted.agents and self.texts != (RANDOM,)

    @property
    def is_given_up(self) -> bool:
        """True if the last play had not ended after so many plies that further ones are not worth their time."""
        return self._is_late() and self.traces[-1].is_endless and self.traces[-1].plies >= ENDLESS

    def _is_late(self) -> bool:
        return self.until is not None and monotonic() > self.until

    def play(self, number: int) -> Trace:
        """Play the play of this number, from which all random choices follow."""
        return engines.falling_back(lambda: self._play(number), self._offered)

    def _play(self, number: int) -> Trace:

        wanted, seed = self.wanted, self.wanted.seed * SEEDS + number
        for one in self.agents:
            one.seed = seed
        places = self._seatings[number % len(self._seatings)]
        moves: KernelContest | ListedMoves | None = (ahead := self.search_moves)
        plays_at_random = {agent.solver for agent in self.agents} == {RANDOM}
        if ahead is not None:
            ahead.begin([self._searching[place] for place in places], seed)
        elif self._offered.engine.fast and plays_at_random and (by_lot := self._row_moves) is not None:
            by_lot.begin()
            moves = by_lot
        gives_up = self._is_late if self.until is not None else None
        draw = f"{wanted.seed}/{number}"
        return play(self.game, self.agents, places, draw, self._judge, wanted.opening, moves, gives_up)

    @cached_property
    def _positions(self) -> int | None:

        for engine in (self.wanted.engine, "interpreter"):  # which counts what an engine refuses
            with suppress(Refusal):
                try:
                    return engines.states(self.game, engine, COUNTED, work_limit(self.game)).states
                except (LimitReached, GameError):  # a fault of the rules is told where agents meet it
                    break
        return None

    @property
    def search_moves(self) -> KernelContest | None:
        """The source of moves for agents that are tree search; None if no agent is, or if the compiled engine does not
        work."""
        return self.kernel_contest if any(self._searching) and self._offered.engine.fast else None

    @cached_property
    def _row_moves(self) -> ListedMoves | None:
        """Random moves on the compiled engine; None if it does not take the game."""
        from gdl.compiler import wasm

        if not is_by_rules(self.game) or not wasm.available():
            return None
        from gdl.wings.arena.listed_moves import listed_moves

        watched = self.judged_by in ("exact", "search")
        return listed_moves(*by_rules(self.game), "wasm", watched, self.judged_by == "evaluate")

    @cached_property
    def kernel_contest(self) -> KernelContest | None:
        """The contest that makes the moves of all agents that are tree searches, many at once, and judges positions;
        None if the compiled engine cannot play the game."""
        from gdl.wings.arena.contest import TreeSearchAgent, contest

        most = max(filter(None, self._searching), key=lambda tree: tree.simulations)
        judge = TreeSearchAgent(JUDGED_BY) if self.judged_by == "search" else None
        is_exact, evaluates = self.judged_by == "exact", self.judged_by == "evaluate"
        return contest(self._offered, most, judge, self.wanted.seed, is_exact, evaluates)

    def plays(self) -> Iterator[None]:
        """Make all plays, and yield after each; at the end estimate the size of the game."""
        numbers, workers = range(self.wanted.games), self.wanted.workers
        here = map(self.play, numbers)
        try:
            for trace in here if workers is None else results_by_workers(workers, prepare, self._told, numbers):
                self.traces.append(trace)
                yield
        except KeyboardInterrupt as stop:
            made = getattr(stop, "partial", None)
            nothing = Trace(self._seatings[0], None, (), frozenset(), 0, None, None, (), ())
            self.unfinished = made if isinstance(made, Trace) else nothing
            raise
        if self._sized:
            fast = None
            with suppress(EngineFault):  # walks are made by whichever engine can: the number of them is to be the same
                fast = self._row_moves.walk if self._row_moves is not None else None
            self.size = tree_size(self.game, self.wanted.seed, self._positions, fast)

    def report(self) -> Report:

        found = self.traces or [trace for trace in (self.unfinished,) if trace is not None]
        return report_of(self.game, self.texts, self.wanted.seed, found, self.size, self.judged_by, self.wanted.games)


def prepare(told: tuple[Asking, tuple[str, str] | None, ReportRequest]) -> Callable[[int], Trace]:
    """The function with which a worker's process makes the play of a number. It loads the game without remarks."""
    by, restriction, wanted = told
    with redirect_stderr(io.StringIO()):
        asked = ask(by, quietly=True)
    return ReportSession(asked if restriction is None else _without_action(asked, *restriction), wanted).play


@click.command(cls=Command, rare="lead ladder openings csv seat")
@click.option("--agents", metavar="A,B,…",
              help="Who plays, each at every seat in turn: solvers, as in mcts:200 or depth-limited:3, random, gdl, or "
              "files of weights. By default mcts:100, or random where something is hidden.")  # fmt: skip
@click.option("--games", type=click.IntRange(1, 1_000_000), metavar="N",
              help="Play N times; 100 by default.")  # fmt: skip
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of the random numbers; 0 by default.")
@click.option("--openings", type=click.IntRange(0, 1000), default=0, metavar="PLIES",
              help="Begin with this many random plies; none by default.")  # fmt: skip
@click.option("--lead", type=click.Choice(LEADS), default="auto",
              help="How positions are judged, to see who leads: by values, by evaluate or by a search.")  # fmt: skip
@click.option("--ladder", type=click.IntRange(2 * LEAST_BUDGET, 1_000_000), metavar="N",
              help="Let mcts with N simulations meet mcts with half as many, those a quarter, and so on.")  # fmt: skip
@click.option("--without", multiple=True, metavar="ACTION",
              help="Compare with the game without this action, as drop or drop(4), for the player of --seat. It may be "
              "repeated.")  # fmt: skip
@click.option("--seat", metavar="PLAYER", help="The player for whom --without holds.")
@click.option("--sweep", callback=_sweep, metavar="NAME=1,2,3", shell_complete=completing.parameters,
              help="Compare these values of a parameter.")  # fmt: skip
@click.option("--csv", "table", metavar="FILE", help="Write a row for every play to this file.")
@click.option("-o", "--output", metavar="FILE", help="Write the report as a page, FILE.html.")
@console.takes_json("Print the numbers as one JSON object.")
@click.option("--workers", type=click.IntRange(1, MOST_PROCESSES), metavar="N",
              help="Let N processes make the plays; the report is the same.")  # fmt: skip
@engines.takes_engine
@takes_limits("time", "memory")
@takes_game
def report(
    asked: Asked,
    agents: str | None,
    games: int | None,
    seed: int,
    openings: int,
    lead: str,
    ladder: int | None,
    without: tuple[str, ...],
    seat: str | None,
    sweep: ReportSweep | None,
    table: str | None,
    output: str | None,
    engine: str,
    workers: int | None,
    limits: Limits,
) -> None:
    """Tell a designer how a game plays.

    Agents play it many times. The report says who wins from which seat, how long play takes, how much there is to
    choose from, how large the game is, which terminal lines end it, which actions winners and losers use, how the lead
    changes, and which rules are dead. gdl guide report defines every number.
    """
    if output is not None and not output.endswith(".html"):
        raise WrongCommand(f"'{clean(output)}' is not the name of a page", help="let its name end in .html")
    if ladder is not None and len(asked.game.players) != 2:
        raise WrongCommand("a ladder is for games of two players", help="leave out --ladder")
    named = tuple(report_agents.split_agents(agents)) if agents is not None else ()
    wanted = ReportRequest(named, games or 100, seed, openings, lead, engine, workers)
    patience = USUAL_TIME if limits.seconds is None and not named and games is None else None
    work = Work(wanted, _cases(asked, without, seat, sweep), ladder, patience)
    stopped: str | None = None
    try:
        with limits.enforce("plays", work.total) as progress:
            work.run(progress)
    except (LimitReached, KeyboardInterrupt) as stop:
        stopped = str(stop) if isinstance(stop, LimitReached) else "interrupted"
        with briefly(stop):
            _tell(work, table, output, stopped)
        raise
    _tell(work, table, output, stopped)


def _cases(asked: Asked, without: Sequence[str], seat: str | None, sweep: ReportSweep | None) -> list[ReportCase]:
    """The games of the report: the one that was asked for, or one for each value of a sweep, and one for each action
    that is taken out."""
    found = [ReportCase("", asked)]
    if sweep is not None:
        found = [
            ReportCase(f"{sweep.name} = {value}", _with_setting(asked, sweep.name, value)) for value in sweep.values
        ]
    refuse_clashes("report", {"without": tuple(without), "seat": seat, "sweep": sweep})
    if seat is not None:
        found[0].label = "all actions"
        found += [
            ReportCase(f"without {action} for {seat}", _without_action(asked, action, seat), (action, seat))
            for action in without
        ]
    return found


def _with_setting(asked: Asked, name: str, value: str) -> Asked:
    return ask(asked.by._replace(settings={**asked.by.settings, name: value}), quietly=True)


def _without_action(asked: Asked, action: str, seat: str) -> Asked:
    """The game without the action for that player."""
    from gdl.wings.report.rules_without import NoSuchAction, rules_without_action

    model = asked.loaded.model
    if not isinstance(model, RulesModel):
        raise Refusal(f"{clean(model.name)} has no rules from which an action could be taken out")
    if seat not in model.players:
        known = f"its players are {listing(model.players)}"
        raise console.unknown_name(f"no player is called '{clean(seat)}'", seat, model.players, known)
    try:
        changed = rules_without_action(model, action, model.players.index(seat))
    except NoSuchAction as wrong:
        raise WrongCommand(str(wrong), help=wrong.help) from None
    loaded = replace(asked.loaded, model=changed, game=gdl.play(changed))
    return Asked(loaded, continue_game(loaded, asked.by), asked.by)


def _tell(work: Work, table: str | None, output: str | None, stopped: str | None) -> None:
    from gdl.wings.report.report_page import page

    found = work.reports
    if table is not None:
        files.write(table, report_text.plays_csv(found))
        console.remark(f"the plays are in {clean(table)}")
    if output is not None:
        files.write(output, page(found, work.rungs, stopped))
        console.remark(f"the page is {clean(output)}")
    console.answer_as(
        lambda: report_text.report_record(found, work.rungs, stopped),
        lambda: report_text.text(found, work.rungs),
    )
