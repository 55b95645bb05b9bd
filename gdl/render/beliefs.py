"""Beliefs as text: for each information set of several nodes, how likely each is held to be."""

from __future__ import annotations

from collections.abc import Sequence

from gdl.render.sentence import mixture_text
from gdl.render.strategies import MAX_INFORMATION_SETS, align_columns
from gdl.solution import Profile


def belief_lines(players: Sequence[str], beliefs: Profile) -> list[str]:
    """`Bully at quiche  weak > quiche 1`, a line for each information set in which there is something to believe."""
    rows = [
        [f"    {player} at {name}", mixture_text(held)]
        for player in players
        for name, held in beliefs.get(player, {}).items()
        if len(held) > 1
    ]
    if not rows:
        return []
    more = len(rows) - MAX_INFORMATION_SETS
    rest = [f"    … {more:,} more information sets (--json has them all)"] if more > 0 else []
    return ["beliefs", *align_columns(rows[:MAX_INFORMATION_SETS]), *rest]
