"""A message that can be worded better with some work: the work has a clock of its own, and a message that would take
longer is worded without it. Where a command has a limit of time, nothing is left for it once that is over."""

from __future__ import annotations

from math import inf
from time import monotonic, process_time

from gdl.errors.limits import COURTESY_SECONDS, HURRIED_SECONDS


class Courtesy:
    """The clock that limits one piece of extra work for a better message; it starts when it is made. It counts
    processor time, so that a busy machine gives the same messages."""

    due = inf  # when the time of the command is over

    def __init__(self) -> None:
        self._end = process_time() + min(COURTESY_SECONDS, max(HURRIED_SECONDS, Courtesy.due - monotonic()))

    @property
    def is_over(self) -> bool:
        return process_time() > self._end
