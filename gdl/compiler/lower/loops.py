"""Domains -> loops: the values of a range, a set, a sequence or a list one after the other, as far as `until` goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Series
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call, compare, wrap64
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.arrays import ROW_ITEM, ROW_START, ROW_UP
from gdl.compiler.lower.code_values import (
    WORD,
    ItemShape,
    LaneVector,
    Listed,
    Mask,
    Number,
    Sequence,
    UnsupportedConstruct,
    Value,
    hull,
    limits_of,
    literal,
    truth,
)
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.model import core
from gdl.model.domains import elements

EXPANDED_NODES = 64  # forms that a quantifier written out may have; more of them are a loop
EXPANDED_SHORT_NODES = 600  # the same over few values, each of which may make the body simpler:
SHORT_DOMAIN = 8  # values of such a domain, at most


@dataclass(frozen=True, slots=True)
class NumberSpan:
    """The whole numbers from low to high."""

    low: Number
    high: Number


@dataclass(frozen=True, slots=True)
class DomainPrefix:
    """The values of a domain up to and including the first for which the condition (`until`) holds."""

    domain: Domain
    slot: int
    condition: core.Expression


Domain = NumberSpan | Mask | Sequence | Listed | DomainPrefix
Conditions = Series[core.Expression]
Body = Callable[[Value], None]


class Loops(Part):
    """Lowering of domains, and of loops over them."""

    # -- domains --------------------------------------------------------------------------------------------

    def domain(self, e: core.Expression, frame: Frame) -> Domain:
        match e:
            case core.Const():
                return _constant_domain(self.fixed.constant(e.value))
            case core.Interval():
                return NumberSpan(self.expressions.number(e.low, frame), self.expressions.number(e.high, frame))
            case core.Members():
                mask = self.expressions.mask(e.set, frame)
                return mask if mask.bits is None else _constant_domain(self.fixed.constant(elements(mask.bits)))
            case core.Until():
                whole = self.domain(e.domain, frame)
                return whole if whole == Listed(()) else DomainPrefix(whole, e.slot, e.condition)
            case core.If() if (known := self.expressions.truth(e.condition, frame).constant) is not None:
                return self.domain(e.then if known else e.otherwise, frame)
        found = self.expressions.value(e, frame)
        if isinstance(found, Number | LaneVector):
            raise UnsupportedConstruct("a number where a list of values is due")
        return _constant_domain(found) if isinstance(found, Sequence) and found.values is not None else found

    def items(self, domain: Domain, size: int) -> tuple[Value, ...] | None:
        """The values of a domain, if they are few enough to write out a body of `size` forms for each of them; else
        None."""
        if isinstance(domain, Listed):
            return domain.items
        if isinstance(domain, NumberSpan):
            low, high = domain.low.constant, domain.high.constant
            if low is None or high is None or (high - low + 1) * size > _budget(high - low + 1):
                return None
            return tuple(literal(value) for value in range(low, high + 1))
        if not isinstance(domain, Sequence) or domain.shape.longest * size > _budget(domain.shape.longest):
            return None
        if domain.values is not None:
            return tuple(self.fixed.constant(value) for value in domain.values)
        if domain.shape.longest != domain.shape.shortest or domain.shape.inner is not None:
            return None
        start = self.out.bound(self.start_of(domain), "at")
        return tuple(self._item(on.add(start, literal(k)), domain.shape) for k in range(domain.shape.longest))

    # -- domains by what fits -------------------------------------------------------------------------------

    def values_that_fit(self, conditions: Conditions, slot: int, domain: Domain, frame: Frame) -> Mask | None:
        """The set of the domain's values for which all conditions hold; None where values are to be looked at one by
        one."""
        return self.expressions.first_set("values that fit", conditions, slot, domain, frame)

    def sets_that_fit(self, conditions: Conditions, slot: int, domain: Domain, frame: Frame) -> list[Mask] | None:
        """Sets with as many members together as values of the domain fit (the members need not be the values); None
        where values are to be looked at one by one."""
        values = self.values_that_fit(conditions, slot, domain, frame)
        if values is not None:
            return [values]
        found: list[Mask] | None = self.expressions.first_of("sets that fit", conditions, slot, domain, frame)
        return found

    def narrow(
        self, domain: Domain, slot: int, conditions: Iterable[core.Expression], frame: Frame
    ) -> tuple[Domain, list[core.Expression]]:
        """The domain without some of the values that fail these conditions, and the conditions that remain to be asked
        of each value."""
        asked = list(conditions)
        return self.expressions.first_of("narrower domain", domain, slot, asked, frame) or (domain, asked)

    # -- loops ----------------------------------------------------------------------------------------------

    def write_each(self, domain: Domain, frame: Frame, body: Body) -> None:
        """Write the body for each value: in a loop, which the body may leave by `break`; for a Listed domain once for
        each item, without a loop."""
        match domain:
            case Listed():
                for item in [self.context.bound(item, "item") for item in domain.items]:
                    body(item)
            case NumberSpan():
                self._each_number(domain, body)
            case Mask():
                self._each_member(domain, body)
            case Sequence():
                self._each_item(domain, body)
            case DomainPrefix():
                self._each_until(domain, frame, body)

    def each_where(
        self, domain: Domain, slot: int, conditions: Conditions, frame: Frame,
        body: Callable[[Value, Frame], None],
    ) -> None:  # fmt: skip
        """Write the body for each value, called `slot`, for which all conditions hold; it is given the names too."""

        def ask(value: Value) -> None:
            inner = {**frame, slot: value}
            with self.expressions.when(conditions, inner) as possible:
                if possible:
                    body(value, inner)

        self.write_each(domain, frame, ask)

    def _each_number(self, domain: NumberSpan, body: Body) -> None:
        low, high = domain.low, domain.high
        if low.scale != 1 or high.scale != 1 or low.none or high.none or high.wide:
            raise UnsupportedConstruct("a range between fractions or none")
        name = self.out.fresh("n")
        with self.out.counting(name, low.code, on.add(high, literal(1)).code):
            body(limits_of(low.low, max(low.low, high.high)).with_name(name))

    def _each_member(self, domain: Mask, body: Body) -> None:
        """Write a loop over the members of a set, from the least on. The members are those of the set when the loop
        begins."""
        # A copy, from which members are taken out: the body may change the set itself.
        left = self.context.variable(domain, "left")
        self.context.store(left, domain)
        assert isinstance(left, Mask)
        with self.out.repeating(on.negation(sets.is_empty(left)).code):
            body(self.take_least(left))

    def take_least(self, left: Mask) -> Number:
        """The least member of a set held in variables; it is removed from the set, which must not be empty."""
        name = self.out.fresh("b")
        for k, word in enumerate(left.words):
            with self._where_least(left, k):
                place: ir.Expr = call("ctz", word.code)
                self.out.set(name, ir.Const(k * WORD) + place if k else place)
                # x & (x - 1) takes the lowest bit out. With all 64 bits in use x - 1 can overflow, below that it
                # cannot.
                rest: ir.Expr = word.code & word.code - 1
                self.out.set(word.code, rest if left.size < WORD else wrap64(rest))
        return limits_of(0, left.size - 1).with_name(name)

    def _where_least(self, left: Mask, k: int) -> AbstractContextManager[None]:
        """Within the block, code runs where the least member is in the k-th word."""
        if len(left.words) == 1:
            return nullcontext()
        if k == len(left.words) - 1:
            return self.out.otherwise()
        return self.out.when(compare(left.words[k].code, "!=", 0), otherwise=k > 0)

    def _each_item(self, domain: Sequence, body: Body) -> None:
        inner = domain.shape.inner
        if domain.values is not None and inner is None and runs(domain.values):
            low, high = literal(domain.values[0]), literal(domain.values[-1])
            return self._each_number(NumberSpan(low, high), body)
        row = self.fixed.as_row(domain)
        start, stop = self.start_of(row), self.start_of(row, 1)
        name = self.out.fresh("k")
        with self.out.counting(name, start.code, stop.code):
            item = self._item(limits_of(0, 1 << 30).with_name(name), domain.shape)
            body(self.context.bound(item, "item"))
        return None

    def start_of(self, sequence: Sequence, after: int = 0) -> Number:
        """The index in ROW_ITEM at which the items of a sequence's row begin. `after`: for the row that many rows
        later, whose beginning is the end of this one."""
        row = self.fixed.as_row(sequence).row
        if row.constant is not None:
            return literal(self.module.row_start(row.constant + after))
        return Number(ROW_START[on.add(row, literal(after)).code], 0, 1 << 30)

    def _item(self, place: Number, shape: ItemShape) -> Value:
        """The item at an index in ROW_ITEM."""
        code = ROW_ITEM[place.code]
        if shape.inner is not None:
            return Sequence(Number(code, 0, 1 << 30), shape.inner)
        return Number(code, shape.low, shape.high, shape.none)

    def runs_up(self, row: Sequence) -> Number:
        """The truth that a row's items go up; else they go down."""
        up = ROW_UP[self.out.bound(self.fixed.as_row(row).row, "row").code]
        return truth(compare(up, "!=", 0))

    def _each_until(self, domain: DomainPrefix, frame: Frame, body: Body) -> None:
        if isinstance(domain.domain, Listed | DomainPrefix):
            raise UnsupportedConstruct(
                "'until' over a list that changes", "write a list known before play, with 'where'"
            )

        def inside(value: Value) -> None:
            # Asked before the body, which may change what the condition reads; obeyed after it, as the value still
            # belongs.
            last = self.out.bound(self.expressions.truth(domain.condition, {**frame, domain.slot: value}), "last")
            body(value)
            if last.constant is None:
                with self.out.when(last.code):
                    self.out.breaks()
            elif last.constant:
                self.out.breaks()

        self.write_each(domain.domain, frame, inside)


def known_values(domain: Domain) -> Series[Any] | None:
    """The values of a domain, if all of them are known before play; else None."""
    if isinstance(domain, NumberSpan) and domain.low.constant is not None and domain.high.constant is not None:
        return range(domain.low.constant, domain.high.constant + 1)
    return domain.values if isinstance(domain, Sequence) else None


def _budget(count: int) -> int:
    return EXPANDED_SHORT_NODES if count <= SHORT_DOMAIN else EXPANDED_NODES


def longest(domain: Domain) -> int:
    """The greatest number of values that a domain can have."""
    match domain:
        case NumberSpan():
            return max(0, domain.high.high - domain.low.low + 1)
        case Mask():
            return domain.size
        case Sequence():
            return domain.shape.longest
        case Listed():
            return len(domain.items)
        case DomainPrefix():
            return longest(domain.domain)


def hull_of(domain: Domain) -> Number:
    """Bounds that hold all values of a domain of numbers."""
    match domain:
        case NumberSpan():
            return limits_of(domain.low.low, domain.high.high)
        case Mask():
            return limits_of(0, domain.size - 1)
        case Sequence() if domain.shape.inner is None:
            return limits_of(domain.shape.low, domain.shape.high, domain.shape.none)
        case DomainPrefix():
            return hull_of(domain.domain)
        case Listed() if domain.items:
            joined = on.as_number(domain.items[0])
            for item in domain.items[1:]:
                joined = limits_of(*hull(joined, on.as_number(item)))
            return joined
        case Listed():
            return limits_of(1, 0)
    raise UnsupportedConstruct("a list of lists where numbers are due")


def _constant_domain(value: Value) -> Domain:
    if isinstance(value, Sequence) and value.values is not None and not value.values:
        return Listed(())
    assert isinstance(value, Sequence | Listed)
    return value


def runs(values: Series[Any]) -> bool:
    """True if the values are consecutive ascending whole numbers."""
    return all(isinstance(value, int) for value in values) and list(values) == list(
        range(values[0], values[0] + len(values))
    )


def goes_up(domain: Domain) -> bool:
    """True if the values of a domain come in ascending order."""
    return isinstance(domain, NumberSpan | Mask) or (isinstance(domain, Sequence) and domain.shape.order == 1)


def conditions_of(e: core.Quantifier) -> list[core.Expression]:
    """The conditions that a quantifier asks of each value: `where`, if there is one, then the body."""
    return [e.body] if e.where is None else [e.where, e.body]


def whole_condition(e: core.Quantifier, every: bool) -> core.Expression:
    """The condition on each value of a quantifier, joined with `where`: for a forall (`every`) that `where` fails or
    the body holds, for an exists that both hold."""
    if e.where is None:
        return e.body
    return core.Some((core.Not(e.where), e.body)) if every else core.All((e.where, e.body))
