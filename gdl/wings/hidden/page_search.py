"""Tree search over information sets, as a page has it: what its module is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gdl.interpreter.rules_game import RulesGame
from gdl.wings.hidden.memory_texts import Remembering
from gdl.wings.hidden.simulations import simulations_kernel


def page_search(game: RulesGame, starts: int, tried: int) -> tuple[list[Any], Callable[[Any], None]]:
    """The code that is joined, and the function that fills its memory, with room for so many positions to begin at, and
    for so many memories at which actions are counted. Raises Refusal where the engine does not know what players
    hear."""
    made = Remembering(game, game.initial(), "python")
    code = simulations_kernel(made, starts, tried, REMEMBERS=True)
    return [made.lowered.module, *made.lowered.further, *code.parts], made.fill_rows_and_prices
