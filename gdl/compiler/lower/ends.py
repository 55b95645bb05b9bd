"""Kinds of states: if play ends there and with what payoffs, or whose turn it is; and evaluations of states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from gdl.analysis.bounds import Pair, unproved_bounds
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call, compare, i64
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import NOTHING, Number, literal, locate_refusals, rescale
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame, Part
from gdl.compiler.lower.state_layout import TURN
from gdl.compiler.lower.writer import StatementLines
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP
from gdl.model import core
from gdl.model.games import Clause
from gdl.model.rewriting import substitute_form
from gdl.model.walk import inside

DECISION, CHANCE, SIMULTANEOUS, TERMINAL = range(4)
RESTLESS = -(1 << 62)  # the result of `quiet()` for a state that is not quiet


class Ends(Part):
    """Writes the functions that say whether a state is over, with what payoffs, whose turn it is, and how a state is
    estimated."""

    def __init__(self, expressions: ExpressionLowering):
        super().__init__(expressions)
        self.denominator = 1
        self.evaluation_denominator = 1
        self.quiet_denominator = 1
        self.unproved = unproved_bounds(self.model)
        self.wide = False  # whether utilities need 64 bits
        self.paid: list[list[Number]] = []  # utilities by clause of `terminal`, if it can hold, and player
        self._written: list[StatementLines] = []  # by clause of `terminal`, its code in `status`
        self.won_asks_ways = False  # whether `won_after` has to find out what can be done
        self.tells_line = False  # whether a page wants to know by which line of `terminal` play is over

    # -- what a state is ------------------------------------------------------------------------------------

    def write_status(self) -> None:
        """Write `status()`: the first clause of `terminal` that holds ends play; otherwise the turn decides the kind of
        state."""
        found: list[list[Number]] = []
        known = 0
        while known != self.denominator:  # again where utilities turn out to be fractions
            known = self.denominator
            self.context.begin()
            found, self._written = self._ask([clause.condition for clause in self.model.clauses])
            prices = (price.denominator for price in self.model.forever or ())
            self.denominator = lcm(*prices, *(u.scale for utilities in found for u in utilities))
        self.paid = found
        self.wide = any(u.wide for utilities in found for u in utilities)
        self._kind_of_turn()
        self.context.function(
            "status", "0 a decision, 1 chance, 2 everyone at once, 3 the end (then see util).", ir.I32
        )

    def _kind_of_turn(self) -> None:
        """Write the returns for a state that is not over: its kind follows from the turn."""
        if self.model.chances:
            with self.out.when(compare(STATE[TURN], "<=", FIRST_STEP)):
                self.out.returns(CHANCE)
        if self.rules.everyone:
            with self.out.when(compare(STATE[TURN], "==", EVERYONE)):
                self.out.returns(SIMULTANEOUS)
        self.out.returns(DECISION)

    def write_status_after(self) -> None:
        """Write `status_after(last)`: `status()` right after an action of the player `last`, which asks only the
        conditions that such an action can have made true. And write `won_after(last)`, which only finds the ends that
        pay `last` the most: so it leaves out the last conditions where they pay less."""
        out, players = self.out, range(len(self.model.players))
        known = [clause.after or (clause.condition,) * len(players) for clause in self.model.clauses]
        left = [tuple(conditions[player] for conditions in known) for player in players]
        counts = [self._clauses_to_win(player) for player in players]
        won = [conditions[:count] for conditions, count in zip(left, counts, strict=True)]
        self.context.begin()
        # If the last mover makes no difference, a second function would only be the first one again.
        written = dict.fromkeys(players, self._written)
        if self.rules.everyone or len(set(left)) == 1:
            out.returns(call("status"))
        else:
            for player in players:
                with out.when(compare("last", "==", player), otherwise=player > 0):
                    _, written[player] = self._ask(left[player])
            self._kind_of_turn()
        doc = "The status of a state that apply(), with this mover, has made of one that is not over."
        self.context.function("status_after", doc, ir.I32, last=ir.I32)
        self.context.begin()
        if self.rules.everyone or won == left:
            out.returns(call("status") if self.rules.everyone else call("status_after", "last"))
        else:
            for player in players:
                with out.when(compare("last", "==", player), otherwise=player > 0):
                    for lines in written[player][: counts[player]]:
                        out.append(lines)
            self._kind_of_turn()
        doc = "The same, but it may take for a decision an end that pays this mover less than another end could."
        self.context.function("won_after", doc, ir.I32, last=ir.I32)
        asked = inside(*won, *(definition.result for definition in self.model.definitions))
        self.won_asks_ways = self.rules.everyone or any(isinstance(e, core.NoActions | core.Able) for e in asked)

    def _ask(self, conditions: Sequence[core.Expression | None]) -> tuple[list[list[Number]], list[StatementLines]]:
        """Write the clauses of `terminal` with these conditions; None are not asked. Gives the utilities and the lines
        of each clause."""
        paid, written = [], []
        for number, condition in enumerate(conditions):
            with self.out.capture_lines() as lines:
                paid.append([] if condition is None else self._clause(number, condition))
            self.out.append(lines)
            written.append(lines)
        return paid, written

    def _clauses_to_win(self, player: int) -> int:
        """The number of clauses of `terminal` up to the last that may pay the player the most or be a fault."""
        paid = [utilities[player] if utilities else None for utilities in self.paid]
        most = max((Fraction(u.low, u.scale) for u in paid if u and not u.none), default=Fraction(0))
        promised = self.model.bounds[player][1] if self.model.bounds else None
        if promised is not None and promised < most:
            return len(paid)
        count = len(paid)
        while count and not self._written[count - 1].may_trap and (last := paid[count - 1]):
            if Fraction(last.high, last.scale) >= most:
                break
            count -= 1
        return count

    def write_stuck(self) -> None:
        """Write `stuck()`: the status that a state, which is not over, would have if its mover had no action. Nothing
        is written where that is the same for all states."""
        asked = core.NoActions()
        cases = [(n, c.condition) for n, c in enumerate(self.model.clauses) if asked in inside(c.condition)]
        if self.rules.everyone or all(condition == asked for _, condition in cases):
            return  # that tells nothing: there is no such end, or always the same
        self.context.begin()
        for number, condition in cases:
            self._clause(number, substitute_form(condition, asked, core.Const(True)))
        self._kind_of_turn()
        doc = "The status of a state that is not over, as if its mover could do nothing."
        self.context.function("stuck", doc, ir.I32)

    def _clause(self, number: int, condition: core.Expression) -> list[Number]:
        clause, unproved = self.model.clauses[number], self.unproved[number]
        frame: Frame = {}
        found = []
        self.out.enter(clause.span)
        with locate_refusals(clause.span), self.expressions.when([condition], frame) as possible:
            if possible:
                for player, utility in enumerate(clause.utilities):
                    value = self.expressions.number_or_none(utility, dict(frame))
                    value = self.context.existing(value, "a utility is none here", clause.span)
                    value = self._check_bounds(value, unproved[player], clause)
                    if self.denominator % value.scale == 0:
                        value = replace(rescale(value, self.denominator), scale=value.scale)
                    found.append(value)
                    self.out.store("util", player, value.code)
                if self.tells_line:
                    self.out.store("ended", 0, number)
                self.out.returns(TERMINAL)
        return found

    def _check_bounds(self, value: Number, bound: Pair, clause: Clause) -> Number:
        """The utility. Code is added that makes it a fault if it breaks a bound promised in the file that neither the
        rules nor its type prove."""
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
        """Write `evaluate()`, EVAL(s) of all players, as numerators over `evaluation_denominator`. A learned evaluation
        is joined with the module later."""
        if self.model.learned is not None:
            self.evaluation_denominator = self.model.learned.denominator  # its code is joined with the module
            return
        if not self.model.features:
            return
        self.context.begin()
        totals = self._evaluations()
        self.evaluation_denominator = lcm(*(total.scale for total in totals))
        for player, total in enumerate(totals):
            total = rescale(total, self.evaluation_denominator)
            self.wide = self.wide or total.wide
            self.out.store("util", player, total.code)
        self.context.function("evaluate", "EVAL(s), as numerators over EVALUATION_DENOMINATOR.")

    def write_quiet(self) -> None:
        """Write `quiet()`, which returns the number that quiet play keeps, as a numerator over `quiet_denominator`."""
        quiet = self.model.quiet
        if quiet is None:
            return
        self.context.begin()
        value = self.expressions.number_or_none(quiet.value, {})
        self.quiet_denominator = value.scale
        if value.none:
            value = self.out.bound(value)
            with self.out.when(on.equal(value, NOTHING).code):
                self.out.returns(RESTLESS)
        self.out.returns(i64(value.code))
        self.context.function("quiet", f"The number that quiet play keeps; {RESTLESS}: the state is not quiet.", ir.I64)

    def _evaluations(self) -> list[Number]:
        """The evaluation of the state for each player, computed once where the second player's is the negated one of
        the first."""
        first = self._evaluation(0)
        if len(self.model.players) == 2 and self.model.has_mirrored_evaluation:
            first = self.out.bound(first)
            return [first, on.subtract(literal(0), first)]
        return [first, *(self._evaluation(player) for player in range(1, len(self.model.players)))]

    def _evaluation(self, player: int) -> Number:
        total = literal(0)
        for feature in self.model.features:
            weight = Fraction(feature.weight)
            factor = replace(literal(weight.numerator), scale=weight.denominator)
            value = self.expressions.number_or_none(feature.values[player], {})
            value = self.context.existing(value, "a feature is none here", feature.span)
            total = on.add(total, on.multiply(factor, value))
        return total
