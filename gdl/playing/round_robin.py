"""A tournament: each of several ways to play meets each of the others, and a table says how strong they are.

A strength in Elo is such that the points that it leads one to expect, of all one's games, are those that were made
(Bradley and Terry's model, by its conditions of greatest likelihood); of each two one game more is counted, as drawn,
so that none is without bounds. The middle of all is 0. The interval is Wilson's of the share of points (95 of 100
cases), as strengths beside the others'.

Sources: Bradley, Terry, Rank analysis of incomplete block designs, 1952; Hunter, MM algorithms for generalized
Bradley-Terry models, 2004.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gdl.playing.contestants import Score, expected_score

HIGHEST = 4000.0  # Elo from the middle
ROUNDS = 200  # of computing every strength from those of the others


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
