"""The player who acts, kept in a variable for what is done after others have answered (gdl/checker/answers.py)."""

from __future__ import annotations

from typing import Any

from gdl.model import core
from gdl.model.games import RulesModel
from gdl.model.rewriting import replace_forms
from gdl.model.walk import inside_with_calls

DUE, LINE = "asked.for", "asked.line"  # variables: which actions are asked for, and by which line; 0 if none are


class MoverKeeper:
    """Makes forms that read a variable in place of the mover, and copies of what they call."""

    def __init__(self, model: RulesModel):
        self.model = model
        self._copies: dict[tuple[str, int, int], int] = {}

    def keep_mover(self, form: Any, mover: core.Cell) -> Any:
        """The form with the player in a variable as its mover."""

        def change(part: Any) -> Any:
            match part:
                case core.Mover():
                    return (mover,)
                case core.Turn(kind="chance", player=None):
                    return (part.copy_with(player=mover),)
                case core.CallDefinition(definition=number):
                    table, field = "definitions", "definition"
                case core.CallProcedure(procedure=number):
                    table, field = "procedures", "procedure"
                case _:
                    return None
            bare = part.copy_with(arguments=())
            if not any(isinstance(form, core.Mover | core.Turn) for form in inside_with_calls(self.model, bare)):
                return None
            key = field, number, mover.place
            if key not in self._copies:
                original = getattr(self.model, table)[number]
                self._copies[key] = self.put_callable(table, original)
                self.put_callable(table, replace_forms(original, change), self._copies[key])
            given = replace_forms(part.arguments, change)
            return (part.copy_with(**{field: self._copies[key], "arguments": given}),)

        return replace_forms(form, change)

    def put_callable(self, table: str, made: Any, number: int | None = None) -> int:
        """Put a definition or a procedure in the place of one of the model, or behind all; return its number."""
        every = getattr(self.model, table)
        number = len(every) if number is None else number
        self.model = self.model.copy_with(**{table: (*every[:number], made, *every[number + 1 :])})
        return number
