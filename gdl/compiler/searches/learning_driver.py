"""Learning the weights of an evaluation from self-play, and comparing them with others in a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from gdl.compiler.joining import kernel_constants
from gdl.compiler.searches.series import Play, Series
from gdl.errors import Refusal
from gdl.game import Number, surely_at
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.weights import round_weight
from gdl.states.random_numbers import stream

ROUNDS = 8  # parts of the games, each played with the weights learned in those before
OPENING = 6  # random moves that a game begins with, at most
LONGEST = 400  # plies of a game; then it counts as endless
RANDOM_MOVE = 0.1  # the probability of a random move in self-play
TRACE = 0.7  # lambda
K = kernel_constants("learning", "series")  # what stands where in the kernel's memory
GROUP = 3335678366873096555  # the difference between the seeds of two groups
MEMORY = 0.5  # the weight of one round's experience in the next
RIDGE = 1e-4  # added to the diagonal, to keep weights small that games say nothing about
SAFE = 0.95  # of the greatest utility: no evaluation should be worth more than a victory
BATCH = 4096  # games whose results are kept
_SURE = 1.96  # standard errors around a mean, between which it lies in 95 of 100 cases


@dataclass(frozen=True)
class LearningMatchResult:
    """The result of a match between first and second weights: games that the first won, drew and lost, and their
    average gain, with the interval that holds the true mean in 95 of 100 cases."""

    games: int
    won: int
    drawn: int
    lost: int
    gain: float
    interval: tuple[float, float]

    @property
    def is_stronger(self) -> bool:
        return self.interval[0] > 0


class Lesson(NamedTuple):
    """The weights after each round so far, and the greatest absolute utility at an end of the last round."""

    rounds: tuple[tuple[float, ...], ...]
    greatest: float

    @property
    def weights(self) -> list[float]:
        """The means of the weights over the later half of the rounds, which the random beginning no longer disturbs."""
        settled = self.rounds[len(self.rounds) // 2 :]
        return [sum(column) / len(settled) for column in zip(*settled, strict=True)]


class Games(Series):
    """Games of players who look one move ahead."""

    def __init__(self, game: RulesGame, start: State, engine: str):
        if game.traits.simultaneous is not False or game.traits.perfect_information is not True:
            raise Refusal("weights are learned where nothing is hidden and one player moves at a time")
        super().__init__(game, start, engine, features=True)
        self.features = len(game.model.features)
        self.join("learning", BATCH, OPENING, FEATURES=self.features, LEARN_LONGEST=LONGEST)
        self.module["learn_rate"][K.RATE_DECAY] = TRACE

    def play(
        self, groups: int, first: Sequence[float], second: Sequence[float], seed: int, pause: Callable[[], None],
        teaches: bool = False, random_move: float = 0.0,
    ) -> list[list[Play | None]]:  # fmt: skip
        """Play groups of games, each group with an opening of its own. Returns group by group the payoffs of each game,
        or None for a game that does not count."""
        weight = self.module["learn_weight"]
        for place, number in enumerate([*first, *second]):
            weight[place] = number
        self.module["learn_now"][K.NOW_TEACHES] = int(teaches)
        self.module["learn_rate"][K.RATE_RANDOM_MOVE] = random_move
        part = self.batch // self.seats  # groups whose results are kept
        return self.match_payoffs(groups, lambda number: seed - GROUP * (1 + number * part), pause)

    def experience(self) -> tuple[list[list[float]], list[float]]:
        """The matrix A and the vector b of the least-squares differences so far; afterwards both are halved in the
        kernel's memory, so that older games count less."""
        a, b, size = self.module["learn_a"], self.module["learn_b"], self.features
        found = [list(a[i * size : (i + 1) * size]) for i in range(size)], list(b)
        for part in (a, b):
            for place in range(len(part)):
                part[place] *= MEMORY
        return found

    def greatest_evaluation(self) -> float:
        """The greatest evaluation that any player has met since the last call."""
        rate = self.module["learn_rate"]
        found, rate[K.RATE_GREATEST] = rate[K.RATE_GREATEST], 0.0
        return float(found)


def learn(
    game: RulesGame, start: State, engine: str, games: int, seed: int, progress: Callable[[int], None] | None = None
) -> tuple[tuple[Number, ...], LearningMatchResult]:
    """The weights learnt from about this many games of self-play, and their result against the game's own evaluation in
    half as many. Raises Refusal if the game cannot be learnt, GameError for a fault of the rules."""
    lesson, played = None, 0
    table = Games(game, start, engine)
    own = [float(feature.weight) for feature in game.model.features]

    def pause() -> None:
        if progress:
            progress(played + table.games)

    for number in range(ROUNDS):
        played = games_of(game, games, number)
        lesson = _round(table, lesson, own, games_of(game, games, 1) // table.seats, stream(seed, number), pause)
    assert lesson
    weights = _below_victory(table, lesson, stream(seed, ROUNDS), pause)
    learned = tuple(round_weight(weight) for weight in weights)
    played = games_of(game, games, ROUNDS)
    groups = max(2, games // 2 // table.seats)
    fought = table.play(groups, [float(weight) for weight in learned], own, stream(seed, ROUNDS + 1), pause)
    return learned, judge_match(fought, _highest_gain(game, start, lesson))


def _highest_gain(game: RulesGame, start: State, lesson: Lesson) -> float:
    """The greatest gain of one player over the others, as the rules prove it; twice the greatest utility met if they
    prove none."""
    bounds = surely_at(game, start)
    low, high = [low for low, _ in bounds], [high for _, high in bounds]
    if None in low or None in high:
        return 2 * lesson.greatest
    return float(max(end for end in high if end is not None) - min(end for end in low if end is not None))


def _round(
    table: Games, lesson: Lesson | None, own: list[float], groups: int, seed: int, pause: Callable[[], None]
) -> Lesson:
    """Play one more round, and learn from it; in the first round all players act at random."""
    before = lesson.rounds if lesson else ()
    weights, chance = (before[-1], RANDOM_MOVE) if before else (own, 1.0)
    results = table.play(groups, weights, weights, seed, pause, True, chance)
    found = tuple(solve_linear_system(*table.experience()))
    return Lesson((*before, found), _greatest_end(results))


def _greatest_end(results: list[list[Play | None]]) -> float:
    return max((abs(utility) for group in results for utilities in group for utility in utilities or ()), default=0.0)


def _below_victory(table: Games, lesson: Lesson, seed: int, pause: Callable[[], None]) -> list[float]:
    """The weights of a lesson, all made smaller by one factor if some position would be worth more than any end. The
    moves chosen stay the same."""
    weights = lesson.weights
    table.greatest_evaluation()
    most = SAFE * max(lesson.greatest, _greatest_end(table.play(32, weights, weights, seed, pause)))
    met = table.greatest_evaluation()
    return [weight * most / met for weight in weights] if met > most > 0 else weights


def games_of(game: RulesGame, games: int, rounds: int) -> int:
    """The number of games in `rounds` rounds, if about `games` games are to be played in all."""
    seats = max(2, len(game.players))
    return max(1, games // ROUNDS // seats) * seats * rounds


def judge_match(groups: Sequence[Sequence[Play | None]], most: float = 0.0) -> LearningMatchResult:
    """Judge the weights with which player i played in game i of each group, by the games of a match.

    Their gain is what they were paid above the payoff of the others; for a lone player, above what the second weights
    were paid. Groups with a game that was cut off do not count. The interval is that of Agresti and Coull (1998): two
    groups won by the greatest possible gain and two lost by it are added; without them, weights that happened to do
    equally well in all groups would seem certain to be equally good. `most` is the greatest possible gain, or if that
    is not known the greatest that was met.
    """
    whole = [[utilities for utilities in group if utilities is not None] for group in groups]
    whole = [plays for group, plays in zip(groups, whole, strict=True) if len(plays) == len(group)]
    gains = [_gains(plays) for plays in whole]
    means = [sum(group) / len(group) for group in gains]
    every = [gain for group in gains for gain in group]
    mean = sum(means) / len(means) if means else 0.0
    return LearningMatchResult(
        len(every), sum(gain > 0 for gain in every), sum(gain == 0 for gain in every), sum(gain < 0 for gain in every),
        mean, _interval(means, mean, max([most, *map(abs, every)]) or 1.0),
    )  # fmt: skip


def _interval(means: Sequence[float], mean: float, most: float) -> tuple[float, float]:
    """The interval that holds the true mean of the gains in 95 of 100 cases; `most` is the greatest gain possible."""
    seen = [*means, most, most, -most, -most]
    middle = sum(seen) / len(seen)
    error = sqrt(sum((gain - middle) ** 2 for gain in seen) / (len(seen) - 1) / len(seen))
    return max(-most, min(mean, middle - _SURE * error)), min(most, max(mean, middle + _SURE * error))


def _gains(plays: Sequence[Play]) -> list[float]:
    """The gains of the first weights in each game of a group; of a lone player, the difference between the two
    games."""
    if len(plays[0]) == 1:
        return [plays[0][0] - plays[1][0]]
    others = len(plays) - 1
    return [utilities[seat] - (sum(utilities) - utilities[seat]) / others for seat, utilities in enumerate(plays)]


def solve_linear_system(a: Sequence[Sequence[float]], b: Sequence[float]) -> list[float]:
    """The weights w with A w = b, by elimination with pivots. A small ridge (RIDGE) keeps weights at 0 of which nothing
    was learned."""
    size = len(b)
    scale = [1 / sqrt(abs(a[i][i])) if a[i][i] else 0.0 for i in range(size)]  # features of any size are alike
    rows = [
        [a[i][k] * scale[i] * scale[k] + RIDGE * (i == k) for k in range(size)] + [b[i] * scale[i]] for i in range(size)
    ]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(size):
            if k != i and rows[i][i]:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] * scale[i] if rows[i][i] else 0.0 for i in range(size)]
