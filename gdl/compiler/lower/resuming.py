"""Runs that go on from a choice, instead of from the beginning: what an earlier run had come to there is put back.

The runs of a body that chooses are tried one after the other, each with the last choice moved on that has more options.
Where equal results are one action, all that a run has come to at a choice is remembered anyway, to see whether another
comes to the same; so a run need not go the whole way there again. That is done for a body that begins its only `repeat`
with its only choice, and does nothing before it but give names to what the state has no part in.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.compiler.lower.context import Context
from gdl.compiler.lower.expressions import Frame
from gdl.compiler.lower.naming import Naming
from gdl.compiler.lower.rule_facts import RuleFacts
from gdl.compiler.lower.values import Mask, Number, Sequence
from gdl.model import core

FROM_CHOICE = "odometer[1] > 0 and level_seen[odometer[1] - 1] > 0"  # in the next run


class Resuming:
    """What tells the runs of a body apart at a choice, and runs that go on from one."""

    def __init__(self, context: Context, rules: RuleFacts, naming: Naming):
        self.out = context.out
        self.rules = rules
        self.naming = naming
        self.merging = {
            id(choose): site
            for rule in context.model.actions
            for site, choose in enumerate(chosen_alike(rule.body))
            if rule.merge
        }
        self._unknown: set[int] = set()  # choices at which not all is known that a run has come to

    def held(self, s: core.Choose, frame: Frame, turns: list[str]) -> list[str] | None:
        """What tells, with the state, one coming to a choice from another; None where that is not known. `turns`: the
        variable that counts the turns of the `repeat` around the choice, if there is one."""
        site = self.merging.get(id(s))
        names = None if site is None else held_names(frame)
        if names is None:
            return None
        return [str(site), *names, *turns, *(["run_rank[0]"] if self.rules.ranked else [])]

    def before_turns(self, s: core.Repeat, turns: str, frame: Frame) -> None:
        """Put back what was come to at the choice whose next option is taken."""
        choose = s.body[0]
        if not isinstance(choose, core.Choose) or not self.rules.is_resumed(choose):
            return
        held = self.held(choose, frame, [turns])
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
            if self.naming.names_runs:
                out.emit("name[0] = level_name[odometer[1] - 1]")

    def extended(self, s: core.Choose) -> None:
        """What is done after a choice has put its options on the path."""
        if self.rules.is_resumed(s):
            self.out.emit(f"level_seen[odometer[1] - 1] = {'0' if id(s) in self._unknown else 'seen_at[0]'}")
            if self.naming.names_runs:
                self.out.emit("level_name[odometer[1] - 1] = name[0]")


def chosen_alike(body: tuple[core.Statement, ...], repeated: bool = False) -> Iterator[core.Choose]:
    """The choices of a body after which a run depends only on what names and the state hold, and on the turns of a
    `repeat`."""
    for statement in body:
        match statement:
            case core.Choose():
                yield statement
            case core.Repeat() if not repeated:
                yield from chosen_alike(statement.body, True)
            case core.Conditional():
                yield from chosen_alike(statement.then, repeated)
                yield from chosen_alike(statement.otherwise, repeated)


def held_names(frame: Frame) -> list[str] | None:
    """The variables that names in the rules are held in; None where one is held otherwise."""
    names: list[str] = []
    for value in frame.values():
        match value:
            case Number() if value.constant is not None or value.is_none:
                pass
            case Number() if value.code.isidentifier():
                names.append(value.code)
            case Mask() if all(word.atomic for word in value.words):
                names += [word.code for word in value.words if word.constant is None]
            case Sequence() if value.values is not None:
                pass
            case Sequence() if value.row.atomic:
                names.append(value.row.code)
            case _:
                return None
    return names
