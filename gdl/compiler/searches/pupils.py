"""What learns from self-play that looks one move ahead: tables of patterns."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from gdl.compiler.joining import named
from gdl.compiler.lower import Lowered, estimates, lower
from gdl.compiler.searches.scales import bounded
from gdl.interpreter.rules import RulesGame, State
from gdl.model.learned import Inputs, Scale, Tables

TABLES = named("table_differences")  # what stands where in the kernel's memory
PACE = 1.0  # of the corrections
_FURTHER = ("error", "size")


class Pupil(Protocol):
    """What learns: its kernel, joined with `temporal_differences`."""

    kernel: str

    @property
    def lowered(self) -> Lowered:
        """The game, with what the kernel asks for."""
        ...

    @property
    def sizes(self) -> Mapping[str, int]:
        """What the constants of the kernel are set to."""
        ...

    def fill(self, module: Any) -> None:
        """Write into the memory of a module, which is the one from now on."""
        ...

    def look(self, learns: bool) -> None:
        """From now on it learns, or is judged by what it has learned."""
        ...

    @property
    def scale(self) -> Scale:
        """What its values mean."""
        ...

    def rescale(self, scale: Scale) -> None:
        """They mean this."""
        ...

    @property
    def learned(self) -> Any:
        """The evaluation so far."""
        ...

    @property
    def further(self) -> dict[str, array[Any]]:
        """What is needed besides to go on."""
        ...

    def go_on(self, learned: Any, further: Mapping[str, Any]) -> None:
        """Go on from what was saved. Raises ValueError where that does not fit."""
        ...


class TablePupil:
    """Tables for these inputs."""

    kernel = "table_differences"

    def __init__(self, game: RulesGame, start: State, inputs: Inputs):
        lowered = lower(game.model, game)
        self.lowered = replace(lowered, further=(estimates.cells(lowered.layout, inputs.reads),))
        self.inputs, self.scale = inputs, bounded(game, start)

    @property
    def sizes(self) -> dict[str, int]:
        return {"TD_TOTAL": self.scale.total is not None, **estimates.sizes(self.inputs, self.scale)}

    def fill(self, module: Any) -> None:
        self.module = module
        self.rescale(self.scale)
        module["td_table"][TABLES.TD_PACE], module["td_table"][TABLES.TD_BOTH] = PACE, float(self.scale.total or 0)

    def look(self, learns: bool) -> None:
        pass

    def rescale(self, scale: Scale) -> None:
        self.scale = scale
        estimates.fill_inputs(self.inputs, scale, self.module)

    @property
    def learned(self) -> Tables:
        return Tables(self.inputs, self.scale, array("d", self.module["estimate_table"]))

    @property
    def further(self) -> dict[str, array[Any]]:
        return {name: array("d", self.module[f"td_{name}"]) for name in _FURTHER}

    def go_on(self, learned: Tables, further: Mapping[str, Any]) -> None:
        if learned.inputs.entries != self.inputs.entries or any(
            further[name].typecode != "d" or len(further[name]) != self.inputs.entries for name in _FURTHER
        ):
            raise ValueError("of other inputs")
        self.rescale(learned.scale)
        self.module["estimate_table"][:] = memoryview(learned.table)
        for name in _FURTHER:
            self.module[f"td_{name}"][:] = memoryview(further[name])
