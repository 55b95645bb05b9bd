"""Counterfactual regret minimisation in kernel memory. The kernel is joined with no game: tables describe the game."""

from __future__ import annotations

from itertools import pairwise
from operator import mul
from typing import Any

from gdl.compiler import python, wasm
from gdl.compiler.fault import engine_faults
from gdl.compiler.joining import Kernel, kernel, kernel_constants
from gdl.errors import EngineFault
from gdl.solvers.equilibria.regret_minimisation import AveragePayoffs, CfrSequenceTable, Method, Minimiser

K = kernel_constants("regret_minimisation")
METHODS = {"plus": K.PLUS, "discounted": K.DISCOUNTED, "predictive": K.PREDICTIVE}
ENTRIES = ("begin", "iterate", "round_average", "gather", "reply")


class CompiledMinimiser(Minimiser):
    """The iterations, and the judgement of averages, by kernel code."""

    def __init__(self, table: CfrSequenceTable, method: Method, engine: str | None = None):
        """`engine`: "wasm", "python" or None, the faster one. All give the same numbers. Raises Refusal where the
        tables have no room."""
        super().__init__(table)
        code = kernel(
            "regret_minimisation", METHOD=METHODS[method], SEATS=len(table.sequences),
            ENDS=max(1, len(table.led) // len(table.sequences)), SETS=max(1, sum(map(len, table.sets))),
            SEQUENCES=sum(table.sequences), EXACT=table.amounts is not None,
        )  # fmt: skip
        self.module = self.numbers = self._load_module(code, engine)
        self._fill()
        self.module["begin"]()

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

    def iterate(self, count: int) -> None:
        self.module["iterate"](count)

    def judge_average(self, parts: int) -> AveragePayoffs:
        module, seats = self.module, len(self.table.sequences)
        module["round_average"](parts)
        bounds = list(module["first_sequence"][: seats + 1])
        weights = tuple(tuple(module["whole"][begin:end]) for begin, end in pairwise(bounds))
        value = []
        for player, (begin, end) in enumerate(pairwise(bounds)):
            module["gather"](player)
            value.append(sum(map(mul, weights[player], module["worth"][begin:end])))
            module["reply"](player)
        return AveragePayoffs(weights, tuple(value), tuple(module["most"][:seats]))
