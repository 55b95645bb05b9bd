"""The learners of self-play: their common part, and tables of patterns that learn."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gdl.compiler.joining import kernel_constants
from gdl.compiler.lower import lower
from gdl.errors import Refusal, clean
from gdl.game import Number, surely_at
from gdl.interpreter.rules_game import RulesGame, State
from gdl.wings.learning import compiled_tables as estimates
from gdl.wings.learning.learned import Inputs, Scale, Tables

# The scale from learned values to utilities, and the number of players that are evaluated.

SAFE = 0.99  # of the greatest utility: no evaluation should be worth as much as a victory


def _total(game: RulesGame) -> Number | None:
    """The sum of the utilities of two players, where it is known to be constant."""
    if len(game.players) != 2:
        return None
    promised = game.promises.constant_sum
    return game.traits.constant_sum if promised is None else promised


def outputs(game: RulesGame) -> int:
    """The number of players that are evaluated: one if two players' utilities have a known sum, else all."""
    return 1 if _total(game) is not None else len(game.players)


def scale_from_rules(game: RulesGame, start: State) -> Scale:
    """The scale from learned values to utilities by the bounds that the rules give; a scale without bounds if not all
    of these are known."""
    total = _total(game)
    bounds = surely_at(game, start)[: 1 if total is not None else None]
    known = [Fraction(bound) for pair in bounds for bound in pair if bound is not None]
    if len(known) < 2 * len(bounds):
        return Scale(0.0, 1.0, False, total)
    low, high = min(known), max(known)
    if total is not None:  # the same bounds for both players
        low, high = min(low, Fraction(total) - high), max(high, Fraction(total) - low)
    scale = Scale(float(low + high) / 2, SAFE * float(high - low) / 2 or 1.0, True, total)
    return scale if scale.fits else Scale(0.0, 1.0, False, total)  # scale_from_payoffs will do better


def scale_from_payoffs(game: RulesGame, scale: Scale, paid: Sequence[float]) -> Scale:
    """The scale by the utilities that were met in play, for rules that do not bound them. Raises Refusal if they are
    too large or too fine."""
    middle = 0.0 if scale.total is None else float(scale.total) / 2
    found = replace(scale, middle=middle, half=max(abs(utility - middle) for utility in paid) or 1.0)
    if not found.fits:
        name = clean(game.name)
        raise Refusal(f"the utilities of {name} are too large, or too fine, for an evaluation to be learned")
    return found


TABLES = kernel_constants("table_differences")  # what stands where in the kernels' memory
PACE = 1.0  # the factor of all corrections
_FURTHER = ("error", "size")


class TablePupil:
    """Tables of patterns that learn, for given inputs."""

    def __init__(self, game: RulesGame, start: State, inputs: Inputs):
        lowered = lower(game.model, game)
        self.lowered = replace(lowered, further=(estimates.cells(lowered.layout, inputs.reads),))
        self.inputs, self.scale = inputs, scale_from_rules(game, start)

    @property
    def sizes(self) -> dict[str, int]:
        """The values of the kernel's constants."""
        return {"TD_TOTAL": self.scale.total is not None, **estimates.sizes(self.inputs, self.scale)}

    def fill(self, module: Any) -> None:
        """Write the tables' form and scale into a module's memory, and work on that module from now on."""
        self.module = module
        self.rescale(self.scale)
        module["td_table"][TABLES.TD_PACE], module["td_table"][TABLES.TD_BOTH] = PACE, float(self.scale.total or 0)

    def rescale(self, scale: Scale) -> None:
        """Set the scale of the values."""
        self.scale = scale
        estimates.fill_inputs(self.inputs, scale, self.module)

    @property
    def learned_so_far(self) -> Tables:
        """The evaluation so far."""
        return Tables(self.inputs, self.scale, array("d", self.module["estimate_table"]))

    @property
    def extra_arrays(self) -> dict[str, array[Any]]:
        """Further arrays, by name, that are saved so that learning can continue later."""
        return {name: array("d", self.module[f"td_{name}"]) for name in _FURTHER}

    def go_on(self, learned: Tables, further: Mapping[str, Any]) -> None:
        """Continue from a saved evaluation and its further arrays. Raises ValueError if these do not fit."""
        if learned.inputs.entries != self.inputs.entries or any(
            further[name].typecode != "d" or len(further[name]) != self.inputs.entries for name in _FURTHER
        ):
            raise ValueError("of other inputs")
        self.rescale(learned.scale)
        self.module["estimate_table"][:] = memoryview(learned.table)
        for name in _FURTHER:
            self.module[f"td_{name}"][:] = memoryview(further[name])
