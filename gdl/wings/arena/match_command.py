"""gdl match: two ways to play against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import click
from click.shell_completion import CompletionItem

from gdl.commands import completing, console, engines
from gdl.commands.console import WrongCommand
from gdl.commands.game_argument import takes_game
from gdl.commands.help_pages import Command
from gdl.commands.limiting import ABOVE_ZERO, NONE, keeps_limits
from gdl.commands.progress import is_watched
from gdl.errors import LimitReached, Refusal, clean, count_text, listing
from gdl.game import Game, without_rewards
from gdl.playing.loading import Asked, apply_weights, continue_game
from gdl.render.strategies import align_columns
from gdl.solvers import SOLVERS
from gdl.wings import FORMER_SOLVERS
from gdl.wings.arena.answers import (
    ContestantWork,
    Decided,
    MatchAnswer,
    MatchForfeit,
    PairAnswer,
    RoundRobinAnswer,
    SprtAnswer,
    TableRow,
)
from gdl.wings.arena.company import company
from gdl.wings.arena.contestants import RANDOM, USUAL, Contest, Contestant, Player, standings
from gdl.wings.arena.program import ENGINE, External

SECONDS = 0.1  # seconds for a move
OPENING = 2  # plies


def contestant(asked: Asked, text: str, engine: str, seconds: float, seed: int) -> Contestant:
    """The contestant that the text on the command line describes; `seconds` is the time for a move."""
    solver, words = solver_and_words(text)
    weights = words.pop("weights", None)
    options, game = read_options(solver, words, (RANDOM, USUAL)), asked.game
    if weights is not None:
        game = continue_game(apply_weights(asked.loaded, weights, console.remark), asked.by, console.remark)
    game = engines.offer(game, engine)
    return Contestant(game, text, solver, options, seconds, seed, weights is not None, company())


def _player(asked: Asked, text: str, engine: str, seconds: float, seed: int) -> Player:
    """The contestant, or the other program, that the text on the command line describes."""
    if text.partition(":")[0] != ENGINE:
        return contestant(asked, text, engine, seconds, seed)
    if len(asked.game.players) != 2:
        raise Refusal(f"other programs play games of two, and {asked.game.name} has {len(asked.game.players)} players")
    return External(asked, text, seconds)


def solver_and_words(text: str) -> tuple[str, dict[str, str]]:
    """The solver's name and its options as texts, from mcts:simulations=200,c=1 or python:FILE.py:NAME,depth=3."""
    solver, _, rest = text.partition("," if text.startswith("python:") else ":")
    return solver, dict(part.partition("=")[::2] for part in rest.split(",") if part)


def read_options(solver: str, words: Mapping[str, str], others: Sequence[str] = ()) -> dict[str, Any]:
    """The options of a solver, converted as on the command line. Names in `others` are players, but no solvers, and
    take no options. Raises WrongCommand for an unknown solver or option."""
    from gdl.commands.mends import solver_meant
    from gdl.commands.solver_options import accepts, free_option, solver_options

    known = [*SOLVERS, "auto", *others]
    if solver in FORMER_SOLVERS:
        raise WrongCommand(f"no solver is called '{solver}' any more", help=FORMER_SOLVERS[solver])
    if solver not in known and solver not in SOLVERS:
        message = f"{'nobody plays as' if others else 'no solver is called'} '{clean(solver)}'"
        near = solver_meant(solver, known) or known[-1]
        raise WrongCommand(message, help=f"write '{near}', or another solver: gdl solvers lists them")
    options = {str(one.name): one for one in solver_options(lambda name: solver in (name, "auto"), solver)}
    if solver in others:
        options = {}
    found = {}
    for word, value in words.items():
        if word not in options and accepts(solver, word):
            options[word] = free_option(f"--{word}")
        if word not in options:
            own = listing([*options, *(["weights"] if others else [])], "or")
            raise WrongCommand(f"{clean(solver)} has no option '{clean(word)}'", help=f"write {own}")
        found[word] = options[word].type.convert(value, options[word], None)
    return found


def _offer_contestants(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The contestants that begin with what is typed: `random`, `gdl`, the solvers, and the prefixes `engine:` and
    `python:`, after which nothing is completed."""
    return completing.beginning([RANDOM, USUAL, *SOLVERS, f"{ENGINE}:", "python:"], typed)


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


@click.command(cls=Command)
@click.option("--games", type=click.IntRange(2), default=20, metavar="N", help="Play N games, 20 by default.")
@click.option("--time", type=ABOVE_ZERO, default=SECONDS, metavar="SECONDS",
              help="The time for a move, unless something else limits it; a tenth of a second by default.")  # fmt: skip
@click.option("--openings", type=click.IntRange(0, 1000), default=OPENING, metavar="PLIES",
              help="Begin with this many random plies; 2 by default.")  # fmt: skip
@click.option("--sprt", callback=_sprt, metavar="LOW,HIGH",
              help="End as soon as the games decide between these differences in Elo, as 0,20.")  # fmt: skip
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of openings and of chance; 0 by default.")
@click.option("--save", "folder", metavar="FOLDER|FILE",
              help="Keep a record of each game in this folder, or all games in one .pgn file.")  # fmt: skip
@click.option("--round-robin", is_flag=True, help="Let each contestant meet each of the others, N games each.")
@console.takes_json("Print the result as one JSON object.")
@engines.takes_engine
@keeps_limits("memory")
@takes_game
@click.argument("first", metavar="A", shell_complete=_offer_contestants)
@click.argument("second", metavar="B", shell_complete=_offer_contestants)
@click.argument("more", nargs=-1, metavar="[C ...]", shell_complete=_offer_contestants)
def match(
    asked: Asked,
    first: str,
    second: str,
    more: tuple[str, ...],
    games: int,
    time: float,
    openings: int,
    sprt: tuple[float, float] | None,
    seed: int,
    folder: str | None,
    round_robin: bool,
    engine: str,
) -> None:
    """Let two computer players play many games.

    A and B are solvers, with options as in mcts:simulations=200 or depth-limited:depth=3,weights=FILE; or random; or
    gdl, which plays as in gdl play; or "engine:./program --option", another program that speaks UGI or UCI; or
    python:FILE.py:NAME, a function of your own, with options after a comma (gdl guide own-searches). Every opening is
    played twice, with the seats exchanged; with more than two players, once for each seat that A has alone, and once
    for each that B has alone. --round-robin takes more contestants, and prints a table of their strength.
    """
    game: Game[Any] = asked.game
    without_rewards(game, "gdl match")
    names = (first, second, *more)
    if more and not round_robin:
        help = "write --round-robin, and each of them meets each of the others"
        raise WrongCommand("a match is between two", help=help)
    if round_robin and sprt is not None:
        raise WrongCommand("--sprt is for a match of two", help="leave --sprt or --round-robin out")
    contests: dict[tuple[int, int], Contest] = {}
    decided: Decided | None = None
    players: list[Player] = []
    kept: list[str] = []
    try:
        for text in names:
            players.append(_player(asked, text, engine, time, seed))
        pairs = list(combinations(range(len(players)), 2))
        with NONE.enforce("games", games * len(pairs)) as progress:
            for place, (a, b) in enumerate(pairs):
                prefix = f"{a + 1}-{b + 1}-" if round_robin else ""
                contest = Contest(asked, (players[a], players[b]), openings, seed, folder, console.remark, kept, prefix)
                contests[a, b] = contest
                for number in range(1, games + 1):
                    contest.play(number)
                    progress(place * games + number)
                    decided = contest.decide(number, sprt)
                    if decided:
                        break
    except (LimitReached, KeyboardInterrupt):
        contests = {pair: contest for pair, contest in contests.items() if contest.score.games}
        if contests:
            _tell_all(players, contests) if round_robin else _tell(contests[0, 1], sprt, decided)
        raise
    finally:
        for one in players:
            one.close()
    _tell_all(players, contests) if round_robin else _tell(contests[0, 1], sprt, decided)


def _tell_all(players: Sequence[Player], contests: Mapping[tuple[int, int], Contest]) -> None:
    """Print the table of a tournament."""
    names = [one.text for one in players]
    scores = {pair: contest.score for pair, contest in contests.items()}
    table = standings(names, scores)
    forfeits = [forfeit for score in scores.values() for forfeit in score.forfeits]
    games, name = sum(score.games for score in scores.values()), next(iter(contests.values())).asked.game.name
    if console.is_json():
        rows = [
            TableRow(one.contestant, *one.score.counts, round(one.elo, 1), (round(low, 1), round(high, 1)))
            for one in table
            for low, high in [one.interval]
        ]
        pairs = [PairAnswer([names[a], names[b]], *score.counts) for (a, b), score in scores.items()]
        return console.answer_json(RoundRobinAnswer(name, games, rows, pairs, forfeits or None, _work_of(players)))
    lines = [["", "games", "won", "drawn", "lost", "points", "Elo", "in 95 of 100 cases"]]
    for one in table:
        own = one.score
        points = f"{own.share * own.games:g}"
        low, high = (f"{round(end):+d}" for end in one.interval)
        counted = map(str, (own.games, *own.counts))
        lines.append([one.contestant, *counted, points, f"{round(one.elo):+d}", f"{low} to {high}"])
    told = [f"{name}: {count_text(games, 'game')}, each against each", *align_columns(lines)]
    given_up = [line for text in names for line in _given_up(forfeits, [text])]
    return console.answer("\n".join(map(clean, [*told, *given_up, *_work_lines(players)])))


def _tell(contest: Contest, sprt: tuple[float, float] | None, decided: Decided | None) -> None:
    pair, score = contest.pair, contest.score
    low, high = score.interval()
    gain = float(sum(score.gain)) / score.games
    a, b = (one.text for one in pair)
    if console.is_json():
        tested = sprt and SprtAnswer(sprt, round(score.likelihood(*sprt), 6), decided)
        found = MatchAnswer(
            contest.asked.game.name, [a, b], score.games, score.won, score.drawn, score.lost, round(score.share, 6),
            (round(low, 6), round(high, 6)), round(gain, 6), tested, score.forfeits or None, _work_of(pair),
        )  # fmt: skip
        return console.answer_json(found)
    lines = [
        f"{a} against {b}, {count_text(score.games, 'game')}: {score.won} won, {score.drawn} drawn, {score.lost} lost",
        f"score {score.share:.3f} ({low:.3f} to {high:.3f} in 95 of 100 cases), {gain:+.3g} a game",
        *_given_up(score.forfeits, (a, b)),
        *_work_lines(pair),
        _sentence(a, b, low, high),
    ]
    if sprt is not None:
        words = {"higher": "at least that strong", "lower": "not that strong"}.get(decided or "", "not decided yet")
        lines.append(f"between {sprt[0]:g} and {sprt[1]:g} Elo: {words} ({score.likelihood(*sprt):+.2f})")
    return console.answer("\n".join(map(clean, lines)))


def _given_up(forfeits: Sequence[MatchForfeit], contestants: Sequence[str]) -> Iterator[str]:
    """A line for each contestant that gave up games, with their number."""
    for text in dict.fromkeys(contestants):
        count = sum(forfeit.contestant == text for forfeit in forfeits)
        if count:
            yield f"{text} gave {count_text(count, 'game')} up"


def _work_of(players: Sequence[Player]) -> list[ContestantWork]:
    """The work of each contestant that looked for moves; what other programs do is not known."""
    own = [one for one in players if isinstance(one, Contestant) and one.work.moves]
    return [ContestantWork.fill_from(one.work, contestant=one.text) for one in own]


def _work_lines(players: Sequence[Player]) -> Iterator[str]:
    """Lines on the work of contestants, and on those whose searches the clock ended, or that found nothing."""
    seconds = {one.text: one.seconds for one in players if isinstance(one, Contestant)}
    for one in _work_of(players):
        searched = count_text(one.moves, "move")
        spent = f", {one.seconds:.2f} s of processor time" if is_watched() else ""
        nodes = f", {count_text(one.nodes, 'node')}" if one.nodes else ""
        yield f"{one.contestant} searched for {searched}{nodes}{spent}"
        if one.late:
            yield f"the clock ended {one.late} of them, after {seconds[one.contestant]:g} s; --time gives more"
        if one.unfound:
            yield f"{one.contestant} found nothing in {one.unfound} of {searched}, and played any action"


def _sentence(a: str, b: str, low: float, high: float) -> str:
    if low > 0.5:
        return f"{a} is stronger."
    return f"{b} is stronger." if high < 0.5 else "These games do not show which is stronger."
