"""The heads of rules, and the choices in their bodies, which are heads too: passes over rules go from one to the next.

A head goes through the values of its parameters, each in a loop inside that of the parameter before it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from gdl.model import core
from gdl.model.games import Callable as Procedure
from gdl.model.games import Rule, RulesModel

Head = TypeVar("Head", Rule, core.Choose)
Owner = TypeVar("Owner", Rule, Procedure)
BLOCKS = core.Repeat | core.For | core.Attempt | core.Try | core.Conditional


class SlotCounter:
    """The number of slots in a frame, which a pass may raise."""

    def __init__(self, slots: int):
        self.slots = slots

    def take(self, count: int = 1) -> int:
        """Add `count` slots; gives the number of the first."""
        self.slots += count
        return self.slots - count


def change_heads(model: RulesModel, change: Callable[[Any, SlotCounter], Any]) -> RulesModel:
    """The model with `change` applied to every head of at least two parameters of which none is a draw."""

    def change_parts(form: Any, frame: SlotCounter) -> Any:
        if isinstance(form, tuple):
            return tuple(change_parts(part, frame) for part in form)
        if isinstance(form, BLOCKS):
            blocks = {name: value for name, value in form.__dict__.items() if isinstance(value, tuple)}
            return form.copy_with(**{name: change_parts(block, frame) for name, block in blocks.items()})
        if not isinstance(form, Rule | core.Choose) or len(form.parameters) < 2:
            return form
        return form if any(p.count is not None for p in form.parameters) else change(form, frame)

    def change_body(owner: Owner) -> Owner:
        frame = SlotCounter(owner.frame)
        made = change_parts(owner.copy_with(body=change_parts(owner.body, frame)), frame)
        return made.copy_with(frame=frame.slots)  # type: ignore[no-any-return]

    kinds = ("actions", "chances", "procedures")
    return model.copy_with(**{kind: tuple(map(change_body, getattr(model, kind))) for kind in kinds})
