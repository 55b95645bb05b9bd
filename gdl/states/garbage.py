"""How often Python looks for objects that hold one another in a circle."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

RARELY = 100_000  # objects between two looks for cycles
_GATE = Lock()
_found: list[tuple[int, int, int]] = []  # the thresholds to be brought back, for each block that is open


@contextmanager
def rare_collection() -> Iterator[None]:
    """A block in which the garbage collector seldom looks for cycles: large trees have none, and each look walks what
    is made so far. Of blocks in several threads the last one that ends brings the old threshold back."""
    with _GATE:
        _found.append(_found[0] if _found else gc.get_threshold())
        first, *later = _found[0]
        gc.set_threshold(max(first, RARELY) if first else 0, *later)
    try:
        yield
    finally:
        with _GATE:
            found = _found.pop()
            if not _found:
                gc.set_threshold(*found)
