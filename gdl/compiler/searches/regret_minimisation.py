"""Counterfactual regret minimisation in kernel memory. It is joined with no game: the tables say all."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any, NamedTuple

from gdl.compiler import python, wasm
from gdl.compiler.joining import kernel, named

K = named("regret_minimisation")
METHODS = {"plus": K.PLUS, "discounted": K.DISCOUNTED, "predictive": K.PREDICTIVE}
_FIRST = 1  # iterations of the first slice


class Table(NamedTuple):
    """A game as its sequences, numbered one player after the other, each player's empty one first."""

    sequences: tuple[int, ...]  # how many each player has
    sets: tuple[tuple[tuple[int, int, int], ...], ...]  # of each player: first sequence, actions, sequence before
    ends: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...]  # a sequence of each player, what it pays each


class Minimiser:
    """Average strategies, better with every iteration."""

    def __init__(self, table: Table, method: str, engine: str | None = None):
        """`method`: one of METHODS; `engine`: that which is fast if not given. The numbers are the same on both."""
        self.table = table
        code = kernel(
            "regret_minimisation", METHOD=METHODS[method], SEATS=len(table.sequences), ENDS=max(1, len(table.ends)),
            SETS=max(1, sum(map(len, table.sets))), SEQUENCES=sum(table.sequences),
        )  # fmt: skip
        engine = engine or ("wasm" if wasm.available() else "python")
        self.module: dict[str, Any] = (
            wasm.load(code.parts, ("begin", "iterate")) if engine == "wasm" else python.load(code.parts)
        )
        self._fill()
        self.module["begin"]()
        self._slice = _FIRST

    def _fill(self) -> None:
        module, table = self.module, self.table
        first_set, first_sequence = 0, 0
        for player, (count, sets) in enumerate(zip(table.sequences, table.sets, strict=True)):
            module["first_set"][player], module["first_sequence"][player] = first_set, first_sequence
            for h, (first, actions, before) in enumerate(sets, first_set):
                module["set_first"][h] = first
                module["set_count"][h] = actions
                module["set_before"][h] = before
            first_set += len(sets)
            first_sequence += count
        seats = len(table.sequences)
        module["first_set"][seats], module["first_sequence"][seats] = first_set, first_sequence
        sequence, payoff = module["end_sequence"], module["end_payoff"]
        for e, (led, paid) in enumerate(table.ends):
            for player in range(seats):
                sequence[e * seats + player] = led[player]
                payoff[e * seats + player] = paid[player]

    @property
    def iterations(self) -> int:
        """How many were done."""
        return int(self.module["rounds"][0])

    def run(self, until: int, seconds: float) -> bool:
        """Iterate until so many iterations are done or so many seconds are over, about; tells whether they are done."""
        begun = monotonic()
        while self.iterations < until:
            now = monotonic()
            if now - begun > seconds:
                return False
            count = min(self._slice, until - self.iterations)
            self.module["iterate"](count)
            took = monotonic() - now
            if took < seconds / 8 and count == self._slice:
                self._slice *= 2
            elif took > seconds / 2 and self._slice > 1:
                self._slice //= 2
        return True

    def average(self) -> Sequence[float]:
        """The weight of every sequence in the average strategy; those of a set's actions sum to that of the sequence
        before, but for the scale."""
        return list(self.module["average"])
