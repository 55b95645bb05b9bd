"""What a solver is to the table: its name, its function and, as data, the games it accepts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gdl.game import Traits
from gdl.solution import Solution

Progress = Callable[[int], None]  # called now and then with the number of nodes visited; may raise LimitReached


@dataclass(frozen=True)
class Solver:
    """One row of the table. `run(game, *, option=…)` returns a Solution; its keyword-only parameters are the options
    that the command line offers. `needs` maps a field of Traits to the value that the method requires; a trait that
    is None (not decided) passes, and then the solver itself refuses when it meets the contrary."""

    name: str
    run: Callable[..., Solution]
    needs: Mapping[str, Any]
    summary: str

    def lacks(self, traits: Traits) -> list[str]:
        """The needs, by trait name, that a game with these traits does not meet."""
        return [t for t, value in self.needs.items() if getattr(traits, t) not in (None, value)]
