"""The tables by which kernel code shows many states of a game as planes of numbers (kernels/observing.py)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import chain
from struct import pack, unpack
from typing import Any

from gdl.compiler.joining import kernel
from gdl.compiler.lower.state_layout import Layout, VariablePlace, numbers_of
from gdl.compiler.searches.slices import KernelSearch
from gdl.compiler.short_calls import WarmUp
from gdl.errors import Refusal
from gdl.interpreter.bodies import EVERYONE
from gdl.interpreter.rules_game import RulesGame
from gdl.model.domains import SetType, members, ordinal_base, size
from gdl.model.games import Variable
from gdl.wings.programs.planes import RulePlanes, Spot, VariablePlanes, shown_parts

MOST_SHOWN = 1 << 30  # bytes of all observations
MOST_VALUES = 1 << 20  # numbers that all words may hold
NOTHING = (-1, 0)
OF_BITS = {"set": -1, "set_pattern": 0, "unset": -1, "unset_pattern": 0}  # tables by bit, with what stands for no entry


class BatchPlanes:
    """The tables of the kernel, by their names there: where an observation shows each word of a state, and how."""

    def __init__(self, planes: RulePlanes, layout: Layout):
        self.shape = planes.shape
        self._cells, self._squares = planes.grid.cells, planes.grid.places
        self._size, self._players = len(planes.legend) * planes.grid.cells, range(len(planes.game.players))
        self._tables: dict[str, list[int]] = {
            name: [] for name in ("number", "first", "spot", "pattern", "bits", *OF_BITS)
        }  # fmt: skip
        self._hidden: list[tuple[list[int], list[int]]] = [([], []) for _ in self._players]  # of each number, each bit
        self._blank = [[0] * self._size for _ in self._players]
        for place, shown in zip(layout.places, planes.shown, strict=True):
            for element in range(place.count):
                hidden = [p for p in self._players if not is_seen(place.variable, element, p, len(self._players))]
                for player in hidden if shown.hidden else ():
                    self._write_blank(player, self._entry(shown.hidden[element], 1.0))
                self._show_element(place, shown, element, hidden)

    @property
    def settings(self) -> dict[str, int]:
        """The values of the kernel's constants."""
        return {
            "SEEN": self._size, "SEEN_CELLS": self._cells, "SEEN_TURNS": len(self._players) * self._cells,
            "SEEN_HIDES": any(any(numbers) or any(bits) for numbers, bits in self._hidden),
            "SEEN_NUMBERS": len(self._tables["number"]), "SEEN_BITS": len(self._tables["bits"]),
            "SEEN_VALUES": max(1, len(self._tables["spot"])),
        }  # fmt: skip

    def fill(self, module: Mapping[str, Any]) -> None:
        """Write the tables into a module's memory."""
        _, one = self._entry(Spot(0, None), 1.0)
        turns = (one * (turn in (p, EVERYONE)) for turn in range(-1, 1 + len(self._players)) for p in self._players)
        own = {"blank": chain(*self._blank), "turns": (pattern for pattern in turns for _ in range(self._cells))}
        for name, values in (*self._tables.items(), *own.items()):
            content = memoryview(array("i", values))
            module[f"batch_seen_{name}"][: len(content)] = content
        hidden = bytes(chain(*(chain(*both) for both in self._hidden)))
        module["batch_seen_hidden"][: len(hidden)] = hidden

    def _show_number(self, word: int, entries: Mapping[int, tuple[int, int]], hidden: Sequence[int]) -> None:
        """Note the word of an element, and what is shown for each number in it."""
        least, tables = min(entries), self._tables
        tables["number"].append(word)
        tables["first"].append(len(tables["spot"]) - least)
        for number in range(least, 1 + max(entries)):
            for name, value in zip(("spot", "pattern"), entries.get(number, NOTHING), strict=True):
                tables[name].append(value)
        for player in self._players:
            self._hidden[player][0].append(player in hidden)

    def _show_bit(self, place: int, set: tuple[int, int], unset: tuple[int, int], hidden: Sequence[int]) -> None:
        """Note what is shown where a bit of a state is set, and where it is not."""
        word, tables = place // 64, self._tables
        if word not in tables["bits"]:
            tables["bits"].append(word)
            for name, nothing in OF_BITS.items():
                tables[name] += [nothing] * 64
            for _, bits in self._hidden:
                bits += [0] * 64
        at = tables["bits"].index(word) * 64 + place % 64
        for name, value in zip(OF_BITS, (*set, *unset), strict=True):
            tables[name][at] = value
        for player in hidden:
            self._hidden[player][1][at] = 1

    def _show_element(
        self, place: VariablePlace, shown: VariablePlanes, element: int, hidden: Sequence[int]
    ) -> None:  # fmt: skip
        """Note what is shown of one element of a variable."""
        type, spot = shown.type, shown.spots[element]
        if isinstance(type, SetType):
            base, first = ordinal_base(type.item), 32 * (2 * place.long + element * place.each)
            for member in range(place.members - base):
                square = Spot(spot.plane, self._squares[member]) if shown.on_squares else None
                entry = self._entry(square or Spot(spot.plane + member, spot.cell), 1.0)
                self._show_bit(first + base + member, entry, NOTHING, hidden)
            return
        entries: dict[int, tuple[int, int]] = {}
        for number, value in zip(numbers_of(type, members(type)), members(type), strict=True):
            for plane, share in shown_parts(type, value):
                entries[number] = self._entry(Spot(spot.plane + plane, spot.cell), share)
        if place.offset is not None:
            self._show_number(place.offset + element, entries, hidden)
            return
        for number in place.values:
            bit = 64 * place.plane_of(number) + element
            self._show_bit(bit, entries[number], entries[place.background], hidden)
        for player in self._players:
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
        planes = RulePlanes(game)
    except Refusal:
        return None
    shown = zip(layout.places, planes.shown, strict=True)
    values = sum(place.count * size(one.type) for place, one in shown if not isinstance(one.type, SetType))
    if values > MOST_VALUES:  # before tables are made of them
        return None
    made = BatchPlanes(planes, layout)
    return made if 4 * count * made.settings["SEEN"] <= MOST_SHOWN else None


def is_seen(variable: Variable, element: int, player: int, players: int) -> bool:
    """True if a player, one of `players`, sees an element of a variable."""
    kind = variable.visibility.kind
    return kind == "all" or (kind == "owner" and element // (len(variable.initial) // players) == player)


class KernelPlanes(KernelSearch):
    """A game whose states kernel code shows as planes, one at a time."""

    def __init__(self, machine: KernelSearch, planes: BatchPlanes):
        super().__init__(machine.game, machine.first, machine.engine, machine.lowered)
        self.load(kernel("observing", **planes.settings), "batch_observe")
        planes.fill(self.module)
        self._show = WarmUp().entry(self.module, "batch_observe", lambda: None)
        self._state, self._player = self.module["batch_state"], self.module["batch_seen_wanted"]
        self._seen, self._shape = self.module["batch_seen"].cast("B"), planes.shape

    def show(self, words: memoryview[int], player: int) -> memoryview[float]:
        """A player's view of the state with these words, as planes."""
        self._state[:], self._player[0] = words, player
        self._show(0)
        return memoryview(bytearray(self._seen)).cast("f", self._shape)
