"""Actions counted and chosen without being listed: `ways()`, and `take(k)` for one of them.

Where all that a rule offers are sets of numbers, the sets are kept, the number of ways is that of their members, and
the k-th of them is found by halving: nothing is written for the ways that are not taken. Their order is that of the
rows that `moves` lists. Where a state offers what other rules do, rows are listed here too.
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import reduce
from itertools import accumulate
from operator import add
from typing import NamedTuple

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, choice, compare, i32, plus
from gdl.compiler.ir.module import BIT_PLACES
from gdl.compiler.ir.nodes import Code
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import WORD, Number, literal
from gdl.compiler.lower.context import set_within
from gdl.compiler.lower.lower_expressions import Part
from gdl.compiler.lower.naming import Naming
from gdl.compiler.lower.plies import Plies
from gdl.compiler.lower.rows import RowLowering
from gdl.compiler.lower.state_layout import TURN
from gdl.compiler.lower.ways import SetOfWays, Ways
from gdl.compiler.lower.writer import NO_ACTION, Writer
from gdl.errors import clean
from gdl.interpreter.bodies import FIRST_STEP
from gdl.model import core

MOST_MOVERS = 2  # the most players for each of whom code may be written apart


class RuleWays(NamedTuple):
    """Ways of one rule, kept as a word of bits for each way of filling its later parameters: the members are values of
    the first parameter that fit."""

    rule: int  # its number
    first: int  # index of its first word in `way_set`
    base: int  # the value that the lowest bit stands for
    bits: int  # of a word that can be set; 0: no word is kept, since the members are the numbers from the base on
    fills: tuple[tuple[int, ...], ...]  # for each word the values of the later parameters; none: the rule is one way

    @property
    def end(self) -> int:
        """The index in `way_set` behind its last word."""
        return self.first + (len(self.fills) if self.bits else 0)


class OfferedWays(NamedTuple):
    """The ways to go on from the states of one kind: where a step of chance is due, or where players act."""

    test: ir.Expr  # of such states
    function: str  # that keeps the sets and returns the number of their members; empty: rows are listed
    ways: list[RuleWays]


WAY_SET, WAY_END = array("way_set"), array("way_end")


class WayCounter(Part):
    """Writes `ways()`, which counts what can be done, and `take(k)`, which does one of it, without a listing where
    possible."""

    def __init__(self, naming: Naming, ways: Ways, rows: RowLowering, plies: Plies):
        super().__init__(rows.expressions)
        self.naming, self.ways, self.rows, self.plies = naming, ways, rows, plies
        self.weighs = False  # whether an outcome's place among the ways does not say its probability

    def write(self) -> None:
        """Write `ways()`, `known_ways()` and `take(k)`."""
        count = len(self.model.actions)
        steps = [self._offer(index, index + 1) for index in range(count, len(self.rules.all))]
        actions = self._offer(0, count)
        self.weighs = not all(offer.function for offer in steps)
        if kept := max((ways.end for offer in (*steps, actions) for ways in offer.ways), default=0):
            self.module.array("way_set", "i64", kept)
        if (most := max(len(offer.ways) for offer in (*steps, actions))) > 1:
            self.module.array("way_end", "i32", most - 1)
        if actions.function:
            self.plies.write_no_actions(call(actions.function))
        # Where nothing can be counted without a list, `ways()` is `moves()`.
        steps = steps if any(offer.function for offer in (*steps, actions)) else []
        self._write_ways(steps, actions)
        self._write_known_ways(actions)
        self._write_take(steps, actions)

    # -- counting -------------------------------------------------------------------------------------------

    @property
    def _counts_at_end(self) -> bool:
        """True if a clause of `terminal` asks whether there are no actions, so that the status has counted them."""
        return any(isinstance(clause.condition, core.NoActions) for clause in self.model.clauses)

    def _offer(self, low: int, high: int) -> OfferedWays:
        """The ways of the rules from `low` to below `high`, all actions or a step of chance. Their function is written
        unless one of the rules needs a listing."""
        out, step, ways = self.out, low - len(self.model.actions), list[RuleWays]()
        test = compare(STATE[TURN], "==", FIRST_STEP - step) if step >= 0 else compare(STATE[TURN], ">", FIRST_STEP)
        self.context.begin()
        out.set("count", 0)
        for index in range(low, high):
            rule = self.rules.all[index]
            out.enter(rule.span)
            out.comment(clean(rule.name))
            found = self._count_rule(index, ways) if self._is_counted(index) else None
            if found is None:
                return OfferedWays(test, "", [])
            ways += found
            if index + 1 < high:
                out.store("way_end", len(ways) - 1, "count")
        if step < 0 and self._counts_at_end:
            out.store("way_count", 0, "count")
        out.returns("count")
        name = f"count_step_{step}" if step >= 0 else "count_actions"
        self.context.function(name, "Keep the sets of what can be done, and return the number of members.", ir.I32)
        return OfferedWays(test, name, ways)

    def _is_counted(self, index: int) -> bool:
        """True if each way of a rule is a row, and all of them have the same weight."""
        rule = self.rules.all[index]
        if index < len(self.model.actions) and (self.rules.everyone or self.rules.ranked):
            return False
        if not rule.simple or index in self.naming.named or index not in self.rows.heads:
            return False
        if rule.weight is None:
            return True
        facts = self.dependence.facts_of(rule.weight)
        known = not (facts.state or facts.mover or facts.slots)
        return known and (self.expressions.number(rule.weight, {}).constant or 0) > 0

    def _count_rule(self, index: int, before: list[RuleWays]) -> list[RuleWays] | None:
        """Write code that keeps the ways of a rule, behind those `before`, and adds their number to `count`; None where
        values must be tried one by one."""
        first = before[-1].end if before else 0
        if not self.rules.all[index].parameters:
            self.ways.each_way(index, lambda *_: self.out.update("count", "+", 1))
            return [RuleWays(index, first, 0, 0, ())]
        found = self._count_sets(index, first, len(before))
        if found is not None or len(self.model.players) > MOST_MOVERS:
            return found
        # Once more, with code written apart for each mover, who is a constant there.
        for_each: list[list[RuleWays] | None] = []
        for player in range(len(self.model.players)):
            is_mover = compare("mover", "==", player)
            with self.out.when(is_mover, otherwise=player > 0), set_within(self.context, mover=literal(player)):
                for_each.append(self._count_sets(index, first, len(before)))
        kept = [ways for ways in for_each if ways is not None]
        # `take` reads the sets without asking who moves, so they must lie in the same places for every mover.
        places = {tuple(part._replace(bits=min(part.bits, 1)) for part in ways) for ways in kept}
        if len(kept) < len(for_each) or len(places) != 1:
            return None
        return [max(parts, key=lambda part: part.bits) for parts in zip(*kept, strict=True)]

    def _count_sets(self, index: int, first: int, number: int) -> list[RuleWays] | None:
        """Write the same code for a rule whose ways are sets for every mover alike. `number`: how many stand before."""
        with self.ways.as_sets(index) as sets:
            if sets is None or len({len(fits.words) for _, fits in sets}) != 1:
                return None
            fills, members = tuple(later for later, _ in sets), _numbers_in_a_row(sets)
            if members is not None:
                self.out.update("count", "+", len(members))
                return [RuleWays(index, first, members.start, 0, fills)]
            found: list[RuleWays] = []
            for k, words in enumerate(zip(*(fits.words for _, fits in sets), strict=True)):
                if k:
                    self.out.store("way_end", number + k - 1, "count")
                at = first + k * len(fills)
                for j, word in enumerate(words):
                    self.out.store("way_set", at + j, word.code)
                self.out.update("count", "+", reduce(add, [call("popcount", word.code) for word in words]))
                bits = max(1, *(word.within.bit_length() for word in words))
                found.append(RuleWays(index, at, k * WORD, bits, fills))
            return found

    def _write_ways(self, steps: list[OfferedWays], actions: OfferedWays) -> None:
        self.context.begin()
        for offer in (*steps, actions):
            with self.out.when(offer.test) if offer is not actions else nullcontext():
                if offer.function:
                    self.out.set("count", call(offer.function))
                    with self.out.when(compare("count", "==", 0)):
                        self.out.trap(NO_ACTION)
                self.out.returns("count" if offer.function else call("moves"))
        doc = "The number of ways to go on from the state, which is not over; `take` goes one of them."
        self.context.function("ways", doc, ir.I32)

    def _write_known_ways(self, actions: OfferedWays) -> None:
        """Write `known_ways()`: `ways()` where the status of the state has just been asked; its count is used again."""
        self.context.begin()
        is_known = actions.function and self._counts_at_end
        if is_known:
            self.module.array("way_count", "i32", 1)
            with self.out.when(compare(STATE[TURN], ">=", 0)) if self.model.chances else nullcontext():
                self.out.returns(array("way_count")[0])
        if self.model.chances or not is_known:
            self.out.returns(call("ways"))
        doc = "ways() of a state of which nothing but status() or status_after() has been asked since it was made."
        self.context.function("known_ways", doc, ir.I32)

    # -- choosing -------------------------------------------------------------------------------------------

    def _write_take(self, steps: list[OfferedWays], actions: OfferedWays) -> None:
        self.context.begin()
        for offer in steps:
            with self.out.when(offer.test):
                self._take_of(offer)
                self.out.returns()
        self._take_of(actions)
        self.context.function("take", "Replace the state by the one after the k-th way.", k=ir.I32)

    def _take_of(self, offer: OfferedWays) -> None:
        """Write the choice of the rule that the k-th way belongs to, and what the rule does."""
        if not offer.function:
            self.out.calls("apply", "k")
            return

        def do(place: int) -> None:
            if place:
                # From now on k counts within these ways.
                self.out.update("k", "-", WAY_END[place - 1])
            self._do_way(offer.ways[place])

        self.plies.begin()
        self.out.choose_by_halves(range(len(offer.ways)), lambda place: compare("k", "<", WAY_END[place - 1]), do)
        self.plies.end()

    def _do_way(self, ways: RuleWays) -> None:
        """Write the search for the k-th of these ways, and the call that does it."""
        sets = [WAY_SET[k] for k in range(ways.first, ways.end)]
        member: ir.Expr = call(self._nth(len(sets), ways.bits), *sets, "k") if sets else ir.Local("k")
        if len(sets) > 1:
            self.out.set("nth", member)
            member = ir.Local("nth") >> 3
        arguments: list[Code] = [self._by_set(list(values)) for values in zip(*ways.fills, strict=True)]
        if ways.fills:
            arguments.insert(0, plus(member, ways.base))
        codes = [
            value.constant if isinstance(value, Number) and value.constant is not None else code
            for value, code in zip(self.rows.heads[ways.rule], arguments, strict=True)
        ]
        self.out.calls(self.rows.rule_name(ways.rule), *codes)

    @staticmethod
    def _by_set(values: list[int]) -> Code:
        """Code of the value of a later parameter, one for each set, chosen by the set in which the k-th member was
        found."""
        # The parameter is the same in all sets: no question is needed.
        if len(set(values)) == 1:
            return values[0]
        code: Code = values[-1]
        for j, value in reversed(list(enumerate(values[:-1]))):
            code = choice(compare(ir.Local("nth") & 7, "==", j), value, code)
        return code

    def _nth(self, count: int, bits: int) -> str:
        """The name of the function that finds the k-th member of `count` sets, which is written if need be. Members are
        ordered by their bit, and at one bit by set."""
        name = f"nth_of_{count}_{bits}"
        if name in self.module.functions:
            return name
        members, out = [ir.Local(f"m{j}", ir.I64) for j in range(count)], Writer()
        if count == 1 and bits <= 8:
            out.returns(array(self.module.table(BIT_PLACES, "nth"))[i32(members[0]) * 8 + "k"])
        else:
            self._write_search(members, bits, out)
        doc = "The place of the k-th member." if count == 1 else "The k-th member: its place times 8, and its set."
        self.module.function(out, name, doc, ir.I32, **{m.name: ir.I64 for m in members}, k=ir.I32)
        return name

    @staticmethod
    def _write_search(members: list[ir.Local], bits: int, out: Writer) -> None:
        """Write the body that finds the k-th member of several words, by halving the range of bits."""
        at, k, n = (ir.Local(name) for name in ("at", "k", "n"))
        out.set("at", 0)
        step = 1 << max(0, bits - 1).bit_length() >> 1
        while step:
            below = (1 << step) - 1
            # All sets at once: what is halved is the place, and members of one place follow each other in the order of
            # the sets.
            halves = [m if step * 2 >= bits else m >> at for m in members]  # at is 0 at first
            out.set("n", reduce(add, [call("popcount", half & below) for half in halves]))
            out.set("at", choice(compare(k, ">=", n), at + step, at))
            out.set("k", choice(compare(k, ">=", n), k - n, k))
            step >>= 1
        here = accumulate(i32(m >> at & 1) for m in members[:-1])
        several = reduce(add, [compare(k, ">=", before) for before in here], at * 8)
        out.returns(several if len(members) > 1 else at)


def _numbers_in_a_row(ways: list[SetOfWays]) -> range | None:
    """The members of the only set, where they are known before play and are numbers in a row, as those of a die."""
    bits = ways[0][1].bits if len(ways) == 1 else None
    if not bits:
        return None
    low, high = (bits & -bits).bit_length() - 1, bits.bit_length()
    return range(low, high) if bits == (1 << high) - (1 << low) else None
