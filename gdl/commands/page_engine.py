"""The compiled engine for a page: one WebAssembly module of a game and its searches, with what a script must know."""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from gdl.compiler.emit import emit
from gdl.compiler.joining import Pieces, kernel
from gdl.compiler.lower import Lowered, lower
from gdl.compiler.lower.kept import keeping
from gdl.compiler.lower.packing import packing
from gdl.compiler.searches.mcts import holding
from gdl.compiler.searches.positions import positions
from gdl.compiler.searches.principal_variation import (
    FEW_PLIES,
    MAX_ROWS,
    RANDOM_PLIES,
    WHOLE,
    WIDE,
    manner,
    mirrored,
    utility_bounds,
)
from gdl.errors import Refusal
from gdl.game import Number, greatest_at, surely_at
from gdl.interpreter.rules import RulesGame
from solvers.mcts.mcts import CURIOSITY, FEW_ACTIONS, FEW_VISITS, usual_amaf
from solvers.mcts.uct_nodes import LONGEST, Patience
from solvers.quiescence import for_windows, goes_on

TABLE = 1 << 26  # bytes of a table of positions: a phone has room for them
NODES = 1 << 20  # of a tree of simulations
STATES = 1 << 25  # bytes of the states that such a tree keeps

_GAME = ("start", "status", "moves", "apply")
_WINDOWS = ("begin", "search_run", "table_clear", "learn", "pack", "table_find")
_VECTORS = ("vectors_begin", "vectors_run", "vectors_known")
_KERNELS = {  # of a search: its kernel and the functions that are called
    "windows": ("principal_variation", _WINDOWS),
    "proof": ("principal_variation", _WINDOWS),
    "vectors": ("vectors", _VECTORS),
    "simulations": ("mcts", ("uct_begin", "uct_run")),
}
_READ = """s util nodes most refused top least greatest found random f_best f_row f_side f_before met met_under cut_off
played uct_sum tree_link tree_count uct_now uct_rule uct_c uct_few uct_trust uct_price
greatest_utility greatest_is_known""".split()


def page_engine(game: RulesGame) -> dict[str, dict[str, Any]]:
    """The searches that fit the game, in the order in which they are to be tried, each with its module; {} where the
    engine does not take the game, or has no search for it.

    They are `windows` (principal variation search with the file's evaluation) or `vectors` (max^n with it); without an
    evaluation `proof` (principal variation search to the end) and `simulations` (UCT).
    """
    traits = game.traits
    if traits.perfect_information is not True or traits.simultaneous is not False or traits.unknowns:
        return {}
    with suppress(Refusal):
        lowered = lower(game.model, game)
        if not lowered.at_once:
            made = _Made(game, lowered)
            return {search: made.module(search) for search in made.searches()}
    return {}


class _Made:
    """The engine of one game, as it is put together."""

    def __init__(self, game: RulesGame, lowered: Lowered):
        self.game, self.lowered = game, lowered
        self.model = game.model
        self.common = lcm(lowered.denominator, lowered.evaluation_denominator if self.model.features else 1)
        self.estimate = self.common // lowered.evaluation_denominator if self.model.features else 0

    def searches(self) -> tuple[str, ...]:
        """The searches that fit."""
        windows = for_windows(self.game) and not self.model.chances and len(self.game.players) <= 2
        pastless = self.lowered.keys is None
        if self.model.features:
            if windows and mirrored(self.model):
                return ("windows",)
            return ("vectors",) if pastless and not goes_on(self.game) else ()
        if self.lowered.wide:
            return ()
        traits = self.game.traits
        proves = windows and traits.opposed and not traits.cyclic and pastless
        return ("proof", "simulations") if proves else ("simulations",)

    def module(self, search: str) -> dict[str, Any]:
        """The module of a search: its code, deflated; where its arrays lie; and what it is to be told."""
        layout = replace(self.lowered.layout, past=None) if search == "windows" else self.lowered.layout
        packed = packing(self.model, layout)
        name, entries = _KERNELS[search]
        further = ("taking",) if search == "simulations" and usual_amaf(self.game) else ()
        code = kernel(name, *further, **self._settings(search, packed.words))
        pieces: Pieces = (packed.code,) if "pack" in code.calls else ()
        pieces += keeping(self.lowered.keys) if "keep_past" in code.calls else ()
        estimates = ("evaluate",) if search == "windows" else ()
        joined = [self.lowered.module, *self.lowered.further, *pieces, *code.parts]
        module = emit(joined, (*_GAME, *entries, *estimates))
        arrays = {n: [place.type, place.offset, place.count] for n, place in module.places.items() if n in _READ}
        deflated = b64encode(zlib.compress(module.binary, 9, wbits=-15)).decode("ascii")
        return {"wasm": deflated, "arrays": arrays, **self._told(search)}

    def _settings(self, search: str, words: int) -> Mapping[str, int]:
        """The constants of its kernel."""
        lowered = self.lowered
        if search == "simulations":
            return {"CHANCES": bool(self.model.chances), "WEIGHED": lowered.weighs, "NODES": NODES,
                    "FEW_WAYS": FEW_ACTIONS, "STATES": min(NODES, STATES // (4 * lowered.layout.words)),
                    "DEPTH": max(LONGEST, Patience.MOST) + 2,
                    **(holding(self.model, lowered.layout) if usual_amaf(self.game) else {})}  # fmt: skip
        scales = {"UTILITY": self.common // lowered.denominator, "EVALUATION": self.estimate}
        if search == "vectors":
            entries = TABLE // (8 * (words + len(self.game.players) + 3))
            buckets = 1 << entries.bit_length() - 1
            return {"ENTRIES": entries, "BUCKETS": buckets, "WEIGHED": bool(self.model.chances), **scales}
        return {"ROWS": min(lowered.rows, MAX_ROWS), "FOLDS": 0, **scales, **positions(words, TABLE),
                **manner(self.model, lowered, goes_on(self.game))}  # fmt: skip

    def _told(self, search: str) -> dict[str, Any]:
        """What it has to be told; numbers are whole ones over the denominator."""
        game = self.game
        if search != "simulations":
            scale = self.common // self.lowered.denominator
            bounds: list[int | None] = [None, None]
            if search != "vectors":
                bounds = self._scaled(utility_bounds(self.model), self.common)
            learned = FEW_PLIES if self.lowered.rows > WIDE else RANDOM_PLIES
            return {"denominator": self.common, "scale": scale, "estimate": self.estimate, "bounds": bounds,
                    "learned": learned, "quiescent": goes_on(game), "whole": WHOLE}  # fmt: skip
        price, start, under = game.promises.forever, game.initial(), self.lowered.denominator
        return {
            "denominator": under,
            "price": None if price is None else self._scaled(price, under),
            "greatest": self._scaled(greatest_at(game, start), under),
            "least": self._scaled([low for low, _ in surely_at(game, start)], under),
            "patience": [LONGEST if price is None else Patience.MOST, Patience.LEAST, Patience.FACTOR],
            "curiosity": [*CURIOSITY, FEW_VISITS],
            "amaf": usual_amaf(game),
        }

    @staticmethod
    def _scaled(numbers: Sequence[Number | None], by: int) -> list[int | None]:
        """Numbers as whole ones; what does not fit is as if nothing were known."""
        scaled = [None if number is None else Fraction(number) * by for number in numbers]
        return [int(number) if number is not None and abs(number) < 1 << 30 else None for number in scaled]
