"""Evaluations of a game by rules that stand in place of its file's own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from gdl.game import Bounds, Number


class OtherEvaluation(Protocol):
    """An evaluation in place of the features of a file, as the interpreter, the proofs of bounds and the compiled
    engine use it."""

    lowering: str  # the module whose `evaluation_pieces` and `fill` bring it to the compiled engine

    @property
    def denominator(self) -> int:
        """The common denominator of all values."""

    @property
    def is_zero_sum(self) -> bool:
        """True if the values for all players sum to zero, or if there is only one player."""

    @property
    def bounds(self) -> Bounds:
        """The least and the greatest value for each player."""

    def estimate(self, turn: int, held: Sequence[Any]) -> tuple[Number, ...]:
        """The value of a state to each player, from the turn and the interpreter's cells."""
