"""Matches that judge what was learned: how much it gains by playing against something else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

Play = tuple[float, ...]  # the utilities of a game
Payoffs = list[list[Play | None]]  # of games, group by group; None for a game that does not count
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
