"""Play at random that leans toward some actions, as kernels have it (gdl/compiler/kernels/leaning.py)."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from gdl.compiler.lower import Lowered
from gdl.model.games import RulesModel
from gdl.model.leanings import BITS, LocalPatterns

KERNEL = "leaning"


class Leaning:
    """The kernels that are joined with a search whose play at random leans; none, where it does not."""

    def __init__(self, model: RulesModel, lowered: Lowered):
        self.leanings = model.leaning
        self.kernels: tuple[str, ...] = ()
        self.settings: dict[str, int] = {}
        if self.leanings is not None:
            self.kernels, self.settings = (KERNEL,), settings(self.leanings.around, lowered)

    def fill(self, module: Mapping[str, Any]) -> None:
        """Put what was learned into a module."""
        if self.leanings is not None:
            fill(self.leanings.around, module)
            module["lean_number"][:] = memoryview(self.leanings.number)
            module["lean_on"][0] = 1


def settings(around: LocalPatterns, lowered: Lowered) -> dict[str, int]:
    """The values of the kernels' constants."""
    place = lowered.layout.places[around.variable]
    planes = place.offset is None
    return {
        "LEANS": 1, "LEAN_CELLS": len(around.board.squares), "LEAN_WAYS": len(around.ways),
        "LEAN_TURNS": len(around.turns), "LEAN_STRAIGHT": around.straight, "LEAN_CLASSES": around.read.size,
        "LEAN_FROM": place.plane_of(place.values[0]) if place.offset is None else place.offset,
        "LEAN_PLANES": planes, "LEAN_WORDS": max(1, place.words), "LEAN_LEAST": around.read.first,
        "LEAN_OFFERS": "offers" in lowered.module.functions, "LEAN_RULES": len(around.named),
        "LEAN_NAMED": around.most_named, "LEAN_SLOTS": around.slots,
    }  # fmt: skip


def fill(around: LocalPatterns, module: Mapping[str, Any]) -> None:
    """Write into a module what does not change: the board and the heads."""
    board, ways = around.board, around.ways
    come_from, code = array("i", [-1] * (len(board.squares) * len(ways))), array("i", bytes(4 * len(board.squares)))
    for square, steps in enumerate(board.steps):
        for k, way in enumerate(ways):
            to = steps[way]
            if to is None:
                code[square] += 3 << BITS * k
            else:
                come_from[to * len(ways) + k] = square
    words, slots, count = array("i"), array("i"), 0
    for own in around.named:
        for k in range(around.most_named):
            words.append(1 + own[k] if k < len(own) else 0)
            slots.append(count if k < len(own) else 0)
            count += k < len(own)
    arrays = {
        "from": come_from, "at": code, "word": words, "slot": slots,
        "turn": array("i", [to for turn in around.turns for to in turn]),
        "seen": array("i", [held for own in around.classes_by_player() for held in own]),
    }  # fmt: skip
    for name, numbers in arrays.items():
        module[f"lean_{name}"][: len(numbers)] = memoryview(numbers)
