"""Compiled expressions of the interpreter: functions of a state's cells and a frame of local values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from gdl.model.games import Variable

MOVER, PAST, NO_ACTIONS, FIRST_CELL = 0, 1, 2, 3  # cells that are not the author's, and where the author's begin

Cells = list[Any]  # the mover, the memory of earlier positions, a function for `no actions`, then the variables
Frame = list[Any]  # the values of local names, by slot
Value = Callable[[Cells, Frame], Any]
Watch = Callable[[Any, Any], Any]  # of a core form and its closure: the closure to be used, which may count calls


def begin_cells(variables: Iterable[Variable], mover: int, past: Any) -> Cells:
    """The cells of a position in which all variables have their first values."""
    return [mover, past, None, *(value for variable in variables for value in variable.initial)]
