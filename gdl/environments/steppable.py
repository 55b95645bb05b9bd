"""Trees and matrices that are loaded: games as they stand, which also give environments of themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gdl.interpreter.explicit import MatrixGame, TreeGame

if TYPE_CHECKING:
    from gdl.environments.environment import Environment


class Steppable:
    """A game that can be stepped."""

    def environment(self: Any, *, engine: str = "auto", seed: int = 0) -> Environment:
        """The game, ready to be stepped: see `gdl.environment`."""
        from gdl.environments.made import environment

        return environment(self, engine=engine, seed=seed)


class SteppableTree(Steppable, TreeGame):
    """An explicit tree."""


class SteppableMatrix(Steppable, MatrixGame):
    """A matrix."""
