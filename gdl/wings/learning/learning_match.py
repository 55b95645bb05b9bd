"""Matches that judge what was learned: how much it gains by playing against something else, as text and as a record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from gdl.errors import count_text
from gdl.wings.learning.learn_answer import LearningMatchAnswer

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

    def to_lines(self, others: str) -> list[str]:
        """Lines on the match, whose second weights are `others`; the first are called stronger, or weaker, only if the
        95% interval excludes 0."""
        low, high = self.interval
        if self.games == 0:
            return [f"No game against {others} came to an end, so nothing is known of their strength."]
        if self.is_stronger:
            verdict = f"They are stronger than {others}"
        elif high < 0:
            verdict = f"They are weaker than {others}"
        else:
            verdict = f"They are not shown to be stronger than {others}"
        return [
            f"{verdict}: {self.gain:+.3g} a game ({low:+.3g} to {high:+.3g} in 95 of 100 cases),",
            f"by {count_text(self.games, 'game')} from varied openings, one move ahead: {self.won:,} won, "
            f"{self.drawn:,} drawn, {self.lost:,} lost.",
        ]

    def to_record(self) -> LearningMatchAnswer:
        """The match as JSON has it. (Six digits: the last ones of a sum are not the same on every Python.)"""
        gain, low, high = (float(f"{number:.6g}") for number in (self.gain, *self.interval))
        return LearningMatchAnswer.fill_from(self, gain=gain, interval=(low, high), stronger=self.is_stronger)


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
