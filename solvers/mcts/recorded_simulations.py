"""What the first simulations of a tree search did, for people who want to step through them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from gdl.game import Action, Number
from gdl.solution import Path, Simulation

RECORDED = 500  # simulations


class Node(Protocol):
    """A node of the tree."""

    N: int
    proven: tuple[Number, ...] | None


class SimulationRecord:
    """The simulations so far, and what is known of the one that runs."""

    def __init__(self) -> None:
        self.simulations: list[Simulation] = []
        self.begin()

    def begin(self) -> None:
        """A simulation begins."""
        self._numbers: list[int] = []  # of the children on its path,
        self._bounds: list[tuple[float, ...]] = []  # the bounds by which they were chosen,
        self._passed: list[tuple[Path, tuple[Number, ...]]] = []  # and what was passed by

    def step(self, number: int, bounds: Sequence[float] = ()) -> int:
        """It goes to the child of this number, by these bounds; the number."""
        self._numbers.append(number)
        self._bounds.append(tuple(bounds))
        return number

    def pass_by(self, utilities: tuple[Number, ...]) -> None:
        """The child that it has come to is passed by."""
        self._passed.append((tuple(self._numbers), utilities))
        self._numbers.pop()
        self._bounds.pop()

    def end(
        self, path: Sequence[Node], plays: Sequence[Action], utilities: tuple[Number, ...], open_before: Sequence[int]
    ) -> None:
        """It is over; before it, these nodes of the path were not proven."""
        if len(self.simulations) < RECORDED:
            proven = tuple((at, value) for at in open_before if (value := path[at].proven) is not None)
            played = tuple(plays[len(path) - 1 :])
            what = (tuple(self._numbers), path[-1].N == 1, tuple(self._bounds), played, utilities, proven)
            self.simulations.append(Simulation(*what, tuple(self._passed)))
