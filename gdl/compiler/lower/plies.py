"""Plies: what can be done in a state, and the state that an action, or everyone's choices together, leave."""

from __future__ import annotations

from gdl.compiler.lower.bodies import Bodies
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.rule_facts import RuleFacts
from gdl.compiler.lower.times import Times
from gdl.compiler.lower.writer import NO_ACTION, TOO_MANY
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY


class Plies:
    """The functions that list what can be done and apply it."""

    def __init__(self, context: Context, rules: RuleFacts, past: Times, bodies: Bodies):
        self.context = context
        self.model, self.module, self.layout, self.out = context.model, context.module, context.layout, context.out
        self.rules = rules
        self.past = past
        self.bodies = bodies

    # -- moves ----------------------------------------------------------------------------------------------

    def write_moves(self) -> None:
        """`moves()` and `no_actions()`."""
        out = self.out
        self.context.begin()
        if self.rules.chooses:
            out.store("paths_end", 0, 0)
        if self.past.asked_by_rules:
            out.calls("note_past")
        out.set("rows", 0)
        header = "if s[0] >= 0"
        if self.model.chances:
            with out.block(f"if s[0] <= {FIRST_STEP}"):
                out.set("rows", "list_outcomes()")
            header = "elif s[0] >= 0"
        with out.block(header):
            out.set("rows", "list_actions(0, MOVES)")
        if self.rules.everyone:
            with out.block(f"elif s[0] == {EVERYONE}"):
                self._everyone("first[p] = rows", "rows = list_actions(rows, MOVES)")
                out.store("first", "PLAYERS", "rows")
        for test, code in (("rows == 0", NO_ACTION), ("rows == MOVES", TOO_MANY)):
            with out.when(test):
                out.trap(code)
        out.returns("rows")
        self.context.function(
            "def moves() -> i32", "List what can be done in the state, which is not over; how many rows."
        )
        self.write_no_actions()

    def write_no_actions(self, count: str = "list_actions(0, 1)") -> None:
        """`no_actions()`, by code that gives some number other than 0 where there are any."""
        out = self.out
        self.context.begin()
        if self.rules.chooses:
            out.store("paths_end", 0, 0)
        if self.past.asked_by_rules:
            out.calls("note_past")
        if self.model.chances:
            with out.block(f"if s[0] <= {FIRST_STEP}"):
                out.returns(0)
        with out.block(f"if s[0] == {NOBODY}"):
            out.returns(1)
        if self.rules.everyone:
            with out.block(f"if s[0] == {EVERYONE}"):
                out.set("rows", 0)
                self._everyone("rows += list_actions(0, 1)")
                out.emit("return rows == 0")
        out.emit(f"return {count} == 0")
        self.context.function("def no_actions() -> i32", "Whether nobody whose turn it is can do anything.")

    def _everyone(self, *lines: str) -> None:
        """The lines for each player p, as the mover."""
        self.out.set("before", "s[1]")
        with self.out.counting("p", None, "PLAYERS"):
            self.out.store("s", 1, "p")
            for line in lines:
                self.out.emit(line)
        self.out.store("s", 1, "before")

    # -- what an action leaves ------------------------------------------------------------------------------

    def write_apply(self) -> None:
        """`apply(i)`, and `apply_joint()` where everyone may move at once."""
        out = self.out
        self.context.begin()
        self.begin()
        out.calls("perform", "i")
        self.end()
        self.context.function("def apply(i: i32) -> None", "Replace the state by what row i leaves.")
        out = self.out
        self.context.begin()
        with out.block("if s[0] >= 0"):
            out.emit("s[1] = s[0]")
        with out.block("elif turn >= 0"):
            out.store("s", 1, "turn")
        self.context.function("def finish(turn: i32) -> None", "Who moves is whose turn it is; else who moved last.")

    def begin(self) -> None:
        """No event has been told yet, and it is the next player's turn if the body does not say more."""
        out = self.out
        self.bodies.begin_events()
        self.past.note()
        out.set("turn", "s[0]")
        count = len(self.model.players)
        after = {1: "0", 2: "1 - turn"}.get(count, f"(turn + 1) % {count}")
        out.emit(f"s[0] = {after} if turn >= 0 else s[1]" if self.model.chances else f"s[0] = {after}")

    def end(self) -> None:
        """Whose turn it is becomes the mover."""
        self.out.calls("finish", "turn")
        self.past.count()

    def write_apply_joint(self) -> None:
        """Each player's choice is done from the state before; what they write is put together, then resolved."""
        if not self.rules.everyone:
            return
        self._write_resolve()
        out = self.out
        self.context.begin()
        self.bodies.begin_events()
        self.past.note()
        out.text(
            (
                "copy(before_joint, 0, s, 0, STATE)",
                "copy(joined, 0, s, 0, STATE)",
                "for k in range(STATE):",
                "    written_by[k] = -1",
                "for p in range(PLAYERS):",
                "    if joint[p] >= 0:",
                "        copy(s, 0, before_joint, 0, STATE)",
                "        s[1] = p",
                "        perform(joint[p])",
                "        join(p)",
                "copy(s, 0, joined, 0, STATE)",
                f"s[0] = {EVERYONE}",
            )
        )
        if self.model.resolve is not None:
            out.calls("resolve")
        out.emit(f"finish({EVERYONE})")
        self.past.count()
        self.context.function(
            "def apply_joint() -> None", "Replace the state by what the rows in `joint` leave together."
        )
        self._write_join()

    def _write_join(self) -> None:
        """Words that a player has changed; a set's words are one variable."""
        out = self.out
        self.context.begin()
        span = self.model.actions[0].span if self.model.actions else None
        code = self.module.trap("two players write the same variable at once", span)
        for place in self.layout.places:
            assert place.offset is not None  # nothing is held in planes alone where all act at once
            count = place.each * place.count
            with out.block(f"for k in range({place.offset}, {place.offset + count}, {place.each})"):
                out.set("changed", 0)
                out.set("other", 0)
                with out.block(f"for j in range(k, k + {place.each})"):
                    with out.block("if s[j] != before_joint[j]"):
                        out.set("changed", 1)
                    with out.block("if s[j] != joined[j]"):
                        out.set("other", 1)
                with out.when("changed"):
                    with out.block("if written_by[k] >= 0 and other"):
                        out.trap(code)
                    with out.block("if written_by[k] < 0"):
                        out.store("written_by", "k", "p")
                    with out.block(f"for j in range(k, k + {place.each})"):
                        out.emit("joined[j] = s[j]")
        self.context.function("def join(p: i32) -> None", "Add what player p has changed.")

    def _write_resolve(self) -> None:
        rule = self.model.resolve
        if rule is None:
            return

        def write() -> None:
            assert rule is not None
            self.bodies.body(rule, rule.body, {})
            self.out.returns(1)

        self.past.within_body = True
        self.bodies.write_settled(write)
        self.past.within_body = False
        self.context.function("def resolve() -> i32", "Everyone's choices have been written: what comes of them.")
