"""Two ways to play against each other, many games, and who is stronger.

Each opening, drawn at random, is played twice with the seats exchanged. Of three seats and more each contestant has
every one for itself once, against the other in all others; a game of one player is played by both, and the better play
wins. The score counts a game won as 1 and a game drawn as 1/2. Its interval is Wilson's, for 95 of 100 cases, which a
run of wins does not shrink to nothing; drawn games make it wider than it need be, never narrower. A sequential
test ends the match as soon as the games decide between two differences of strength in Elo, with 5 errors in 100
either way.

In a tournament each of several ways to play meets each of the others, and a table says how strong they are. A strength
in Elo is such that the points that it leads one to expect, of all one's games, are those that were made (Bradley and
Terry's model, by its conditions of greatest likelihood); of each two one game more is counted, as drawn, so that none
is without bounds. The middle of all is 0. The interval is Wilson's of the share of points, as strengths beside the
others'.

Sources: E. B. Wilson, Probable inference (1927); A. Wald, Sequential Analysis (1947); the variance is that of the games
played, as in Van den Bergh's "Generalised sequential probability ratio test" (2020); Bradley, Terry, Rank analysis of
incomplete block designs, 1952; Hunter, MM algorithms for generalized Bradley-Terry models, 2004.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import log
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple, TypeAlias

from gdl.compiler.compiled_engine import falling_back
from gdl.errors import LimitReached, Refusal, WrongRequest, clean
from gdl.formats.files import write
from gdl.game import Action, Chance, Decision, Game, Terminal, surely_at
from gdl.interpreter.position import Continuation
from gdl.numbers import to_text
from gdl.playing.loading import Asked, Remark, ignore
from gdl.solution import Solution
from gdl.solvers import SOLVERS, solve
from gdl.solvers.budget import SearchLimits
from gdl.states.playouts import LONG_PLAY, warn_of_length
from gdl.states.sequential import Sequential
from gdl.states.tally import interval
from gdl.wings.arena import records
from gdl.wings.arena.answers import Decided, MatchForfeit
from gdl.wings.arena.computer import NOBODY, Company, Computer, SearchWork
from gdl.wings.arena.draws import draw_action, seed_after
from gdl.wings.arena.play_records import is_collection, of_play, text_for
from gdl.wings.arena.program import External, GivesUp

RANDOM, USUAL = "random", "gdl"  # contestants that are no solvers: random actions; the computer of `gdl play`
NORMAL = 1.959964  # standard deviations: 95 of 100 cases
ERROR = 0.05  # probability of a wrong decision between two differences in Elo, either way
HIGHEST = 4000.0  # Elo from the middle
ROUNDS = 200  # of computing every strength from those of the others


class Contestant:
    """A way to play, written as in `depth-limited:depth=3`."""

    def __init__(
        self, game: Game[Any], text: str, solver: str, options: Mapping[str, Any], seconds: float, seed: int,
        weighed: bool = False, company: Company = NOBODY,
    ):  # fmt: skip
        """`seconds`: the time for a move whose work nothing else bounds. `weighed`: True if it plays by weights of its
        own. As long as the `book` has a move, that is played."""
        self.text, self.solver, self.options, self.seconds, self.seed = text, solver, options, seconds, seed
        self.game, self.weighed, self.company = game, weighed, company
        self.turns = Sequential(game)
        self.state = self.turns.initial()
        if game.traits.perfect_information is not True and solver not in (RANDOM, USUAL):
            raise Refusal(f"{solver} would see what {game.name} hides; let {USUAL} and {RANDOM} play it")
        self.work = SearchWork()
        self._computer: Any = None
        counted = "simulations" in self.options.keys() <= {"simulations", "c"}
        self.counts_simulations = self.solver == "mcts" and counted  # and nothing else bounds its work

    def begin(self) -> None:
        self.state = self.turns.initial()

    def see(self, action: Action) -> None:
        """Take note of an action that was played, by whomever."""
        self.state = self.turns.successor(self.state, action)

    def close(self) -> None:
        """End the work of the contestant after the match."""

    def move(self, node: Decision, draw: str) -> Action:
        """Choose an action at a decision; `draw` seeds random choices."""
        if self.solver == RANDOM:
            return Random(draw).choice(node.actions)
        if len(node.actions) == 1:
            return node.actions[0]
        begun = process_time()
        self.work.moves += 1
        action = self._usual_action(node.player) if self.solver == USUAL else self._search_move(node, draw)
        self.work.seconds += process_time() - begun
        return action

    def _usual_action(self, player: int) -> Action:
        if self._computer is None:
            self._computer = Computer(self.game, "auto", self.seed, self.seconds, company=self.company)
            self._computer.get_ready()
            self._computer.manner.work = self.work
        action: Action = self._computer.move(self.state, player)
        return action

    def _search_move(self, node: Decision, draw: str) -> Action:

        from gdl.wings.arena.contest import move

        position = Continuation(self.game, self.state.state)
        if self.counts_simulations and position.engine.fast and not SOLVERS["mcts"].lacks(self.game.traits):
            action, nodes = falling_back(
                lambda: move(position, seed=self.seed, **self.options), position, self.company.fault
            )
            self.work.nodes += nodes
            if action is not None:
                return action
        row = SOLVERS.get(self.solver)
        if row is not None and row.own:  # nobody judges it between two moves
            given = dict(self._limits())
            limits = SearchLimits(given.pop("nodes", None), given.pop("time", self.seconds))
            work: Callable[[], Solution] = partial(row.run, position, limits, **given)
        else:
            work = partial(solve, position, self.solver, **self._limits())
        ended: str | None = None
        try:
            found: Any = falling_back(work, position, self.company.fault)
        except LimitReached as stop:
            found, ended = stop.partial, str(stop)
        self.work.note_search(found, " second" in (ended or getattr(found, "limit", None) or ""))
        if isinstance(found, Solution) and found.best:
            return found.best[0]
        self.work.unfound += 1
        return Random(draw).choice(node.actions)

    def _limits(self) -> Mapping[str, Any]:
        """The solver's options, with the time of a move where nothing else bounds the work."""
        takes = SOLVERS[self.solver].options if self.solver in SOLVERS else {}
        bounded = self.options.keys() & {"time", "depth", "nodes", "simulations"}
        time = {} if bounded or (takes and "time" not in takes) else {"time": self.seconds}
        seed = {"seed": self.seed} if self.solver in SOLVERS and SOLVERS[self.solver].accepts("seed") else {}
        return seed | time | dict(self.options)


Player: TypeAlias = Contestant | External


@dataclass
class Score:
    """Results of games, as the first contestant's."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    gain: list[Any] = field(default_factory=list)  # its utility per game; unless two play, less the other's
    forfeits: list[MatchForfeit] = field(default_factory=list)  # games that a program gave up, and why

    @property
    def games(self) -> int:
        return sum(self.counts)

    @property
    def counts(self) -> tuple[int, int, int]:
        """How many games were won, drawn and lost."""
        return self.won, self.drawn, self.lost

    @property
    def share(self) -> float:
        return (self.won + self.drawn / 2) / self.games

    def count(self, own: Any, other: Any, gain: Any) -> None:
        """Count a game that ended with the contestant's utility `own` and the other's; `gain` is appended to the
        gains."""
        self.won += own > other
        self.drawn += own == other
        self.lost += own < other
        self.gain.append(gain)

    def interval(self) -> tuple[float, float]:
        """Wilson's 95% interval of the share of points."""
        return interval(self.won + self.drawn / 2, self.games, NORMAL)

    def likelihood(self, low: float, high: float) -> float:
        """The logarithm of how many times likelier the games are with a difference of `high` Elo than with one of
        `low`."""
        counts = (self.won + 0.5, self.drawn + 0.5, self.lost + 0.5)  # half a game of each kind, so that none is never
        total = sum(counts)
        mean = (counts[0] + counts[1] / 2) / total
        variance = sum(n * (points - mean) ** 2 for n, points in zip(counts, (1, 0.5, 0), strict=True)) / total
        below, above = expected_score(low), expected_score(high)
        return total * (above - below) * (2 * mean - below - above) / (2 * variance)

    def decide(self, sprt: tuple[float, float] | None) -> Decided | None:
        """Decide by the games between two differences in Elo: `higher` or `lower`; None if they do not decide yet, or
        if there is no test."""
        if sprt is None:
            return None
        bound, found = log((1 - ERROR) / ERROR), self.likelihood(*sprt)
        return "higher" if found >= bound else "lower" if found <= -bound else None


def expected_score(elo: float) -> float:
    """The share of points, from 0 to 1, that a player who is stronger by `elo` is expected to win."""
    return float(1 / (1 + 10 ** (-elo / 400)))


@dataclass
class Contest:
    """Games between two contestants, each opening with the seats shared in all ways, and the score of the first."""

    asked: Asked
    pair: Sequence[Player]
    openings: int
    seed: int
    folder: str | None = None  # of the records, or the one file of all; None: they are not kept
    remark: Remark = ignore
    kept: list[str] = field(default_factory=list)  # the records in the one file of all, as texts
    prefix: str = ""  # of the names of files in the folder
    score: Score = field(default_factory=Score)

    def __post_init__(self) -> None:
        """List the ways to share the seats; check that records can be kept."""
        if self.folder is not None and is_collection(self.folder):
            try:
                text_for(self.folder, of_play(self.asked, (), {}))
            except WrongRequest as wrong:
                raise WrongRequest(wrong.problems[0].message, help="name a folder") from None
        self.ways: Sequence[tuple[Player, ...]] = _arrangements(self.pair, len(self.asked.game.players))

    def play(self, number: int) -> None:
        """Play game `number`, from 1, and count its score; an opening is repeated until the contestants have shared the
        seats in all ways. In a game of one player each of them plays it."""
        ways, score = self.ways, self.score
        opening, way = divmod(number - 1, len(ways))
        opening, plays = (number, ways) if len(ways[0]) == 1 else (opening + 1, ways[way : way + 1])
        paid: dict[Player, list[Any]] = {one: [] for one in self.pair}
        for of_all, seats in enumerate(plays, (number - 1) * len(plays) + 1):
            play = ContestPlay(self.asked, seats, self.openings, f"{self.seed}/{opening}", number)
            utilities = play.run()
            for one, utility in zip(seats, utilities, strict=True):
                paid[one].append(utility)
            if play.why:
                loser = seats[play.turn].text
                score.forfeits.append(MatchForfeit(number, loser, play.why))
                self.remark(clean(f"game {number}: {loser} loses, as {play.why}"))
            if self.folder is not None:
                self._keep(_record(self.asked, play, utilities), of_all)
        own, other = (_mean(paid[one]) for one in self.pair)
        score.count(own, other, own if len(ways[0]) == 2 else own - other)

    def _keep(self, record: records.PlayRecord, number: int) -> None:
        """Keep the record of a play: in a file of its own in the folder, or in the one file of all games."""
        assert self.folder is not None
        file = Path(self.folder)
        if is_collection(self.folder):
            self.kept.append(text_for(self.folder, record))
            write(file, "\n".join(self.kept))
            return
        file.mkdir(parents=True, exist_ok=True)
        write(file / f"{self.prefix}game-{number:04}{records.ENDING}", records.write(record))

    def decide(self, number: int, sprt: tuple[float, float] | None) -> Decided | None:
        """The decision of the test `sprt` after game `number`; None until the last opening was played with all ways to
        share the seats."""
        return self.score.decide(sprt) if number % len(self.ways) == 0 or len(self.ways[0]) == 1 else None


class ContestPlay:
    """One game of a match."""

    def __init__(self, asked: Asked, seats: Sequence[Player], openings: int, draws: str, number: int):
        """`draws` seeds the opening, whose first `openings` actions are random, and what chance does; `number` is the
        game's."""
        self.game, self.turns = asked.game, Sequential(asked.game)
        self.seats, self.openings, self.draws, self.number = seats, openings, draws, number
        self.played: list[Action] = []
        self.turn = 0  # the seat that is asked for something
        self.why = ""  # why that seat gave the game up; "": it did not

    def run(self) -> Sequence[Any]:
        """Play the game. Returns the utilities at the end, or those of a forfeit."""
        try:
            for one in dict.fromkeys(self.seats):
                self.turn = self.seats.index(one)
                one.begin()
            return self._end(self.turns.initial())
        except GivesUp as why:
            self.why = str(why)
            return _forfeit_payoffs(self.game, self.turn)

    def _end(self, state: Any) -> Sequence[Any]:
        draw = f"{self.draws}/"
        while not isinstance(node := self.turns.node(state), Terminal):
            action = self._action(node, draw)
            state = self.turns.successor(state, action)
            for one in dict.fromkeys(self.seats):
                one.see(action)
            self.played.append(action)
            draw = seed_after(draw, action)
            if len(self.played) == LONG_PLAY:
                warn_of_length(self.game.name)
        return node.utilities

    def _action(self, node: Any, draw: str) -> Action:
        if isinstance(node, Chance):
            return draw_action(dict(node.outcomes), Random(draw))
        assert isinstance(node, Decision)
        self.turn = node.player
        if len(self.played) < self.openings:
            return Random(draw).choice(node.actions)
        return self.seats[node.player].move(node, f"{draw}/{self.number}")


def _forfeit_payoffs(game: Game[Any], loser: int) -> tuple[Any, Any]:
    """The payoffs of a game of two that `loser` gave up: the loser's least and the other's greatest utility; -1 and 1
    where these are not known."""
    bounds = surely_at(game, game.initial())
    low, high = bounds[loser][0], bounds[1 - loser][1]
    pay = (-1, 1) if low is None or high is None else (low, high)
    return pay if loser == 0 else (pay[1], pay[0])


def _arrangements(pair: Sequence[Player], seats: int) -> list[tuple[Player, ...]]:
    """The ways in which two contestants share the seats: each has every seat for itself once, and the other all other
    seats."""
    ways = [
        tuple(alone if seat == own else others for seat in range(seats))
        for own in range(seats)
        for alone, others in (pair, pair[::-1])
    ]
    return list(dict.fromkeys(ways))


def _mean(utilities: Sequence[Any]) -> Any:
    """The average of a contestant's utilities."""
    return utilities[0] if len(utilities) == 1 else Fraction(sum(utilities)) / len(utilities)


def _record(asked: Asked, play: ContestPlay, utilities: Sequence[Any]) -> records.PlayRecord:
    """The record of a play; if a program gave it up, with the result and the reason."""
    who = {player: one.text for player, one in zip(asked.game.players, play.seats, strict=True)}
    record = of_play(asked, play.played, who)
    if play.why:
        result = ", ".join(f"{p} {to_text(u)}" for p, u in zip(asked.game.players, utilities, strict=True))
        remark = {len(record.actions): f"{play.seats[play.turn].text} gave up: {play.why}"}
        record = replace(record, result=result, remarks=remark)
    return record


# ---- A tournament ------------------------------------------------------------------------------------------------


class Standing(NamedTuple):
    """The results of a contestant in all its games: the score, the strength in Elo, and its 95% interval in Elo."""

    contestant: str
    score: Score
    elo: float
    interval: tuple[float, float]


def standings(names: Sequence[str], scores: Mapping[tuple[int, int], Score]) -> list[Standing]:
    """The table, the strongest first. `scores` has for pairs of contestants, by their places in `names`, the score of
    the first."""
    totals, met = [Score() for _ in names], [dict[int, int]() for _ in names]
    for (a, b), score in scores.items():
        for own, other, won, lost in ((a, b, score.won, score.lost), (b, a, score.lost, score.won)):
            totals[own].won += won
            totals[own].drawn += score.drawn
            totals[own].lost += lost
            met[own][other] = score.games + 1
    elo = [0.0] * len(names)
    for _ in range(ROUNDS):
        for own, total in enumerate(totals):
            points = (total.won + (total.drawn + len(met[own])) / 2) / (total.games + len(met[own]))
            elo[own] = _strength(points, [(elo[other], games) for other, games in met[own].items()])
        middle = sum(elo) / len(elo)
        elo = [one - middle for one in elo]
    found = []
    for own, total in enumerate(totals):
        others = [(elo[other], games) for other, games in met[own].items()]
        low, high = (_strength(share, others) for share in total.interval())
        found.append(Standing(names[own], total, elo[own], (low, high)))
    return sorted(found, key=lambda one: -one.elo)


def _strength(share: float, others: Sequence[tuple[float, int]]) -> float:
    """The strength at which this share of the points is expected, from the numbers of games against opponents of given
    strengths."""
    low, high, games = -HIGHEST, HIGHEST, sum(count for _, count in others)
    for _ in range(60):
        middle = (low + high) / 2
        expected = sum(count * expected_score(middle - elo) for elo, count in others) / games
        low, high = (middle, high) if expected < share else (low, middle)
    return (low + high) / 2
