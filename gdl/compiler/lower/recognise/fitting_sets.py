"""Conditions on all values of a domain, evaluated for all at once: the values that fit are a set, or make others.

A domain is a field, with a lane for each value, if its values are few numbers from 0 up; the rows of a table, such as
rays, are sets too, and `until` cuts them at the first square that fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Series
from functools import partial
from typing import Any

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call, choice, compare, i64
from gdl.compiler.lower import sets
from gdl.compiler.lower.arrays import ROW_SETS
from gdl.compiler.lower.code_values import (
    ABSENT,
    WORD,
    LaneVector,
    Mask,
    Sequence,
    WordCode,
    as_signed,
    mask_constant,
    words_for,
)
from gdl.compiler.lower.loops import Conditions, Domain, DomainPrefix, goes_up, known_values
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.recognise.lanes import MOST_LANES, Lanes, is_in_named_set
from gdl.model import core

VALUES_ONE_BY_ONE = 3  # domains of at most this many values are looked at one by one


class FittingSets(Part):
    """Sets of the values of a domain that fit conditions, computed for all values at once; or of the squares from which
    they run as lines."""

    def __init__(self, lanes: Lanes):
        super().__init__(lanes.expressions)
        self.lanes, self.loops = lanes, lanes.loops

    def values(self, conditions: Conditions, slot: int, domain: Domain, frame: Frame) -> Mask | None:
        """The set of the domain's values for which all conditions hold."""
        with self.out.capture_lines() as lines:
            field = self.expressions.first_set("field", domain, frame)
            if field is None:
                return None
            known = -1 if field.bits is None else field.bits
            # Lanes outside of a constant domain are left open, which lets conditions take a simpler form.
            lanes = LaneVector(tuple(lane if known >> lane & 1 else ABSENT for lane in range(field.size)))
            found = self._where_all_hold(conditions, {**frame, slot: lanes}, field)
        if found is not None:
            self.out.append(lines)
        return found

    def _where_all_hold(self, conditions: Conditions, frame: Frame, field: Mask) -> Mask | None:
        """The lanes of a field in which all conditions hold; None if one cannot be asked of all lanes at once."""
        for condition in conditions:
            found = self.lanes.where(condition, frame, field.size)
            if found is None:
                return None
            field = sets.intersection(field, found)
        return field

    def narrow(
        self, domain: Domain, slot: int, conditions: Iterable[core.Expression], frame: Frame
    ) -> tuple[Domain, list[core.Expression]]:
        """The domain without the values that fail a condition which can be asked of all values at once, and the
        conditions that remain to be asked of each value."""
        found, others = None, list[core.Expression]()
        for condition in conditions:
            fits = None
            asked = self.dependence.facts_of(condition).state or is_in_named_set(condition, frame, self.dependence)
            if goes_up(domain) and asked:
                fits = self.loops.values_that_fit([condition], slot, domain, frame)
            if fits is None:
                others.append(condition)
            else:
                found = fits if found is None else sets.intersection(found, fits)
        return (domain if found is None else found), others

    def lines(self, conditions: Conditions, slot: int, domain: Domain, frame: Frame) -> list[Mask] | None:
        """For a domain that is a list of lines: for each form of line the set of squares from which a line of that form
        runs and fits; None where lines are to be looked at one by one."""
        if not isinstance(domain, Sequence) or domain.values is None or domain.shape.inner is None:
            return None
        inner = domain.shape.inner
        if inner.inner is not None or inner.none or inner.low < 0 or inner.high >= MOST_LANES:
            return None
        values = domain.values
        forms = self.fixed.once_per_key(("forms", values, inner.high), lambda: _by_form(values, inner.high + 1))
        with self.out.capture_lines() as lines:
            found = [self._lines_of_form(conditions, slot, entries, frame) for entries in forms]
        if not forms or any(mask is None for mask in found):
            return None
        self.out.append(lines)
        return [mask for mask in found if mask is not None]

    def _lines_of_form(self, conditions: Conditions, slot: int, entries: tuple[Any, ...], frame: Frame) -> Mask | None:
        field = mask_constant(sum(1 << lane for lane, line in enumerate(entries) if line is not ABSENT), len(entries))
        return self._where_all_hold(conditions, {**frame, slot: LaneVector(entries)}, field)

    # -- domains as sets ------------------------------------------------------------------------------------

    def plain_set(self, domain: Domain, frame: Frame) -> Mask | None:
        """The values of a set, or those that are known before play."""
        if isinstance(domain, Mask):
            return self.out.bound_mask(domain, "field") if domain.size <= MOST_LANES else None
        values = known_values(domain)
        return None if values is None else _constant_field(values)

    def row(self, domain: Domain, frame: Frame) -> Mask | None:
        """The items of a row known in play."""
        if not isinstance(domain, Sequence) or domain.values is not None:
            return None
        shape, size = domain.shape, domain.shape.high + 1
        if shape.inner is not None or shape.none or shape.low < 0 or size > WORD * len(ROW_SETS):
            return None
        within = [word.within for word in sets.full_mask(size).words]
        codes: list[ir.Expr] = []
        if domain.rows is not None:
            # A row that holds a value twice is no set: what counts along it counts the value twice.
            if shape.order is None and any(len(set(row)) < len(row) for row in domain.rows.entries):
                return None
            for field in self.fixed.once_per_key(
                ("fields", domain.rows.entries), partial(_fields, domain.rows.entries, size)
            ):
                codes.append(self.module.entry(self.module.table(field, "field"), domain.rows.place))
        elif shape.order is not None:
            row = self.out.bound(domain.row, "row")
            codes += [held[row.code] for held in ROW_SETS[: len(within)]]
        else:
            return None
        return Mask(tuple(map(WordCode, codes, within)), size)

    def cut_row(self, domain: Domain, frame: Frame) -> Mask | None:
        """A row up to and including its first item that fits: of its bits those up to that item's, or from there on
        if the row goes down. None if the row goes neither way."""
        row = domain.domain if isinstance(domain, DomainPrefix) else None
        if not isinstance(domain, DomainPrefix) or not isinstance(row, Sequence) or row.shape.order is None:
            return None
        field = self.expressions.first_set("field", row, frame)
        fits = self.loops.values_that_fit([domain.condition], domain.slot, row, frame)
        if field is None or fits is None:
            return None
        field, fits = self.out.share_mask(field, "field"), self.out.share_mask(fits, "fits")
        words = list(zip(field.words, fits.words, strict=True))
        # x ^ (x - 1) has the lowest bit of x and all below it; all bits where x is 0: the whole row, if nothing fits.
        up = Mask(_cut_words(words, lambda fits: fits ^ fits - 1), field.size)
        # The highest bit and all above it; `| 1` gives the whole row where nothing fits.
        down = Mask(_cut_words(words[::-1], lambda fits: i64(-1) << last_bit(fits | 1))[::-1], field.size)
        if row.shape.order == 0:
            return sets.select_set(self.loops.runs_up(row), up, down)
        return up if row.shape.order == 1 else down


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
    few = len(forms) <= sets.MOST_SHIFTS and len(forms) * 3 <= len(lines) * 2
    return tuple(map(tuple, forms.values())) if few else ()


def last_bit(word: ir.Expr) -> ir.Expr:
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


def _constant_field(values: Series[Any]) -> Mask | None:
    lanes = all(isinstance(value, int) and 0 <= value < MOST_LANES for value in values)
    if len(values) <= VALUES_ONE_BY_ONE or not lanes or len(set(values)) < len(values):
        return None
    return mask_constant(sum(1 << value for value in values), max(values) + 1)
