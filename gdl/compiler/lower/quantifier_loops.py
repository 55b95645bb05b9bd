"""exists, forall, count, first, those, sum, min and max as kernel code; sets of values.

A quantifier over few known values is written out, one over more of them is a loop. Reads beside
gdl/interpreter/quantifiers.py.
"""

from __future__ import annotations

from collections.abc import Sequence as Series
from contextlib import nullcontext
from dataclasses import replace
from functools import partial, reduce

from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import (
    FALSE,
    NOTHING,
    TRUE,
    Listed,
    Mask,
    Number,
    Sequence,
    UnsupportedConstruct,
    Value,
    check_digits,
    limits_of,
    literal,
    mask_constant,
    same_missing,
    truth,
)
from gdl.compiler.lower.loops import Domain, Loops, NumberSpan, conditions_of, hull_of, longest, whole_condition
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.errors import Span, limits
from gdl.model import core


class Quantifiers(Part):
    """Lowering of quantifiers over the values of a domain, and of sets."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops

    def quantifier(self, e: core.Quantifier, frame: Frame) -> Value | None:
        """The value of a quantifier, by its kind: `forms` has recognisers and methods for each."""
        found: Value | None = self.expressions.first_of(e.kind, e, frame, self.loops.domain(e.domain, frame))
        return found

    def _written_out(self, e: core.Quantifier, domain: Domain) -> tuple[Value, ...] | None:
        """The values of the domain, if the quantifier is short enough to be written out for each of them; else None."""
        where = 0 if e.where is None else self.dependence.facts_of(e.where).size
        return self.loops.items(domain, self.dependence.facts_of(e.body).size + where)

    def _holds(self, conditions: Series[core.Expression], frame: Frame) -> Number:
        tests = [partial(self.expressions.truth, condition, frame) for condition in conditions]
        return self.expressions.join_truths(tests, every=True)

    # -- truths ---------------------------------------------------------------------------------------------

    def exists(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Value:
        conditions = conditions_of(e)
        items = self._written_out(e, domain)
        if items is not None:
            parts = [partial(self._holds, conditions, {**frame, e.slot: item}) for item in items]
            return self.expressions.join_truths(parts, every=False)
        found = self.out.let("found", 0)

        def note(*_: object) -> None:
            self.out.set(found, 1)
            self.out.breaks()

        self.loops.each_where(domain, e.slot, conditions, frame, note)
        return truth(ir.Local(found))

    def forall(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Value:
        """The truth that the body holds for all values; in a loop, that it fails for none."""
        items = self._written_out(e, domain)
        if items is None:
            # A loop can stop at the first value that fails, as `exists` does at the first that fits.
            fails = e.copy_with(body=core.Not(e.body))
            return on.negation(on.as_number(self.exists(fails, frame, domain)))
        # Where `where` fails the body is not asked, as it might be a fault there.
        body = whole_condition(e, True)
        parts = [partial(self.expressions.truth, body, {**frame, e.slot: item}) for item in items]
        return self.expressions.join_truths(parts, every=True)

    def count(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Value:
        return self.sum(e.copy_with(body=core.Const(1), where=core.All(tuple(conditions_of(e)))), frame, domain)

    def first(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Value:
        most = hull_of(domain)
        most, nothing, _ = same_missing(most, NOTHING)
        found = replace(most, none=True).with_name(self.out.let("first", nothing.code, most.wide))

        def take(value: Value, _: Frame) -> None:
            self.context.store(found, value)
            self.out.breaks()

        # Listed values are no loop: one of a single turn is there to be left.
        with self.out.repeating(1) if isinstance(domain, Listed) else nullcontext():
            self.loops.each_where(domain, e.slot, conditions_of(e), frame, take)
            if isinstance(domain, Listed):
                self.out.breaks()
        return found

    # -- numbers --------------------------------------------------------------------------------------------

    def sum(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Value:
        items = self._written_out(e, domain)
        if items is not None:
            return reduce(on.add, (self._part(e, {**frame, e.slot: item}) for item in items), literal(0))
        return self._sum_in_loop(e, frame, domain)

    def _sum_in_loop(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Number:
        """The sum over a domain, added up in a loop."""
        parts, most = list[Number](), max(1, longest(domain))
        name = self.out.fresh("total")
        conditions = [] if e.where is None else list(self.expressions.conjuncts([e.where]))
        with self.out.capture_lines() as lines:
            domain, asked = self.loops.narrow(domain, e.slot, conditions, frame)

            def add(value: Value) -> None:
                inner = {**frame, e.slot: value}
                with self.out.capture_lines():
                    # Conditions that have narrowed the domain are not asked again, but what they prove of the value
                    # still holds.
                    shown = [self.expressions.truth(c, inner).if_true for c in conditions if c not in asked]
                with (
                    self.context.knowing([fact for facts in shown for fact in facts]),
                    self.expressions.when(asked, inner) as possible,
                ):
                    if possible:
                        parts.append(self._summand(e, inner))
                        total = ir.Binary("+", ir.Local(name), parts[-1].code)
                        self.out.set(name, total)

            self.loops.write_each(domain, frame, add)
        if not parts:
            return literal(0)
        # The body of a loop is lowered once, so there is one part; its bounds times the length of the domain bound the
        # sum.
        (part,) = parts
        total = check_digits(limits_of(min(0, part.low) * most, max(0, part.high) * most, scale=part.scale)).with_name(
            name
        )
        # The variable is declared after its loop was lowered: only now are the bounds known that decide its width.
        self.out.set(name, 0, ir.I64 if total.wide else None)
        self.out.append(lines)
        return total

    def _part(self, e: core.Quantifier, frame: Frame) -> Number:
        """The contribution of one value to a sum that is written out."""
        condition = TRUE if e.where is None else self.expressions.truth(e.where, frame)
        if condition.constant == 0:
            return literal(0)
        with self.out.capture_lines() as lines:
            part = self._summand(e, frame)
        if not lines or condition.constant:
            self.out.append(lines)
            return on.choice(condition, part, literal(0))
        name = self.out.let("part", 0, part.wide)
        with self.out.when(condition.code):
            self.out.append(lines, inside=True)
            self.out.set(name, part.code)
        return replace(part.with_name(name), low=min(0, part.low), high=max(0, part.high))

    def _summand(self, e: core.Quantifier, frame: Frame) -> Number:
        part = self.expressions.number_or_none(e.body, frame)
        return self.context.existing(part, "'sum' adds numbers, and one of them is none", e.span)

    def extreme(self, relation: str, e: core.Quantifier, frame: Frame, domain: Domain) -> Value:
        """The least (relation `<`) or greatest (`>`) value of the body. The variable starts beyond every value, so that
        the first one replaces it; if it has not moved at the end, that is a fault."""
        parts: list[Number] = []
        name = self.out.fresh(e.kind)
        with self.out.capture_lines() as lines:

            def compare(_: Value, inner: Frame) -> None:
                part = self.out.bound(self.expressions.number_or_none(e.body, inner))
                parts.append(part)
                better = ir.Compare(relation, part.code, ir.Local(name))
                there = ir.Compare("!=", part.code, ir.Const(part.missing))
                with self.out.when(ir.Logic(True, (there, better)) if part.none else better):
                    self.out.set(name, part.code)

            self.loops.each_where(domain, e.slot, () if e.where is None else (e.where,), frame, compare)
        found = [part for part in parts if not part.is_none]
        if not found:
            self.context.trap_if(TRUE, f"'{e.kind}' of nothing", e.span)
            return literal(0)
        low, high = min(part.low for part in found), max(part.high for part in found)
        if len({part.scale for part in found}) > 1:
            raise UnsupportedConstruct(f"'{e.kind}' of fractions")
        beyond = high + 1 if relation == "<" else low - 1
        made = check_digits(limits_of(min(low, beyond), max(high, beyond), scale=found[0].scale)).with_name(name)
        self.out.set(name, beyond, ir.I64 if made.wide else None)
        self.out.append(lines)
        nothing = on.compare_with_facts("==", replace(made, scale=1), literal(beyond))
        self.context.trap_if(nothing, f"'{e.kind}' of nothing", e.span)
        return made.clip(low, high)

    # -- sets -----------------------------------------------------------------------------------------------

    def those(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Value:
        most = hull_of(domain)
        if most.none or most.low < 0:
            raise UnsupportedConstruct("a set of what may be none")
        made = self.context.new_set(min(most.high + 1, limits.IN_SET), "those")

        def put(value: Value, _: Frame) -> None:
            self.context.put(made, sets.single_member(self._member(on.as_number(value), e.span)))

        self.loops.each_where(domain, e.slot, conditions_of(e), frame, put)
        return made

    def union(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Value:
        parts: list[Mask] = []

        def measure(value: Value) -> None:
            parts.append(on.as_mask(self.expressions.value(e.body, {**frame, e.slot: value})))

        with self.out.capture_lines():  # once to see how large the sets are, once for good
            self.loops.write_each(domain, frame, measure)
        made = self.context.new_set(max((part.size for part in parts), default=0), "union")

        def unite(_: Value, inner: Frame) -> None:
            self.context.put(made, self.expressions.mask(e.body, inner))

        self.loops.each_where(domain, e.slot, () if e.where is None else (e.where,), frame, unite)
        return made

    def set_operation(self, e: core.SetOperation, frame: Frame) -> Value:
        a, b = self.expressions.mask(e.left, frame), self.expressions.mask(e.right, frame)
        return {"+": sets.union, "-": sets.difference, "*": sets.intersection}[e.operator](a, b)

    def set_of(self, e: core.SetOf, frame: Frame) -> Value:
        members = [self._member(self.expressions.number(item, frame), e.span) for item in e.items]
        return reduce(sets.union, (sets.single_member(m) for m in members if not m.is_none), mask_constant(0))

    def _member(self, number: Number, span: Span | None) -> Number:
        """A number that is put into a set; a fault is written where it may be none or no member."""
        if number.none or number.low < 0 or number.high >= limits.IN_SET:
            number = self.out.bound(number)
            outside = TRUE if number.is_none else on.compare_with_facts("<", number, literal(0))
            outside = on.disjunction(outside, on.compare(">=", number, literal(limits.IN_SET)))
            self.context.trap_if(outside, "a set holds values, not none", span)
            number = number if number.is_none else replace(number, none=False).clip(0, limits.IN_SET - 1)
        return number

    def members(self, e: core.Members, frame: Frame) -> Value:
        return self.expressions.mask(e.set, frame)

    def items(self, e: core.Items, frame: Frame) -> Value:
        return Listed(tuple(self.expressions.value(item, frame) for item in e.items))

    def size(self, e: core.Size, frame: Frame) -> Value:
        if e.bits:
            return sets.size(self.expressions.mask(e.operand, frame))
        found = self.expressions.value(e.operand, frame)
        if isinstance(found, Listed):
            return literal(len(found.items))
        if not isinstance(found, Sequence):
            raise UnsupportedConstruct("the size of a number")
        if found.shape.longest == found.shape.shortest:
            return literal(found.shape.longest)
        found = replace(found, row=self.out.bound(found.row))
        size = on.subtract(self.loops.start_of(found, 1), self.loops.start_of(found))
        return replace(size, low=found.shape.shortest, high=found.shape.longest)

    def contains(self, e: core.Contains, frame: Frame) -> Value:
        if e.bits:
            item = self.expressions.number(e.item, frame)
            return sets.contains(self.expressions.mask(e.container, frame), self.out.bound(item))
        domain = self.loops.domain(e.container, frame)
        item = self.out.bound(self.expressions.number(e.item, frame))
        if isinstance(domain, NumberSpan):
            there = replace(item, none=False)
            within = on.conjunction(on.compare(">=", there, domain.low), on.compare("<=", there, domain.high))
            return on.conjunction(on.negation(on.equal(item, NOTHING)), within) if item.none else within
        if isinstance(domain, Listed):
            return reduce(on.disjunction, (on.equal(item, on.as_number(other)) for other in domain.items), FALSE)
        return self._stands_among(item, domain, frame)

    def _stands_among(self, item: Number, domain: Domain, frame: Frame) -> Number:
        """The truth that an item stands in a sequence, tested against its constants, its bits or in a loop."""
        if isinstance(domain, Sequence) and (values := domain.values) is not None:
            if all(isinstance(value, int) and 0 <= value < 64 for value in values):
                # Few small constants: one shift and a mask in place of a comparison for each.
                return sets.contains(mask_constant(sum(1 << value for value in set(values))), item)
            constants = [on.as_number(self.fixed.constant(value)) for value in values]
            return reduce(on.disjunction, (on.equal(item, other) for other in constants), FALSE)
        if (row := self.expressions.first_set("field", domain, frame)) is not None:
            return sets.contains(row, item)
        found = self.out.let("found", 0)

        def look(value: Value) -> None:
            with self.out.when(on.equal(item, on.as_number(value)).code):
                self.out.set(found, 1)
                self.out.breaks()

        self.loops.write_each(domain, frame, look)
        return truth(ir.Local(found))
