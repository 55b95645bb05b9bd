"""Results of matches between learned weights, as text, as a picture and as a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gdl.errors import count_text
from gdl.formats.answer_records import LearningMatchAnswer

if TYPE_CHECKING:
    from gdl.compiler.searches.learning_match import LearningMatchResult
    from gdl.compiler.searches.training import LearningPoint

WIDTH = 40  # of the longest bar

HOW = ("The net after so many games: the share of pairs of frozen positions that it puts in the right order,",
       "as long search does (0.5: by chance; ± in 95 of 100 cases)")  # fmt: skip


def curve_lines(curve: Sequence[LearningPoint]) -> list[str]:
    """How good a net was on the way, as lines of text with bars from 0.5, which is chance, to 1; [] if it was not
    judged."""
    bars = ["#" * round(WIDTH * max(0.0, 2 * point.right - 1)) for point in curve]
    lines = [
        f"{point.games:>9,} {point.right:.3f} ± {point.error:.3f} {bar}".rstrip()
        for point, bar in zip(curve, bars, strict=True)
    ]
    return [HOW[0], f"{HOW[1]}:", *lines] if lines else []


def curve_picture(curve: Sequence[LearningPoint], game: str) -> str:
    """How good a net was on the way, as an SVG file."""
    from gdl.render.svg.plot import growth

    numbers = "; ".join(f"{point.games:,} games: {point.right:.3f} ± {point.error:.3f}" for point in curve)
    return growth(curve, game, f"{' '.join(HOW)}. {numbers}.")


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
