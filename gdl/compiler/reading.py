"""The memory of a game's module in the interpreter's terms: states, and the rows of a listing."""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct
from typing import Any, NamedTuple

from gdl.compiler.lower import Lowered
from gdl.game import Action
from gdl.interpreter.earlier import Past
from gdl.interpreter.memory import Memories
from gdl.interpreter.rules_game import RulesGame, State
from gdl.model.domains import TRUTH, Optional, Sequence, SetType, Type
from gdl.model.games import Rule

NONE = -1  # the word for the value `none`
Lists = tuple[tuple[int, ...], ...]


class Head(NamedTuple):
    """The rule of a row, the values in its head, and the place in `move` where these end."""

    rule: Rule
    arguments: tuple[Any, ...]
    end: int


class Reading:
    """Reads the memory of one module."""

    def __init__(self, reference: RulesGame, lowered: Lowered, module: Mapping[str, Any]):
        self.reference = reference
        self.lowered = lowered
        self.module = module
        self.rules = (*reference.model.actions, *reference.model.chances)
        self._words = Struct(f"{lowered.layout.words}i")
        self._width = module["WIDTH"]

    def state(self, held: bytes, memories: Memories | None, past: Past) -> State:
        """The state with these words, memories and earlier positions, as the interpreter holds it."""
        words = self._words.unpack(held)
        return State(words[0], (words[1], past, None, *self.lowered.layout.read(words)), memories)

    def names(self, state: State, player: int, rows: range) -> list[Action]:
        """The names of these rows of the listing of a state, as actions of a player."""
        names = []
        for row in rows:
            rule, arguments, _ = self.head(row)
            names.append(self.reference.action_name(state, rule, player, arguments, self.path(row)))
        return names

    def head(self, row: int) -> Head:
        """The rule of a row of the listing, and the values in its head."""
        move, at = self.module["move"], row * self._width
        number = move[at]
        rule = self.rules[number]
        at, arguments = at + 1, []
        for parameter, count in zip(rule.parameters, self.lowered.head_words[number], strict=True):
            arguments.append(value_of(parameter.type, move[at : at + count], self.lowered.lists))
            at += count
        return Head(rule, tuple(arguments), at)

    def path(self, row: int) -> list[int]:
        """The numbers of the options that a row's body has chosen; [] if its rule has no choices."""
        move = self.module["move"]
        if not self.lowered.chooses[move[row * self._width]]:
            return []
        at = self.head(row).end
        start, length, levels = move[at : at + 3]
        return list(self.module["path"][start + length : start + length + levels])


def value_of(type: Type, words: Any, lists: Lists = ()) -> Any:
    """A value of a type from the words that hold it in a row; a list is held as its number among `lists`."""
    if isinstance(type, SetType):
        return sum((word & 0xFFFFFFFF) << 32 * k for k, word in enumerate(words))
    (word,) = words
    if isinstance(type, Sequence):
        return tuple(value_of(type.item, (item,), lists) for item in lists[word])
    if isinstance(type, Optional):
        return None if word == NONE else value_of(type.item, words, lists)
    return bool(word) if type == TRUTH else word
