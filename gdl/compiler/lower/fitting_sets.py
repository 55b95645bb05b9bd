"""Conditions on all values of a domain, evaluated for all at once: the values that fit are a set.

A domain is a field of lanes (vectorise.py) if its values are few numbers from 0 up; the rows of a table, such as rays,
are sets too, and `until` cuts them at the first square that fits. Lines are taken together by their form: those that
run alike from different squares are one condition on the squares they start from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Series
from functools import partial
from typing import Any

from gdl.analysis.dependence import substitute_form
from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call, choice, compare, i64
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import planes, sets
from gdl.compiler.lower.arrays import ROW_SETS, ROW_UP
from gdl.compiler.lower.code_values import (
    ABSENT,
    NOTHING,
    WORD,
    LaneVector,
    Mask,
    Number,
    Sequence,
    WordCode,
    as_signed,
    literal,
    mask_constant,
    truth,
    words_for,
)
from gdl.compiler.lower.constant_tables import arguments_of
from gdl.compiler.lower.loops import Domain, DomainPrefix, NumberSpan
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame, Part
from gdl.compiler.lower.vectorise import MOST_LANES, MOST_TABLED, Vectoriser, is_in_named_set
from gdl.model import core
from gdl.model.walk import inside

VALUES_ONE_BY_ONE = 3  # domains of at most this many values are looked at one by one
OTHER_SLOT = 1 << 20  # the slot of a name that no frame has


class FittingSets(Part):
    """Sets of the values of a domain that fit conditions, computed for all values at once."""

    def __init__(self, expressions: ExpressionLowering, vectoriser: Vectoriser):
        super().__init__(expressions)
        self.vectoriser = vectoriser

    def sets_that_fit(
        self, conditions: Series[core.Expression], slot: int, domain: Domain, frame: Frame
    ) -> list[Mask] | None:
        """Sets with as many members together as values of the domain fit (the members need not be the values); None
        where values are to be looked at one by one."""
        found = self.values_that_fit(conditions, slot, domain, frame)
        if found is None:
            found = self.elements(conditions, slot, domain, frame)
        return self.lines(conditions, slot, domain, frame) if found is None else [found]

    def values_that_fit(
        self, conditions: Series[core.Expression], slot: int, domain: Domain, frame: Frame
    ) -> Mask | None:
        """The set of the domain's values for which all conditions hold; None where values are to be looked at one by
        one."""
        with self.out.capture_lines() as lines:
            found = self._asked_of_all(conditions, slot, domain, frame)
        if found is not None:
            self.out.append(lines)
        return found

    def narrow_domain(
        self, domain: Domain, slot: int, conditions: Iterable[core.Expression], frame: Frame
    ) -> tuple[Domain, list[core.Expression]]:
        """The domain without the values that fail a condition which can be asked of all values at once, and the
        conditions that remain to be asked of each value."""
        found, others = None, list[core.Expression]()
        for condition in conditions:
            fits = None
            asked = self.dependence.of(condition).state or is_in_named_set(condition, frame, self.dependence)
            if goes_up(domain) and asked:
                fits = self.values_that_fit([condition], slot, domain, frame)
            if fits is None:
                others.append(condition)
            else:
                found = fits if found is None else sets.intersection(found, fits)
        return (domain if found is None else found), others

    def _asked_of_all(
        self, conditions: Series[core.Expression], slot: int, domain: Domain, frame: Frame
    ) -> Mask | None:
        field = self.field(domain, frame)
        if field is None:
            return None
        known = -1 if field.bits is None else field.bits
        # Lanes outside of a constant domain are left open, which lets conditions take a simpler form.
        lanes = [lane if known >> lane & 1 else ABSENT for lane in range(field.size)]
        return self._where_all_hold(conditions, {**frame, slot: LaneVector(tuple(lanes))}, field)

    def _where_all_hold(self, conditions: Series[core.Expression], frame: Frame, field: Mask) -> Mask | None:
        """The lanes of a field in which all conditions hold; None if one cannot be asked of all lanes at once."""
        for condition in conditions:
            found = self.vectoriser.where(condition, frame, field.size)
            if found is None:
                return None
            field = sets.intersection(field, found)
        return field

    # -- domains as sets ------------------------------------------------------------------------------------

    def field(self, domain: Domain, frame: Frame) -> Mask | None:
        """The values of a domain as a set; None if there are too many, too few, or some are no lanes."""
        match domain:
            case Mask():
                return self.out.bound_mask(domain, "field") if domain.size <= MOST_LANES else None
            case NumberSpan():
                low, high = domain.low.constant, domain.high.constant
                return None if low is None or high is None else _constant_field(range(low, high + 1))
            case Sequence() if domain.values is not None:
                return _constant_field(domain.values)
            case Sequence():
                return self._row_field(domain)
            case DomainPrefix():
                return self._cut_field(domain, frame)
        return None

    def _row_field(self, domain: Sequence) -> Mask | None:
        """The items of a row known in play, as a set; None if they do not fit."""
        shape, size = domain.shape, domain.shape.high + 1
        if shape.inner is not None or shape.none or shape.low < 0 or size > WORD * len(ROW_SETS):
            return None
        within = [word.within for word in planes.full(size).words]
        codes: list[ir.Expr] = []
        if domain.rows is not None:
            # A row that holds a value twice is no set: what counts along it counts the value twice.
            if shape.order is None and any(len(set(row)) < len(row) for row in domain.rows.entries):
                return None
            for field in self.fixed.once(("fields", domain.rows.entries), partial(_fields, domain.rows.entries, size)):
                codes.append(self.module.entry(self.module.table(field, "field"), domain.rows.place))
        elif shape.order is not None:
            row = self.out.bound(domain.row, "row")
            codes += [held[row.code] for held in ROW_SETS[: len(within)]]
        else:
            return None
        return Mask(tuple(map(WordCode, codes, within)), size)

    def _cut_field(self, domain: DomainPrefix, frame: Frame) -> Mask | None:
        """A row up to and including its first item that fits: of its bits those up to that item's, or from there on
        if the row goes down. None if the row goes neither way."""
        row = domain.domain
        if not isinstance(row, Sequence) or row.shape.order is None:
            return None
        field = self.field(row, frame)
        fits = self._asked_of_all([domain.condition], domain.slot, row, frame)
        if field is None or fits is None:
            return None
        field, fits = self.out.share_mask(field, "field"), self.out.share_mask(fits, "fits")
        words = list(zip(field.words, fits.words, strict=True))
        # x ^ (x - 1) has the lowest bit of x and all below it; all bits where x is 0: the whole row, if nothing fits.
        up = Mask(_cut_words(words, lambda fits: fits ^ fits - 1), field.size)
        # The highest bit and all above it; `| 1` gives the whole row where nothing fits.
        down = Mask(_cut_words(words[::-1], lambda fits: i64(-1) << _last(fits | 1))[::-1], field.size)
        if row.shape.order == 0:
            return sets.select_set(self._runs_up(row), up, down)
        return up if row.shape.order == 1 else down

    def _runs_up(self, row: Sequence) -> Number:
        """The truth that a row's items go up; else they go down."""
        up = ROW_UP[self.out.bound(self.fixed.as_row(row).row, "row").code]
        return truth(compare(up, "!=", 0))

    # -- the first ------------------------------------------------------------------------------------------

    def first(self, conditions: Series[core.Expression], slot: int, domain: Domain, frame: Frame) -> Number | None:
        """The first value of a domain that fits, or none; the result is None where values are to be looked at one by
        one."""
        if not isinstance(domain, Sequence | Mask | NumberSpan):
            return None
        order = domain.shape.order if isinstance(domain, Sequence) else 1
        found = None if order is None else self.values_that_fit(conditions, slot, domain, frame)
        if found is None:
            return None
        found = self.out.share_mask(found, "fits")
        if order == 1:
            return self.least_member(found)
        down: Number = NOTHING
        for k, word in enumerate(found.words):
            last = Number(_last(word.code), 0, min(WORD, found.size - WORD * k) - 1)
            down = on.choice(truth(compare(word.code, "!=", 0)), on.add(literal(WORD * k), last), down)
        if order == -1:
            return down
        assert isinstance(domain, Sequence)
        least = self.out.bound(self.least_member(found), "first")
        return on.choice(self._runs_up(domain), least, self.out.bound(down, "first"))

    def least_member(self, domain: Mask) -> Number:
        """The least member of a set, or none if it is empty. The set's words are repeated in the code."""
        result: Number = NOTHING
        for k, word in reversed(list(enumerate(domain.words))):
            inside = Number(call("ctz", word.code), 0, min(WORD, domain.size - WORD * k) - 1)
            at = on.add(literal(WORD * k), inside)
            there = truth(compare(word.code, "!=", 0))
            result = on.choice(there, at, result)
        return result

    # -- lines ----------------------------------------------------------------------------------------------

    def lines(self, conditions: Series[core.Expression], slot: int, domain: Domain, frame: Frame) -> list[Mask] | None:
        """For a domain that is a list of lines: for each form of line the set of squares from which a line of that form
        runs and fits; None where lines are to be looked at one by one."""
        if not isinstance(domain, Sequence) or domain.values is None or domain.shape.inner is None:
            return None
        inner = domain.shape.inner
        if inner.inner is not None or inner.none or inner.low < 0 or inner.high >= MOST_LANES:
            return None
        values = domain.values
        forms = self.fixed.once(("forms", values, inner.high), lambda: _by_form(values, inner.high + 1))
        with self.out.capture_lines() as lines:
            found = [self._lines_of_form(conditions, slot, entries, frame) for entries in forms]
        if not forms or any(mask is None for mask in found):
            return None
        self.out.append(lines)
        return [mask for mask in found if mask is not None]

    def _lines_of_form(
        self, conditions: Series[core.Expression], slot: int, entries: tuple[Any, ...], frame: Frame
    ) -> Mask | None:
        field = mask_constant(sum(1 << lane for lane, line in enumerate(entries) if line is not ABSENT), len(entries))
        return self._where_all_hold(conditions, {**frame, slot: LaneVector(entries)}, field)

    # -- elements that depend on play -----------------------------------------------------------------------

    def elements(self, conditions: Series[core.Expression], slot: int, domain: Domain, frame: Frame) -> Mask | None:
        """The array elements that fitting values of a domain lead to, as a set: where the conditions ask of a value
        only what one array element holds, and no two values share an element. None otherwise."""
        reads = {form for c in conditions for form in self.reads_of(c, slot)}
        if len(reads) != 1:
            return None
        (read,) = reads
        place = self.layout.places[read.variable]
        values: Series[Any] | None = domain.values if isinstance(domain, Sequence) else None
        if isinstance(domain, NumberSpan) and domain.low.constant is not None and domain.high.constant is not None:
            values = range(domain.low.constant, domain.high.constant + 1)
        if place.plane is None or len(read.indices) != 1 or not values:
            return None
        if not VALUES_ONE_BY_ONE < len(values) <= place.count:  # else two values would share an element
            return None
        field = self._led_to(read.indices[0], slot, values, frame, place.count)
        if field is None:
            return None
        # The conditions are asked of elements in place of values: of all elements at once, and those that are led to
        # remain.
        named = read.copy_with(indices=(core.Local(OTHER_SLOT),))
        asked = [substitute_form(condition, read, named) for condition in conditions]
        if any(slot in self.dependence.of(condition).slots for condition in asked):
            return None
        return self.values_that_fit(asked, OTHER_SLOT, field, frame)

    def reads_of(self, e: core.Expression, slot: int) -> list[core.Element]:
        """The reads of array elements in an expression whose place depends on a name."""
        return [
            form for form in inside(e)
            if isinstance(form, core.Element) and slot in self.dependence.of(form).slots
        ]  # fmt: skip

    def _led_to(self, index: core.Expression, slot: int, values: Series[Any], frame: Frame, count: int) -> Mask | None:
        """The set of elements that an index leads to for all values of the name `slot`, read from a table over what
        else the index depends on; None if two values lead to one element."""
        facts = self.dependence.of(index)
        others = sorted(facts.slots - {slot})
        if facts.state or not frame.keys() >= set(others):  # names inside the condition have no value yet
            return None
        known = arguments_of([*(frame[other] for other in others), *([self.context.mover] if facts.mover else ())])
        if known is None:
            return None
        compute = self.fixed.function(index, [*others, slot], facts.mover)

        def entry(*given: Any) -> int | None:
            first, last = given[: len(others)], given[len(others) :]
            found = [compute(*first, value, *last) for value in values]
            # Two values with one element would be counted once.
            apart = None not in found and len(set(found)) == len(found)
            return sum(1 << at for at in found) if apart else None

        made = self.fixed.table(entry, known, MOST_TABLED, ("led to", id(index), values), "field")
        if made is None or (isinstance(made, Number) and made.none):
            return None
        return sets.resize_set(on.as_mask(made), count)


def _by_form(lines: tuple[Any, ...], size: int) -> tuple[tuple[Any, ...], ...]:
    """For each form of line the lines that have it, each at its least square, of `size` squares; empty where a loop
    over the lines is shorter, or a line has a square twice."""
    forms: dict[tuple[int, ...], list[Any]] = {}
    for line in lines:
        if not line or len(set(line)) < len(line):
            return ()
        start = min(line)
        # Two lines have one form if a shift of the squares' numbers turns one into the other.
        form = tuple(sorted(square - start for square in line))
        forms.setdefault(form, [ABSENT] * size)[start] = line
    # Too many forms, or hardly any lines of one form: then a loop over the lines is shorter.
    few = len(forms) <= planes.MOST_SHIFTS and len(forms) * 3 <= len(lines) * 2
    return tuple(map(tuple, forms.values())) if few else ()


def goes_up(domain: Domain) -> bool:
    """True if the values of a domain come in ascending order."""
    return isinstance(domain, NumberSpan | Mask) or (isinstance(domain, Sequence) and domain.shape.order == 1)


def _last(word: ir.Expr) -> ir.Expr:
    """The number of the highest bit set in a word that is not 0."""
    return ir.Const(WORD - 1) - call("clz", word)


def _fields(rows: tuple[tuple[int, ...], ...], size: int) -> tuple[tuple[int, ...], ...]:
    """The rows, each without a value twice, as sets of numbers below `size`: for each word of a set, that of every
    row."""
    fields = [sum(1 << item for item in row) for row in rows]
    return tuple(tuple(as_signed(field >> WORD * word) for field in fields) for word in range(words_for(size)))


def _cut_words(words: list[tuple[WordCode, WordCode]], kept: Callable[[ir.Expr], ir.Expr]) -> tuple[WordCode, ...]:
    """The words of a row up to the first bit that fits, in the order in which the row goes through them. `words`: the
    row's, each with the bits that fit; `kept` gives the bits that are not beyond the first of a word that fits."""
    found, before = [], None
    for held, fits in words:
        code = held.code & kept(fits.code)
        found.append(WordCode(code if before is None else choice(compare(before, "==", 0), code, 0), held.within))
        before = fits.code if before is None else before | fits.code
    return tuple(found)


def conditions_of(e: core.Quantifier) -> list[core.Expression]:
    """The conditions that a quantifier asks of each value: `where`, if there is one, then the body."""
    return [e.body] if e.where is None else [e.where, e.body]


def _constant_field(values: Series[Any]) -> Mask | None:
    lanes = all(isinstance(value, int) and 0 <= value < MOST_LANES for value in values)
    if len(values) <= VALUES_ONE_BY_ONE or not lanes or len(set(values)) < len(values):
        return None
    return mask_constant(sum(1 << value for value in values), max(values) + 1)
