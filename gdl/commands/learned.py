"""What a match between weights says, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gdl.errors import counted

if TYPE_CHECKING:
    from gdl.compiler.searches.learning import Match


def match_words(match: Match, others: str, how: str = "one move ahead") -> list[str]:
    """Lines that tell it; stronger is said only of what has proven to be."""
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
        f"by {counted(match.games, 'game')} from varied openings, {how}: {match.won:,} won, "
        f"{match.drawn:,} drawn, {match.lost:,} lost.",
    ]
