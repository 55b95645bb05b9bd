"""gdl match: two ways to play against each other, many games, and who is stronger.

Each opening, drawn at random, is played twice with the seats exchanged. Of three seats and more each contestant has
every one for itself once, against the other in all others; a game of one player is played by both, and the better play
wins. The score counts a game won as 1 and a game drawn as 1/2. Its interval is Wilson's, for 95 of 100 cases, which a
run of wins does not shrink to nothing; drawn games make it wider than it need be, never narrower. `--sprt` ends the
match as soon as the games decide between two differences of strength in Elo, with 5 errors in 100 either way.

Sources: E. B. Wilson, Probable inference (1927); A. Wald, Sequential Analysis (1947); the variance is that of the games
played, as in Van den Bergh's "Generalised sequential probability ratio test" (2020).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import log, sqrt
from pathlib import Path
from random import Random
from typing import Any

import click

from gdl.commands import engines, telling
from gdl.commands.book_option import open_book
from gdl.commands.external_programs import ENGINE, External, announce_forfeit
from gdl.commands.game_argument import takes_game
from gdl.commands.limiting import ABOVE_ZERO, NONE, keeps_limits
from gdl.commands.telling import WrongCommand
from gdl.errors import LimitReached, Refusal, clean, count_text, listing, nearest
from gdl.formats import records
from gdl.formats.files import write
from gdl.game import Action, Chance, Decision, Game, Terminal, surely_at, without_rewards
from gdl.interpreter.position import Continuation
from gdl.numbers import to_text
from gdl.playing.asked_game import Asked, apply_weights, continue_game
from gdl.playing.play_records import of_play
from gdl.playing.program import GivesUp
from gdl.solution import Solution
from gdl.states.mixed_actions import draw_action
from gdl.states.sequential import Sequential

RANDOM, USUAL = "random", "gdl"  # contestants that are no solvers: any action; as in gdl play
SECONDS = 0.1  # for a move
OPENING = 2  # plies
NORMAL = 1.959964  # standard deviations: 95 of 100 cases
ERROR = 0.05  # of a decision by --sprt


class Contestant:
    """A way to play, as `depth-limited:depth=3` writes it."""

    def __init__(self, asked: Asked, text: str, engine: str, seconds: float, seed: int):
        self.text, self.seconds, self.seed = text, seconds, seed
        self.solver, _, rest = text.partition(":")
        words = dict(part.partition("=")[::2] for part in rest.split(",") if part)
        weights, book = words.pop("weights", None), words.pop("book", None)
        self.options = _options(self.solver, words)
        game = asked.game if weights is None else continue_game(apply_weights(asked.loaded, weights), asked.by)
        self.weighed = weights is not None
        self.game = engines.offer(game, engine)
        self.turns = Sequential(self.game)
        self.state = self.turns.initial()
        self.book = None if book is None else open_book(self.game, book)
        if self.game.traits.perfect_information is not True and self.solver not in (RANDOM, USUAL):
            raise Refusal(f"{self.solver} would see what {self.game.name} hides; let {USUAL} and {RANDOM} play it")
        self.searched = self.unfound = 0  # moves that were looked for, and in how many of them nothing was found
        self._computer: Any = None
        counted = "simulations" in self.options.keys() <= {"simulations", "c"}
        self.counts_simulations = self.solver == "mcts" and counted  # and nothing else bounds its work

    @property
    def is_limited_by_time(self) -> bool:
        """Whether the time that every move has, and nothing else, ends its searches."""
        if self.solver in (RANDOM, USUAL):
            return self.solver == USUAL
        return "time" in self._limits() and "time" not in self.options

    def begin(self) -> None:
        self.state = self.turns.initial()

    def see(self, action: Action) -> None:
        """It was played."""
        self.state = self.turns.successor(self.state, action)

    def close(self) -> None:
        """The match is over."""

    def move(self, node: Decision, draw: str) -> Action:
        """What it plays; `draw` seeds what it leaves to chance."""
        if self.solver == RANDOM:
            return Random(draw).choice(node.actions)
        if len(node.actions) == 1:
            return node.actions[0]
        if self.book is not None and (known := self.book.move(self.state.state)) is not None:
            return known
        return self._usual(node.player) if self.solver == USUAL else self._search_move(node, draw)

    def _usual(self, player: int) -> Action:
        from gdl.playing.computer import Computer

        if self._computer is None:
            self._computer = Computer(self.game, "auto", self.seed, self.seconds, company=engines.company())
            self._computer.get_ready()
        action: Action = self._computer.move(self.state, player)
        return action

    def _search_move(self, node: Decision, draw: str) -> Action:
        from gdl.solvers import SOLVERS, solve
        from gdl.solvers.mcts.brief_search import move

        position = Continuation(self.game, self.state.state)
        self.searched += 1
        if self.counts_simulations and position.engine.fast and not SOLVERS["mcts"].lacks(self.game.traits):
            action = engines.falling_back(lambda: move(position, seed=self.seed, **self.options), position)
            if action is not None:
                return action
        try:
            found: Any = engines.falling_back(lambda: solve(position, self.solver, **self._limits()), position)
        except LimitReached as stop:
            found = stop.partial
        if isinstance(found, Solution) and found.best:
            return found.best[0]
        self.unfound += 1
        return Random(draw).choice(node.actions)

    def _limits(self) -> Mapping[str, Any]:
        """Its options; the time of a move where nothing else bounds the work."""
        from gdl.commands.solver_options import parameters_of

        takes = parameters_of(self.solver)
        bounded = self.options.keys() & {"time", "depth", "nodes", "simulations"}
        time = {} if bounded or (takes and "time" not in takes) else {"time": self.seconds}
        seed = {"seed": self.seed} if "seed" in takes else {}
        return seed | time | dict(self.options)


def _options(solver: str, words: Mapping[str, str]) -> dict[str, Any]:
    """The options of a contestant, as the command line reads them."""
    from gdl.commands.solver_options import solver_options
    from gdl.solvers import SOLVERS

    known = [*SOLVERS, "auto", RANDOM, USUAL]
    if solver not in known:
        near = nearest(solver, known)
        raise WrongCommand(f"nobody plays as '{clean(solver)}'", help=f"write '{near or USUAL}', or another solver")
    options = {str(one.name): one for one in solver_options(lambda name: solver in (name, "auto"))}
    if solver in (RANDOM, USUAL):
        options = {}
    found = {}
    for word, value in words.items():
        if word not in options:
            own = listing([*options, "weights", "book"], "or")
            raise WrongCommand(f"{clean(solver)} has no option '{clean(word)}'", help=f"write {own}")
        found[word] = options[word].type.convert(value, options[word], None)
    return found


@dataclass
class Score:
    """How the games went, for the first contestant."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    gain: list[Any] = field(default_factory=list)  # its utilities; how many more than the other's, but for two players
    forfeits: list[dict[str, Any]] = field(default_factory=list)  # games that a program gave up, and why

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        return (self.won + self.drawn / 2) / self.games

    def count(self, own: Any, other: Any, gain: Any) -> None:
        """A game that ended with these utilities."""
        self.won += own > other
        self.drawn += own == other
        self.lost += own < other
        self.gain.append(gain)

    def interval(self) -> tuple[float, float]:
        """Wilson's, of the share."""
        n, p, z = self.games, self.share, NORMAL
        middle, wide = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return (middle - wide) / (1 + z * z / n), (middle + wide) / (1 + z * z / n)

    def likelihood(self, low: float, high: float) -> float:
        """The logarithm of how much likelier the games are with the higher difference in Elo than with the lower."""
        counts = (self.won + 0.5, self.drawn + 0.5, self.lost + 0.5)  # half a game of each kind, so that none is never
        total = sum(counts)
        mean = (counts[0] + counts[1] / 2) / total
        variance = sum(n * (points - mean) ** 2 for n, points in zip(counts, (1, 0.5, 0), strict=True)) / total
        below, above = expected_score(low), expected_score(high)
        return total * (above - below) * (2 * mean - below - above) / (2 * variance)


def expected_score(elo: float) -> float:
    """The share of points that a difference of strength brings."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _sprt(ctx: click.Context, parameter: click.Parameter, text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise click.BadParameter(f"'{clean(text)}' is not of the form 0,20") from None
    if not -1000 <= low < high <= 1000:
        raise click.BadParameter("write the lower difference first, from -1000 to 1000: 0,20")
    return low, high


@click.command()
@click.option("--games", type=click.IntRange(2), default=20, metavar="N", help="Play N games, 20 by default.")
@click.option("--time", type=ABOVE_ZERO, default=SECONDS, metavar="SECONDS",
              help="For a move, of contestants that nothing else limits; a tenth of a second by default.")  # fmt: skip
@click.option("--openings", type=click.IntRange(0, 1000), default=OPENING, metavar="PLIES",
              help="Play so many plies at random first; 2 by default.")  # fmt: skip
@click.option("--sprt", callback=_sprt, metavar="LOW,HIGH",
              help="End as soon as the games decide between these differences in Elo, as 0,20.")  # fmt: skip
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of openings and of chance; 0 by default.")
@click.option("--save", "folder", metavar="FOLDER", help="Keep a record of each game in this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@engines.takes_engine
@keeps_limits("memory")
@takes_game
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
def match(
    asked: Asked,
    first: str,
    second: str,
    games: int,
    time: float,
    openings: int,
    sprt: tuple[float, float] | None,
    seed: int,
    folder: str | None,
    as_json: bool,
    engine: str,
) -> None:
    """Let two ways to play meet.

    A and B are solvers, with options as in mcts:simulations=200 or depth-limited:depth=3,weights=FILE, or random, or
    gdl, which plays as in gdl play, or "engine:./program --option": another program, which speaks UGI or UCI. With
    book=FILE an opening book comes first. Every opening is played twice, with the seats exchanged; where there are more
    than two players, once for each seat that A has for itself, and once for each that B has.
    """
    game: Game[Any] = asked.game
    without_rewards(game, "gdl match")
    score, decided = Score(), ""
    pair: list[Contestant | External] = []
    try:
        for text in (first, second):
            is_program = text.partition(":")[0] == ENGINE
            if is_program and len(game.players) != 2:
                raise Refusal(f"other programs play games of two, and {game.name} has {len(game.players)} players")
            made = External(asked, text, time) if is_program else Contestant(asked, text, engine, time, seed)
            pair.append(made)
        ways = _arrangements(pair, len(game.players))
        with NONE.enforce("games", games) as progress:
            for number in range(1, games + 1):
                _one(asked, pair, ways, number, openings, seed, score, folder)
                progress(number)
                decided = _sprt_decision(score, sprt) if number % len(ways) == 0 or len(game.players) == 1 else ""
                if decided:
                    break
    except (LimitReached, KeyboardInterrupt):
        if score.games:
            _tell(asked, pair, score, sprt, decided, as_json)
        raise
    finally:
        for one in pair:
            one.close()
    _tell(asked, pair, score, sprt, decided, as_json)


class _Play:
    """One game of a match."""

    def __init__(self, asked: Asked, seats: Sequence[Contestant | External], openings: int, draws: str, number: int):
        """`draws` seeds the opening and what chance does."""
        self.game, self.turns = asked.game, Sequential(asked.game)
        self.seats, self.openings, self.draws, self.number = seats, openings, draws, number
        self.played: list[Action] = []
        self.turn = 0  # the seat that is asked for something
        self.why = ""  # it gave the game up

    def run(self) -> Sequence[Any]:
        """The utilities at the end."""
        try:
            for one in dict.fromkeys(self.seats):
                self.turn = self.seats.index(one)
                one.begin()
            return self._end(self.turns.initial())
        except GivesUp as why:
            self.why = str(why)
            return _forfeit_payoffs(self.game, self.turn)

    def _end(self, state: Any) -> Sequence[Any]:
        while not isinstance(node := self.turns.node(state), Terminal):
            draw = f"{self.draws}/{'/'.join(self.played)}"
            action = self._action(node, draw)
            state = self.turns.successor(state, action)
            for one in dict.fromkeys(self.seats):
                one.see(action)
            self.played.append(action)
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
    """What a game brings that was given up: the least and the greatest utilities, where they are known."""
    bounds = surely_at(game, game.initial())
    low, high = bounds[loser][0], bounds[1 - loser][1]
    pay = (-1, 1) if low is None or high is None else (low, high)
    return pay if loser == 0 else (pay[1], pay[0])


def _arrangements(pair: Sequence[Contestant | External], seats: int) -> list[tuple[Contestant | External, ...]]:
    """In how many ways the two share the seats: each has every seat for itself once, and the other all others."""
    ways = [
        tuple(alone if seat == own else others for seat in range(seats))
        for own in range(seats)
        for alone, others in (pair, pair[::-1])
    ]
    return list(dict.fromkeys(ways))


def _one(
    asked: Asked,
    pair: Sequence[Contestant | External],
    ways: Sequence[tuple[Contestant | External, ...]],
    number: int,
    openings: int,
    seed: int,
    score: Score,
    folder: str | None,
) -> None:
    """One game; an opening is repeated until the contestants have shared the seats in all ways. In a game of one player
    each of them plays it."""
    opening, way = divmod(number - 1, len(ways))
    opening, plays = (number, ways) if len(ways[0]) == 1 else (opening + 1, ways[way : way + 1])
    paid: dict[Contestant | External, list[Any]] = {one: [] for one in pair}
    for of_all, seats in enumerate(plays, (number - 1) * len(plays) + 1):
        play = _Play(asked, seats, openings, f"{seed}/{opening}", number)
        utilities = play.run()
        for one, utility in zip(seats, utilities, strict=True):
            paid[one].append(utility)
        if play.why:
            loser = seats[play.turn].text
            score.forfeits.append({"game": number, "contestant": loser, "reason": play.why})
            announce_forfeit(number, loser, play.why)
        if folder is not None:
            _keep(asked, play, utilities, Path(folder) / f"game-{of_all:04}{records.ENDING}")
    own, other = (_mean(paid[one]) for one in pair)
    score.count(own, other, own if len(ways[0]) == 2 else own - other)


def _mean(utilities: Sequence[Any]) -> Any:
    """What a contestant gets in a seat, on average."""
    return utilities[0] if len(utilities) == 1 else Fraction(sum(utilities)) / len(utilities)


def _keep(asked: Asked, play: _Play, utilities: Sequence[Any], file: Path) -> None:
    """Keep the record of a play."""
    who = {player: one.text for player, one in zip(asked.game.players, play.seats, strict=True)}
    record = of_play(asked, play.played, who)
    if play.why:
        result = ", ".join(f"{p} {to_text(u)}" for p, u in zip(asked.game.players, utilities, strict=True))
        remark = {len(record.actions): f"{play.seats[play.turn].text} gave up: {play.why}"}
        record = replace(record, result=result, remarks=remark)
    file.parent.mkdir(parents=True, exist_ok=True)
    write(file, records.write(record))


def _sprt_decision(score: Score, sprt: tuple[float, float] | None) -> str:
    """What the games decide, if they do."""
    if sprt is None:
        return ""
    bound, found = log((1 - ERROR) / ERROR), score.likelihood(*sprt)
    return "higher" if found >= bound else "lower" if found <= -bound else ""


def _tell(
    asked: Asked,
    pair: Sequence[Contestant | External],
    score: Score,
    sprt: tuple[float, float] | None,
    decided: str,
    as_json: bool,
) -> None:
    low, high = score.interval()
    gain = float(sum(score.gain)) / score.games
    a, b = (one.text for one in pair)
    if as_json:
        found: dict[str, Any] = {
            "game": asked.game.name, "contestants": [a, b], "games": score.games, "won": score.won,
            "drawn": score.drawn, "lost": score.lost, "score": round(score.share, 6),
            "interval": [round(low, 6), round(high, 6)], "gain": round(gain, 6),
        }  # fmt: skip
        if sprt is not None:
            told = {"elo": list(sprt), "likelihood": round(score.likelihood(*sprt), 6), "decided": decided or None}
            found["sprt"] = told
        if score.forfeits:
            found["forfeits"] = score.forfeits
        if unfound := [one for one in pair if isinstance(one, Contestant) and one.unfound]:
            found["unfound"] = [{"contestant": c.text, "moves": c.unfound, "of": c.searched} for c in unfound]
        return telling.answer_json(found)
    lines = [
        f"{a} against {b}, {count_text(score.games, 'game')}: {score.won} won, {score.drawn} drawn, {score.lost} lost",
        f"score {score.share:.3f} ({low:.3f} to {high:.3f} in 95 of 100 cases), {gain:+.3g} a game",
        *_given_up(score, (a, b)),
        *_too_short(pair),
        _sentence(a, b, low, high),
    ]
    if sprt is not None:
        words = {"higher": "at least that strong", "lower": "not that strong"}.get(decided, "not decided yet")
        lines.append(f"between {sprt[0]:g} and {sprt[1]:g} Elo: {words} ({score.likelihood(*sprt):+.2f})")
    return telling.answer("\n".join(map(clean, lines)))


def _given_up(score: Score, contestants: Sequence[str]) -> Iterator[str]:
    """How many games each gave up."""
    for text in dict.fromkeys(contestants):
        count = sum(forfeit["contestant"] == text for forfeit in score.forfeits)
        if count:
            yield f"{text} gave {count_text(count, 'game')} up"


def _too_short(pair: Sequence[Contestant | External]) -> Iterator[str]:
    """How long a move may take where nothing else says it, and whose searches found nothing in that time."""
    own = [one for one in pair if isinstance(one, Contestant)]
    if hurried := [one for one in own if one.is_limited_by_time]:
        texts = listing(dict.fromkeys(one.text for one in hurried))
        yield f"{texts} had {hurried[0].seconds:g} s for a move; --time gives more"
    for one in own:
        if one.unfound:
            yield (
                f"{one.text} found nothing in {one.unfound} of {count_text(one.searched, 'move')}, "
                "and played any action"
            )


def _sentence(a: str, b: str, low: float, high: float) -> str:
    if low > 0.5:
        return f"{a} is stronger."
    return f"{b} is stronger." if high < 0.5 else "Which is stronger cannot be told from these games."
