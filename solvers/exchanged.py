"""The value of a game that is the same with its two players exchanged: half of what there is for both, proved from the
rules (gdl/symmetry/exchange.py), where the positions are too many for an exact answer by any other way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gdl.game import Game, Number
from gdl.solution import Solution
from gdl.symmetry.exchange import even_value

PROVED = "the value is proved by exchanging the players"
EVEN = "The game is the same with {} and {} exchanged, so neither can have more than the other."


def with_even_value(game: Game[Any], found: Solution, half: Number, why: str) -> Solution:
    """An answer that was not exact, with the proved value in place of its estimate. Strategies stay with their regret,
    and the answer as a whole is then not exact; the best action and the line of play of an estimate are dropped. If no
    strategies are listed, `why` says why."""
    value, listed = (half, half), found.strategy is not None or bool(found.equilibria)
    notes = (EVEN.format(*game.players), *(found.notes if listed else (f"No strategies are listed: {why}",)))
    traits = replace(found.traits or game.traits, zero_sum=half == 0, constant_sum=2 * half)
    if not listed:
        found = Solution(found.game, "auto", found.players, traits)
    reason = f"{found.reason}; {PROVED}" if found.reason else PROVED
    return replace(
        found, exact=not listed, value=value, interval=((half, half),) * 2 if listed else None, traits=traits,
        best=(), line=(), notes=notes, reason=reason, limit=None,
    )  # fmt: skip


__all__ = ["even_value", "with_even_value"]
