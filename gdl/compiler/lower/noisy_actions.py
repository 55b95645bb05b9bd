"""`loud_moves(before)`: the actions that change the number kept by quiet play, for search beyond its horizon.

A body that is tried is given up as soon as the number is known to be as before: before the conditions are asked that
stand at its end, which cost the most in chess (is the king attacked?). The rows are those of `moves()`, without some.

So an estimate does not notice a fault of the rules in a quiet action past the horizon, such as two actions of one name
with different results. A proof does: where a search proves something past the horizon, all actions are listed.
"""

from __future__ import annotations

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, compare, some
from gdl.compiler.lower.ends import RESTLESS
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Part
from gdl.compiler.lower.repetitions import Times
from gdl.compiler.lower.writer import TOO_MANY
from gdl.model import core
from gdl.model.games import Rule
from gdl.model.walk import inside_with_calls

ONLY, BEFORE = "loud_only", "quiet_before"  # memory: whether quiet actions are given up, and the number before them
_ASKED_OF_PLAY = core.NoActions | core.Able | core.Times | core.Since | core.Always


class NoisyActions(Part):
    """Writes the listing of noisy actions alone, and the tests in bodies that break off the run of a quiet action."""

    def __init__(self, expressions: ExpressionLowering, past: Times):
        super().__init__(expressions)
        self.past = past
        self.listed = self._may_be_told()
        if self.listed:
            self.module.declared.array(ONLY, ir.I32, 1)
            self.module.declared.array(BEFORE, ir.I64, 1)

    def _may_be_told(self) -> bool:
        """True if the number of `quiet` can be asked at the end of a body: it is the same then as in the position that
        the action leaves, it is never a fault, and no row is listed or dropped because of another. (Two rows of one
        name leave the same position.)"""
        quiet, rules = self.model.quiet, self.rules
        # Each of these lets one row decide about another (a rank, an equal result), or sees more than the state (an
        # event): there a run must not be given up.
        if quiet is None or self.model.chances or rules.everyone or rules.ranked or rules.merges or rules.tells:
            return False
        # Without trials no body is run while actions are listed, and there is nothing to give up.
        asked = inside_with_calls(self.model, quiet.value)
        if not rules.tries or any(isinstance(form, _ASKED_OF_PLAY) for form in asked):
            return False
        # The mover is another one when the action is done.
        if self.dependence.of(quiet.value).mover:
            return False
        # Lowered once to see whether it can trap; the code is thrown away.
        with self.context.in_other_function():
            self.expressions.number(quiet.value, {})
            return not self.out.lines.may_trap

    def count_changing_statements(self, rule: Rule) -> int:
        """The number of statements of a rule's body up to the last one that may change the state."""
        count = len(rule.body)
        # The test stands after the last change, as early as the number is known, and before the dear conditions.
        while count and isinstance(rule.body[count - 1], core.Require | core.Let):
            count -= 1
        return count

    def ask(self) -> None:
        """Write the test that gives the run up if only noisy actions are wanted and the number is as before, or the
        state is not quiet."""
        if self.listed:
            with self.out.when(array(ONLY)[0]):
                self.out.set("quiet_now", call("quiet"), ir.I64)
                same = compare("quiet_now", "==", array(BEFORE)[0])
                with self.out.when(some(same, compare("quiet_now", "==", RESTLESS))):
                    self.out.returns(0)

    def begin_listing(self, only: int = 0) -> None:
        """Begin a function that lists actions: noisy ones alone (`only` is 1), or all (0). The flag is stored in both
        cases, since a trap may have broken off a listing of noisy actions."""
        self.context.begin()
        if self.listed:
            # Stored in any case: a trap may have left a listing of noisy actions before it could put this back.
            self.out.store(ONLY, 0, only)
        if only:
            self.out.store(BEFORE, 0, "before")
        if self.rules.chooses:
            self.out.store("paths_end", 0, 0)
        if self.past.asked_by_rules:
            self.out.calls("note_past")

    def write(self) -> None:
        """Write `loud_moves(before)`: the listing of actions that change the number of quiet play from `before`; it may
        hold others too."""
        if not self.listed:
            return
        out = self.out
        self.begin_listing(only=1)
        out.set("rows", call("list_actions", 0, "MOVES"))
        out.store(ONLY, 0, 0)
        with out.when(compare("rows", "==", "MOVES")):
            out.trap(TOO_MANY)
        out.returns("rows")
        doc = "List the actions that change the number of quiet play, perhaps others too. Returns the number of rows."
        self.context.function("loud_moves", doc, ir.I32, before=ir.I64)
