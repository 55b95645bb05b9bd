"""Short calls of kernel code by a program that makes very many of them.

The package's own way to call a function costs more than most steps of a game. The fast way (SWIFT) does not, but Ctrl-C
waits until such a call is over. So the first calls are made in the package's way, and timed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import index
from time import perf_counter
from typing import Any

from gdl.compiler.wasm import SWIFT

WARM_UP = 50  # calls that take less than
SOON = 0.001  # seconds; the calls after them are made in the fast way


class WarmUp:
    """The calls that a module and its twins have left to be made in the slow way."""

    def __init__(self) -> None:
        self.left = WARM_UP

    def entry(self, module: Mapping[str, Any], name: str, changed: Callable[[], None]) -> Callable[[int], int]:
        """The function of a module to be called by this name with a number. `changed` is called when the fast way may
        be taken instead; who keeps the function all the same gets the fast way through it."""
        function, swift = module[name], module.get(SWIFT)
        if swift is not None and self.left <= 0:
            fast: Callable[[int], int] = swift(name)
            return fast

        def call(number: int = 0) -> int:
            if swift is not None and self.left <= 0:
                return int(swift(name)(number))
            begun = perf_counter()
            answer: int = function(index(number))
            self.left -= perf_counter() - begun < SOON
            if swift is not None and self.left <= 0:
                changed()
            return answer

        return call
