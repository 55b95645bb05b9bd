"""`P has …` as kernel code: each action asked for is tried in the state as it stands, which is then put back.

Each question is a call of a function, and so is each trial of an action. These functions are written last, since a
trial may ask questions in turn. Their answers depend on the rings that are open around the trial
(gdl/analysis/trials.py), so the trial of an action is written once for every such set of rings.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import NamedTuple

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, copy
from gdl.compiler.lower.arrays import ODOMETER, STATE, WORDS
from gdl.compiler.lower.bodies import BodyLowering
from gdl.compiler.lower.code_values import TRUE, Value, locate_refusals, truth
from gdl.compiler.lower.context import Mode, set_within
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.repetitions import Times
from gdl.compiler.lower.rows import UNSET, RowLowering, arguments_of
from gdl.compiler.lower.state_layout import MOVER
from gdl.compiler.lower.ways import Ways
from gdl.errors import clean
from gdl.model import core
from gdl.model.games import Rule

PATH_WORDS = 4  # words of `odometer`; the last one is 1 while a run is tried, not only repeated


class TrialQuestion(NamedTuple):
    """A question that one function answers: could the mover do one of these actions? `noted`: the position in which the
    present body began was noted and counts as an earlier one."""

    actions: tuple[int, ...]
    mode: Mode
    noted: bool


class Trial(NamedTuple):
    """The trial of one action, which one function makes."""

    action: int
    mode: Mode


class UndoStatements(NamedTuple):
    """The statements that undo the changes of a run."""

    state: list[ir.Stmt]  # restore the state, its rank and its events
    path: list[ir.Stmt]  # restore the path of the run that asks


class Trials(Part):
    """Writes the functions that answer what players could do."""

    def __init__(self, past: Times, bodies: BodyLowering, ways: Ways, rows: RowLowering):
        super().__init__(bodies.expressions)
        self.past, self.bodies, self.ways, self.rows = past, bodies, ways, rows
        self._names: dict[TrialQuestion | Trial, str] = {}  # names of functions, also of those not written yet

    def able(self, e: core.Able, frame: Frame) -> Value:
        """The truth that a player could do one of the actions, by a call of the question's function."""
        player = self.expressions.number(e.player, frame)
        player = self.context.existing(player, "'has' asks about a player, and this is none", e.span)
        mode = self.context.mode
        # An action that is tried for a question of its own kind: the answer is yes (see the manual on `has`).
        if mode.granted:
            return TRUE
        asked = TrialQuestion(e.actions, mode._replace(granted=False), self.past.counts_itself)
        self.out.note_trap()
        return truth(ir.Local(self.out.let("can", call(self._name(asked), player.code))))

    def _name(self, wanted: TrialQuestion | Trial) -> str:
        """The name of the function for a question or trial; `write` writes it later."""
        kind = "able" if isinstance(wanted, TrialQuestion) else "trial"
        return self._names.setdefault(wanted, f"{kind}_{len(self._names) + 1}")

    def write(self) -> None:
        """Write all functions that are called for questions and trials, and those that they call in turn."""
        written: set[str] = set()
        # Writing a function may ask for further ones; each name is written once, so this ends.
        while len(written) < len(self._names):
            for wanted, name in list(self._names.items()):
                if name in written:
                    continue
                written.add(name)
                if isinstance(wanted, TrialQuestion):
                    self._write_question(wanted, name)
                else:
                    self._write_trial(wanted, name)

    def _write_question(self, wanted: TrialQuestion, name: str) -> None:
        out, at = self.out, self.layout.past
        remembers = self.past.asked_by_rules and at is not None
        self.context.begin()
        out.set("before", STATE[MOVER])
        out.store("s", MOVER, "player")
        if remembers and at is not None:
            if wanted.noted:
                # The position of the question counts as an earlier one while actions are tried, and not after.
                out.set("digest", WORDS[at // 2 + 1], ir.I64)
                self.past.count()
            out.calls("note_past")
        for k, action in enumerate(wanted.actions):
            with out.when(ir.Unary("not", ir.Local("so"))) if k else nullcontext():
                out.set("so", call(self._name(Trial(action, wanted.mode))))
        out.store("s", MOVER, "before")
        if remembers and wanted.noted and at is not None:
            out.update(STATE[at], "-", 1)
            out.store("w", at // 2 + 1, "digest")
        out.returns("so")
        named = ", ".join(clean(self.model.actions[action].name) for action in wanted.actions)
        self.context.function(name, f"1 if a player could do one of: {named}.", ir.I32, player=ir.I32)

    # -- one action -----------------------------------------------------------------------------------------

    def _write_trial(self, wanted: Trial, name: str) -> None:
        """Write the function that tries one action, and that of the action's body if it can fail."""
        rule = self.model.actions[wanted.action]
        with set_within(self.context, mode=wanted.mode):
            with locate_refusals(rule.span), self.context.judging(wanted.action):
                head = self._write_heads(wanted, rule, name)
            if head is not None and not rule.simple:
                start = "path_start" if self.rules.has_path(rule) else ""
                with self.bodies.separate_attempts():
                    self.rows.write_body(wanted.action, f"{name}_body", head, start)

    def _write_heads(self, wanted: Trial, rule: Rule, name: str) -> list[Value] | None:
        """Write the function that fills the action's head in all ways until one is possible; gives values whose bounds
        hold all those of the head, None if none fits."""
        self.context.begin()
        kept = None if rule.simple else self._save_changes(rule, wanted.mode.within)

        def succeed(_: Frame, values: list[Value]) -> None:
            if kept is None:
                self.out.returns(1)
            else:
                self._try(rule, f"{name}_body", arguments_of(values), kept)

        with self.ways.memos.listing(rule):
            head = self.ways.each_way(rule, succeed)
        self.out.returns(0)
        self.context.function(name, f"1 if {clean(rule.name)} is possible.", ir.I32)
        return head

    def _save_changes(self, rule: Rule, within: bool) -> UndoStatements:
        """Write code that saves all that a run changes; gives the statements that restore it. `within`: the question
        stands inside a body, whose path must be kept."""
        held = self.module.array("untried", "i32", self.layout.words)
        self.out.copies(held, 0, "s", 0, "STATE")
        beside = [array("run_rank")[0]] if self.rules.ranked else []
        beside += [array("event")[0], array("event")[1]] if self.rules.tells else []
        path = [ODOMETER[k] for k in range(PATH_WORDS)] if self.rules.has_path(rule) else []
        for k, word in enumerate(path[:-1]):  # it begins where a path ends that is being gone
            self.out.set(f"path_{k}", word if within else 0)
        lines: list[list[ir.Stmt]] = [
            [ir.Store(place.array, place.index, ir.Local(self.out.let("was", place))) for place in places]
            for places in (beside, path)
        ]
        state = copy(STATE, 0, array(held), 0, "STATE")
        return UndoStatements([state, *lines[0]], lines[1])

    def _try(self, rule: Rule, body: str, arguments: list[ir.Expr], kept: UndoStatements) -> None:
        """Write code that runs the body for one way of filling the head, restores the state, and returns 1 if the run
        succeeds."""
        out, has_path = self.out, self.rules.has_path(rule)

        def begin() -> None:
            for k in range(PATH_WORDS - 1):
                out.store("odometer", k, f"path_{k}")
            out.store("odometer", PATH_WORDS - 1, 0)

        def run() -> None:
            out.store("s", 0, UNSET)
            out.set("so", call(body, *arguments, *([ir.Local("path_0")] if has_path else [])))
            out.append_statements(kept.state)
            with out.when("so"):
                out.append_statements(kept.path)
                out.returns(1)

        self.ways.each_run(rule, run, begin, "path_1")
        out.append_statements(kept.path)
