"""The earlier positions of many plays, of which `times`, `since` and `always` ask: each play has a stack of its own.
The stacks lie side by side in the memory of one module, so that going from play to play costs nothing.

The code is the game's own (gdl/compiler/lower/repetitions.py), with every place in the memory of the stack moved on to
that of the play whose number stands in `batch_play`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir import walks
from gdl.compiler.lower import Lowered
from gdl.compiler.lower.past import BUCKETS, MOST_PAST, PastKeys
from gdl.errors import Refusal
from gdl.interpreter.earlier import Past

MEMORY = 1 << 31  # bytes for the earlier positions of all plays, at most; pages that are not written to take none
FEWEST_PLIES = 512  # of each play for which there is room, at least
PLAY = ir.Array("batch_play", ir.I32, 1)[0]


class OwnPasts:
    """The arrays of a game's module that hold earlier positions, one after the other for `plays` plays.

    Attributes:
        lowered: the game with these arrays.
        plies: the most plies of a play.
    """

    def __init__(self, lowered: Lowered, keys: PastKeys, plays: int):
        """Raises Refusal where there is no room for so many plays."""
        arrays = {name: array for name, array in lowered.module.arrays.items() if name.startswith("past_")}
        each = sum(ir.SIZE[array.type] * (array.count or 0) for array in arrays.values()) // MOST_PAST
        self.plies = min(MOST_PAST, 1 << max(0, (MEMORY // (plays * (each + 1))).bit_length() - 1))
        if self.plies < FEWEST_PLIES:
            raise Refusal(f"there is no room for the earlier positions of {plays:,} plays")
        self._keys, self._plays = keys, plays
        self._sizes = {name: self._size(array) for name, array in arrays.items()}
        self._arrays = {
            name: ir.Array(name, array.type, plays * self._sizes[name]) for name, array in arrays.items()
        }  # fmt: skip
        module = copy(lowered.module)
        module.arrays = module.arrays | self._arrays
        module.functions = {name: self._move_function(function) for name, function in module.functions.items()}
        long, short = (f"more than {plies:,} plies" for plies in (MOST_PAST, self.plies))
        faults = tuple(replace(fault, message=fault.message.replace(long, short)) for fault in lowered.faults)
        self.lowered = replace(lowered, module=module, faults=faults)

    def load(self, module: Mapping[str, Any], past: Past) -> None:
        """Begin every play with these earlier positions."""
        for play in range(self._plays) if past[0] else ():
            self._keys.load(self._part(module, play), past)

    def read(self, module: Mapping[str, Any], play: int, words: Sequence[int]) -> Past:
        """The earlier positions of a play that stands in the state with these words."""
        return self._keys.read(self._part(module, play), words) or ()

    def cut_out(self, module: Mapping[str, Any], play: int, words: Sequence[int]) -> tuple[bytes, ...]:
        """The stack of a play as it stands in memory, for `put_back`."""
        return self._keys.cut_out(self._part(module, play), words) or ()

    def put_back(self, module: Mapping[str, Any], stacks: Sequence[tuple[bytes, ...]]) -> None:
        """Write the stacks of all plays into memory."""
        for play, stack in enumerate(stacks):
            self._keys.put_back(self._part(module, play), stack)

    def _part(self, module: Mapping[str, Any], play: int) -> dict[str, Any]:
        """The arrays of one play, as a module for one play has them."""
        return {name: module[name][play * size : (play + 1) * size] for name, size in self._sizes.items()}

    def _size(self, array: ir.Array) -> int:
        """The number of elements that one play needs of an array."""
        count = array.count or 0
        return count if count <= BUCKETS else count // MOST_PAST * self.plies + count % MOST_PAST

    def _move_function(self, function: ir.Function) -> ir.Function:
        body = walks.map_expressions(function.body, self._move_places)
        for statement in walks.statements(body):  # those that have expressions are new
            if isinstance(statement, ir.Store) and statement.array.name in self._sizes:
                statement.index = self._move_index(statement.array, statement.index)
                statement.array = self._arrays[statement.array.name]
        if function.name == "note_past":  # which traps where a play has too many plies
            most = ir.Const(MOST_PAST)
            body = walks.map_expressions(body, lambda e: walks.put(e, most, ir.Const(self.plies)))
        return replace(function, body=body)

    def _move_places(self, e: ir.Expr) -> ir.Expr:
        e = walks.rebuild(e, self._move_places)
        match e:
            case ir.Load(array=array) if array.name in self._sizes:
                return ir.Load(self._arrays[array.name], self._move_index(array, e.index))
            case ir.Call(arrays=arrays) if arrays:  # behind each array stands the index of its first element
                first = [self._move_index(array, at) for array, at in zip(arrays, e.arguments, strict=False)]
                moved = tuple(self._arrays.get(array.name, array) for array in arrays)
                return ir.Call(e.name, (*first, *e.arguments[len(first) :]), e.type, e.low, e.high, moved)
        return e

    def _move_index(self, array: ir.Array, index: ir.Expr) -> ir.Expr:
        """The index of an element in the part of the present play."""
        size = self._sizes.get(array.name)
        return index if size is None else PLAY * size + index
