"""Passes, in the order in which they are run: each is one file, from the rules of a game to rules that are faster to
play, or from a function of kernel code to a faster one. (`gdl core FILE --after PASS` prints what one leaves.)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from gdl.compiler.ir.nodes import Function
from gdl.compiler.passes.conditional_requirements import require_at_once
from gdl.compiler.passes.distinct_names import note_shared_names
from gdl.compiler.passes.hoist import hoist_sets
from gdl.compiler.passes.possible_ends import note_possible_ends
from gdl.compiler.passes.unroll import unroll_loops
from gdl.model.games import RulesModel

Thing = TypeVar("Thing")

RULE_PASSES: Mapping[str, Callable[[RulesModel], RulesModel]] = {
    "require": require_at_once,
    "hoist": hoist_sets,
    "ends": note_possible_ends,
    "names": note_shared_names,
}
CODE_PASSES: Mapping[str, Callable[[Function], Function]] = {"unroll": unroll_loops}  # over the functions of a module
STAGES = ("rules", *RULE_PASSES, "lowering", *CODE_PASSES)


def run_passes(passes: Mapping[str, Callable[[Thing], Thing]], thing: Thing, last: str = "") -> Thing:
    """Rules or a function after these passes, up to the one called `last`, if one is."""
    for name, run in passes.items():
        thing = run(thing)
        if name == last:
            break
    return thing
