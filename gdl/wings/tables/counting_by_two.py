"""A count of all states that two workers continue where there are many: one has the states whose keys' hashes are even,
the other those whose hashes are odd, and each has half of the memory.

Both expand a level at the same time, each in a thread of its own, and hand over keys that belong to the other. In the
end they know how many states there are at each depth, which does not depend on who found them first.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from gdl.compiler import python
from gdl.compiler.joining import Kernel, kernel, kernel_constants
from gdl.compiler.searches.enumeration import Enumeration
from gdl.compiler.searches.threads import processors, run_together
from gdl.errors import EngineFault
from gdl.states.count import StateCount
from gdl.states.explore import Progress, attach_partial

K = kernel_constants("enumerate", "partition")  # what stands where in the kernels' memory
SPARE = K.SPARE  # keys of a box, beside those of a batch
ALONE = 500_000  # states up to which one worker is enough


class Count(Enumeration):
    """An enumeration of which only the counts are wanted."""

    shared: SharedEnumeration | None = None  # two workers that continue this count, each with half of the states

    def result(self, progress: Progress | None = None) -> StateCount:
        """Count all states. LimitReached and Interrupted keep the counts so far."""
        plain = not (self.direct or self.lowered.keys)
        left_alone = not plain or self.engine != "wasm" or processors() < 2
        with attach_partial(lambda: (self.shared or self).counts()):
            for _ in self:
                if progress:
                    progress(self.states)
                if self.states > ALONE and not left_alone:
                    left_alone = True
                    with suppress(EngineFault):  # the machine may have no room for two
                        self.shared = SharedEnumeration(self)
                    if self.shared and self.shared.done(self.most, progress):
                        return self.shared.counts()
                    self.shared = None
        return self.counts()

    def half(self, part: int) -> Half:
        """A new worker for the states of a part, 0 or 1."""
        return Half(part, self.game, self.first, self.engine, memory=self.memory // 2, lowered=self.lowered)


class Half(Enumeration):
    """One of the two workers that share a count: it has the states of one part."""

    entries = ("expand_run", "take_run", "put_all")

    def __init__(self, part: int, *arguments: Any, **options: Any):
        super().__init__(*arguments, **options)
        self._parted = self.module["parted"]
        self._parted[K.MINE] = part
        self.module["put_all"]()

    def kernel(self) -> Kernel:
        """The kernel that is joined with the game."""
        return kernel("partition", PARTED=1, SPARE=SPARE, **self.settings)

    @property
    def expanding(self) -> bool:
        """True if states of the present level are left to be expanded."""
        return bool(self.found[K.EXPANDED] < self.found[K.LEVEL_END])

    def expand(self) -> Iterator[None]:
        """Expand the level until it is done or the outbox is full."""
        return self.slices(self.module["expand_run"])

    def take(self) -> Iterator[None]:
        """Number the keys in the inbox, and empty the outbox."""
        return self.slices(self.module["take_run"])

    def outgoing_keys(self) -> Any:
        """The keys in the outbox, which belong to the other part."""
        return self.module["outbox"][: self._parted[K.OUT] * self.packing.words]

    def receive(self, keys: Any) -> None:
        """Copy keys into the inbox."""
        self.module["inbox"][: len(keys)] = keys
        self._parted[K.IN] = len(keys) // self.packing.words
        self._parted[K.TAKEN] = 0


class SharedEnumeration:
    """An enumeration that two workers continue together."""

    def __init__(self, search: Count):
        """Share the count that `search` has begun between two searches, each with half of the states; `search` stays as
        it is."""
        self.parts = (search.half(0), search.half(1))
        self._words = search.packing.words
        self._before = search.counts()
        level_end = int(search.found[K.LEVEL_END])
        self.depth = list(search.counts().depth)
        if search.states > level_end:
            self.depth.pop()  # the next level, which is not complete
        expanded = int(search.found[K.EXPANDED])
        for first, last, field in (
            (0, expanded, K.EXPANDED),
            (expanded, level_end, K.LEVEL_END),
            (level_end, search.states, None),
        ):
            self._hand_over(search, first, last)
            for part in self.parts if field is not None else ():
                part.found[field] = part.states

    def _hand_over(self, search: Enumeration, first: int, last: int) -> None:
        """Give the states of a search with numbers from `first` up to `last` to both workers; each takes those of its
        part."""
        keys = search.module["keys"]
        step = len(self.parts[0].module["inbox"]) // self._words
        for at in range(first, last, step):
            for part in self.parts:
                part.receive(keys[at * self._words : min(at + step, last) * self._words])
                for _ in part.take():
                    pass

    @property
    def states(self) -> int:
        return sum(part.states for part in self.parts)

    def counts(self) -> StateCount:
        """The counts of both workers so far."""
        ends = self._before.terminal + sum(part.found[K.ENDS] for part in self.parts)
        edges = self._before.edges + sum(part.found[K.EDGES] for part in self.parts)
        left = self.states - sum(self.depth)
        return StateCount(self.states, ends, edges, (*self.depth, *([left] if left else [])))

    def done(self, limit: int, progress: Progress | None) -> bool:
        """Count all states; False if there are more than `limit`, if they do not fit, or if a rule has a fault. Then a
        single search has to find out where."""

        def pause() -> None:
            if progress:
                progress(self.states)

        try:
            while True:
                while any(part.expanding for part in self.parts):
                    run_together([part.expand() for part in self.parts], pause)
                    one, other = self.parts
                    one.receive(other.outgoing_keys())
                    other.receive(one.outgoing_keys())
                    run_together([part.take() for part in self.parts], pause)
                    if self.states > limit or any(part.found[K.MORE] for part in self.parts):
                        return False
                if self.states == sum(self.depth):
                    return True
                self.depth.append(self.states - sum(self.depth))
                for part in self.parts:
                    part.found[K.LEVEL_END] = part.states
        except python.Trap:
            return False
