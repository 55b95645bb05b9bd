"""The values of positions as text, each after the actions that lead to it."""

from __future__ import annotations

from typing import Any

from gdl.errors import clean
from gdl.game import Game
from gdl.numbers import to_text, vector_text
from gdl.render.strategies import align_columns
from gdl.solution import Path, Solution
from gdl.states.explore import move_text, moves

MAX_LINES = 200  # lines


def values_text(solution: Solution, game: Game[Any]) -> str:
    """A line per position, in the order of the solution. For two opponents or a single player only the first player's
    number is shown."""
    traits = solution.traits
    opposed = len(solution.players) == 2 and traits is not None and traits.constant_sum is not None
    alone = opposed or len(solution.players) == 1
    names = _Names(game)
    rows = [[f"value for {solution.players[0]}" if alone else f"value for {', '.join(solution.players)}", "after"]]
    for path, value in list(solution.values.items())[:MAX_LINES]:
        rows.append([to_text(value[0]) if alone else vector_text(value), clean(names.of(path))])
    more = len(solution.values) - MAX_LINES
    return "\n".join([*align_columns(rows), *([f"… {more:,} more (--json has them all)"] if more > 0 else [])]) + "\n"


class _Names:
    """Names for positions, given by paths of child positions: the actions that lead there."""

    def __init__(self, game: Game[Any]):
        self.game = game
        self._reached: dict[Path, tuple[Any, str]] = {(): (game.initial(), "")}

    def of(self, path: Path) -> str:
        for length in range(1, len(path) + 1):
            if path[:length] not in self._reached:
                state, before = self._reached[path[: length - 1]]
                move = moves(self.game.node(state))[path[length - 1]]
                name = f"{before} > {move_text(move)}" if before else move_text(move)
                self._reached[path[:length]] = (self.game.successor(state, move), name)
        return self._reached[path][1] or "the start"
