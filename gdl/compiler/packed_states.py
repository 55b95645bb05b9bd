"""Packed states: the words of a state, as kernel code holds them, as bytes.

Equal states are equal bytes. Where the rules ask for earlier positions, the words hold a digest of these, and the state
has a link to the one before it, by which the positions themselves are found.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from struct import Struct
from typing import Any, Self

from gdl.compiler.lower.state_layout import Layout
from gdl.interpreter.closures import PAST
from gdl.interpreter.earlier import Past
from gdl.interpreter.rules_game import State


class LinkedState(bytes):
    """A packed state with the state before it, and the row of the move that led here; or, where there is none before it
    (`parent` is None), with the earlier positions as the interpreter holds them."""

    parent: LinkedState | None
    row: int
    past: Past

    @classmethod
    def begin(cls, words: bytes, past: Past) -> Self:
        """The state with these words, after these positions."""
        made = cls(words)
        made.parent, made.row, made.past = None, -1, past
        return made

    def follow(self, words: Any, row: int) -> LinkedState:
        """The state with these words to which a row of this one leads."""
        made = LinkedState(words)
        made.parent, made.row = self, row
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        line, rows, at = [bytes(self)], list[int](), self
        while at.parent is not None:  # not by recursion: plays are long
            rows.append(at.row)
            at = at.parent
            line.append(bytes(at))
        return _link_line, (line[::-1], rows[::-1], at.past)


def _link_line(line: Sequence[bytes], rows: Sequence[int], past: Past) -> LinkedState:
    """The last state of a line that begins after these positions."""
    made = LinkedState.begin(line[0], past)
    for words, row in zip(line[1:], rows, strict=True):
        made = made.follow(words, row)
    return made


class StatePacking:
    """Packs the states of the interpreter, and unpacks them."""

    def __init__(self, layout: Layout):
        self.layout = layout
        self._words = Struct(f"{layout.words}i")
        self.size = self._words.size

    def pack_state(self, state: State) -> bytes:
        """The words of a state as bytes."""
        words = array("i", self.layout.words_of_state(state.turn, state.cells)).tobytes()
        return words if self.layout.past is None else LinkedState.begin(words, state.cells[PAST])

    def unpack_state(self, packed: bytes, past: Past = ()) -> State:
        """The state of these bytes, after these positions, as the interpreter holds it."""
        words = self._words.unpack(packed)
        return State(words[0], (words[1], past, None, *self.layout.read(words)), None)
