"""The strength of what was learned: the results of matches, told as text and as a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.errors import count_text
from gdl.wings.learning.learn_answer import LearningMatchAnswer

if TYPE_CHECKING:
    from gdl.wings.learning.learning_match import LearningMatchResult


def match_words(match: LearningMatchResult, others: str) -> list[str]:
    """Lines on a match of learned weights against `others`; weights are called stronger, or weaker, only
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
        f"by {count_text(match.games, 'game')} from varied openings, one move ahead: {match.won:,} won, "
        f"{match.drawn:,} drawn, {match.lost:,} lost.",
    ]


def match_record(match: LearningMatchResult) -> LearningMatchAnswer:
    """The match as JSON has it. (Six digits: the last ones of a sum are not the same on every Python.)"""
    gain, low, high = (float(f"{number:.6g}") for number in (match.gain, *match.interval))
    return LearningMatchAnswer.fill_from(match, gain=gain, interval=(low, high), stronger=match.is_stronger)
