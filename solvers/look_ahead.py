"""Bounds of the values of any game by a look ahead, for answers that a limit stopped before they proved anything.

1. Look one ply deeper each time, until all was seen or enough was done. What was not looked at pays between the bounds
   that the file states or its rules prove.
2. Two numbers are passed up for each player: the most that any play pays, on average over chance, and what the player
   secures whatever all others do, even if these saw everything.
3. Players who do not see everything must not choose by what is seen here: for them all actions have equal chances,
   except at the start.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from fractions import Fraction
from itertools import count
from math import inf
from typing import Any, NamedTuple

from gdl.errors import GameError, LimitReached, Refusal
from gdl.errors.deadline import check_deadline
from gdl.game import Bounds, Chance, Decision, Game, Number, Terminal, bounds_at, exact, require_number
from gdl.states.explore import moves

SEEN_MOVES = 3_000  # moves of all depths together

End = Number | float  # a bound; infinite where nothing is known


class Outlook(NamedTuple):
    """A player's bounds. `action` secures what is `secured`; "" if the player does not begin, or a mixture secures
    it."""

    secured: End
    most: End
    action: str = ""

    def combine_bounds(self, other: Outlook) -> Outlook:
        """The tighter of two at each end."""
        best = max(self, other, key=lambda one: one.secured)
        return Outlook(best.secured, min(self.most, other.most), best.action)


def look_ahead(game: Game[Any]) -> tuple[Outlook, ...]:
    """The bounds of each player at the start; () where they cannot be told: rewards on the way, or open numbers. It
    ends where the deadline that is enforced is over."""
    if game.promises.rewards is not None or game.traits.rewards or game.traits.unknowns:
        return ()
    found, look = tuple(Outlook(-inf, inf) for _ in game.players), _Look(game)
    with suppress(GameError, LimitReached, Refusal, RecursionError):  # then what was found before counts
        for depth in count(1):
            look.is_cut, look.seen = False, {}
            found = tuple(map(Outlook.combine_bounds, found, look.outlook_at(game.initial(), depth, first=True)))
            if not look.is_cut or look.left <= 0:
                break
    return found


def outlook_bounds(outlooks: Iterable[Outlook]) -> Bounds:
    """The bounds of the value where everybody gets at least what they can secure."""
    ends = ((one.secured, one.most) for one in outlooks)
    return tuple(tuple(None if isinstance(end, float) else exact(end) for end in pair) for pair in ends)  # type: ignore


class _Look:
    """A look at some positions of a game; `is_cut` is True if it left something out."""

    def __init__(self, game: Game[Any]):
        self.game = game
        self.left, self.is_cut = SEEN_MOVES, False
        self.seen: dict[tuple[Any, int], list[Outlook]] = {}  # by state and depth
        self.players = range(len(game.players))
        self.sees_all, self.remembers = game.traits.perfect_information is True, game.traits.perfect_recall is True

    def outlook_at(self, state: Any, depth: int, first: bool = False) -> list[Outlook]:
        """The bounds of each player by what lies at most `depth` plies below the state."""
        known = self.seen.get((state, depth))
        if known is None:
            known = self.seen[state, depth] = self._look(state, depth, first)
        return known

    def _look(self, state: Any, depth: int, first: bool) -> list[Outlook]:
        check_deadline()
        node = self.game.node(state) if self.left > 0 else None
        if isinstance(node, Terminal):
            return [Outlook(paid, paid) for paid in map(require_number, node.utilities)]
        ways = () if node is None else moves(node)
        self.left -= 1 + len(ways)
        if node is None or depth == 0 or self.left <= 0:
            self.is_cut = True
            bounds = bounds_at(self.game, state)
            return [Outlook(-inf if low is None else low, inf if high is None else high) for low, high in bounds]
        after = [self.outlook_at(self.game.successor(state, way), depth - 1) for way in ways]
        if isinstance(node, Chance):
            shares = [Fraction(share) for _, share in node.outcomes]
            return [_average([one[p] for one in after], shares) for p in self.players]
        if isinstance(node, Decision):
            own = [tuple(way if p == node.player else "" for p in self.players) for way in ways]
        else:
            own = [tuple(way) for way in ways]
        return [self._after_choice(p, own, [one[p] for one in after], first) for p in self.players]

    def _after_choice(self, player: int, ways: list[Any], after: list[Outlook], first: bool) -> Outlook:
        """A player's bounds where somebody acts, by everybody's actions ("" of those who have none) and the bounds
        after them."""
        by_own, by_others = defaultdict[Any, list[End]](list), defaultdict[Any, list[End]](list)
        for way, one in zip(ways, after, strict=True):
            by_own[way[player]].append(one.secured)
            by_others[way[:player] + way[player + 1 :]].append(one.secured)
        even = min(sum(ends) / Fraction(len(ends)) for ends in by_others.values())
        most = max(one.most for one in after)
        if not (self.sees_all or (first and self.remembers)):
            return Outlook(even, most)
        action = max(by_own, key=lambda one: min(by_own[one]))
        pure = min(by_own[action])
        return Outlook(pure, most, action) if pure >= even else Outlook(even, most)


def _average(after: list[Outlook], shares: list[Fraction]) -> Outlook:
    """The bounds where chance leads to some others with these probabilities."""
    secured, most = (sum(end * share for end, share in zip(ends, shares, strict=True) if share)
                     for ends in zip(*(one[:2] for one in after), strict=True))  # fmt: skip
    return Outlook(secured, most)
