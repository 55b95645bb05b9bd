"""The searches of this wing, with what changes their code, which tests/compiler/test_code_generation.py translates."""

from copy import copy
from typing import Any

from gdl.wings.programs.batch import Environments
from gdl.wings.programs.batch_driver import Batch
from gdl.wings.programs.batch_planes import KernelPlanes, batch_planes
from gdl.wings.programs.compiled import FEWEST, machines_of
from gdl.wings.programs.numbering import RuleNumbering
from gdl.wings.programs.stepping_driver import Stepping


def shown(game: Any, start: Any, engine: str) -> KernelPlanes | None:
    """The kernel that shows states, if there is one; an instance for the other back-end says how the game is lowered."""
    machine = copy(machines_of(game, RuleNumbering(game.model), "python").first)
    machine.engine = engine
    planes = batch_planes(game, machine.lowered.layout, FEWEST)
    return KernelPlanes(machine, planes) if planes else None


TRANSLATED = {
    Batch: (lambda game, start, engine: Environments(game, 3, 1, engine, 16),),
    KernelPlanes: (shown,),
    Stepping: (lambda game, start, engine: machines_of(game, RuleNumbering(game.model), engine).first,),
}
