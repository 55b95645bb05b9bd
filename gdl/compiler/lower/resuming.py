"""Runs that go on from a choice, instead of from the beginning: what an earlier run had come to there is put back.

The runs of a body that chooses are tried one after the other, each with the last choice moved on that has more options.
Where equal results are one action, all that a run has come to at a choice is remembered anyway, to see whether another
comes to the same; so a run need not go the whole way there again. That is done for a body that begins its only `repeat`
with its only choice, and does nothing before it but give names to what the state has no part in.
"""

from __future__ import annotations

from typing import Any

from gdl.compiler.lower.choices import Choices
from gdl.compiler.lower.expressions import Frame
from gdl.compiler.lower.values import Mask, Number
from gdl.model import core

FROM_CHOICE = "odometer[1] > 0 and level_seen[odometer[1] - 1] > 0"  # in the next run


class Resuming(Choices):
    """Bodies that choose, and runs of them that go on from a choice."""

    def __init__(self, *given: Any):
        super().__init__(*given)
        self._unknown: set[int] = set()  # choices at which not all is known that a run has come to

    def before_turns(self, s: core.Repeat, turns: str, frame: Frame) -> None:
        """Put back what was come to at the choice whose next option is taken."""
        choose = s.body[0]
        if not isinstance(choose, core.Choose) or not self.rules.is_resumed(choose):
            return
        self.turns.append(turns)
        held = self.held(choose, frame)
        self.turns.pop()
        if held is None:
            self._unknown.add(id(choose))
            return
        wide = {word.code for value in frame.values() if isinstance(value, Mask) for word in value.words}
        wide |= {value.code for value in frame.values() if isinstance(value, Number) and value.wide}
        out = self.out
        with out.block(f"if odometer[3] and {FROM_CHOICE}"):
            out.emit("back = level_seen[odometer[1] - 1] - 1")
            out.emit("copy(s, 0, seen, back * STATE, STATE)")
            out.emit("at = level_at[odometer[1] - 1]")
            for k, code in enumerate(held):
                if not code.isdigit():
                    word = f"seen_held[back * HELD{f' + {k}' if k else ''}]"
                    out.emit(f"{code} = {word if code in wide else f'i32({word})'}")
            out.emit(f"{turns} -= 1")  # which is counted again
            if self.names_runs:
                out.emit("name[0] = level_name[odometer[1] - 1]")

    def extended(self, s: core.Choose) -> None:
        if self.rules.is_resumed(s):
            self.out.emit(f"level_seen[odometer[1] - 1] = {'0' if id(s) in self._unknown else 'seen_at[0]'}")
            if self.names_runs:
                self.out.emit("level_name[odometer[1] - 1] = name[0]")
