"""The ways to fill the parameters of a head: that of a rule, or of a `choose` in a body.

They are gone through here alone; others say what is done with each. A listing makes a row of it, or tries its body
(rows.py); a question of what a player could do tries until one succeeds (trials.py); a `choose` offers it as an option
(choices.py). Where all that a rule offers are sets, `as_sets` gives these in the same order: their members are counted,
and the k-th of them is taken, without a list (counting.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import reduce
from itertools import product

from gdl.analysis.kept_values import Kept, KeptValues, conditions_of_head, opening
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, compare, plus
from gdl.compiler.ir.nodes import Code
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import (
    NOTHING,
    WORD,
    Listed,
    Mask,
    Number,
    Sequence,
    UnsupportedConstruct,
    Value,
    literal,
    locate_refusals,
)
from gdl.compiler.lower.context import joined_bounds, set_within
from gdl.compiler.lower.loops import Body, Domain, Loops, goes_up, hull_of, longest, runs
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.model import core
from gdl.model.games import Rule
from gdl.model.walk import value_from_guard

MOST_SETS = 8  # the most sets of one rule: one for each way of filling the later parameters of its head

SetOfWays = tuple[tuple[int, ...], Mask]  # the values of the later parameters, and those of the first that fit

# Values that are worked out once while the actions of a rule are listed, not once for each way to fill its head.
#
# What does not depend on the innermost parameter (gdl/analysis/kept_values.py) is worked out where it is first needed,
# and again only where a parameter that it depends on has changed its value. So is the set of all values of the
# innermost parameter that pass a condition, where that can be asked of all at once. Nothing is asked earlier than the
# rules ask it: faults stay what they are.


class Memos(Part):
    """The values that are kept while the rows of a rule are listed."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops
        self._kept: dict[int, Kept] = {}  # by the id of the form
        self._inside: dict[int, Kept] = {}  # the same, of forms in definitions
        self._holders = frozenset[int]()  # these definitions
        self._start: tuple[ir.Block, int] = [], 0  # the block in which the listing begins, and the index there
        self._turns: list[str] = []  # for each parameter the variable that counts its values
        self.kept_values = KeptValues(self.model, self.dependence)

    @contextmanager
    def listing(self, rule: Rule) -> Iterator[None]:
        """Within the block, the rows of this rule are listed, and values are kept."""
        self._kept = {id(kept.form): kept for kept in self.kept_values.of_rule(rule)}
        inside, self._holders = self.kept_values.of_definitions(rule)
        self._inside = {id(kept.form): kept for kept in inside}
        if self._kept or self._inside:
            self._start = self.out.place_here()
            self._turns = [self._counter("turn") for _ in rule.parameters]
        try:
            with set_within(self.context, in_head=True):
                yield
        finally:
            self._kept, self._inside, self._holders, self._turns = {}, {}, frozenset(), []

    def holds(self, index: int) -> bool:
        """True if the definition of this number has forms whose values are kept here."""
        return self.context.in_head and index in self._holders

    def _counter(self, name: str) -> str:
        """A new variable, set to 0 where the listing begins."""
        made = self.out.fresh(name)
        block, at = self._start
        # At the beginning of the listing and not here, where a loop would set it back each time.
        block.insert(at, ir.Set(made, ir.Const(0)))
        return made

    def enter(self, further: int) -> None:
        """Write code that counts one more value of a parameter; `further`: how many parameters follow it in the
        head."""
        if self._turns:
            self.out.update(ir.Local(self._turns[-1 - further]), "+", 1)

    def value(self, e: core.Expression, frame: Frame) -> Value | None:
        """The value of an expression that is kept: computed anew only where a parameter that it depends on has changed.
        None if the expression is not kept."""
        # Taken out while it is worked out, as its own code asks for the same form.
        held = self._inside if self.context.in_head and id(e) in self._inside else self._kept
        kept = held.pop(id(e), None)
        if kept is None:
            return None
        # What is learnt inside must not be used outside: this code runs only where the value is worked out.
        with self.out.capture_lines() as lines, self.context.knowing(()):
            made = self._worked_out(kept, frame)
            if not isinstance(made, Number | Mask | Sequence):
                return None  # then it is worked out each time
            target = self.context.variable(made, "kept")
            self.context.store(target, made)
        held[id(e)] = kept
        seen = self._counter("seen")
        # A value of no parameter is worked out once; turns count from 1, and `seen` begins at 0.
        turn = ir.Local(self._turns[kept.level - 1]) if kept.level else ir.Const(1)
        with self.out.when(compare(seen, "!=", turn)):
            self.out.append(lines, inside=True)
            self.out.set(seen, turn)
        if kept.innermost is None:
            return target
        assert isinstance(target, Mask)
        value = frame[kept.innermost.slot]
        assert isinstance(value, Number)
        return sets.contains(target, value)

    def _worked_out(self, kept: Kept, frame: Frame) -> Value | None:
        if kept.innermost is None:
            return self.expressions.value(kept.form, frame)
        if not isinstance(frame[kept.innermost.slot], Number):
            return None
        domain = self.loops.domain(kept.innermost.domain, frame)
        found, others = self.loops.narrow(domain, kept.innermost.slot, [kept.form], frame)
        return found if isinstance(found, Mask) and not others else None


def joined_ways(ways: list[list[Value]]) -> list[Value]:
    """For each parameter a value whose bounds hold those of all ways."""
    return [reduce(joined_bounds, values) for values in zip(*ways, strict=True)]


class Ways(Part):
    """Goes through the ways to fill heads."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops
        self.memos = Memos(loops)
        self.most = 1  # the most combinations that the parameters gone through so far can have

    # -- the ways of a rule ---------------------------------------------------------------------------------

    def each_way(self, index: int, then: Callable[[Frame, list[Value]], None]) -> list[Value] | None:
        """Write code for each way of filling the head of rule `index` that passes the opening of its body, which only
        names values and asks conditions: `then` is called with the names and the values of the head. Gives values whose
        bounds hold all those of the head; None if no way fits."""
        rule, frame = self.rules.all[index], Frame()
        ways: list[list[Value]] = []

        def fill() -> None:
            head, first = [frame[p.slot] for p in rule.parameters], rule.body[: opening(rule.body)]
            ways.append(head)
            with self.context.in_body(), self._where_asked(first, dict(frame)) as possible:
                if possible:
                    with set_within(self.context, within_body=False, in_head=False):
                        then(dict(frame), head)

        with locate_refusals(rule.span), self.context.judging(index), self.memos.listing(rule):
            self.assignments(rule, frame, fill)
        return joined_ways(ways) if ways else None

    def each_run(self, rule: Rule, run: Callable[[], None], begin: Callable[[], None], levels: Code = 0) -> None:
        """Write code for each run of a body: a single one, or if the body chooses, one for each path (`begin` starts
        the first) that keeps the first `levels` choices."""
        if not self.rules.has_path(rule):
            run()
            return
        begin()
        self.out.set("more", 1)
        with self.out.repeating("more"):
            run()
            self.out.set("more", call("advance_path", levels))

    @contextmanager
    def as_sets(self, index: int) -> Iterator[list[SetOfWays] | None]:
        """Within the block, code runs where rule `index` may have ways. Yields these as sets: for each way of filling
        the later parameters the values of the first that fit; None where values must be tried one by one.

        So a move of any man in one of three directions is three sets of men, which are counted without a list. The
        order is that of the rules: by the value of the first parameter, and for one value by the filling."""
        rule, frame = self.rules.all[index], Frame()
        # Conditions that name a set of no members leave nothing to count: they are not asked.
        before = (s for s in rule.before if isinstance(s, core.Let))
        with (
            locate_refusals(rule.span), self.context.judging(index),
            self._where_asked((*map(core.Require, rule.guards), *before), frame) as possible,
        ):  # fmt: skip
            yield self._sets(rule, frame) if possible else None

    def _sets(self, rule: Rule, frame: Frame) -> list[SetOfWays] | None:
        first, *later = rule.parameters
        own = {p.slot for p in rule.parameters}
        # A draw is a set itself; a domain that depends on another parameter has no list of values that would do for all
        # at once.
        if any(p.count is not None or self.dependence.facts_of(p.domain).slots & own for p in rule.parameters):
            return None
        domain, *others = [self.loops.domain(p.domain, frame) for p in rule.parameters]
        items = [self.loops.items(other, 1) or () for other in others]
        known = [[v for v in values if isinstance(v, Number) and v.constant is not None] for values in items]
        # Members of a set come from the least on: only then is the k-th member the k-th action of the rules. The number
        # of the set is held in three bits (see `nth_of_…`).
        fills = list(product(*known))
        if not goes_up(domain) or not 1 <= len(fills) <= MOST_SETS or list(map(len, known)) != list(map(len, items)):
            return None
        found, conditions = list[SetOfWays](), conditions_of_head(rule)
        with self.out.capture_lines() as lines:
            for fill in fills:
                filled = {**frame, **{p.slot: value for p, value in zip(later, fill, strict=True)}}
                fits = self.loops.values_that_fit(conditions, first.slot, domain, filled)
                if fits is None:
                    return None
                constants = tuple(value.constant for value in fill if value.constant is not None)
                found.append((constants, self.out.bound_mask(fits, "fits")))
        # Only now: where one way could not be written, nothing of the others may stay behind.
        self.out.append(lines)
        return found

    # -- heads ----------------------------------------------------------------------------------------------

    def assignments(
        self, head: Rule | core.Choose, frame: Frame, body: Callable[[], None],
        first: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        """Write `body` for every combination of values of a head's parameters that passes the head's conditions, in the
        order of the domains. `first` writes what comes before the first combination, where the head's own guards
        hold."""
        with self._where_asked((*map(core.Require, head.guards), *head.before), frame) as possible:
            if possible:
                first()
                self._assign_each(head.parameters, frame, body)

    @contextmanager
    def _where_asked(self, statements: tuple[core.Statement, ...], frame: Frame) -> Iterator[bool]:
        """Write statements that only name values, which are added to the frame, or ask conditions. Within the block,
        code runs where all conditions hold; False is yielded where one surely fails."""
        with ExitStack() as stack:
            possible = True
            for statement in statements:
                if isinstance(statement, core.Let):
                    frame[statement.slot] = self.context.bound(self.expressions.value(statement.value, frame), "let")
                else:
                    assert isinstance(statement, core.Require)
                    possible = stack.enter_context(self.expressions.when([statement.condition], frame))
                if not possible:
                    break
            yield possible

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
        most, domain = self.most, self.loops.domain(first.domain, frame)
        whole, guards = domain, list(first.guards)
        if first.count is None:
            conditions = self.expressions.conjuncts(guards)
            domain, guards = self.loops.narrow(domain, first.slot, conditions, frame)

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
            self.most = most << min(longest(domain), WORD)
            self.draws(first, domain, frame, choose)
        else:
            self.most = most * (1 if isinstance(domain, Listed) else longest(domain))
            self.loops.write_each(domain, frame, choose)
        self.most = most

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
        fits = on.conjunction(fits, on.conjunction(on.compare("<=", low, value), on.compare("<=", value, high)))
        return value.clip(low.low, high.high), fits

    def draws(self, parameter: core.Parameter, domain: Domain, frame: Frame, body: Body) -> None:
        """Write a loop over every set of `parameter.count` members of the domain, in the order of
        itertools.combinations."""
        assert parameter.count is not None
        out = self.out
        count = self.out.bound(self.expressions.number(parameter.count, frame), "count")
        if count.none or count.scale != 1:
            raise UnsupportedConstruct("a draw of what may be none or a fraction")
        self.context.trap_if(on.compare("<", count, literal(0)), "a draw takes a number from 0 up", parameter.span)
        most = max(longest(domain), count.low)  # with fewer members nothing is chosen
        members, picks = self.module.array("members", "i32", most), self.module.array("picks", "i32", most)
        size = out.let("size", 0)

        def member(value: Value) -> None:
            out.store(members, size, on.as_number(value).code)
            out.update(size, "+", 1)

        self.loops.write_each(domain, frame, member)
        with out.when(compare(count.code, "<=", size)):
            count = count.clip(0, most)
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
            self.context.put(drawn, sets.single_member(Number(member, 0, size - 1)))
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
