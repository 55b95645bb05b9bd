"""Twins of a search that help it, each in a thread of its own, over one table (gdl/compiler/kernels/team.py)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from gdl.compiler import python, sharing, wasm
from gdl.compiler.searches.threads import beside
from gdl.errors import EngineFault

_ENDLESS = 1 << 30  # nodes of a call that the end of the search ends


def supports_twins(engine: str) -> bool:
    """Whether searches on an engine may have twins."""
    return engine == "wasm" and sharing.can_share_memory()


class Team:
    """So many twins of a module at most, which are made when they are first needed."""

    def __init__(self, module: dict[str, Any], twins: int):
        self._module, self._number = module, twins
        self._twins: list[dict[str, Any]] = []
        self._before: list[int] = []  # the nodes that each had when it began
        self._done = 0  # nodes of the twins, in searches that are over

    @property
    def nodes(self) -> int:
        """What the twins have visited so far, in all."""
        return self._done + sum(map(_nodes, self._twins)) - sum(self._before)

    @contextmanager
    def run_twins(self) -> Iterator[None]:
        """While the block runs, the twins go on as well from where the search stands. When it ends they stop; if one of
        them was done first, the search has its result."""
        while len(self._twins) < self._number:
            self._twins.append(self._module[wasm.TWIN]())
        for twin in self._twins:
            twin[wasm.SAME]()
        self._before = list(map(_nodes, self._twins))
        try:
            with beside([self._goes_on(twin) for twin in self._twins]):
                try:
                    yield
                finally:
                    self._module["team_over"][0] = 1
        finally:
            self._done, self._before = self.nodes, list(map(_nodes, self._twins))
        self._take()

    def _goes_on(self, twin: Mapping[str, Any]) -> Iterator[None]:
        """The work of a twin. A fault ends it: the search itself will meet it, if it lies where it must go."""
        twin["most"][0] = 1 << 62
        with suppress(python.Trap, EngineFault):
            while twin["search_run"](_ENDLESS):
                yield

    def _take(self) -> None:
        """Have the result of a twin that was done first."""
        if not self._module["top"][0]:
            return
        for twin in self._twins:
            if not twin["top"][0] and not twin["refused"][0]:
                self._module["found"][:] = twin["found"]
                self._module["top"][0] = 0
                return


def _nodes(module: Mapping[str, Any]) -> int:
    return int(module["nodes"][0])
