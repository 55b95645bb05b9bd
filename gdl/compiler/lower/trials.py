"""`P has …` as kernel code: each action asked for is tried in the state as it stands, which is then put back.

Each question is a call of a function, which is written last, since a trial may ask questions in turn. The answers
depend on the rings that are open around the question (gdl/analysis/trials.py), so the trials are written once for
every such set of rings.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call
from gdl.compiler.lower.arrays import ODOMETER, STATE, WORDS
from gdl.compiler.lower.bodies import BodyLowering
from gdl.compiler.lower.code_values import TRUE, Value, truth
from gdl.compiler.lower.context import Mode, set_within
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.repetitions import Times
from gdl.compiler.lower.rows import UNSET, RowLowering, arguments_of
from gdl.compiler.lower.state_layout import MOVER
from gdl.compiler.lower.ways import Ways
from gdl.errors import clean
from gdl.model import core

PATH_WORDS = 4  # words of `odometer`; the last one is 1 while a run is tried, not only repeated


class TrialQuestion(NamedTuple):
    """A question that one function answers: could the mover do one of these actions? `noted`: the position in which the
    present body began was noted and counts as an earlier one."""

    actions: tuple[int, ...]
    mode: Mode
    noted: bool


class Trials(Part):
    """Writes the functions that answer what players could do."""

    def __init__(self, past: Times, bodies: BodyLowering, ways: Ways, rows: RowLowering):
        super().__init__(bodies.expressions)
        self.past, self.bodies, self.ways, self.rows = past, bodies, ways, rows
        self._names: dict[TrialQuestion, str] = {}  # names of functions, also of those not written yet

    def able(self, e: core.Able, frame: Frame) -> Value:
        """The truth that a player could do one of the actions, by a call of the question's function."""
        player = self.expressions.number(e.player, frame)
        player = self.context.existing(player, "'has' asks about a player, and this is none", e.span)
        mode = self.context.mode
        # An action that is tried for a question of its own kind: the answer is yes (see the manual on `has`).
        if mode.granted:
            return TRUE
        asked = TrialQuestion(e.actions, mode._replace(granted=False), self.past.counts_itself)
        name = self._names.setdefault(asked, f"able_{len(self._names) + 1}")
        self.out.note_trap()
        return truth(ir.Local(self.out.let("can", call(name, player.code))))

    def write(self) -> None:
        """Write all functions that are called for questions, and those that they call in turn."""
        written = 0
        # Writing a function may ask for further ones; each is written once, so this ends.
        while written < len(self._names):
            asked, name = list(self._names.items())[written]
            self._write_question(asked, name)
            self._write_trials(asked, name)
            written += 1

    def _write_question(self, asked: TrialQuestion, name: str) -> None:
        out, at = self.out, self.layout.past
        self.context.begin()
        undo = out.keep_words([STATE[MOVER]])
        out.store("s", MOVER, "player")
        if self.past.asked_by_rules and at is not None:
            if asked.noted:
                # The position of the question counts as an earlier one while actions are tried, and not after.
                undo += out.keep_words([STATE[at], WORDS[at // 2 + 1]])
                self.past.count()
            out.calls("note_past")
        out.set("so", call(f"{name}_tried"))
        out.append_statements(undo)
        out.returns("so")
        named = ", ".join(clean(self.model.actions[action].name) for action in asked.actions)
        self.context.function(name, f"1 if a player could do one of: {named}.", ir.I32, player=ir.I32)

    def _write_trials(self, asked: TrialQuestion, name: str) -> None:
        """Write the function that fills the heads of the actions in all ways until one is possible, and those of the
        bodies that can fail."""
        tried = [action for action in asked.actions if not self.model.actions[action].simple]
        heads: dict[int, list[Value] | None] = {}
        self.context.begin()
        with set_within(self.context, mode=asked.mode), self.bodies.separate_attempts():
            has_path = any(self.rules.has_path(self.model.actions[action]) for action in tried)
            path = self.out.keep_words(ODOMETER[k] for k in range(PATH_WORDS if has_path else 0))
            undo = self.bodies.keep_run() if tried else []
            for action in asked.actions:
                attempt = partial(self._write_trial, action, f"{name}_body_{action}", undo, path)
                heads[action] = self.ways.each_way(action, attempt)
            self.out.returns(0)
            self.context.function(f"{name}_tried", "1 if one of the actions is possible.", ir.I32)
            with self.bodies.separate_attempts():
                for action in tried:
                    if (head := heads[action]) is not None:
                        start = "path_start" if self.rules.has_path(self.model.actions[action]) else ""
                        self.rows.write_body(action, f"{name}_body_{action}", head, start)

    def _write_trial(
        self, action: int, body: str, undo: list[ir.Stmt], path: list[ir.Stmt], _: Frame, head: list[Value]
    ) -> None:
        """Write code that returns 1 if the action is possible for one way of filling its head. If its body can fail, it
        is run; then what it has changed is restored, and the path of the run that asks."""
        out, rule = self.out, self.model.actions[action]
        if rule.simple:
            out.returns(1)
            return
        start = ["path_start"] if self.rules.has_path(rule) else []

        def begin() -> None:
            # A trial inside a body goes on where the path ends that is being gone.
            if not self.context.mode.within:
                out.calls("begin_path")
            out.set("path_start", ODOMETER[0])
            out.set("path_levels", ODOMETER[1])
            out.store("odometer", PATH_WORDS - 1, 0)

        def run() -> None:
            out.store("s", 0, UNSET)
            out.set("so", call(body, *arguments_of(head), *start))
            out.append_statements(undo)
            with out.when("so"):
                out.append_statements(path)
                out.returns(1)

        self.ways.each_run(rule, run, begin, "path_levels")
        out.append_statements(path)
