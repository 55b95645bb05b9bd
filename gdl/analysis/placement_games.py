"""Games whose actions each take a cell for good, as stones are put on a board of hex.

What such an action does is the same whenever it is played: it marks its cell as the mover's. It can be played until
somebody has the cell, and nothing else hinders it. So what it brought later in a play says something of playing it now.
"""

from __future__ import annotations

from gdl.analysis.dependence import Dependence
from gdl.analysis.material import holds_players
from gdl.model import core
from gdl.model.domains import ordinal_base
from gdl.model.games import RulesModel, Variable


def holders(model: RulesModel) -> Variable | None:
    """The array that says who holds each cell, where every action takes one for good; None where it is not so.

    1. There is one rule of actions, with one parameter: a cell.
    2. It gives the cell to the mover, and does nothing else.
    3. It asks that nobody has the cell. What else it asks does not depend on the state.
    """
    others = model.chances or model.effects or model.times
    if others or len(model.actions) != 1 or len(model.actions[0].parameters) != 1:
        return None
    (rule,), (parameter,) = model.actions, model.actions[0].parameters
    cell = core.Local(parameter.slot)
    match rule.body, parameter:
        case (
            (core.Assign(variable, (index,), core.Mover()),),
            core.Parameter(domain=core.Const(range() as values), count=None),
        ) if index == cell and values.start >= 0:
            array = model.variables[variable]
        case _:
            return None
    if not _is_of_players(array, model) or values.stop > len(array.initial):
        return None
    guards = (*rule.guards, *parameter.guards)
    free = [guard for guard in guards if _asks_for_none(guard, variable, cell)]
    facts = Dependence(model)
    settled = all(guard in free or not facts.facts_of(guard).state for guard in guards)
    return array if free and settled else None


def cells(model: RulesModel) -> int:
    """The number of cells, if every action takes one of them for good; otherwise 0."""
    array = holders(model)
    return 0 if array is None else len(array.initial)


def _is_of_players(array: Variable, model: RulesModel) -> bool:
    """True if each element is a player or none, and the cells are numbered from 0."""
    return holds_players(array.type, model) and len(array.indices) == 1 and ordinal_base(array.indices[0]) == 0


def _asks_for_none(guard: core.Expression, variable: int, cell: core.Local) -> bool:
    """True if the guard is `array[cell] = none`."""
    match guard:
        case core.Comparison("=", core.Element(held, (index,)), core.Const(None)):
            return held == variable and index == cell
    return False
