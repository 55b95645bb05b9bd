"""The play that leads to a numbered state, which the enumeration does not note: it is found again to tell a fault."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from gdl.compiler.joining import constants

CANDIDATES = constants("predecessors")["CANDIDATES"]  # that are looked at in one call


class Discovery:
    """How the states were discovered whose keys, so many words each, lie one after the other in the order of their
    numbers. `levels`: the first number of each level; `module`: the game joined with the kernel; `key`: its function
    that writes the key of a state."""

    def __init__(self, keys: Any, words: int, levels: Sequence[int], module: dict[str, Any], key: str):
        self._keys, self._words, self._levels = keys, words, levels
        self._module = module
        self._key = key

    def line(self, number: int) -> list[bytes]:
        """The states from the first to the one of that number, each discovered from the one before it."""
        line = [number]
        for level in reversed(range(bisect_right(self._levels, number) - 1)):
            line.append(self._discoverer(line[-1], range(self._levels[level], self._levels[level + 1])))
        return [self._state(n) for n in reversed(line)]

    def key_of(self, state: bytes) -> tuple[int, ...]:
        """By what the state is known."""
        self._module["s"][:] = memoryview(state).cast("i")
        self._module[self._key]()
        return tuple(self._module["key"])

    def _discoverer(self, number: int, among: range) -> int:
        """The first of some states from which a move leads to the one of that number."""
        self._module["wanted"][:] = self._part(number, 1)
        for first in among[::CANDIDATES]:
            count = min(CANDIDATES, among.stop - first)
            self._module["candidate"][: count * self._words] = self._part(first, count)
            if (found := self._module["discoverer"](count)) >= 0:
                return first + int(found)
        raise AssertionError("a state that nothing leads to")

    def _state(self, number: int) -> bytes:
        self._module["key"][:] = self._part(number, 1)
        self._module["unpack"]()
        return array("i", self._module["s"]).tobytes()

    def _part(self, first: int, count: int) -> Any:
        """The keys of so many states."""
        return self._keys[first * self._words : (first + count) * self._words]
