"""Wins in one: for each action of the player who moves, does play end with the most that there is to get?

Kernel code does the same (gdl/compiler/kernels/immediate_wins.py), with as many actions at a time, so that both meet
the same fault of the rules first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gdl.game import Action, Decision, Game, Number, Terminal, require_number

AT_A_TIME = 16


def find_immediate_win(
    game: Game[Any], state: Any, node: Decision, greatest: Sequence[Number | None], plays: list[Action]
) -> tuple[Number, ...] | None:
    """The utilities at the first end that an action leads to directly and that gives the mover the greatest utility;
    None if there is none, or if that utility is not known (None in `greatest`, which has an entry for each player). A
    fault leaves the action that led to it at the end of `plays`."""
    most = greatest[node.player]
    for first in range(0, 0 if most is None else len(node.actions), AT_A_TIME):
        tried = node.actions[first : first + AT_A_TIME]
        states = []
        for action in tried:
            plays.append(action)
            states.append(game.successor(state, action))
            plays.pop()
        for action, after in zip(tried, states, strict=True):
            plays.append(action)
            end = game.node(after)
            plays.pop()
            if isinstance(end, Terminal) and most is not None and require_number(end.utilities[node.player]) >= most:
                return tuple(map(require_number, end.utilities))
    return None
