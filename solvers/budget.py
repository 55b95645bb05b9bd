"""What a search may spend: nodes and seconds, with word of its progress, and a partial answer when it is stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic

from gdl.errors import Interrupted, LimitReached
from gdl.solution import Solution
from solvers.solver import Progress

_EVERY = 1000  # nodes between two words of progress


class Budget:
    """Counts the visited nodes. `visit` raises LimitReached when the nodes or seconds allowed are spent."""

    def __init__(self, nodes: int | None = None, time: float | None = None, progress: Progress | None = None):
        self.nodes = nodes
        self.time = time
        self.progress = progress
        self.spent = 0
        self._deadline = None if time is None else monotonic() + time

    def visit(self) -> None:
        """One more node."""
        if self.is_spent:
            raise self.out_of_nodes()
        self.spent += 1
        self.check_time()
        if self.progress and self.spent % _EVERY == 0:
            self.progress(self.spent)

    @property
    def is_spent(self) -> bool:
        """Whether no node is left."""
        return self.nodes is not None and self.spent >= self.nodes

    def out_of_nodes(self) -> LimitReached:
        """What to raise where none is left."""
        return LimitReached(f"stopped after {self.nodes:,} nodes, the limit set for this search")

    def check_time(self) -> None:
        """Raises LimitReached when the time is over."""
        if self._deadline is not None and monotonic() > self._deadline:
            raise LimitReached(f"stopped after {self.time:g} seconds, the limit set for this search")

    def allows_more_than(self, nodes: int) -> bool:
        """Whether the limit of nodes, if there is one, is larger."""
        return self.nodes is None or self.nodes > nodes

    def part(self, nodes: int | None, share: float) -> Budget:
        """For a part of the work: nodes of its own, and the time up to a share of it."""
        return Budget(nodes, None if self.time is None else self.time * share, self.progress)

    def without_node_limit(self) -> Budget:
        """For work that is not to be counted against the nodes: the same clock, a count of its own."""
        other = Budget(None, self.time, self.progress)
        other._deadline = self._deadline
        return other


@contextmanager
def answering(partial: Callable[[], Solution]) -> Iterator[None]:
    """Where a limit or Ctrl-C stops the block, the answer as far as it goes leaves with the exception."""
    try:
        yield
    except LimitReached as stop:
        raise LimitReached(str(stop), _limited(partial(), str(stop))) from None
    except KeyboardInterrupt:
        raise Interrupted(_limited(partial(), "interrupted")) from None


def _limited(answer: Solution, limit: str) -> Solution:
    """The answer, saying by what it was limited, one after the other."""
    return replace(answer, limit=f"{answer.limit}; {limit}" if answer.limit else limit)
