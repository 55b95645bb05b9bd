"""Compiled expressions of the interpreter: functions of a state's cells and a frame of local values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MOVER, PAST, NO_ACTIONS, FIRST_CELL = 0, 1, 2, 3  # cells that are not the author's, and where the author's begin

Cells = list[Any]  # the mover, the memory of earlier positions, a function for `no actions`, then the variables
Frame = list[Any]  # the values of local names, by slot
Value = Callable[[Cells, Frame], Any]
Watch = Callable[[Any, Any], Any]  # of a core form and its closure: the closure to be used, which may count calls
