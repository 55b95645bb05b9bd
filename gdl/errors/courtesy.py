"""A message that can be worded better with some work: the work has a clock of its own, and a message that would take
longer is worded without it."""

from __future__ import annotations

from time import process_time

from gdl.errors.limits import COURTESY_SECONDS


class Courtesy:
    """The clock of one such work, which begins now. It is the processor's, so a busy machine words a message alike."""

    def __init__(self) -> None:
        self._end = process_time() + COURTESY_SECONDS

    @property
    def is_over(self) -> bool:
        return process_time() > self._end
