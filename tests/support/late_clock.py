"""A clock by which the time of a search is over from a given look at it on: a limit of time tested wherever it comes."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from typing import Any
from unittest.mock import patch

from gdl.errors import LimitReached
from gdl.errors.deadline import CLOCK

FAR = 1e9  # seconds, longer than any limit of a test


@contextmanager
def clock_replaced(now: Callable[[], float]) -> Iterator[None]:
    """Within the block, all go by another clock."""
    before, CLOCK.now = CLOCK.now, now  # type: ignore[method-assign]
    try:
        yield
    finally:
        CLOCK.now = before  # type: ignore[method-assign]


@contextmanager
def all_clocks_replaced(
    now: Callable[[], float] = time.monotonic, worked: Callable[[], float] = time.process_time
) -> Iterator[None]:
    """Within the block, whatever of gdl looks at the time finds `now`, and of processor time `worked`, in whichever
    module it looks."""
    with clock_replaced(now), ExitStack() as until_the_end:
        for name, module in list(sys.modules.items()):
            for clock, other in (("monotonic", now), ("perf_counter", now), ("process_time", worked)):
                if name.startswith("gdl") and vars(module or time).get(clock) is getattr(time, clock):
                    until_the_end.enter_context(patch.object(module, clock, other))
        yield


def late_after(looks: int, goes_on: bool = False) -> AbstractContextManager[None]:
    """Within the block, the clock stands still for so many looks, and is past every limit from then on; if it goes on,
    it is past those that begin then too."""
    seen = count(1 - looks)
    return clock_replaced(lambda: FAR * (max(0, next(seen)) if goes_on else next(seen) > 0))


def partial_answers(search: Callable[[], Any], every: int = 1, goes_on: bool = False) -> Iterator[Any]:
    """The answers that a search with a limit of time leaves where the limit comes at its second look at the clock, and
    `every` looks later each time, until it is done before."""
    for looks in count(1, every):
        try:
            with late_after(looks, goes_on):
                answer = search()
        except LimitReached as stop:
            if stop.partial is not None:
                yield stop.partial
        else:
            if answer.limit is None:
                return
            yield answer  # of `gdl.solve`, which raises nothing
