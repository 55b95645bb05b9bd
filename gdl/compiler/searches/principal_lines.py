"""Lines of best play, from the transposition table of a search."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial

from gdl.compiler.searches.path_search import PathSearch, replay_line
from gdl.game import Action, Decision


class TableLines:
    """What the table of a search knows of the play after its first state."""

    def __init__(self, search: PathSearch, key: str):
        """`key` is the kernel function that writes the key of a state: `pack`, or `fold`, which takes the least of its
        images."""
        self._search, self._key = search, key

    def recall_line(self, row: int, most: int | None) -> Callable[[], tuple[Action, ...]]:
        """A line that begins with a row of the first state, as far as the table remembers it, of so many plies at
        most. Its actions are named where somebody wants to know them."""
        module, rows = self._search.module, list[int]()
        self._search.enter()
        while len(rows) != most and module["status"]() == 0 and 0 <= row < module["moves"]():
            module["apply"](row)
            rows.append(row)
            row = self._row()
        return partial(replay_line, self._search.game, self._search.state, rows)

    def to_the_end(
        self, first: Action, keeps: Callable[[int], Generator[None, None, bool]]
    ) -> Generator[None, None, tuple[Action, ...]]:
        """The line that begins with an action: everywhere a row that keeps the value, the table's if that does. ()
        where the nodes are spent before its end."""
        search, line = self._search, [first]
        search.enter()
        self._step(search.actions.index(first))
        state = search.game.successor(search.state, first)
        while isinstance(node := search.game.node(state), Decision) and search.module["status"]() == 0:
            words = bytes(search.module["s"])
            known = self._row()
            for row in sorted(range(len(node.actions)), key=lambda row: row != known):
                self.place(words)
                good = yield from keeps(row)
                if search.spent:
                    return ()
                if good:
                    break
            line.append(node.actions[row])
            state = search.game.successor(state, line[-1])
            self.place(words)
            self._step(row)
        return tuple(line)

    def place(self, words: bytes) -> None:
        """Make it the state."""
        self._search.module["s"][:] = memoryview(words).cast("i")

    def key(self) -> tuple[int, ...]:
        """The key of the state, which may become one of its images."""
        self._search.module[self._key]()
        return tuple(self._search.module["key"])

    def _step(self, row: int) -> None:
        """Go on by a row of what the state lists."""
        self._search.module["moves"]()
        self._search.module["apply"](row)

    def _row(self) -> int:
        """The row that the table has for the state; -1: none."""
        module, words = self._search.module, bytes(self._search.module["s"])
        module[self._key]()
        row = int(module["table_find"]() >> 16 & 0xFFFF) - 1
        folded = bytes(module["s"])
        if row >= 0 and folded != words:  # it is a row of an image; the state's own is that which leads to an image
            (wanted,) = self._keys_after(folded, range(row, row + 1))
            self.place(words)
            keys = self._keys_after(words, range(module["moves"]()))
            row = next(own for own, key in enumerate(keys) if key == wanted)
        self.place(words)
        return row

    def _keys_after(self, words: bytes, rows: range) -> Iterator[tuple[int, ...]]:
        """The keys of the least images of what rows of a state lead to."""
        for row in rows:
            self.place(words)
            self._step(row)
            yield self.key()
