"""Reading the state: variables, their elements one by one, and the planes of arrays that have them."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call, choice, compare
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.arrays import STATE, WORDS
from gdl.compiler.lower.code_values import (
    ALL_BITS,
    NONE,
    NOTHING,
    TRUE,
    WORD,
    Mask,
    Number,
    UnsupportedConstruct,
    Value,
    WordCode,
    literal,
    mask_constant,
    with_missing,
)
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.state_layout import VariablePlace, has_guard_word
from gdl.errors import Span, clean
from gdl.model import core
from gdl.model.domains import Type, bounds, ordinal_base


class Elements(Part):
    """Lowering of expressions that read the state."""

    def cell(self, e: core.Cell, frame: Frame) -> Value:
        return self.read(next(p for p in self.layout.places if p.variable.place == e.place), literal(0))

    def read(self, place: VariablePlace, at: Number) -> Value:
        """The value of a variable's element; `at` counts elements from the variable's first."""
        if place.is_set:
            count = place.each // 2
            start = on.multiply(at, literal(count))
            low = ordinal_base(place.variable.type.item)  # type: ignore[union-attr]
            return _set_at([on.add(start, literal(place.long + k)).code for k in range(count)], place.members, low)
        if place.offset is None:
            return self._read_planes(place, self.out.bound(at, "at"))
        code = STATE[on.add(at, literal(place.offset)).code]
        return Number(code, *bounds(place.variable.type), missing=place.missing)

    def _read_planes(self, place: VariablePlace, at: Number) -> Value:
        """The value of an element of an array held in planes alone: the value whose plane has the element, else the
        background's."""
        # The background has no plane: an element that is in none has it.
        rest = NOTHING if place.background == place.missing else literal(place.background)
        result = with_missing(rest, place.missing)
        for value in reversed(place.values):
            result = on.choice(sets.contains(self.plane(place, literal(value)), at), literal(value), result)
        return result

    def element(self, e: core.Element, frame: Frame) -> Value:
        place = self.layout.places[e.variable]
        variable = place.variable
        indices = [self.expressions.number_or_none(index, frame) for index in e.indices]
        alone = len(indices) == 1 and place.offset is not None and has_guard_word(variable)
        if alone and self._only_none(indices[0], variable.indices[0]):
            return self._read_guarded(place, indices[0])
        at, inside = self.place_of(place, indices, e.span)
        found = self.read(place, at)
        if inside.constant:
            return found
        if not isinstance(found, Number):
            help = "ask first if the index is none, or write the element where its set is used"
            raise UnsupportedConstruct(f"{variable.name}: a set read where there may be no element", help)
        return on.choice(inside, found, NOTHING)

    def set_element(self, e: core.Element, frame: Frame) -> Mask | None:
        """The set at indices that may be none, where none is a fault; None where there surely is an element."""
        place = self.layout.places[e.variable]
        indices = [self.expressions.number_or_none(index, frame) for index in e.indices] if place.is_set else []
        if not any(index.none for index in indices):
            return None
        at, inside = self.place_of(place, indices, e.span)
        self.context.trap_if(on.negation(inside), "a set is needed here, and this is none", e.span)
        found = self.read(place, at)
        assert isinstance(found, Mask)
        return found

    @staticmethod
    def _only_none(index: Number, type: Type) -> bool:
        """True if the index may be none, and is in range whenever it is not none."""
        inside = index.missing == NONE and index.low >= 0 and index.high <= bounds(type)[1]
        return index.none and (index.is_none or inside)

    def _read_guarded(self, place: VariablePlace, index: Number) -> Value:
        """The element at an index that may be none: none is read from the word before the first element, which always
        holds none."""
        if index.is_none:
            return NOTHING
        assert place.offset is not None
        low, high, _ = bounds(place.variable.type)
        # Index none is -1, so it reads the guard word, which always holds none: no test and no branch.
        at = on.add(Number(index.code, NONE, index.high), literal(place.offset))
        return Number(STATE[at.code], low, high, none=True, missing=place.missing)

    def place_of(self, place: VariablePlace, indices: list[Number], span: Span) -> tuple[Number, Number]:
        """The number of the element that the indices name, counted from the variable's first, and the truth that no
        index is none. An index beyond its range is a fault."""
        at, inside, within = literal(0), TRUE, TRUE
        variable = place.variable
        for index, type, extent in zip(indices, variable.indices, variable.extents, strict=True):
            low = ordinal_base(type)
            # By its bounds the index is an element: most are, and need no check in play.
            fits = not index.none and low <= index.low and index.high < low + extent
            if not fits:
                index = self.out.bound(index, "i")
                exists = on.negation(on.equal(index, NOTHING))
                number = Number(index.code, index.low, index.high)
                within = on.conjunction(within, on.compare(">=", number, literal(low)))
                within = on.conjunction(within, on.compare("<", number, literal(low + extent)))
                inside = on.conjunction(inside, exists)
                index = number.clip(low, low + extent - 1)
            at = on.add(on.multiply(at, literal(extent)), on.subtract(index, literal(low)))
        if within.constant != 1:
            self.context.trap_if(
                on.conjunction(inside, on.negation(within)), f"{clean(variable.name)} has no such element", span
            )
        return at, inside

    # -- planes ---------------------------------------------------------------------------------------------

    def held_in_plane(self, e: core.Comparison, frame: Frame) -> Value | None:
        """The truth of a comparison `=` or `!=` between a value and an element of an array held in planes alone: one
        bit of the value's plane. None for any other comparison."""
        for element, other in ((e.left, e.right), (e.right, e.left)):
            if e.relation in ("=", "!=") and isinstance(element, core.Element):
                place = self.layout.places[element.variable]
                if place.offset is None:
                    found = self._is_in_plane(place, element, self.expressions.number_or_none(other, frame), frame)
                    return found if e.relation == "=" else on.negation(found)
        return None

    def _is_in_plane(self, place: VariablePlace, e: core.Element, value: Number, frame: Frame) -> Number:
        indices = [self.expressions.number_or_none(index, frame) for index in e.indices]
        at, inside = self.place_of(place, indices, e.span)
        at, value = self.out.bound(at, "at"), self.out.bound(value, "value")
        found = sets.contains(self.plane(place, value), at)
        if inside.constant:
            return found
        # Off the board an element is none, so it equals the value where that is none.
        return on.disjunction(
            on.conjunction(inside, found), on.conjunction(on.negation(inside), on.equal(value, NOTHING))
        )

    def plane(self, place: VariablePlace, value: Number) -> Mask:
        """The set of those elements of a variable that have the given value."""
        if value.constant is not None or value.is_none:
            known = None if value.low == place.missing else value.low
            return self._plane_of(place, place.missing if value.is_none else known)
        value = self.out.bound(value, "value")
        if value.none and place.background == place.missing:
            there = self.plane(place, replace(value, none=False))
            return sets.select_set(on.equal(value, NOTHING), self._plane_of(place, place.missing), there)
        # The place of a plane is computed from the value only where every value it can have has a plane.
        if value.none or value.low < place.values[0] or value.high > place.values[-1] or value.scale != 1:
            return self._plane_by_cases(place, value)
        assert place.plane is not None
        start = on.multiply(on.subtract(value, literal(place.values[0])), literal(place.words))
        return _set_at([on.add(start, literal(place.plane + k)).code for k in range(place.words)], place.count)

    def _plane_of(self, place: VariablePlace, value: int | None) -> Mask:
        if value is not None and value in place.values:
            first = place.plane_of(value)
            return _set_at([ir.Const(first + k) for k in range(place.words)], place.count)
        if value != place.background:
            return mask_constant(0, place.count)
        # The background's plane is what the others leave; made once in a block, as `empty` squares are often asked for.
        taken = reduce(sets.union, (self._plane_of(place, other) for other in place.values))
        return self.out.share_mask(sets.complement(taken, place.count), "empty")

    def _plane_by_cases(self, place: VariablePlace, value: Number) -> Mask:
        """The plane of a value known only in play, which may be the background: put together from all planes."""
        result = mask_constant(0, place.count)
        for other in (place.background, *place.values):
            test = on.equal(value, NOTHING if other == place.missing else literal(other))
            result = sets.union(
                result, sets.select_set(test, self._plane_of(place, other), mask_constant(0, place.count))
            )
        return result


def _set_at(places: list[ir.Expr], size: int, low: int = 0) -> Mask:
    """The set of `size`, with no member below `low`, that the state holds in the words of 64 bits at these places."""
    withins = [(1 << size) - (1 << low) >> WORD * k & ALL_BITS for k in range(len(places))]
    return Mask(tuple(WordCode(WORDS[at], within) for at, within in zip(places, withins, strict=True)), size)


# Assignments to variables of the state: elements, sets, and the planes of arrays that have them.

MOST_CHOSEN = 4  # the most planes that are all written, each with a choice, where the value is only known in play


class Assigning(Part):
    """Lowering of statements that change the state."""

    def __init__(self, elements: Elements):
        super().__init__(elements.expressions)
        self.elements = elements

    def assign(self, s: core.Assign, frame: Frame) -> None:
        place = self.layout.places[s.variable]
        value = self.expressions.value(s.value, frame)
        indices = [self.expressions.number_or_none(index, frame) for index in s.indices]
        for index in indices:
            if index.is_none:
                self.context.trap_if(literal(1), f"{clean(place.variable.name)} is written off its board", s.span)
                return
        at, inside = self.elements.place_of(place, indices, s.span)
        # Reading off the board gives none; writing there is a fault, as nothing could be read back.
        self.context.trap_if(on.negation(inside), f"{clean(place.variable.name)} is written off its board", s.span)
        if place.is_set:
            self._assign_set(place, at, on.as_mask(value), s.span)
        else:
            self._assign_number(place, at, on.as_number(value), s.span)
        # Whatever tests have shown of values that read the state no longer holds.
        self.context.forget()

    def _assign_number(self, place: VariablePlace, at: Number, value: Number, span: Span) -> None:
        low, high, none = bounds(place.variable.type)
        if value.scale != 1:
            raise UnsupportedConstruct(f"{place.variable.name}: an assigned fraction", "round it with 'div'")
        if not value.is_none and on.outside(value, low, high, none).constant != 0:
            value = self.out.bound(value)
            message = f"{clean(place.variable.name)} is assigned a value that it does not hold"
            self.context.trap_if(on.outside(value, low, high, none), message, span)
            value = value.clip(low, high) if value.wide else value
        elif value.is_none and not none:
            self.context.trap_if(literal(1), f"{clean(place.variable.name)} is assigned none", span)
        value = with_missing(value, place.missing)
        if place.plane is not None:
            at, value = self.out.bound(at, "at"), self.out.bound(value, "new")
            self._write_planes(place, at, value)
        if place.offset is not None:
            self.out.store("s", on.add(at, literal(place.offset)).code, value.code)

    def _write_planes(self, place: VariablePlace, at: Number, value: Number) -> None:
        """Write code that takes an element out of the plane of its old value, and puts it into that of its new
        value."""
        assert place.plane is not None
        out = self.out
        bit = at.code if place.words == 1 else at.code & (WORD - 1)
        one = out.let("one", call("bit", bit), wide=True)
        beyond = None if place.words == 1 else at.code >> WORD.bit_length() - 1
        if place.offset is not None:
            old = ir.Local(out.let("old", STATE[on.add(at, literal(place.offset)).code]))
            with out.when(compare(old, "!=", place.background)):
                # The bit is set, as the element has the old value: flipping it takes it out.
                out.update(self._plane_word(place, old, beyond), "^", one)
        else:
            # The old value is not known without reading every plane, so the bit is taken out of all of them.
            kept = ir.Local(out.let("others", ~ir.Local(one), wide=True))
            by_choice = value.constant is None and not value.is_none and len(place.values) <= MOST_CHOSEN
            for known in place.values:
                word = _word_of(ir.Const(place.plane_of(known)), beyond)
                if by_choice:  # no place in memory has to wait for the value
                    is_it = compare(value.code, "==", known)
                    bit = choice(is_it, one, 0)
                    out.store("w", word.index, word & kept | bit)
                elif known != value.constant:
                    out.store("w", word.index, word & kept)
            if by_choice:
                return
        if value.is_none or value.constant == place.background:
            return
        word = self._plane_word(place, value.code, beyond)
        entered = word | one
        if value.none or value.low < place.values[0]:
            with out.when(compare(value.code, "!=", place.background)):
                out.store("w", word.index, entered)
        else:
            out.store("w", word.index, entered)

    @staticmethod
    def _plane_word(place: VariablePlace, value: ir.Expr, beyond: ir.Expr | None) -> ir.Load:
        """The word that holds an element's bit in a value's plane: the plane's first (`beyond` None), or `beyond` words
        after it."""
        assert place.plane is not None
        # Where the plane of value 0 would begin, even if there is none: one addition less in play.
        first = place.plane - place.values[0] * place.words
        if value.constant is not None:
            return _word_of(ir.Const(first + value.constant * place.words), beyond)
        at = value * place.words if place.words > 1 else value
        if first:
            at = ir.Binary("+" if first > 0 else "-", at, ir.Const(abs(first)))
        return _word_of(at, beyond)

    def _assign_set(self, place: VariablePlace, at: Number, value: Mask, span: Span) -> None:
        count = place.each // 2
        below = mask_constant((1 << ordinal_base(place.variable.type.item)) - 1)  # type: ignore[union-attr]
        if value.size > place.members or any(word.within for word in sets.intersection(value, below).words):
            value = self.out.bound_mask(value)
            held = mask_constant((1 << place.members) - 1 & ~(below.bits or 0), value.size)
            outside = sets.difference(value, held)
            message = f"{clean(place.variable.name)} is assigned a set that it does not hold"
            self.context.trap_if(on.negation(sets.is_empty(outside)), message, span)
        if count > 1:
            value = self.out.bound_mask(value)  # no word is read after the first is written
        start = on.multiply(at, literal(count))
        for k, word in enumerate(sets.pad_words(value, count)):
            self.out.store("w", on.add(start, literal(place.long + k)).code, word.code)


def _word_of(at: ir.Expr, beyond: ir.Expr | None) -> ir.Load:
    """A word of the state: the one at `at`, or `beyond` words after it."""
    return WORDS[at if beyond is None else at + beyond]
