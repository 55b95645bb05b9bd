"""Plies: what can be done in a state, and the state that an action, or everyone's choices together, leave."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, choice, compare, conjunction
from gdl.compiler.ir.nodes import Code, expr
from gdl.compiler.lower.arrays import KEEPS, MOVE, STATE
from gdl.compiler.lower.bodies import BodyLowering
from gdl.compiler.lower.lower_expressions import Part
from gdl.compiler.lower.repetitions import Times
from gdl.compiler.lower.rows import UNSET, NoisyActions
from gdl.compiler.lower.state_layout import MOVER, TURN
from gdl.compiler.lower.writer import NO_ACTION, TOO_MANY
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY
from gdl.model.games import Rule


class Plies(Part):
    """Writes the functions that list what can be done in a state and apply it."""

    def __init__(self, past: Times, bodies: BodyLowering, noisy: NoisyActions):
        super().__init__(bodies.expressions)
        self.past, self.bodies, self.noisy = past, bodies, noisy

    # -- moves ----------------------------------------------------------------------------------------------

    def write_moves(self) -> None:
        """Write `moves()`, which lists the rows of a state and returns their number, and `no_actions()`, which tells if
        the mover has no action."""
        out = self.out
        self.noisy.begin_listing()
        out.set("rows", 0)
        if self.model.chances:
            with out.when(compare(STATE[TURN], "<=", FIRST_STEP)):
                out.set("rows", call("list_outcomes"))
        with out.when(compare(STATE[TURN], ">=", 0), otherwise=bool(self.model.chances)):
            out.set("rows", call("list_actions", 0, "MOVES"))
        if self.rules.everyone:
            with out.when(compare(STATE[TURN], "==", EVERYONE), otherwise=True):
                with self._for_each_mover():
                    out.store("first", "p", "rows")
                    out.set("rows", call("list_actions", "rows", "MOVES"))
                out.store("first", "PLAYERS", "rows")
        # A state that is not over and offers nothing is a fault of the rules; a full list may have been cut.
        faults: tuple[tuple[Code, int], ...] = ((0, NO_ACTION), ("MOVES", TOO_MANY))
        for count, code in faults:
            with out.when(compare("rows", "==", count)):
                out.trap(code)
        out.returns("rows")
        self.context.function("moves", "List the rows of the state, which is not over. Returns their number.", ir.I32)
        self.write_no_actions()

    def write_no_actions(self, count: ir.Expr | None = None) -> None:
        """Write `no_actions()`. `count` is code that is 0 exactly where the mover has no action; if it is None, actions
        are listed."""
        out = self.out
        self.noisy.begin_listing()
        if self.model.chances:
            with out.when(compare(STATE[TURN], "<=", FIRST_STEP)):
                out.returns(0)
        with out.when(compare(STATE[TURN], "==", NOBODY)):
            out.returns(1)
        if self.rules.everyone:
            with out.when(compare(STATE[TURN], "==", EVERYONE)):
                out.set("rows", 0)
                with self._for_each_mover():
                    # One row answers the question, so no more than one is listed, at the head of the same memory.
                    out.update("rows", "+", call("list_actions", 0, 1))
                out.returns(compare("rows", "==", 0))
        out.returns(compare(call("list_actions", 0, 1) if count is None else count, "==", 0))
        self.context.function("no_actions", "1 if no player whose turn it is has an action.", ir.I32)

    @contextmanager
    def _for_each_mover(self) -> Iterator[None]:
        """Within the block, code runs once for each player `p`, who is the mover meanwhile."""
        self.out.set("before", STATE[MOVER])
        with self.out.counting("p", None, "PLAYERS"):
            self.out.store("s", MOVER, "p")
            yield
        self.out.store("s", MOVER, "before")

    # -- what an action leaves ------------------------------------------------------------------------------

    def write_apply(self) -> None:
        """Write `apply(i)`, which replaces the state by the one after row i, its variant `apply_listed(i)` for rows
        whose states are kept, and the functions that end a ply."""
        out = self.out
        self.context.begin()
        self.begin()
        out.calls("perform", "i")
        self.end()
        self.context.function("apply", "Replace the state by the one after row i.", i=ir.I32)
        self._write_apply_listed()
        self.context.begin()
        with out.when(compare(STATE[TURN], ">=", 0)):
            out.store("s", MOVER, STATE[TURN])
        # Nobody, everyone or chance is next: who has just moved stays the mover, so that a step of chance knows them.
        if self.model.follow_up is not None:
            with out.when(compare(STATE[TURN], ">=", 0)):
                out.calls("follow_up")
        self.context.function("finish", "Set the mover: whose turn it is, else who moved last.")
        self._write_effects("follow_up", self.model.follow_up, "Do what the rules say when a player is to move.")

    def _write_apply_listed(self) -> None:
        """Write three functions. After `begin_rows()` the next listing keeps the state after each of its rows;
        `apply_listed(i)` applies one of these rows; after `end_rows()` nothing is kept any more."""
        out = self.out
        self.context.begin()
        self.past.note()
        if self.rules.keeps:
            out.store("keeps", 0, "ROWS_KEPT")
        self.context.function("begin_rows", "Keep the states after the rows of the next listing.")
        self.context.begin()
        if self.rules.keeps:
            out.store("keeps", 0, 0)
        self.context.function("end_rows", "End keeping states.")
        self.context.begin()
        self.bodies.begin_events()
        out.set("turn", STATE[TURN])
        if self.rules.keeps:
            with out.when(conjunction(compare("i", "<", KEEPS), *self._is_tried())):
                out.copies("s", 0, "tried", ir.Local("i") * "STATE", "STATE")
                with out.when(compare(STATE[TURN], "==", UNSET)):
                    self._pass_on()
        with out.otherwise() if self.rules.keeps else nullcontext():
            self._pass_on()
            out.calls("perform", "i")
        self.end()
        self.context.function("apply_listed", "apply() between begin_rows() and end_rows().", i=ir.I32)

    def _is_tried(self) -> list[ir.Expr]:
        """Tests that together say that row i belongs to an action that is tried, not to another rule; none are needed
        where all rules are such actions."""
        listed = len(self.model.actions)
        others = [k for k, rule in enumerate(self.rules.all) if k >= listed or rule.simple]
        return [compare(MOVE[ir.Local("i") * "WIDTH"], "!=", k) for k in others]

    def begin(self) -> None:
        """Write the beginning of a ply: no events yet, the position is noted, and the turn passes on unless the body
        says otherwise."""
        self.bodies.begin_events()
        # The position is noted, and whose turn it was, before the body changes either; a body that says who is next
        # writes over what `_pass_on` has put there.
        self.past.note()
        self.out.set("turn", STATE[TURN])
        self._pass_on()

    def _pass_on(self) -> None:
        """Write the turn of the next player; after a step of chance, that of the mover."""
        count, turn = len(self.model.players), ir.Local("turn")
        # Division is slow, and most games have one player or two.
        following: dict[int, ir.Expr] = {1: ir.Const(0), 2: ir.Const(1) - turn}
        after = following.get(count, (turn + 1) % count)
        # After a chance step the player who moved before it goes on.
        after = choice(compare(turn, ">=", 0), after, STATE[MOVER]) if self.model.chances else after
        self.out.store("s", TURN, after)

    def end(self) -> None:
        """Write the end of a ply: the player whose turn it is becomes the mover, and the noted position counts."""
        self.out.calls("finish")
        self.past.count()

    def write_apply_joint(self) -> None:
        """Write `apply_joint()`, where everyone may move at once: each player's choice is carried out from the same
        state, the changes are put together, and `resolve` follows."""
        if not self.rules.everyone:
            return
        self._write_effects("resolve", self.model.resolve, "Everyone's choices have been written: what comes of them.")
        out = self.out
        self.context.begin()
        self.bodies.begin_events()
        self.past.note()
        # Each body reads the state before all choices, and writes into a copy; `join` takes over what has changed.
        out.copies("before_joint", 0, "s", 0, "STATE")
        out.copies("joined", 0, "s", 0, "STATE")
        chosen = array("joint")["p"]
        with out.counting("p", None, "PLAYERS"), out.when(compare(chosen, ">=", 0)):
            out.copies("s", 0, "before_joint", 0, "STATE")
            out.store("s", MOVER, "p")
            out.calls("perform", chosen)
            out.calls("join")
        out.copies("s", 0, "joined", 0, "STATE")
        out.store("s", TURN, EVERYONE)
        if self.model.resolve is not None:
            out.calls("resolve")
        self.end()
        self.context.function("apply_joint", "Replace the state by the one after all rows in `joint`.")
        self._write_join()

    def _write_join(self) -> None:
        """Write `join()`, which adds the words that a player has changed to the joint state. The words of one set
        count as one variable."""
        out = self.out
        self.context.begin()
        span = self.model.actions[0].span if self.model.actions else None
        code = self.module.trap("two players write the same variable at once", span)
        for place in self.layout.places:
            assert place.offset is not None  # nothing is held in planes alone where all act at once
            count, anew = place.each * place.count, _differ("s", "before_joint", "k", place.each)
            changed = _differ("s", "before_joint", place.offset, count)
            with out.when(changed), out.counting("k", place.offset, place.offset + count, place.each), out.when(anew):
                # Two players may write the same value into the same variable; only values that differ are a fault.
                taken = _differ("joined", "before_joint", "k", place.each)
                with out.when(conjunction(taken, _differ("s", "joined", "k", place.each))):
                    out.trap(code)
                out.copies("joined", "k", "s", "k", place.each)
        self.context.function("join", "Add the words that a player has changed to the joint state.")

    def _write_effects(self, name: str, rule: Rule | None, doc: str) -> None:
        if rule is None:
            return

        def write() -> None:
            assert rule is not None
            self.bodies.body(rule, rule.body, {})
            self.out.returns(1)

        with self.context.in_body():
            self.bodies.write_settled(write)
        self.context.function(name, doc, ir.I32)


def _differ(one: str, other: str, at: Code, count: int) -> ir.Expr:
    """The test that two arrays of words are not the same in `count` places from `at` on."""
    both = array(one), array(other)
    return compare(ir.Call("equal", (expr(at), expr(at), expr(count)), ir.I32, 0, 1, both), "==", 0)
