"""A look one ply ahead, for searches that a limit stopped before they knew any action.

1. Play each action of the player to move, in the order of the file, as far as time allows.
2. Take the utilities where play is over then, and EVAL(s) elsewhere.
3. The action that is best by these numbers is the best so far.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from gdl.errors import GameError, LimitReached, Refusal
from gdl.errors.deadline import Deadline, check_deadline
from gdl.game import Action, Decision, Game, Number, Terminal
from gdl.solution import Solution

LOOKERS = frozenset(["auto", "depth-limited", "mcts"])  # solvers that look for an action to play
SECONDS = 0.2  # that such a look takes at most


def look_one_ply(game: Game[Any], answer: Solution, seconds: float = SECONDS) -> Solution:
    """The answer with the best action that a look one ply ahead shows in so many seconds; as it is where a player does
    not see all, or positions have no estimate. The limit of a command comes as Ctrl-C does, and ends the look."""
    if game.traits.perfect_information is not True or game.traits.unknowns or game.traits.rewards:
        return answer
    from gdl.compiler.better_evaluation import with_evaluation

    game = with_evaluation(game, known=True) or game
    start, worth = game.initial(), dict[Action, tuple[Number, ...]]()
    node = game.node(start)
    if not isinstance(node, Decision):
        return answer
    stops = suppress(GameError, LimitReached, Refusal, KeyboardInterrupt)
    with stops, Deadline.starting_now(seconds).enforce(grace=0.0):
        for action in node.actions:
            after = game.successor(start, action)
            end = game.node(after)
            estimate = end.utilities if isinstance(end, Terminal) else game.evaluate(after)
            if estimate is None:
                return answer
            worth[action] = estimate
            check_deadline()
    if not worth:
        return answer
    best = max(worth, key=lambda action: worth[action][node.player])
    note = f"{len(worth):,} of {len(node.actions):,} actions were looked at, one ply ahead: there was no time for more"
    value = worth[best] if len(worth) == len(node.actions) else None
    return replace(answer, value=value, best=(best,), notes=(*answer.notes, note))
