"""The rest of a game's module: how play begins, what a state is, what it pays, what an action leaves."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from gdl.analysis.bounds import Pair, unproved
from gdl.analysis.dependence import all_at_once
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.expressions import Frame
from gdl.compiler.lower.gains import Gains
from gdl.compiler.lower.rules import Rules
from gdl.compiler.lower.values import NOTHING, Number, literal, placed, rescaled
from gdl.compiler.lower.writer import NO_ACTION, TOO_MANY
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP, NOBODY
from gdl.model import core
from gdl.model.games import Clause, Feature

DECISION, CHANCE, SIMULTANEOUS, TERMINAL = range(4)
RESTLESS = -(1 << 62)  # of a state that is not quiet


class Ends(Rules):
    """All functions of one game's module."""

    def __init__(self, *given: Any):
        super().__init__(*given)
        self.denominator = 1
        self.evaluation_denominator = 1
        self.quiet_denominator = 1
        self.everyone = all_at_once(self.model)
        self.unproved = unproved(self.model)
        self.wide = False  # whether utilities need 64 bits

    # -- what a state is ------------------------------------------------------------------------------------

    def write_status(self) -> None:
        """`status()`: the first clause that holds ends play; otherwise the turn says what kind of state it is."""
        found: list[list[Number]] = []
        known = 0
        while known != self.denominator:  # again where utilities turn out to be fractions
            known = self.denominator
            self.out.begin()
            found = [self._clause(number, clause.condition) for number, clause in enumerate(self.model.clauses)]
            prices = (price.denominator for price in self.model.forever or ())
            self.denominator = lcm(*prices, *(u.scale for utilities in found for u in utilities))
        self.wide = any(u.wide for utilities in found for u in utilities)
        self._kind_of_turn()
        self.context.function(
            "def status() -> i32", "0 a decision, 1 chance, 2 everyone at once, 3 the end (then see util)."
        )

    def _kind_of_turn(self) -> None:
        """What kind a state is that is not over."""
        if self.model.chances:
            with self.out.block(f"if s[0] <= {FIRST_STEP}"):
                self.out.emit(f"return {CHANCE}")
        if self.everyone:
            with self.out.block(f"if s[0] == {EVERYONE}"):
                self.out.emit(f"return {SIMULTANEOUS}")
        self.out.emit(f"return {DECISION}")

    def write_status_after(self) -> None:
        """`status_after(last)`: only what the last mover can have made true is asked."""
        players = range(len(self.model.players))
        gains = [Gains(self.model, self.dependence, self.fixed, player) for player in players]
        left = [[gain.left(clause.condition) for clause in self.model.clauses] for gain in gains]
        out = self.out
        out.begin()
        if self.everyone or all(conditions == left[0] for conditions in left):
            out.emit("return status()")
        else:
            for player, conditions in enumerate(left):
                with out.block(f"{'elif' if player else 'if'} last == {player}"):
                    for number, condition in enumerate(conditions):
                        if condition is not None:
                            self._clause(number, condition)
            self._kind_of_turn()
        doc = "The status of a state that apply(), with this mover, has made of one that is not over."
        self.context.function("def status_after(last: i32) -> i32", doc)

    def _clause(self, number: int, condition: core.Expression) -> list[Number]:
        clause, unproved = self.model.clauses[number], self.unproved[number]
        frame: Frame = {}
        found = []
        with placed(clause.span), self.when([condition], frame) as possible:
            if possible:
                for player, utility in enumerate(clause.utilities):
                    value = self.number(utility, dict(frame))
                    if value.none:
                        value = self.out.bound(value)
                        self.context.trap_if(on.equal(value, NOTHING), "a utility is none here", clause.span)
                        value = replace(value, none=False)
                    value = self._bounded(value, unproved[player], clause)
                    if self.denominator % value.scale == 0:
                        value = replace(rescaled(value, self.denominator), scale=value.scale)
                    found.append(value)
                    self.out.emit(f"util[{player}] = {value.code}")
                self.out.emit(f"return {TERMINAL}")
        return found

    def _bounded(self, value: Number, bound: Pair, clause: Clause) -> Number:
        """The utility, checked to keep what the file promises of it and neither the rules nor its type prove."""
        low, high = bound
        breaks = []
        if low is not None and Fraction(value.low, value.scale) < low:
            breaks.append(("<", low))
        if high is not None and Fraction(value.high, value.scale) > high:
            breaks.append((">", high))
        for relation, end in breaks:
            value = self.out.bound(value)
            number = Fraction(end)
            limit = replace(literal(number.numerator), scale=number.denominator)
            self.context.trap_if(on.compare(relation, value, limit), "a utility breaks its bound here", clause.span)
        return value

    def write_evaluation(self) -> None:
        """`evaluate()`: the weighted features of EVAL(s), as numerators over one denominator."""
        if not self.model.features:
            return
        self.out.begin()
        totals = [self._evaluation(player) for player in range(len(self.model.players))]
        self.evaluation_denominator = lcm(*(total.scale for total in totals))
        for player, total in enumerate(totals):
            total = rescaled(total, self.evaluation_denominator)
            self.wide = self.wide or total.wide
            self.out.emit(f"util[{player}] = {total.code}")
        self.context.function("def evaluate() -> None", "EVAL(s), as numerators over EVALUATION_DENOMINATOR.")

    def write_quiet(self) -> None:
        """`quiet()`: what quiet play keeps, as a numerator over one denominator."""
        quiet = self.model.quiet
        if quiet is None:
            return
        self.out.begin()
        value = self.number(quiet.value, {})
        self.quiet_denominator = value.scale
        if value.none:
            value = self.out.bound(value)
            with self.out.block(f"if {on.equal(value, NOTHING).code}"):
                self.out.emit(f"return {RESTLESS}")
        self.out.emit(f"return i64({value.code})")
        self.context.function("def quiet() -> i64", f"What quiet play keeps; {RESTLESS}: the state is not quiet.")

    def write_features(self) -> None:
        """`features()`: each player's value of every feature, those of one player side by side."""
        self.out.begin()
        count = len(self.model.features)
        for player in range(len(self.model.players)):
            for number, feature in enumerate(self.model.features):
                value = self._feature(feature, player)
                over = f" / {float(value.scale)}" if value.scale != 1 else ""
                self.out.emit(f"feature[{player * count + number}] = f64({value.code}){over}")
        self.context.function("def features() -> None", "The features of EVAL(s), player by player.")

    def _evaluation(self, player: int) -> Number:
        total = literal(0)
        for feature in self.model.features:
            weight = Fraction(feature.weight)
            factor = replace(literal(weight.numerator), scale=weight.denominator)
            total = on.add(total, on.multiply(factor, self._feature(feature, player)))
        return total

    def _feature(self, feature: Feature, player: int) -> Number:
        value = self.number(feature.values[player], {})
        if value.none:
            value = self.out.bound(value)
            self.context.trap_if(on.equal(value, NOTHING), "a feature is none here", feature.span)
            value = replace(value, none=False)
        return value

    # -- moves ----------------------------------------------------------------------------------------------

    def write_moves(self) -> None:
        """`moves()` and `no_actions()`."""
        out = self.out
        out.begin()
        if self.chooses:
            out.emit("paths_end[0] = 0")
        if self.rules_ask_past:
            out.emit("note_past()")
        out.emit("rows = 0")
        header = "if s[0] >= 0"
        if self.model.chances:
            with out.block(f"if s[0] <= {FIRST_STEP}"):
                out.emit("rows = list_outcomes()")
            header = "elif s[0] >= 0"
        with out.block(header):
            out.emit("rows = list_actions(0, MOVES)")
        if self.everyone:
            with out.block(f"elif s[0] == {EVERYONE}"):
                self._everyone("first[p] = rows", "rows = list_actions(rows, MOVES)")
                out.emit("first[PLAYERS] = rows")
        for test, code in (("rows == 0", NO_ACTION), ("rows == MOVES", TOO_MANY)):
            with out.block(f"if {test}"):
                out.emit(f"trap({code})")
        out.emit("return rows")
        self.context.function(
            "def moves() -> i32", "List what can be done in the state, which is not over; how many rows."
        )
        self.write_no_actions()

    def write_no_actions(self, count: str = "list_actions(0, 1)") -> None:
        """`no_actions()`, by code that gives some number other than 0 where there are any."""
        out = self.out
        out.begin()
        if self.chooses:
            out.emit("paths_end[0] = 0")
        if self.rules_ask_past:
            out.emit("note_past()")
        if self.model.chances:
            with out.block(f"if s[0] <= {FIRST_STEP}"):
                out.emit("return 0")
        with out.block(f"if s[0] == {NOBODY}"):
            out.emit("return 1")
        if self.everyone:
            with out.block(f"if s[0] == {EVERYONE}"):
                out.emit("rows = 0")
                self._everyone("rows += list_actions(0, 1)")
                out.emit("return rows == 0")
        out.emit(f"return {count} == 0")
        self.context.function("def no_actions() -> i32", "Whether nobody whose turn it is can do anything.")

    def _everyone(self, *lines: str) -> None:
        """The lines for each player p, as the mover."""
        self.out.emit("before = s[1]")
        with self.out.block("for p in range(PLAYERS)"):
            self.out.emit("s[1] = p")
            for line in lines:
                self.out.emit(line)
        self.out.emit("s[1] = before")

    # -- what an action leaves ------------------------------------------------------------------------------

    def write_apply(self) -> None:
        """`apply(i)`, and `apply_joint()` where everyone may move at once."""
        out = self.out
        out.begin()
        self.begin_ply()
        out.emit("perform(i)")
        self.end_ply()
        self.context.function("def apply(i: i32) -> None", "Replace the state by what row i leaves.")
        out = self.out
        out.begin()
        with out.block("if s[0] >= 0"):
            out.emit("s[1] = s[0]")
        with out.block("elif turn >= 0"):
            out.emit("s[1] = turn")
        self.context.function("def finish(turn: i32) -> None", "Who moves is whose turn it is; else who moved last.")

    def begin_ply(self) -> None:
        """No event has been told yet, and it is the next player's turn if the body does not say more."""
        out = self.out
        self.begin_events()
        self.note_past()
        out.emit("turn = s[0]")
        count = len(self.model.players)
        after = {1: "0", 2: "1 - turn"}.get(count, f"(turn + 1) % {count}")
        out.emit(f"s[0] = {after} if turn >= 0 else s[1]" if self.model.chances else f"s[0] = {after}")

    def end_ply(self) -> None:
        """Whose turn it is becomes the mover."""
        self.out.emit("finish(turn)")
        self.count_past()

    def write_apply_joint(self) -> None:
        """Each player's choice is done from the state before; what they write is put together, then resolved."""
        if not self.everyone:
            return
        self._write_resolve()
        out = self.out
        out.begin()
        self.begin_events()
        self.note_past()
        for line in (
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
        ):
            out.emit(line)
        if self.model.resolve is not None:
            out.emit("resolve()")
        out.emit(f"finish({EVERYONE})")
        self.count_past()
        self.context.function(
            "def apply_joint() -> None", "Replace the state by what the rows in `joint` leave together."
        )
        self._write_join()

    def _write_join(self) -> None:
        """Words that a player has changed; a set's words are one variable."""
        out = self.out
        out.begin()
        span = self.model.actions[0].span if self.model.actions else None
        code = self.module.trap("two players write the same variable at once", span)
        for place in self.layout.places:
            assert place.offset is not None  # nothing is held in planes alone where all act at once
            count = place.each * place.count
            with out.block(f"for k in range({place.offset}, {place.offset + count}, {place.each})"):
                out.emit("changed = 0")
                out.emit("other = 0")
                with out.block(f"for j in range(k, k + {place.each})"):
                    with out.block("if s[j] != before_joint[j]"):
                        out.emit("changed = 1")
                    with out.block("if s[j] != joined[j]"):
                        out.emit("other = 1")
                with out.block("if changed"):
                    with out.block("if written_by[k] >= 0 and other"):
                        out.emit(f"trap({code})")
                    with out.block("if written_by[k] < 0"):
                        out.emit("written_by[k] = p")
                    with out.block(f"for j in range(k, k + {place.each})"):
                        out.emit("joined[j] = s[j]")
        self.context.function("def join(p: i32) -> None", "Add what player p has changed.")

    def _write_resolve(self) -> None:
        rule = self.model.resolve
        if rule is None:
            return

        def write() -> None:
            assert rule is not None
            self.body(rule, rule.body, {})
            self.out.emit("return 1")

        self.within_body = True
        self.write_settled(write)
        self.within_body = False
        self.context.function("def resolve() -> i32", "Everyone's choices have been written: what comes of them.")
