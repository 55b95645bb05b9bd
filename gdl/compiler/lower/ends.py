"""Kinds of states: if play ends there and with what payoffs, or whose turn it is; and evaluations of states."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Any

from gdl.analysis.bounds import Pair, unproved_bounds
from gdl.analysis.dependence import Dependence, substitute_form
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call, compare, i64
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import NOTHING, Number, literal, locate_refusals, rescale
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.fixed import Fixed
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame
from gdl.compiler.lower.rule_facts import RuleFacts
from gdl.compiler.lower.state_layout import TURN
from gdl.errors import GameError
from gdl.interpreter.bodies import EVERYONE, FIRST_STEP
from gdl.model import core
from gdl.model.games import Clause, Feature, RulesModel
from gdl.model.walk import inside

# What one player's action can make true, found from what the rules write.
#
# A condition that only asks whether squares hold a player's men does not become true by what another player does who
# never puts such men down: a line, a connection or a man on the last row is made by its owner. Where that cannot be
# shown, an action may make it true.

UNKNOWN = object()
Bound = dict[int, tuple[core.Expression, "Bound"]]  # what names stand for; others go through values known before play


class ActionEffects:
    """The changes that the actions of one player, and chance after them, can make."""

    def __init__(self, model: RulesModel, dependence: Dependence, fixed: Fixed, player: int):
        self.model = model
        self.dependence = dependence
        self.fixed = fixed
        self.player = player
        bodies = [rule.body for rule in (*model.actions, *model.chances, *filter(None, (model.follow_up,)))]
        bodies += [part.body for part in model.procedures]
        self.writes = [form for body in bodies for form in inside(body) if isinstance(form, core.Assign)]

    def remaining_condition(self, e: core.Expression) -> core.Expression | None:
        """The condition, false before the action, less what the action cannot have made true; None: it is still
        false."""
        if not self.can(e, {}, True):
            return None
        parts = self._expand_call(e)
        if not isinstance(parts, core.Some):
            return e
        left = [self.remaining_condition(part) for part in parts.parts]
        if None not in left:
            return e
        return core.Some(tuple(part for part in left if part is not None))

    def _expand_call(self, e: core.Expression) -> core.Expression:
        """A definition's value in place of its call with constants."""
        if isinstance(e, core.Scope) and not e.lets:
            return self._expand_call(e.result)
        if not isinstance(e, core.CallDefinition):
            return e
        definition = self.model.definitions[e.definition]
        if definition.recursive or not all(isinstance(argument, core.Const) for argument in e.arguments):
            return e
        result: Any = definition.result
        for slot, argument in enumerate(e.arguments):
            result = substitute_form(result, core.Local(slot), argument)
        return self._expand_call(result)

    def can(self, e: Any, bound: Bound, up: bool) -> bool:
        """True if an action of the player may make a condition true, or a set or a count larger; with `up` false, if it
        may make it false or smaller."""
        if not self._of_play(e, bound):
            return False
        match e:
            case core.Local() if e.slot in bound:
                return self.can(*bound[e.slot], up)
            case core.All() | core.Some():
                return any(self.can(part, bound, up) for part in e.parts)
            case core.Not():
                return self.can(e.operand, bound, not up)
            case core.Members():
                return self.can(e.set, bound, up)
            case core.Size():
                return self.can(e.operand, bound, up)
            case core.Element():
                return self._element(e, True, bound, up)
            case core.Comparison():
                return self._comparison(e, bound, up)
            case core.Contains() if not self._of_play(e.item, bound):
                return self.can(e.container, bound, up)
            case core.Quantifier() if e.kind in ("exists", "forall", "count", "those"):
                fewer = up if e.kind != "forall" else not up  # of the values that are asked
                asked = self.can(e.domain, bound, fewer) or (e.where is not None and self.can(e.where, bound, fewer))
                return asked or self.can(e.body, bound, up)
            case core.Reach():
                return self.can(e.start, bound, up) or (e.where is not None and self.can(e.where, bound, up))
            case core.CallDefinition() if not self.model.definitions[e.definition].recursive:
                inner: Bound = {slot: (argument, bound) for slot, argument in enumerate(e.arguments)}
                return self.can(self.model.definitions[e.definition].result, inner, up)
            case core.Scope():
                inner = dict(bound)
                for slot, value in e.lets:
                    inner = {**inner, slot: (value, inner)}
                return self.can(e.result, inner, up)
            case core.If() if not self._of_play(e.condition, bound):
                return self.can(e.then, bound, up) or self.can(e.otherwise, bound, up)
        return True

    def _of_play(self, e: Any, bound: Bound) -> bool:
        """True if a value depends on the state or on who moves."""
        facts = self.dependence.of(e)
        return facts.state or facts.mover or any(self._of_play(*bound[slot]) for slot in facts.slots if slot in bound)

    def _comparison(self, e: core.Comparison, bound: Bound, up: bool) -> bool:
        """An element that is (or is not) a value; a number of things that is large or small enough."""
        for one, other, more in ((e.left, e.right, (">", ">=")), (e.right, e.left, ("<", "<="))):
            if self._of_play(other, bound):
                continue
            if e.relation in ("=", "!=") and isinstance(one, core.Element):
                return self._element(one, self._constant(other, bound), bound, up == (e.relation == "="))
            if e.relation in ("<", "<=", ">", ">=") and isinstance(one, core.Quantifier | core.Size):
                return self.can(one, bound, up == (e.relation in more))
        return True

    def _element(self, e: core.Element, value: Any, bound: Bound, gains: bool) -> bool:
        """True if an element may get the value, or lose it."""
        if any(self._of_play(index, bound) for index in e.indices):
            return True
        at = [self._constant(index, bound) for index in e.indices]
        for write in self.writes:
            if write.variable != e.variable or self._apart(at, write):
                continue
            written = self._value_in_action(write.value)
            if UNKNOWN in (written, value) or (written == value) == gains:
                return True
        return False

    def _apart(self, at: list[Any], write: core.Assign) -> bool:
        """True if a write surely goes to another element."""
        places = [self._value_in_action(index) for index in write.indices]
        return any(UNKNOWN not in (a, b) and a != b for a, b in zip(at, places, strict=True))

    def _constant(self, e: core.Expression, bound: Bound) -> Any:
        """The value of an expression that does not depend on play, if no name in it goes through values."""
        slots = sorted(self.dependence.of(e).slots)
        if any(slot not in bound for slot in slots):
            return UNKNOWN
        values = [self._constant(*bound[slot]) for slot in slots]
        return UNKNOWN if UNKNOWN in values else self._compute_or_unknown(e, slots, values)

    def _value_in_action(self, e: core.Expression) -> Any:
        """The value of an expression in an action of the player, if it depends on nothing else; UNKNOWN otherwise."""
        facts = self.dependence.of(e)
        return UNKNOWN if facts.state or facts.slots else self._compute_or_unknown(e, [], [self.player])

    def _compute_or_unknown(self, e: core.Expression, slots: list[int], values: list[Any]) -> Any:
        try:
            return self.fixed.function(e, slots, len(values) > len(slots))(*values)
        except (GameError, TypeError):
            return UNKNOWN


DECISION, CHANCE, SIMULTANEOUS, TERMINAL = range(4)
RESTLESS = -(1 << 62)  # of a state that is not quiet


class Ends:
    """The functions that say what a state is, and what it is worth."""

    def __init__(self, context: Context, expressions: ExpressionLowering, rules: RuleFacts):
        self.context = context
        self.model, self.out = context.model, context.out
        self.expressions = expressions
        self.rules = rules
        self.denominator = 1
        self.evaluation_denominator = 1
        self.quiet_denominator = 1
        self.unproved = unproved_bounds(self.model)
        self.wide = False  # whether utilities need 64 bits
        self.tells_line = False  # whether a page wants to know by which line of `terminal` play is over

    # -- what a state is ------------------------------------------------------------------------------------

    def write_status(self) -> None:
        """`status()`: the first clause that holds ends play; otherwise the turn says what kind of state it is."""
        found: list[list[Number]] = []
        known = 0
        while known != self.denominator:  # again where utilities turn out to be fractions
            known = self.denominator
            self.context.begin()
            found = [self._clause(number, clause.condition) for number, clause in enumerate(self.model.clauses)]
            prices = (price.denominator for price in self.model.forever or ())
            self.denominator = lcm(*prices, *(u.scale for utilities in found for u in utilities))
        self.wide = any(u.wide for utilities in found for u in utilities)
        self._kind_of_turn()
        self.context.function(
            "status", "0 a decision, 1 chance, 2 everyone at once, 3 the end (then see util).", ir.I32
        )

    def _kind_of_turn(self) -> None:
        """Write the kind of a state that is not over."""
        if self.model.chances:
            with self.out.when(compare(STATE[TURN], "<=", FIRST_STEP)):
                self.out.returns(CHANCE)
        if self.rules.everyone:
            with self.out.when(compare(STATE[TURN], "==", EVERYONE)):
                self.out.returns(SIMULTANEOUS)
        self.out.returns(DECISION)

    def write_status_after(self) -> None:
        """`status_after(last)`: only what the last mover can have made true is asked."""
        players = range(len(self.model.players))
        gains = [ActionEffects(self.model, self.context.dependence, self.context.fixed, player) for player in players]
        left = [[gain.remaining_condition(clause.condition) for clause in self.model.clauses] for gain in gains]
        out = self.out
        self.context.begin()
        # If the last mover makes no difference, a second function would only be the first one again.
        if self.rules.everyone or all(conditions == left[0] for conditions in left):
            out.returns(call("status"))
        else:
            for player, conditions in enumerate(left):
                with out.when(compare("last", "==", player), otherwise=player > 0):
                    for number, condition in enumerate(conditions):
                        if condition is not None:
                            self._clause(number, condition)
            self._kind_of_turn()
        doc = "The status of a state that apply(), with this mover, has made of one that is not over."
        self.context.function("status_after", doc, ir.I32, last=ir.I32)

    def write_stuck(self) -> None:
        """`stuck()`: what end a state would be, which is none, if its mover could do nothing (then see util)."""
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
                    value = self.expressions.number(utility, dict(frame))
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
        value = self.expressions.number(quiet.value, {})
        self.quiet_denominator = value.scale
        if value.none:
            value = self.out.bound(value)
            with self.out.when(on.equal(value, NOTHING).code):
                self.out.returns(RESTLESS)
        self.out.returns(i64(value.code))
        self.context.function("quiet", f"What quiet play keeps; {RESTLESS}: the state is not quiet.", ir.I64)

    def write_features(self) -> None:
        """`features()`: each player's value of every feature, those of one player side by side."""
        self.context.begin()
        count = len(self.model.features)
        for player in range(len(self.model.players)):
            for number, feature in enumerate(self.model.features):
                value = self._feature(feature, player)
                code: ir.Expr = ir.Convert(ir.F64, value.code)
                code = code / ir.Const(float(value.scale)) if value.scale != 1 else code
                self.out.store("feature", player * count + number, code)
        self.context.function("features", "The features of EVAL(s), player by player.")

    def _evaluations(self) -> list[Number]:
        """The evaluation of the state for each player; where the second gets as much as the first loses it is computed
        once."""
        first = self._evaluation(0)
        if all(_is_opposed(feature) for feature in self.model.features):
            first = self.out.bound(first)
            return [first, on.subtract(literal(0), first)]
        return [first, *(self._evaluation(player) for player in range(1, len(self.model.players)))]

    def _evaluation(self, player: int) -> Number:
        total = literal(0)
        for feature in self.model.features:
            weight = Fraction(feature.weight)
            factor = replace(literal(weight.numerator), scale=weight.denominator)
            total = on.add(total, on.multiply(factor, self._feature(feature, player)))
        return total

    def _feature(self, feature: Feature, player: int) -> Number:
        value = self.expressions.number(feature.values[player], {})
        return self.context.existing(value, "a feature is none here", feature.span)


def _is_opposed(feature: Feature) -> bool:
    """True if the feature of the second of two players is that of the first with the other sign."""
    match feature.values:
        case (first, core.Arithmetic("-", core.Const(0), right)):
            return right == first
    return False
