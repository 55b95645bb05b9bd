"""Actions counted and chosen without being listed: `ways()`, and `take(k)` for one of them.

Where all that a rule offers are sets of numbers, the sets are kept, the number of ways is that of their members, and
the k-th of them is found by halving: nothing is written for the ways that are not taken. Their order is that of the
rows that `moves` lists. A game that has other rules lists rows here too.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import reduce
from itertools import accumulate
from operator import add
from typing import NamedTuple

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import array, call, choice, compare, i32, wrap64
from gdl.compiler.ir.module import BIT_PLACES
from gdl.compiler.ir.nodes import Code
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import Number, WordCode, as_signed, literal, locate_refusals
from gdl.compiler.lower.context import set_within
from gdl.compiler.lower.lower_expressions import Part
from gdl.compiler.lower.naming import Naming
from gdl.compiler.lower.plies import Plies
from gdl.compiler.lower.rows import RowLowering
from gdl.compiler.lower.state_layout import TURN
from gdl.compiler.lower.ways import SetOfWays, Ways
from gdl.compiler.lower.writer import NO_ACTION, StatementLines, Writer
from gdl.errors import clean
from gdl.interpreter.bodies import FIRST_STEP
from gdl.model import core
from gdl.model.games import Rule

MOST_MOVERS = 2  # the most players for each of whom code may be written apart


class RuleWays(NamedTuple):
    """The ways of one rule, kept as sets: one set of values of the first parameter for each way of filling the
    others."""

    rule: int  # its number
    first: int  # index of its first word in `way_set`
    words: int  # of each set
    bits: int  # one more than the greatest member of a word
    low: int | None  # where the members are known before play and are numbers in a row, the least; no set is kept
    fills: tuple[tuple[int, ...], ...]  # for each set the values of the later parameters; none: the rule is one way


Groups = list[tuple[RuleWays, StatementLines]]  # each with the code that keeps its sets and counts their members
WAY_SET = array("way_set")


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
        actions = None if self.rules.everyone or self.rules.ranked else self._groups(range(count))
        outcomes = self._groups(range(count, len(self.rules.all)))
        self.weighs = outcomes is None
        kept = max((g.first + g.words * len(g.fills) for g, _ in [*(actions or ()), *(outcomes or ())]), default=0)
        if kept:
            self.module.array("way_set", "i64", kept)
        if actions or outcomes:
            self.module.array("way_end", "i32", len(self.rules.all))
        if actions is not None:
            self._write_count(actions)
        self._write_ways(actions, outcomes)
        self._write_known_ways(actions)
        self._write_take(actions, outcomes)

    # -- counting -------------------------------------------------------------------------------------------

    def _groups(self, indices: range) -> Groups | None:
        """The ways of these rules, each with the code that keeps its sets and adds to `count`; None if one of the rules
        needs a listing."""
        found, first = [], 0
        self.context.begin()
        for index in indices:
            rule = self.rules.all[index]
            listed = not rule.simple or index in self.naming.named or index not in self.rows.heads
            if listed or not self._weighs_alike(rule):
                return None
            if index >= len(self.model.actions):
                first = 0  # another step: what was kept for it is needed no longer
            self.out.enter(rule.span)
            with locate_refusals(rule.span), self.context.judging(index), self.out.capture_lines() as lines:
                group = self._group(index, rule, first)
            if group is None:
                return None
            first += group.words * len(group.fills)
            found.append((group, lines))
        return found

    def _weighs_alike(self, rule: Rule) -> bool:
        """True if all outcomes of a rule have the same weight."""
        if rule.weight is None:
            return True
        facts = self.dependence.facts_of(rule.weight)
        known = not (facts.state or facts.mover or facts.slots)
        return known and (self.expressions.number(rule.weight, {}).constant or 0) > 0

    def _group(self, index: int, rule: Rule, first: int) -> RuleWays | None:
        if not rule.parameters:
            self.ways.each_way(rule, lambda *_: self.out.update("count", "+", 1))
            return RuleWays(index, first, 0, 0, None, ())
        if any(p.count is not None for p in rule.parameters):
            return None
        group = self._group_of_sets(index, rule, first)
        if group is not None or len(self.model.players) > MOST_MOVERS or self.context.mover.constant is not None:
            return group
        return self._group_by_mover(index, rule, first)

    def _group_by_mover(self, index: int, rule: Rule, first: int) -> RuleWays | None:
        """The ways of a rule, with code written apart for each mover; None unless all have the same number of words and
        fillings."""
        groups = []
        for player in range(len(self.model.players)):
            # The mover is a constant only while these ways are written.
            is_mover = compare("mover", "==", player)
            with self.out.when(is_mover, otherwise=player > 0), set_within(self.context, mover=literal(player)):
                groups.append(self._group_of_sets(index, rule, first))
        shapes = {group and (group.words, group.low, group.fills) for group in groups}
        # `take` reads the sets without asking who moves, so they must lie in the same places for every mover.
        if None in groups or len(shapes) > 1:
            return None
        return max((group for group in groups if group is not None), key=lambda group: group.bits)

    def _group_of_sets(self, index: int, rule: Rule, first: int) -> RuleWays | None:
        """The ways of a rule as sets, which are kept; None where values must be tried one by one."""
        found: list[RuleWays] = []

        def keep(sets: list[SetOfWays]) -> None:
            words = {len(fits.words) for _, fits in sets}
            if len(words) == 1:
                group = RuleWays(index, first, words.pop(), 1, None, tuple(later for later, _ in sets))
                found.append(self._keep(group, sets))

        self.ways.as_sets(rule, keep)
        return found[0] if found else None

    def _keep(self, group: RuleWays, ways: list[SetOfWays]) -> RuleWays:
        """Write the words of a rule's sets to `way_set`, where `take` finds them, and add the number of their members
        to `count`."""
        members = _numbers_in_a_row(ways)
        if members is not None:
            self.out.update("count", "+", len(members))
            return group._replace(words=0, low=members.start)
        codes: list[WordCode] = [word for _, fits in ways for word in fits.words]
        for k, word in enumerate(codes):
            self.out.store("way_set", group.first + k, word.code)
        sizes = [call("popcount", word.code) for word in codes]
        self.out.update("count", "+", reduce(add, sizes))
        return group._replace(bits=max(word.within.bit_length() for word in codes))

    def _write_ways(self, actions: Groups | None, outcomes: Groups | None) -> None:
        out = self.out
        self.context.begin()
        # Nothing can be counted without a list: then `ways()` is `moves()`.
        if actions is None and not outcomes:
            out.returns(call("moves"))
        else:
            out.set("count", 0)
            self._count_outcomes(outcomes)
            if actions is None:
                with out.when(compare(STATE[TURN], ">", FIRST_STEP)):
                    out.returns(call("moves"))
            else:
                out.set("count", call("count_actions"))
            with out.when(compare("count", "==", 0)):
                out.trap(NO_ACTION)
            out.returns("count")
        doc = "The number of ways to go on from the state, which is not over; `take` goes one of them."
        self.context.function("ways", doc, ir.I32)

    def _write_count(self, actions: Groups) -> None:
        """Write `count_actions()`, which keeps the sets of the mover's actions and returns their number, and
        `no_actions()`."""
        out = self.out
        self.context.begin()
        out.set("count", 0)
        for group, lines in actions:
            out.comment(clean(self.rules.all[group.rule].name))
            out.append(lines)
            out.store("way_end", group.rule, "count")
        if self._counts_at_end():
            out.store("way_count", 0, "count")
        out.returns("count")
        self.context.function("count_actions", "Keep the sets of the mover's actions, and return their number.", ir.I32)
        self.plies.write_no_actions(call("count_actions"))

    def _counts_at_end(self) -> bool:
        """True if a clause of `terminal` asks whether there are no actions, so that the status has counted them."""
        return any(isinstance(clause.condition, core.NoActions) for clause in self.model.clauses)

    def _write_known_ways(self, actions: Groups | None) -> None:
        """Write `known_ways()`: `ways()` where the status of the state has just been asked; its count is used again."""
        self.context.begin()
        if actions is not None and self._counts_at_end():
            self.module.array("way_count", "i32", 1)
            with self.out.when(compare(STATE[TURN], ">=", 0)) if self.model.chances else nullcontext():
                self.out.returns(array("way_count")[0])
        if actions is None or not self._counts_at_end() or self.model.chances:
            self.out.returns(call("ways"))
        doc = "ways() of a state of which nothing but status() or status_after() has been asked since it was made."
        self.context.function("known_ways", doc, ir.I32)

    def _count_outcomes(self, outcomes: Groups | None) -> None:
        """Write the count of outcomes for the states in which chance moves."""
        if outcomes is None:
            with self.out.when(compare(STATE[TURN], "<=", FIRST_STEP)):
                self.out.returns(call("moves"))
        for step, (_, lines) in enumerate(outcomes or ()):
            with self.out.when(compare(STATE[TURN], "==", FIRST_STEP - step)):
                self.out.append(lines, inside=True)
                with self.out.when(compare("count", "==", 0)):
                    self.out.trap(NO_ACTION)
                self.out.returns("count")

    # -- choosing -------------------------------------------------------------------------------------------

    def _write_take(self, actions: Groups | None, outcomes: Groups | None) -> None:
        out = self.out
        self.context.begin()
        if actions is None and not outcomes:
            out.calls("apply", "k")
        else:
            if outcomes is None:
                self._take_from_listing("<=")
            if actions is None:
                self._take_from_listing(">")
            self.plies.begin()
            for step, (group, _) in enumerate(outcomes or ()):
                with out.when(compare("turn", "==", FIRST_STEP - step), otherwise=step > 0):
                    self._take_of(group)
            if actions is not None:
                self._take_action([group for group, _ in actions], bool(outcomes))
            self.plies.end()
        self.context.function("take", "Replace the state by the one after the k-th way.", k=ir.I32)

    def _take_from_listing(self, relation: str) -> None:
        """Write the way by a listing: for steps of chance (relation `<=`), or for everyone else (`>`)."""
        with self.out.when(compare(STATE[TURN], relation, FIRST_STEP)):
            self.out.calls("apply", "k")
            self.out.returns()

    def _take_action(self, groups: list[RuleWays], otherwise: bool) -> None:
        """Write the choice of the rule that the k-th action belongs to. `otherwise`: an `if` for outcomes stands before
        it."""
        ends, last = array("way_end"), len(groups) - 1
        for k, group in enumerate(groups):
            inside: AbstractContextManager[None]
            if k < last:
                inside = self.out.when(compare("k", "<", ends[group.rule]), otherwise=otherwise or k > 0)
            else:
                inside = self.out.otherwise() if otherwise or k else nullcontext()
            with inside:
                if k:
                    # From now on k counts within this rule.
                    self.out.update("k", "-", ends[groups[k - 1].rule])
                self._take_of(group)

    def _take_of(self, group: RuleWays) -> None:
        """Write the search for the k-th way of a rule, and the call that does it."""
        out, index = self.out, group.rule
        arguments: list[Code] = []
        if group.low is not None:
            arguments = [ir.Local("k") + group.low, *group.fills[0]]
        elif group.fills:
            sets: list[ir.Expr] = [WAY_SET[group.first + j * group.words] for j in range(len(group.fills))]
            if group.words > 1:
                sets = self._word_of(group)
            found: ir.Expr = call(self._nth(len(sets), group.bits), *sets, "k")
            if len(sets) > 1:
                out.set("nth", found)
                found = ir.Local("nth") >> 3
            arguments.append(ir.Local("word") * 64 + found if group.words > 1 else found)
            arguments += [self._by_set(list(values)) for values in zip(*group.fills, strict=True)]
        codes = [
            value.constant if isinstance(value, Number) and value.constant is not None else code
            for value, code in zip(self.rows.heads[index], arguments, strict=True)
        ]
        out.calls(self.rows.rule_name(index), *codes)

    def _word_of(self, group: RuleWays) -> list[ir.Expr]:
        """Write the search for the word of the sets that has the k-th member; gives that word of each set."""
        out, count = self.out, len(group.fills)
        out.set("word", 0)

        def members(word: int) -> ir.Expr:
            places = [group.first + j * group.words + word for j in range(count)]
            return reduce(add, [call("popcount", WAY_SET[place]) for place in places])

        for word in range(group.words - 1):
            with out.when(compare("word", "==", word)) if word else nullcontext():
                out.set("before", members(word))
                with out.when(compare("k", ">=", "before")):
                    out.update("k", "-", "before")
                    out.set("word", word + 1)
        starts = [group.first + j * group.words for j in range(count)]
        return [ir.Local(out.let("there", WAY_SET[ir.Local("word") + start], wide=True), ir.I64) for start in starts]

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
        if count == 1:
            self._nth_member(members[0], bits, out)
        else:
            self._nth_of_several(members, bits, out)
        doc = "The place of the k-th member." if count == 1 else "The k-th member: its place times 8, and its set."
        self.module.function(out, name, doc, ir.I32, **{m.name: ir.I64 for m in members}, k=ir.I32)
        return name

    def _nth_member(self, members: ir.Expr, bits: int, out: Writer) -> None:
        """Write the body that finds the k-th member of a word. The byte that has it is found by counting in all bytes
        at once (Knuth 2011, "The Art of Computer Programming" 4A, 7.1.3), the bit there in a table."""
        table = array(self.module.table(BIT_PLACES, "nth"))
        # All members lie in one byte: a look-up in the table is enough.
        if bits <= 8:
            out.returns(table[i32(members) * 8 + "k"])
            return
        c, past, at = (ir.Local(name) for name in ("c", "past", "at"))
        bytes, high = 0x0101010101010101, as_signed(0x8080808080808080)
        # Members in every two bits, then in every four, then in every byte with all bytes below it.
        out.set("c", members - (members >> 1 & 0x5555555555555555), ir.I64)
        out.set("c", (c & 0x3333333333333333) + (c >> 2 & 0x3333333333333333))
        out.set("c", wrap64((c + (c >> 4) & 0x0F0F0F0F0F0F0F0F) * bytes))
        # In each byte the high bit says whether k is at least the count up to there; k and the counts have seven bits,
        # so no byte borrows from the next.
        out.set("past", wrap64((wrap64(ir.Local("k") * bytes) | high) - c) & high, ir.I64)
        out.set("at", call("popcount", past) * 8)
        out.update("k", "-", i32(wrap64(c << 8) >> at & 255))
        out.returns(at + table[i32(members >> at & 255) * 8 + "k"])

    @staticmethod
    def _nth_of_several(members: list[ir.Local], bits: int, out: Writer) -> None:
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
        out.returns(reduce(add, [compare(k, ">=", before) for before in here], at * 8))


def _numbers_in_a_row(ways: list[SetOfWays]) -> range | None:
    """The members of the only set, where they are known before play and are numbers in a row, as those of a die."""
    bits = ways[0][1].bits if len(ways) == 1 else None
    if not bits:
        return None
    low, high = (bits & -bits).bit_length() - 1, bits.bit_length()
    return range(low, high) if bits == (1 << high) - (1 << low) else None
