"""Counterfactual regret minimisation in kernel memory. The kernel is joined with no game: tables describe the game."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import mul
from time import monotonic
from typing import Any, NamedTuple

from gdl.compiler import python, wasm
from gdl.compiler.fault import engine_faults
from gdl.compiler.joining import Kernel, kernel, kernel_constants
from gdl.errors import EngineFault

K = kernel_constants("regret_minimisation")
METHODS = {"plus": K.PLUS, "discounted": K.DISCOUNTED, "predictive": K.PREDICTIVE}
KEPT = ("plan", "share", "regret", "average")  # the arrays by sequence from which iterations can go on
_FIRST_SLICE_ITERATIONS = 1  # iterations of the first slice


ENTRIES = ("begin", "iterate", "round_average", "gather", "reply")


class CfrSequenceTable(NamedTuple):
    """A game as its sequences, numbered one player after the other, each player's empty one first."""

    sequences: tuple[int, ...]  # how many each player has
    sets: tuple[tuple[tuple[int, int, int], ...], ...]  # of each player: first sequence, actions, sequence before
    led: array[int]  # for each combination of sequences, one of each player, that leads to ends: these sequences,
    paid: array[float]  # and what the ends pay each player, times the probability of chance's part
    amounts: array[int] | None = None  # the same in whole numbers, to judge averages; None: not needed


class Minimiser:
    """The average strategies of all players, which get better with every iteration."""

    def __init__(self, table: CfrSequenceTable, method: str, engine: str | None = None):
        """`method`: one of METHODS; `engine`: "wasm", "python" or None, the faster one. All give the same numbers.

        Raises Refusal where the tables have no room.
        """
        self.table = table
        self.torn = False  # True if an iteration was left half done
        self.fault: EngineFault | None = None  # the reason why the code runs as Python unasked
        code = kernel(
            "regret_minimisation", METHOD=METHODS[method], SEATS=len(table.sequences),
            ENDS=max(1, len(table.led) // len(table.sequences)), SETS=max(1, sum(map(len, table.sets))),
            SEQUENCES=sum(table.sequences), EXACT=table.amounts is not None,
        )  # fmt: skip
        self.module = self._load_module(code, engine)
        self._fill()
        self.module["begin"]()
        self._slice = _FIRST_SLICE_ITERATIONS

    def _load_module(self, code: Kernel, engine: str | None) -> dict[str, Any]:
        """Load the kernel on an engine (None: WebAssembly if it is available). If WebAssembly fails without having been
        asked for, the kernel runs as Python, and `fault` says why."""
        if engine == "wasm" or (engine is None and wasm.available()):
            try:
                with engine_faults("counterfactual regret minimisation"):
                    return wasm.load(code.parts, ENTRIES, wasm.ADDRESSES)
            except EngineFault as fault:
                if engine:
                    raise
                self.fault = fault
        return python.load(code.parts)

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
        module["end_sequence"][: len(table.led)] = memoryview(table.led)
        module["end_payoff"][: len(table.paid)] = memoryview(table.paid)
        if table.amounts is not None:
            module["end_amount"][: len(table.amounts)] = memoryview(table.amounts)

    @property
    def iterations(self) -> int:
        """The number of iterations done."""
        return int(self.module["rounds"][0])

    def run(self, until: int, seconds: float) -> bool:
        """Iterate until `until` iterations are done or about `seconds` seconds have passed. Returns True if they are
        done."""
        begun = monotonic()
        while self.iterations < until:
            now = monotonic()
            if now - begun > seconds:
                return False
            count = min(self._slice, until - self.iterations)
            self.torn = True
            self.module["iterate"](count)
            self.torn = False
            took = monotonic() - now
            if took < seconds / 8 and count == self._slice:
                self._slice *= 2
            elif took > seconds / 2 and self._slice > 1:
                self._slice //= 2
        return True

    def average(self) -> Sequence[float]:
        """The weight of every sequence in the average strategies. The weights of a set's actions sum to that of the
        sequence before it, up to a common factor."""
        return list(self.module["average"])

    def restore(self, numbers: Mapping[str, array[float]], iterations: int) -> None:
        """Continue from saved arrays, those named in KEPT, after this number of iterations."""
        for name in KEPT:
            self.module[name][: len(numbers[name])] = memoryview(numbers[name])
        self.module["rounds"][0] = iterations

    def take(self, average: Sequence[float], iterations: int) -> None:
        """Take over the average strategies that another method found in this number of iterations."""
        self.module["average"][: len(average)] = memoryview(array("d", average))
        self.module["rounds"][0] = iterations

    def judge_average(self, parts: int) -> Exactly:
        """The average strategies rounded to fractions with `parts` as denominator, and their exact value."""
        module, seats = self.module, len(self.table.sequences)
        module["round_average"](parts)
        bounds = list(module["first_sequence"][: seats + 1])
        weights = tuple(tuple(module["whole"][begin:end]) for begin, end in pairwise(bounds))
        value = []
        for player, (begin, end) in enumerate(pairwise(bounds)):
            module["gather"](player)
            value.append(sum(map(mul, weights[player], module["worth"][begin:end])))
            module["reply"](player)
        return Exactly(weights, tuple(value), tuple(module["most"][:seats]))


class Exactly(NamedTuple):
    """The exact payoffs of strategies whose probabilities are whole numbers of equal parts. `value`: what the
    strategies pay each player, in units of one part of every player multiplied together; `most`: what the best reply to
    the others' strategies pays, in units of one part of every other player multiplied together."""

    weights: tuple[tuple[int, ...], ...]
    value: tuple[int, ...]
    most: tuple[int, ...]
