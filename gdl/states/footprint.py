"""How many bytes the states of a game take, where many of them are kept.

What several states have in common counts once: a tuple that is part of two of them lies in memory once.
"""

from __future__ import annotations

from sys import getsizeof

_SCANNED = 64  # the first members of a tuple, among which others may be; the rest are plain values
_HOLDERS = (tuple, frozenset)


class Footprint:
    """The bytes of everything that was added, about."""

    def __init__(self) -> None:
        self.bytes = 0
        self._known: set[int] = set()  # the identities of what was added; it is kept, so they stay

    def add(self, state: object) -> None:
        """One more state, which is kept from now on."""
        known = self._known
        waiting = [state]
        while waiting:
            part = waiting.pop()
            if id(part) in known:
                continue
            known.add(id(part))
            self.bytes += getsizeof(part)
            if isinstance(part, tuple):
                waiting += [each for each in part[:_SCANNED] if isinstance(each, _HOLDERS)]
