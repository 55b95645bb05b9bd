"""Safe random play: after a safe move nobody else can end play at once with the most that they can get.

Play that is blind to such wins, for both sides, says little of a position in games of threats such as connect four: a
thousand simulations with safe moves choose as well there as a hundred thousand without. Where wins in one are rare, the
look for them is given up for good; where there are many actions, it would cost more than it brings. It is given up too
where most positions have many: safe moves near the end alone cost breakthrough half of its simulations.

The compiled engine does the same (`uct_safe_step` in gdl/compiler/kernels/mcts.py), with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gdl.game import Action, Decision, Game, Node, Number, Terminal, require_number
from gdl.states.random_numbers import Generator

AT_A_TIME = 16  # actions of which it is looked whether one wins
SAFE_ACTIONS = 12  # of a player, at most, among whose a safe one is looked for
TRIAL = 1000  # looks, after which it is known whether wins in one are rare:
RARE = 16  # less than one in so many looks finds one
WIDE = 4  # looks in vain for which a position with more actions counts


class SafePlay:
    """Draws safe random moves. `looks` counts the positions in which wins in one were looked for, `hits` those in which
    one was found."""

    def __init__(self, game: Game[Any], greatest: Sequence[Number | None], few: int, looks: int = 0, hits: int = 0):
        self.game = game
        self.greatest = greatest
        self.few = few  # actions, at most, of which it is looked whether one wins
        self.looks, self.hits = looks, hits

    def moves_safely(self, node: Decision) -> bool:
        """True if moves at this node are to be tested for safety. Where few positions have so few actions, those that
        have more soon say no for good."""
        pays, few = self.looks < TRIAL or self.hits * RARE >= self.looks, len(node.actions) <= SAFE_ACTIONS
        self.looks += WIDE if pays and not few else 0
        return pays and few

    def play(
        self, state: Any, node: Decision, random: Generator, plays: list[Action], look: Callable[[Any], Node]
    ) -> tuple[Any, Node]:
        """Draw an action. If it lets the next player win at once, take the action after it in order instead, and so on,
        until one does not. Returns the state after the action and its node (made by `look`); if no action is safe, the
        state after the last one tried, and the end that it allows. The action taken is added to `plays`; if a fault is
        raised, the actions that led to it are."""
        drawn = random.draw_below(len(node.actions))
        for action in (*node.actions[drawn:], *node.actions[:drawn]):
            plays.append(action)
            after = self.game.successor(state, action)
            follows = look(after)
            if not isinstance(follows, Decision) or follows.player == node.player:
                return after, follows
            self.looks += 1
            few = len(follows.actions) <= self.few
            won = find_immediate_win(self.game, after, follows, self.greatest, plays) if few else None
            if won is None:
                return after, follows
            self.hits += 1
            end = Terminal(won)
            last = plays.pop()
        plays.append(last)
        return after, end


def find_immediate_win(
    game: Game[Any], state: Any, node: Decision, greatest: Sequence[Number | None], plays: list[Action]
) -> tuple[Number, ...] | None:
    """The utilities at the first end that an action leads to directly and that gives the mover the greatest utility;
    None if there is none, or if that utility is not known (None in `greatest`, which has an entry for each player). A
    fault leaves the action that led to it at the end of `plays`.

    Kernel code does the same (gdl/compiler/kernels/immediate_wins.py), with as many actions at a time, so that both
    meet the same fault of the rules first.
    """
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
