"""Results of matches between learned weights, as text, as a picture and as a record."""

from __future__ import annotations

from collections.abc import Sequence
from math import log, log10, sqrt
from typing import TYPE_CHECKING

from gdl.errors import count_text
from gdl.formats.answer_records import LearningMatchAnswer

if TYPE_CHECKING:
    from gdl.compiler.searches.learning_driver import LearningMatchResult, LearningRung


WIDTH = 40  # of the longest bar
_SURE = 1.96  # standard errors: 95 of 100 cases


def strength_curve(rungs: Sequence[LearningRung]) -> list[tuple[int, float, float]]:
    """The strength after each number of games: that number, the Elo above the first net's, and half the width of its
    95% interval. The differences between nets that met are added up. (Each score counts one more win and one more loss,
    so that no difference is infinite.)"""
    found, above, variance = [], 0.0, 0.0
    for rung in rungs[1:]:
        games = rung.won + rung.drawn + rung.lost + 2
        score = (rung.won + rung.drawn / 2 + 1) / games
        above += 400 * log10(score / (1 - score))
        variance += (400 / log(10)) ** 2 / (games * score * (1 - score))
        found.append((rung.games, above, _SURE * sqrt(variance)))
    return found


def _matches(rungs: Sequence[LearningRung]) -> str:
    return f"by matches of {sum(rungs[1][1:])} games with the net of half as many (± 95 of 100 cases)"


def curve_lines(rungs: Sequence[LearningRung]) -> list[str]:
    """The strength curve as lines of text with bars; [] if there are fewer than two nets."""
    found = strength_curve(rungs)
    if not found:
        return []
    most = max(above for _, above, _ in found)
    bars = ["#" * round(WIDTH * max(0.0, above) / most) if most > 0 else "" for _, above, _ in found]
    return [
        f"Strength after so many games, in Elo, {_matches(rungs)}:",
        *(
            f"{games:>9,} {above:>+6.0f} ± {error:<4.0f} {bar}".rstrip()
            for (games, above, error), bar in zip(found, bars, strict=True)
        ),
    ]


def curve_picture(rungs: Sequence[LearningRung], game: str) -> str:
    """The strength curve as an SVG file."""
    from gdl.render.svg.growth import growth

    found = strength_curve(rungs)
    numbers = "; ".join(f"{games:,} games: {above:+.0f} ± {error:.0f}" for games, above, error in found)
    return growth(found, game, f"Strength in Elo after so many games, {_matches(rungs)}. {numbers}.")


def match_words(match: LearningMatchResult, others: str, how: str = "one move ahead") -> list[str]:
    """Lines on a match of learned weights against `others`, played `how`; weights are called stronger, or weaker, only
    if the 95% interval excludes 0."""
    low, high = match.interval
    if match.games == 0:
        return [f"No game against {others} came to an end, so nothing is known of their strength."]
    if match.is_stronger:
        verdict = f"They are stronger than {others}"
    elif high < 0:
        verdict = f"They are weaker than {others}"
    else:
        verdict = f"They are not shown to be stronger than {others}"
    return [
        f"{verdict}: {match.gain:+.3g} a game ({low:+.3g} to {high:+.3g} in 95 of 100 cases),",
        f"by {count_text(match.games, 'game')} from varied openings, {how}: {match.won:,} won, "
        f"{match.drawn:,} drawn, {match.lost:,} lost.",
    ]


def match_record(match: LearningMatchResult) -> LearningMatchAnswer:
    """The match as JSON has it. (Six digits: the last ones of a sum are not the same on every Python.)"""
    gain, low, high = (float(f"{number:.6g}") for number in (match.gain, *match.interval))
    return LearningMatchAnswer.fill_from(match, gain=gain, interval=(low, high), stronger=match.is_stronger)
