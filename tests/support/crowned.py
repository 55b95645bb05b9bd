"""A game whose men are crowned where they have crossed the board, and another evaluation for backgammon."""

from typing import Any

import gdl
from gdl.compiler.compiled_engine import offer

CHANGED = "\nevaluate\n    0.1 * (men[White, 25] - men[Black, 25])\n"  # another evaluation than that of the file

# Men move forward and capture; a man that has crossed the board is crowned, and moves both ways.
CROWNED = """
game "Crowned"
players White, Black

board Square = grid(3, 6)

type Kind = man, king

state
    side[s: Square]: Player? = if row(s) <= 2 then White else if row(s) >= 5 then Black else none
    kind[Square]: Kind = man

define ahead(a: Square, b: Square) = row(b) - row(a) = if mover = White then 1 else -1

action move(a: Square, b: Square) as "{a}{b}" when side[a] = mover and side[b] != mover and b in neighbours(a, directions)
    require kind[a] = king or ahead(a, b)
    side[a] := none
    side[b] := mover
    kind[b] := if row(b) = 1 or row(b) = 6 then king else kind[a]
    kind[a] := man

terminal
    not (exists s in Square: side[s] = White) -> WHITE
    not (exists s in Square: side[s] = Black) -> BLACK
    no actions -> draw
    forever -> draw
"""


def crowned(white: str = "win Black", black: str = "win White") -> Any:
    """The game in which men are crowned, and what it means to have none."""
    return offer(gdl.loads(CROWNED.replace("WHITE", white).replace("BLACK", black)).game, "auto")
