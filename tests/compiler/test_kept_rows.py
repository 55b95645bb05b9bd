"""`apply_listed()` between `begin_rows()` and `end_rows()` does what `apply()` does, though tried rows are not run again."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gdl
from gdl.compiler import python
from gdl.compiler.lower import lower

TWO_OF_ONE_NAME = """players Ann, Bob
state
    left: 0..30 = 30
    last: 0..6
action take(kind: 1..3) as "take"
    choose n: kind..3 as "{n}"
    left, last := max(left - n, 0), n
    require left mod 7 != 3
    if n = 3
        next mover
action pass
    last := 6
terminal
    left = 0 -> lose mover
"""


def listed(made: dict[str, Any], apply: str, seed: int) -> list[bytes]:
    """The states that the rows of a state lead to, applied in random order."""
    state, found = bytes(made["s"]), dict[int, bytes]()
    made["begin_rows"]()
    rows = list(range(made["moves"]()))
    Random(seed).shuffle(rows)
    for row in rows:
        made["s"][:] = memoryview(state).cast("i")
        made[apply](row)
        found[row] = bytes(made["s"])
    made["end_rows"]()
    made["s"][:] = memoryview(state).cast("i")
    return [found[row] for row in sorted(rows)]


@pytest.mark.thorough
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", ["chess", "amazons", "konane", "xiangqi", TWO_OF_ONE_NAME], ids=lambda game: game[:9])
def test_kept_rows_leave_what_rows_leave(game: str) -> None:
    """Also where a row takes the place of others with its name, and where some rules need not be tried."""
    loaded: Any = gdl.loads(game).game if "\n" in game else gdl.load(game)
    made, random = python.load([lower(loaded.model, loaded).source]), Random(3)
    assert "tried" in made
    made["start"]()
    for ply in range(4):
        if made["status"]() == 3:
            break
        assert listed(made, "apply_listed", ply) == listed(made, "apply", ply)
        made["apply"](random.randrange(made["moves"]()))
