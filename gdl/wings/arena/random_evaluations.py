"""The evaluations of positions that random plays meet, computed on the compiled engine."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from gdl.compiler.joining import kernel
from gdl.compiler.searches.playouts_driver import NODES, seed_generator
from gdl.compiler.searches.slices import KernelSearch
from gdl.game import Number, exact
from gdl.interpreter.rules_game import RulesGame, State
from gdl.states.random_numbers import Generator


def evaluations(
    game: RulesGame, start: State, plays: int, plies: int, generator: Generator
) -> Iterator[tuple[Number, ...]]:
    """The file's evaluations of the positions of random plays, each cut off after a number of plies or before a
    simultaneous move."""
    search = KernelSearch(game, start, "wasm")
    made = kernel("random_step", WEIGHED=search.lowered.weighs, AT_ONCE=search.at_once)
    search.load(made, "playout_step", "status", "status_after", "evaluate")
    module, over = search.module, search.lowered.evaluation_denominator
    seed_generator(module["played"], generator.state)
    for _ in range(plays):
        search.load_start_state()
        kind = module["status"]()
        for _ in range(plies):
            if kind in (NODES["TERMINAL"], NODES["SIMULTANEOUS"]):
                break
            mover = module["s"][1]
            module["playout_step"](kind)
            kind = module["status_after"](mover)
            if kind != NODES["TERMINAL"]:
                module["evaluate"]()
                yield tuple(exact(Fraction(number, over)) for number in module["util"])
