"""Choices: the parameters of heads, `choose` in bodies, and draws.

A `choose` takes what the path of its run says; where the path ends it lists its options and takes the first. So a body
with choices is an odometer: the next run follows the same path with its last choice moved on. The path is in `chosen`;
the functions of `kernels/odometer.py` keep the options of its levels, and move it on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace

from gdl.analysis.dependence import all_inside
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, compare, every, i32, plus
from gdl.compiler.ir.nodes import Code
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.arrays import CHOSEN, ODOMETER
from gdl.compiler.lower.bodies import UNREACHED, BodyLowering
from gdl.compiler.lower.code_values import (
    NOTHING,
    WORD,
    Listed,
    Mask,
    Number,
    Sequence,
    UnsupportedConstruct,
    Value,
    WordCode,
    literal,
)
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.fitting_sets import FittingSets
from gdl.compiler.lower.loops import Body, Domain, Loops, hull_of, longest, runs
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame
from gdl.compiler.lower.memos import Memos
from gdl.compiler.lower.naming import Naming
from gdl.compiler.lower.rule_facts import RuleFacts
from gdl.compiler.lower.writer import TOO_MANY
from gdl.model import core
from gdl.model.games import Rule
from gdl.model.walk import value_from_guard


class Choices:
    """Lowering of choices in bodies, and of the parameters of heads."""

    def __init__(
        self, context: Context, expressions: ExpressionLowering, loops: Loops, bodies: BodyLowering,
        fitting_sets: FittingSets, naming: Naming, rules: RuleFacts, memos: Memos,
    ):  # fmt: skip
        self.context = context
        self.model, self.module, self.out = context.model, context.module, context.out
        self.expressions = expressions
        self.loops = loops
        self.bodies = bodies
        self.fitting_sets = fitting_sets
        self.naming = naming
        self.rules = rules
        self.memos = memos
        self.ways = 1  # the most combinations that the parameters gone through so far can have
        self.telling: set[int] = set()  # ids of the choices for which a path records whether there was any option
        self.most_held = 0  # words besides the state by which the runs of a body are told apart where they choose
        self._ends_told = {id(choose) for rule in rules.all for choose in self._choices_after_repeat(rule.body)}
        self._merging = {
            id(choose): site
            for rule in self.model.actions
            for site, choose in enumerate(chosen_alike(rule.body))
            if rule.merge
        }

    def _choices_after_repeat(self, body: tuple[core.Statement, ...]) -> list[core.Choose]:
        """All choices of a body, if one of them may come after a `repeat` that ended since there was nothing left to
        choose; else none."""
        forms = list(all_inside(self.model, body))
        choices = [form for form in forms if isinstance(form, core.Choose)]
        loops = sum(isinstance(form, core.Repeat | core.For) for form in forms)
        return choices if len(choices) > 1 or loops > 1 else []

    def choose(self, s: core.Choose, frame: Frame) -> bool:
        """Write a choice: take what the path says; where the path ends, list the options as its new last level and take
        the first."""
        out, taken = self.out, dict(frame)
        values: list[Value] = []
        told: list[Code] = [1] if self._tells_end(s) else []
        self.telling |= {id(s)} if told else set()
        # The path ends here: this choice is met for the first time in this run.
        with out.when(compare("at", "==", ODOMETER[0])):
            out.set("first", ODOMETER[2])
            out.set("top", "first")

            def option() -> None:
                values[:] = [taken[p.slot] for p in s.parameters]
                words = [*told, *(code for value in values for code in words_of_choice(value))]
                with out.when(compare(ir.Local("top") + len(words), ">", "OPTIONS")):
                    out.trap(TOO_MANY)
                for k, code in enumerate(words):
                    out.store("option", plus("top", k), code)
                out.update("top", "+", len(words))
                if self.context.asks:
                    out.store("odometer", 2, "top")  # what a trial chooses comes after these

            self.assignments(s, taken, option, lambda: self._leave_if_seen(s, frame))
            with out.when(compare("top", "==", "first")):
                self._nothing_to_choose(bool(told))
            # All options of a choice have the same width, so a level is moved on by adding it.
            width = len(told) + sum(len(words_of_choice(value)) for value in values)
            with out.otherwise() if told else nullcontext():
                out.calls("extend_path", "at", "first", "top", width)
        if told:
            # The word before an option says whether there was one: 0 is the end of the `repeat`.
            with out.when(compare(CHOSEN["at"], "==", 0)):
                out.update("at", "+", 1)
                self.bodies.leave("no option")
        if not values:
            return UNREACHED
        self._take(s, frame, values, len(told))
        return True

    def _tells_end(self, s: core.Choose) -> bool:
        """True if the path records for this choice whether there was any option, since having none ends a `repeat`
        around it."""
        return id(s) in self._ends_told and self.bodies.leads_inside("no option")

    def _leave_if_seen(self, s: core.Choose, frame: Frame) -> None:
        """Write the end of a run that comes to this choice just as an earlier run did: it can find nothing new. Only
        for rules whose equal results are one action."""
        site = self._merging.get(id(s))
        names = None if site is None else held_names(frame)
        if site is None or names is None:
            return
        turns, ranks = self.bodies.turns[-1:], [array("run_rank")[0]] if self.rules.ranked else []
        # All that decides how the run goes on, besides the state: which choice this is, the names, turns and rank so
        # far.
        held: list[Code] = [site, *names, *turns, *ranks]
        self.most_held = max(self.most_held, len(held))
        for k, code in enumerate(held):
            self.out.store("held", k, code)
        with self.out.when(every(ODOMETER[3], call("seen_before", len(held)))):
            self.bodies.leave("refused")

    def _nothing_to_choose(self, told: bool) -> None:
        """Write the case that a choice has no option: it ends the `repeat` around it if this is the first choice of a
        turn; otherwise the run is refused. `told`: the path records that there was none."""
        if told:
            with self.out.when(compare("fresh", "==", 0)):
                self.bodies.leave("refused")
            self.out.store("option", "first", 0)
            self.out.calls("extend_path", "at", "first", plus("first", 1), 1)
            return
        if self.bodies.leads_inside("no option"):
            with self.out.when("fresh"):
                self.bodies.leave("no option")
        self.bodies.leave("refused")

    def _take(self, s: core.Choose, frame: Frame, values: list[Value], at: int) -> None:
        """Read the chosen values from the path into the frame; they begin `at` words after the present place in the
        path."""
        for parameter, value in zip(s.parameters, values, strict=True):
            words = len(words_of_choice(value))
            codes: list[ir.Expr] = [CHOSEN[plus("at", at + k)] for k in range(words)]
            frame[parameter.slot] = self.context.bound(choice_from_words(value, codes), "choice")
            at += words
        self.out.update("at", "+", at)
        if self.bodies.leads_inside("no option"):
            self.out.set("fresh", 0)
        self.naming.extend(s, frame)

    def assignments(
        self, head: Rule | core.Choose, frame: Frame, body: Callable[[], None],
        first: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        """Write `body` for every combination of values of a head's parameters that passes the head's conditions, in the
        order of the domains. `first` writes what comes before the first combination, where the head's own guards
        hold."""

        def go_through() -> None:
            first()
            self._assign_each(head.parameters, frame, body)

        self.name_and_ask((*map(core.Require, head.guards), *head.before), frame, go_through)

    def name_and_ask(self, statements: tuple[core.Statement, ...], frame: Frame, then: Callable[[], None]) -> None:
        """Write statements that only name values or ask conditions, then what `then` writes, which runs where all
        conditions hold."""
        if not statements:
            then()
            return
        statement, *rest = statements
        if isinstance(statement, core.Let):
            frame[statement.slot] = self.context.bound(self.expressions.value(statement.value, frame), "let")
            self.name_and_ask(tuple(rest), frame, then)
            return
        assert isinstance(statement, core.Require)
        with self.expressions.when([statement.condition], frame) as possible:
            if possible:
                self.name_and_ask(tuple(rest), frame, then)

    def _assign_each(self, parameters: tuple[core.Parameter, ...], frame: Frame, body: Callable[[], None]) -> None:
        if not parameters:
            body()
            return
        first, rest = parameters[0], parameters[1:]
        if (single := self._single_value(first, frame)) is not None:
            frame[first.slot], fits = single
            self.memos.enter(len(rest))
            with self.out.when(fits.code), self.expressions.when(first.guards[1:], frame) as possible:
                if possible:
                    self._assign_each(rest, frame, body)
            return
        ways, domain = self.ways, self.loops.domain(first.domain, frame)
        whole, guards = domain, list(first.guards)
        if first.count is None:
            conditions = self.expressions.conjuncts(guards)
            domain, guards = self.fitting_sets.narrow_domain(domain, first.slot, conditions, frame)

        def choose(value: Value) -> None:
            # A narrowed domain is a set, which knows less of its members than the range did that it was made from.
            if whole is not domain and isinstance(value, Number):
                known = hull_of(whole)  # the bounds of all values, also of those that the guards exclude
                value = replace(value, low=max(value.low, known.low), high=min(value.high, known.high))
            frame[first.slot] = value
            self.memos.enter(len(rest))
            with self.expressions.when(guards, frame) as possible:
                if possible:
                    self._assign_each(rest, frame, body)

        if first.count is not None:
            # A draw has up to 2^n sets; more than 64 members cannot be drawn from in any case.
            self.ways = ways << min(longest(domain), WORD)
            self.draws(first, domain, frame, choose)
        else:
            self.ways = ways * (1 if isinstance(domain, Listed) else longest(domain))
            self.loops.each(domain, frame, choose)
        self.ways = ways

    def _single_value(self, parameter: core.Parameter, frame: Frame) -> tuple[Number, Number] | None:
        """The one value that a guard leaves to a parameter, and the truth that this value belongs to the domain, a row
        of consecutive whole numbers; None if the values of the domain have to be gone through. (This pays for dominoes
        and the like: domineering, kayles.)"""
        single = value_from_guard(parameter)
        if single is None or not runs(single[1]):
            return None
        low, high = literal(single[1][0]), literal(single[1][-1])
        value = self.expressions.value(single[0], frame)
        if not isinstance(value, Number) or value.scale != 1 or value.wide or value.is_none:
            return None
        value = self.out.bound(value, "said")
        fits = on.negation(on.equal(value, NOTHING))
        value = replace(value, none=False)
        fits = on.both(fits, on.both(on.compare("<=", low, value), on.compare("<=", value, high)))
        return value.within(low.low, high.high), fits

    def draws(self, parameter: core.Parameter, domain: Domain, frame: Frame, body: Body) -> None:
        """Write a loop over every set of `parameter.count` members of the domain, in the order of
        itertools.combinations."""
        assert parameter.count is not None
        out = self.out
        count = self.out.bound(self.expressions.number(parameter.count, frame), "count")
        if count.none or count.scale != 1:
            raise UnsupportedConstruct("a draw of what may be none or a fraction")
        self.context.trap_if(on.compare("<", count, literal(0)), "a draw takes a number from 0 up", parameter.span)
        most = longest(domain)
        members, picks = self.module.array("members", "i32", most), self.module.array("picks", "i32", most)
        size = out.let("size", 0)

        def member(value: Value) -> None:
            out.store(members, size, on.as_number(value).code)
            out.update(size, "+", 1)

        self.loops.each(domain, frame, member)
        with out.when(compare(count.code, "<=", size)):
            count = count.within(0, most)
            k = out.fresh("k")
            with out.counting(k, None, count.code):
                out.store(picks, k, k)
            with out.repeating(1):
                body(self._pick_members(members, picks, count, hull_of(domain).high + 1, k))
                self._next_draw(picks, count, size, k)

    def _pick_members(self, members: str, picks: str, count: Number, size: int, k: str) -> Mask:
        """The set of the drawn members: those at the first `count` positions in `picks`."""
        drawn = self.context.new_set(size, "drawn")
        member = array(members)[array(picks)[k]]
        with self.out.counting(k, None, count.code):
            self.context.put(drawn, sets.single(Number(member, 0, size - 1)))
        return drawn

    def _next_draw(self, picks: str, count: Number, size: str, k: str) -> None:
        """Write the step to the next draw: move on the last position that can go further; leave the loop if none
        can."""
        out = self.out
        out.set(k, count.code - 1)
        with out.repeating(compare(k, ">=", 0)):
            # Position k can go on until the positions behind it fill the end of the list.
            furthest = ir.Local(size) - count.code + k
            with out.when(compare(array(picks)[k], "!=", furthest)):
                out.breaks()
            out.update(k, "-", 1)
        with out.when(compare(k, "<", 0)):
            out.breaks()
        out.update(array(picks)[k], "+", 1)
        behind = out.fresh("j")
        with out.counting(behind, plus(k, 1), count.code):
            out.store(picks, behind, array(picks)[ir.Local(behind) - 1] + 1)


def words_of_choice(value: Value) -> list[ir.Expr]:
    """The expressions for the words in which a chosen value is stored."""
    match value:
        case Number():
            if value.scale != 1:
                raise UnsupportedConstruct("a choice of fractions")
            return [value.code]
        case Mask():
            return [word.code for word in value.words]
        case Sequence():
            return [value.row.code]
    raise UnsupportedConstruct("a choice of lists")


def choice_from_words(value: Value, codes: list[ir.Expr]) -> Value:
    """The chosen value, read back from the words in which it is stored; `value` gives its kind and bounds."""
    match value:
        case Number():
            if value.is_none:
                return replace(value, code=NOTHING.code)
            if value.constant is not None:
                return replace(value, code=ir.Const(value.constant))
            return replace(value, code=codes[0] if value.wide else i32(codes[0]))
        case Mask():
            return replace(value, words=tuple(WordCode(code) for code in codes), bits=None)
        case Sequence():
            return replace(value, row=replace(value.row, code=i32(codes[0])), values=None)
    raise UnsupportedConstruct("a choice of lists")


def chosen_alike(body: tuple[core.Statement, ...], repeated: bool = False) -> Iterator[core.Choose]:
    """The choices of a body at which two runs can be compared, since all that follows depends on the state, the values
    of names and the turn of a `repeat` alone. `repeated`: the body is already inside a `repeat`."""
    for statement in body:
        match statement:
            case core.Choose():
                yield statement
            case core.Repeat() if not repeated:
                yield from chosen_alike(statement.body, True)
            case core.Conditional():
                yield from chosen_alike(statement.then, repeated)
                yield from chosen_alike(statement.otherwise, repeated)


def held_names(frame: Frame) -> list[ir.Expr] | None:
    """The expressions that hold the values of names in the rules, constants left out; None if a value is not held in
    variables."""
    names: list[ir.Expr] = []
    for value in frame.values():
        match value:
            case Number() if value.constant is not None or value.is_none:
                pass
            case Number() if isinstance(value.code, ir.Local):
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
