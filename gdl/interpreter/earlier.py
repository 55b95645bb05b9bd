"""Memory of earlier positions of a play, as rules ask about them.

For each question the keys of all positions so far are remembered. `times` needs no order: it keeps (key, 1), (key, 2),
… for the first, second, … position with a key. The others keep them in their order, `always` each with whether its
condition held there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gdl.interpreter.closures import PAST, Cells, Frame, Value
from gdl.model import core
from gdl.model.games import Site

Past = tuple[frozenset[Any] | tuple[Any, ...], ...]  # by question: the keys of earlier positions


def empty_past(sites: Sequence[Site]) -> Past:
    """The memory of earlier positions at the start of play: none for each question."""
    return tuple(frozenset[Any]() if site.kind == "times" else () for site in sites)


class EarlierPositions:
    """Answers questions about earlier positions, and adds to the memory of them. `values` compiles the expressions of a
    question, when it is first needed."""

    def __init__(self, values: Callable[[Sequence[core.Expression]], tuple[Value, ...]], sites: Sequence[Site]):
        self._values = values
        self._sites = sites
        self._keys: dict[int, Callable[[Cells], tuple[Any, ...]]] = {}
        self._conditions: dict[int, Callable[[Cells], bool]] = {}

    # -- questions ------------------------------------------------------------------------------------------

    def compile_question(self, e: core.Times | core.Since | core.Always) -> Value:
        """The closure that answers a `times`, `since` or `always`."""
        match e:
            case core.Times():
                return self._times(e)
            case core.Since():
                return self._since(e)
            case core.Always():
                return self._always(e)

    def _times(self, e: core.Times) -> Value:
        """A function that counts the earlier positions with the key of the present one."""
        site, key = e.site, self.key(e.site)

        def times(c: Cells, f: Frame) -> int:
            return occurrences(c[PAST][site], key(c))

        return times

    def _since(self, e: core.Since) -> Value:
        """A closure that gives the number of plies since the last position with the key of the present one; None if
        there was none."""
        site, key = e.site, self.key(e.site)

        def since(c: Cells, f: Frame) -> int | None:
            here = key(c)
            return next((plies for plies, other in enumerate(reversed(c[PAST][site]), start=1) if other == here), None)

        return since

    def _always(self, e: core.Always) -> Value:
        """A closure that is True if the condition has held ever since the first position with the key."""
        site, key, holds = e.site, self.key(e.site), self._condition(e.site)

        def always(c: Cells, f: Frame) -> bool:
            here, past = key(c), c[PAST][site]
            first = next((number for number, (other, _) in enumerate(past) if other == here), None)
            return first is not None and all(held for _, held in past[first + 1 :]) and holds(c)

        return always

    # -- what is remembered ---------------------------------------------------------------------------------

    def key(self, site: int) -> Callable[[Cells], tuple[Any, ...]]:
        """A function of a position's cells to its key: the values by which a question compares it with other
        positions."""
        if site not in self._keys:
            expressions, frame = self._sites[site].key, self._sites[site].frame
            parts = self._values(expressions)
            self._keys[site] = lambda c: tuple([part(c, [None] * frame) for part in parts])
        return self._keys[site]

    def _condition(self, site: int) -> Callable[[Cells], bool]:
        """A function that is True if the condition of an `always` holds in a position."""
        if site not in self._conditions:
            expression, frame = self._sites[site].condition, self._sites[site].frame
            assert expression is not None
            (condition,) = self._values((expression,))
            self._conditions[site] = lambda c: bool(condition(c, [None] * frame))
        return self._conditions[site]

    def past_after(self, cells: Cells) -> Past:
        """The memory of earlier positions after a ply from these cells: that in the cells, with their own position
        added."""
        return tuple(self._with_past(number, past, cells) for number, past in enumerate(cells[PAST]))

    def _with_past(self, number: int, past: Any, cells: Cells) -> Any:
        key = self.key(number)(cells)
        match self._sites[number].kind:
            case "times":
                return past | {(key, occurrences(past, key) + 1)}
            case "since":
                return (*past, key)
            case "always":
                return (*past, (key, self._condition(number)(cells)))


def occurrences(past: frozenset[tuple[Any, int]], key: tuple[Any, ...]) -> int:
    """The number of occurrences of a key in a past that holds (key, 1), (key, 2), … for its first, second, …
    occurrence."""
    count = 0
    while (key, count + 1) in past:
        count += 1
    return count
