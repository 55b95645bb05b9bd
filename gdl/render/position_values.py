"""The values of positions as text, each after the actions that lead to it."""

from __future__ import annotations

from typing import Any

from gdl.errors import clean
from gdl.game import Game
from gdl.numbers import to_text, vector_text
from gdl.render.node_names import Nodes
from gdl.render.strategies import align_columns
from gdl.render.trace import scalar_player
from gdl.solution import Solution

MAX_LINES = 200  # lines


def values_text(solution: Solution, game: Game[Any]) -> str:
    """A line per position, in the order of the solution. For two opponents or a single player only the first player's
    number is shown."""
    alone = scalar_player(solution) is not None
    nodes = Nodes(game, joint=True)
    rows = [[f"value for {solution.players[0]}" if alone else f"value for {', '.join(solution.players)}", "after"]]
    for path, value in list(solution.values.items())[:MAX_LINES]:
        play = " > ".join(nodes.at(path[:length]).action for length in range(1, len(path) + 1))
        rows.append([to_text(value[0]) if alone else vector_text(value), clean(play or "the start")])
    more = len(solution.values) - MAX_LINES
    return "\n".join([*align_columns(rows), *([f"… {more:,} more (--json has them all)"] if more > 0 else [])]) + "\n"
