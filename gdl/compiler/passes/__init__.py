"""Passes over the rules of a game, in the order in which they are run: each is one file, from a checked model to one
of the same game that is faster to play. (`gdl core FILE --after PASS` prints what one leaves.)"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gdl.compiler.passes.distinct_names import note_shared_names
from gdl.compiler.passes.hoist import hoist_sets
from gdl.compiler.passes.possible_ends import note_possible_ends
from gdl.model.games import RulesModel

RULE_PASSES: Mapping[str, Callable[[RulesModel], RulesModel]] = {
    "hoist": hoist_sets,
    "ends": note_possible_ends,
    "names": note_shared_names,
}
RULE_STAGES = ("rules", *RULE_PASSES)


def run_passes(model: RulesModel, last: str = RULE_STAGES[-1]) -> RulesModel:
    """The model after the stage `last`; "rules" is the model as it was checked."""
    for name in RULE_STAGES[1 : RULE_STAGES.index(last) + 1]:
        model = RULE_PASSES[name](model)
    return model
