"""The end of a deepening search whose limit of time is flexible: the longer its best action has been the same, the
sooner.

Where the best action changes from depth to depth it may change again, and the whole time is spent; each depth that
keeps it leaves less to be found. So of a clock for a whole game more is left for the moves that need it.

Source: Hyatt, Using time wisely, ICCA Journal 7, 1984.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from time import monotonic
from typing import TYPE_CHECKING

from gdl.solvers.budget import Budget, Clock

if TYPE_CHECKING:
    from gdl.compiler.searches.principal_variation import PrincipalVariation

SHARES = (1.0, 0.75, 0.5, 0.35)  # of the time, by how many depths after one another have kept the best action


class FlexibleClock(Clock):
    """A limit of time that need not be spent, for it is taken from a clock for many searches."""


def until_decided(
    search: PrincipalVariation, slices: Generator[None, None, None], budget: Budget
) -> Generator[None, None, None]:
    """The slices of a search on the compiled engine; with a flexible clock, only as many as the search is worth."""
    time = budget.time
    if not isinstance(time, FlexibleClock):
        yield from slices
        return
    kept, depth, best = 0, None, None
    with closing(slices):
        for _ in slices:
            yield
            found = search.answer
            if found is not None and found.depth != depth:
                kept = min(kept + 1, len(SHARES) - 1) if found.best[0] == best else 0
                depth, best = found.depth, found.best[0]
            if time - (time.end - monotonic()) >= SHARES[kept] * time:
                return
