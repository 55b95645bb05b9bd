"""Why a search along a path (gdl/compiler/kernels/path.py) does not suit a game."""

from __future__ import annotations

from gdl.compiler.kernels import path
from gdl.errors import Refusal, clean
from gdl.interpreter import RulesGame

_WHY = {
    path.TOO_DEEP: "it goes deeper than this search can",
    path.TOO_GREAT: "its numbers become too large",
    path.AT_ONCE: "players move at the same time, or cannot move",
    path.COMES_AGAIN: "positions come again",
    path.UNEVEN: "its utilities do not always have the same sum",
    path.BEYOND: "a number lies outside the bounds that the file promises",
    path.TOO_WIDE: "a position has too many actions",
}


def unsuited(game: RulesGame, code: int) -> Refusal:
    """What to raise where the kernel has refused to go on."""
    return Refusal(f"the compiled search does not suit {clean(game.name)}: {_WHY[code]}")
