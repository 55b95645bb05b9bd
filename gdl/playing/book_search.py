"""How an opening book grows.

Each position that a book takes in is searched with a set number of nodes: by depth-limited where the file gives an
evaluation; else a search with a table tries to prove its value, and simulations estimate it where that fails. No search
learns from another, so the entry of a position depends on nothing but the position, and a book that was interrupted and
resumed is the same to the byte.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from gdl.compiler.compiled_engine import falling_back, offer
from gdl.errors import LimitReached, Refusal, clean, count_text
from gdl.formats import book as books
from gdl.formats import files
from gdl.formats.book import CHANCE, Book, Entry
from gdl.game import Chance, Decision, Game, Number, Terminal, actions, require_number
from gdl.interpreter.position import Continuation
from gdl.playing.book import OpenBook
from gdl.playing.computer import NOBODY, Company, ComputerSettings
from gdl.solution import Solution
from gdl.solvers.budget import Budget
from gdl.solvers.minimax.long_run import prove_with_table
from gdl.states.explore import Progress

TABLE, BYTES = 1 << 21, 32  # bytes of a search's table, on every engine; or so many bytes a node, if that is more
BETWEEN = 30.0  # seconds between two times that the book is written to its file
HUNDREDTH = 100  # a hundredth of the positions is chosen to be searched at a time
STATES = 20_000  # of positions that are remembered, so as not to be replayed


class _Over(Exception):
    """The search ends: the time is over, or there are as many positions as were asked for."""


@dataclass
class BookSearch:
    """A book that grows by searches."""

    game: Game[Any]
    opened: OpenBook
    engine: str
    file: Path | None
    end: float | None  # when to stop, on the clock `monotonic`; None: no limit
    most: int | None  # positions in the book; None: as many as a book may have
    watch: Callable[[], AbstractContextManager[Progress]]  # gives a function that is told how many positions there are
    company: Company = NOBODY

    def __post_init__(self) -> None:
        self._states: dict[int, Any] = {0: self.opened.start}
        self._next = monotonic() + BETWEEN
        self._progress: Progress

    @property
    def book(self) -> Book:
        return self.opened.book

    def run(self) -> None:
        """Search until the time is over, there are enough positions, or nothing is left to search; then write the book
        to its file."""
        try:
            with self.watch() as self._progress:
                if not self.book.entries:
                    self._add(-1, "", self.opened.start)
                while self._chosen():
                    if self.book.entries[self.book.due[0]].after is None:
                        self._expand(self.book.due[0])
                        self.opened.invalidate_worth()
                    del self.book.due[0]
        except _Over:
            pass
        except LimitReached:
            if not self._is_over():
                raise
        finally:
            if self.book.entries:
                self._keep()
        self.opened.invalidate_worth()

    def _chosen(self) -> bool:
        """Choose the positions whose successors are needed most, if none are chosen already; True if there are any."""
        if not self.book.due:
            self.book.due = self.opened.positions_to_search(max(1, len(self.book.entries) // HUNDREDTH))
        return bool(self.book.due)

    def _expand(self, at: int) -> None:
        """Search all positions that follow entry `at`, and link them to it."""
        state = self._state(at)
        node = self.opened.rules.node(state)
        mover = CHANCE if isinstance(node, Chance) else node.player if isinstance(node, Decision) else None
        if mover != self.book.entries[at].mover:
            raise self.opened.damage_error()
        after = []
        for action in actions(node):
            following = self.opened.rules.successor(state, action)
            place = self.opened.place.get(self.opened.keys.of(following))
            after.append(self._add(at, action, following) if place is None else place)
        self.book.entries[at].after = tuple(after)
        if isinstance(node, Chance):
            self.book.entries[at].shares = tuple(require_number(share) for _, share in node.outcomes)

    def _state(self, at: int) -> Any:
        """The state of entry `at`, replayed along the actions that lead to it."""
        way = []
        while at not in self._states:
            way.append(at)
            at = self.book.entries[at].parent
        state = self._states[at]
        if len(self._states) > STATES:
            self._states = {0: self.opened.start}
        for at in reversed(way):
            entry = self.book.entries[at]
            node = self.opened.rules.node(state)
            if entry.action not in actions(node):
                raise self.opened.damage_error()
            state = self._states[at] = self.opened.rules.successor(state, entry.action)
        return state

    def _add(self, parent: int, action: str, state: Any) -> int:
        """Search a position and add its entry. Returns the entry's number; raises _Over if the time is over or the book
        full."""
        at = len(self.book.entries)
        if at >= (self.most or books.MOST_POSITIONS) or self._is_over():
            raise _Over
        entry = self._search_entry(parent, action, state)
        if self._is_over():
            raise _Over  # the search may not have been done
        self.book.entries.append(entry)
        self.opened.place[entry.key] = at
        self._progress(at + 1)
        if monotonic() > self._next:
            self._keep()
        return at

    def _is_over(self) -> bool:
        return self.end is not None and monotonic() >= self.end

    def _keep(self) -> None:
        if self.file:
            files.write(self.file, books.write(self.book))
        self._next = monotonic() + BETWEEN

    def _search_entry(self, parent: int, action: str, state: Any) -> Entry:
        """The entry of a position, with what a search found of it."""
        key, node = self.opened.keys.of(state), self.opened.rules.node(state)
        if isinstance(node, Terminal):
            paid = require_number(node.utilities[0])
            bound = paid if self.opened.proves else None
            return Entry(key, parent, action, -1, float(paid), bound, bound)
        if not isinstance(node, Decision | Chance):
            raise Refusal(f"an opening book is for games in which players take turns, and {self.game.name} is none")
        found = self._solve_state(state)
        if found is None or found.value is None or (isinstance(node, Decision) and not found.best):
            if self._is_over():
                raise _Over
            raise Refusal(
                f"no search of {count_text(self.book.nodes, 'node')} finds anything in {clean(self.game.name)}"
            )
        low, high = _proven_bounds(found) if self.opened.proves else (None, None)
        estimate = float(f"{float(found.value[0]):.6g}")
        if isinstance(node, Chance):
            return Entry(key, parent, action, CHANCE, estimate, low, high)
        reply = self.opened.keys.of(self.opened.rules.successor(state, found.best[0]))
        return Entry(key, parent, action, node.player, estimate, low, high, reply)

    def _solve_state(self, state: Any) -> Solution | None:
        """The answer of the first search that suits the game and finds a value; None if there is none. No search uses
        what another has learned."""
        nodes = self.book.nodes
        table = max(TABLE, BYTES * nodes)
        position = Continuation(self._compiled_game(4 * table // 3 + 1), state)
        if position.evaluate(state) is not None:
            found = self._manner(position).try_solver(position, "depth-limited", {"nodes": nodes})
        else:
            found = falling_back(
                lambda: prove_with_table(position, Budget(nodes, None, self._watch)), position, self.company.fault
            )
        if found is not None and found.value is not None:
            return found
        simulated = Continuation(self._compiled_game(None), state)
        return self._manner(simulated).try_solver(simulated, "mcts", {"nodes": nodes, "simulations": nodes})

    def _manner(self, game: Game[Any]) -> ComputerSettings:
        return ComputerSettings(game, "auto", self.book.seed, None, self._watch, company=self.company)

    def _compiled_game(self, bytes: int | None) -> Game[Any]:
        """The game with its compiled searches, which work compiled from their first node on; `bytes` is the memory that
        they may take (None: no limit)."""
        from gdl.compiler import wasm

        chosen = "wasm" if self.engine == "auto" and wasm.available() else self.engine
        return offer(self.game, chosen, lambda: bytes, self.company.remark)

    def _watch(self, done: int) -> None:
        if self._is_over():
            raise LimitReached("the time is over")


def _proven_bounds(found: Solution) -> tuple[Number | None, Number | None]:
    """The proved lower and upper bounds of the first player's utility; None where not known."""
    if found.exact and found.value is not None and not isinstance(found.value[0], float):
        return found.value[0], found.value[0]
    return found.interval[0] if found.interval else (None, None)
