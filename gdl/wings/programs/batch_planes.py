"""The tables by which kernel code shows many states of a game as planes of numbers (kernels/observing.py)."""

from __future__ import annotations

from collections.abc import Mapping
from struct import pack, unpack
from typing import Any, NamedTuple

from gdl.compiler.lower.state_layout import Layout, VariablePlace, numbers_of
from gdl.errors import Refusal
from gdl.interpreter.bodies import EVERYONE
from gdl.interpreter.rules_game import RulesGame
from gdl.model.domains import SetType, members, ordinal_base
from gdl.model.games import Variable
from gdl.wings.programs.planes import RulePlanes, Spot, VariablePlanes, shown_parts

MOST_SHOWN = 1 << 30  # bytes of all observations
MOST_VALUES = 1 << 20  # numbers that all words may hold
NOTHING = (-1, 0)


class ShownNumber(NamedTuple):
    """A word of a state that holds a number: its entries by number, and the players from whom it is hidden."""

    word: int
    entries: Mapping[int, tuple[int, int]]
    hidden: tuple[int, ...]


class ShownBit(NamedTuple):
    """A bit of a state: its place, the entries where it is set and where it is not, and the players from whom it is
    hidden."""

    place: int
    set: tuple[int, int]
    unset: tuple[int, int]
    hidden: tuple[int, ...]


class BatchPlanes:
    """The entries for each word of a state: where in an observation it is shown, and how."""

    def __init__(self, planes: RulePlanes, layout: Layout):
        self._cells, self._squares = planes.grid.cells, planes.grid.places
        self._size, self._players = len(planes.legend) * planes.grid.cells, len(planes.game.players)
        self._numbers: list[ShownNumber] = []
        self._bits: list[ShownBit] = []
        self._blank = [[0] * self._size for _ in range(self._players)]
        for place, shown in zip(layout.places, planes.shown, strict=True):
            for element in range(place.count):
                hidden = tuple(
                    p for p in range(self._players) if not is_seen(place.variable, element, p, self._players)
                )
                for player in hidden if shown.hidden else ():
                    self._write_blank(player, self._entry(shown.hidden[element], 1.0))
                self._show_element(place, shown, element, hidden)
        self._words = sorted({bit.place // 64 for bit in self._bits})

    @property
    def settings(self) -> dict[str, int]:
        """The values of the kernel's constants."""
        return {
            "SEEN": self._size, "SEEN_CELLS": self._cells, "SEEN_TURNS": self._players * self._cells,
            "SEEN_BITS": len(self._words),
            "SEEN_HIDES": any(n.hidden for n in self._numbers) or any(b.hidden for b in self._bits),
            "SEEN_NUMBERS": len(self._numbers), "SEEN_VALUES": max(1, sum(map(_span, self._numbers))),
        }  # fmt: skip

    def fill(self, module: Mapping[str, Any]) -> None:
        """Write the tables into a module's memory."""
        for player, row in enumerate(self._blank):
            for k, pattern in enumerate(row):
                module["batch_seen_blank"][player * self._size + k] = pattern
        (_, one), all_players = self._entry(Spot(0, None), 1.0), range(self._players)
        turns = [
            one if turn in (player, EVERYONE) else 0 for turn in range(-1, 1 + self._players) for player in all_players
        ]
        for k in range(len(turns) * self._cells):
            module["batch_seen_turns"][k] = turns[k // self._cells]
        each, end = len(self._numbers) + 64 * len(self._words), 0
        for k, number in enumerate(self._numbers):
            module["batch_seen_number"][k], module["batch_seen_first"][k] = number.word, end - min(number.entries)
            for value, entry in number.entries.items():
                at = end + value - min(number.entries)
                module["batch_seen_spot"][at], module["batch_seen_pattern"][at] = entry
            end += _span(number)
            for player in number.hidden:
                module["batch_seen_hidden"][player * each + k] = 1
        for k in range(64 * len(self._words)):
            module["batch_seen_set"][k] = module["batch_seen_unset"][k] = -1
        for k, word in enumerate(self._words):
            module["batch_seen_bits"][k] = word
        for bit in self._bits:
            at = self._words.index(bit.place // 64) * 64 + bit.place % 64
            module["batch_seen_set"][at], module["batch_seen_set_pattern"][at] = bit.set
            module["batch_seen_unset"][at], module["batch_seen_unset_pattern"][at] = bit.unset
            for player in bit.hidden:
                module["batch_seen_hidden"][player * each + len(self._numbers) + at] = 1

    def _show_element(
        self, place: VariablePlace, shown: VariablePlanes, element: int, hidden: tuple[int, ...]
    ) -> None:  # fmt: skip
        """Note what is shown of one element of a variable."""
        type, spot = shown.type, shown.spots[element]
        if isinstance(type, SetType):
            base, first = ordinal_base(type.item), 32 * (2 * place.long + element * place.each)
            for member in range(place.members - base):
                square = Spot(spot.plane, self._squares[member]) if shown.on_squares else None
                entry = self._entry(square or Spot(spot.plane + member, spot.cell), 1.0)
                self._bits.append(ShownBit(first + base + member, entry, NOTHING, hidden))
            return
        entries: dict[int, tuple[int, int]] = {}
        for number, value in zip(numbers_of(type, members(type)), members(type), strict=True):
            for plane, share in shown_parts(type, value):
                entries[number] = self._entry(Spot(spot.plane + plane, spot.cell), share)
        if place.offset is not None:
            self._numbers.append(ShownNumber(place.offset + element, entries, hidden))
            return
        for number in place.values:
            bit = 64 * place.plane_of(number) + element
            self._bits.append(ShownBit(bit, entries[number], entries[place.background], hidden))
        for player in range(self._players):
            if player not in hidden:
                self._write_blank(player, entries[place.background])

    def _entry(self, spot: Spot, share: float) -> tuple[int, int]:
        """The spot and the pattern of a number, as the kernel takes them."""
        (pattern,) = unpack("i", pack("f", share))
        at = spot.plane * self._cells
        return (2 * at + 1 if spot.cell is None else 2 * (at + spot.cell)), pattern

    def _write_blank(self, player: int, entry: tuple[int, int]) -> None:
        at, count = entry[0] >> 1, self._cells if entry[0] & 1 else 1
        self._blank[player][at : at + count] = [entry[1]] * count


def batch_planes(game: RulesGame, layout: Layout, count: int) -> BatchPlanes | None:
    """The tables for `count` plays; None where what players see depends on a condition, or is too much to keep."""
    variables = game.model.variables
    if not all(variable.visibility.kind in ("all", "none", "owner") for variable in variables):
        return None
    try:
        made = BatchPlanes(RulePlanes(game), layout)
    except Refusal:
        return None
    settings = made.settings
    return made if 4 * count * settings["SEEN"] <= MOST_SHOWN and settings["SEEN_VALUES"] <= MOST_VALUES else None


def is_seen(variable: Variable, element: int, player: int, players: int) -> bool:
    """True if a player, one of `players`, sees an element of a variable."""
    kind = variable.visibility.kind
    return kind == "all" or (kind == "owner" and element // (len(variable.initial) // players) == player)


def _span(number: ShownNumber) -> int:
    return max(number.entries) - min(number.entries) + 1
