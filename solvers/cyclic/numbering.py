"""Numbering of all positions of a game on the compiled engine, which finds out far sooner than the interpreter whether
they can all be numbered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from gdl.compiler.search_kinds import RETROGRADE
from gdl.errors import LimitReached, Refusal
from gdl.errors.shares import NUMBERING_SHARE
from gdl.game import Game, maximiser
from gdl.solvers.budget import NO_LIMITS, SearchLimits
from gdl.solvers.engine_stages import compiled_search, memory_limit

if TYPE_CHECKING:
    from gdl.compiler.searches.retrograde import Retrograde

MOST_NUMBERED = 6_000_000  # positions numbered at most
SWOLLEN = 1_000_000  # positions from which on a game may be given up
GROWTH = 2.75  # ratio of new positions from ply to ply; games that can be numbered grow less


class RetrogradeNumbering:
    """The positions of a game, numbered as far as questions about them need. No position gets a number where the game
    has more than two players, or the compiled engine is missing, does not take the game, or is not fast (kernels in
    Python would take too long)."""

    def __init__(self, game: Game[Any], limits: SearchLimits = NO_LIMITS):
        """Begin the numbering. It may take a NUMBERING_SHARE of the time that is left when the engine is ready, however
        long that took."""
        self.game, self.limits = game, limits
        self._steps = self._within_limits()

    @cached_property
    def search(self) -> Retrograde | None:
        """The search of the compiled engine; None where positions get no numbers."""
        engine = self.game.engine
        if not engine.offers(RETROGRADE.name) or len(self.game.players) > 2 or not engine.fast:
            return None
        player = maximiser(self.game.players)
        with suppress(Refusal):  # who chose the engine did not choose this search
            memory = memory_limit(self.game)
            return compiled_search(
                self.game, RETROGRADE, pays=True, maximiser=player, limit=MOST_NUMBERED, memory=memory
            )
        return None

    def _within_limits(self) -> Iterator[None]:
        """A slice of the search at a time; it ends where a limit stops it, or where the engine cannot hold the game."""
        if self.search is None:
            return
        budget = self.limits.part(NUMBERING_SHARE).budget().without_node_limit()
        with suppress(LimitReached, Refusal):
            for _ in self.search.explore():
                budget.check_time()
                if budget.progress:
                    budget.progress(self.search.states)
                yield

    def has_more_than(self, number: int) -> bool:
        """True if there are more than `number` positions. (Positions that differ only in facts that no rule asks for
        count as one.)"""
        return any(search.states > number for search in self._going_on())

    def are_all(self) -> bool:
        """True if all positions have a number, and every end has the same sum, so that best play can be found by their
        numbers. If so, the engine keeps the search, and `collect_positions` in solvers/cyclic/spaces.py need not repeat
        it. Unless a limit stops the search, the answer does not depend on the clock: it is decided ply by ply."""
        for search in self._going_on():
            if swells(search.counts().depth) or search.states > (self.limits.nodes or MOST_NUMBERED):
                return False
        search = self.search
        if search is None or not search.numbered or (search.constant_sum is None and len(self.game.players) > 1):
            return False
        self.game.engine.keep(RETROGRADE, search)
        return True

    def _going_on(self) -> Iterator[Any]:
        """The search as it is, again after each further slice, and once more when it has ended."""
        if self.search is not None:
            yield self.search
            for _ in self._steps:
                yield self.search
            yield self.search


def swells(plies: Sequence[int]) -> bool:
    """True if, beyond a million positions, two plies in a row have each brought nearly three times as many new
    positions as the ply before: such a game has far more than can be numbered. `plies` are the numbers of new
    positions, ply by ply."""
    met = list(accumulate(plies))
    growing = [after > GROWTH * before for before, after in pairwise(plies)]
    return any(one and two and total > SWOLLEN for (one, two), total in zip(pairwise(growing), met[2:], strict=True))
