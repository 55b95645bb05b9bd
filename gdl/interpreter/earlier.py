"""What rules ask of the earlier positions of a play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gdl.interpreter.closures import PAST, Cells, Frame, Value
from gdl.model import core

Past = tuple[frozenset[Any], ...]  # what each `times` remembers


class EarlierPositions:
    """Remembers the keys of positions. `values` makes closures of their parts, on first use."""

    def __init__(self, values: Callable[[Sequence[core.Expression]], tuple[Value, ...]], times: Sequence[Any]):
        self._values = values
        self._times = times
        self._keys: dict[int, Callable[[Cells], tuple[Any, ...]]] = {}

    def times(self, e: core.Times) -> Value:
        """How many earlier positions had the key of the present one."""
        site, key = e.site, self.key(e.site)

        def times(c: Cells, f: Frame) -> int:
            return occurrences(c[PAST][site], key(c))

        return times

    def key(self, site: int) -> Callable[[Cells], tuple[Any, ...]]:
        """What is remembered of a position for one question."""
        if site not in self._keys:
            expressions, frame = self._times[site]
            parts = self._values(expressions)
            self._keys[site] = lambda c: tuple([part(c, [None] * frame) for part in parts])
        return self._keys[site]

    def remembered(self, cells: Cells) -> Past:
        """What is remembered from now on: the past of these cells, and their position too."""
        past: Past = cells[PAST]
        keys = [self.key(site)(cells) for site in range(len(past))]
        return tuple(seen | {(key, occurrences(seen, key) + 1)} for seen, key in zip(past, keys, strict=True))


def occurrences(past: frozenset[tuple[Any, int]], key: tuple[Any, ...]) -> int:
    """How often the key stands in a past that holds (key, 1), (key, 2), … for its first, second, … occurrence."""
    count = 0
    while (key, count + 1) in past:
        count += 1
    return count
