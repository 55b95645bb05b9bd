"""Assignments to variables of the state: elements, sets, and the planes of arrays that have them."""

from __future__ import annotations

from gdl.compiler.ir import nodes as ir
from gdl.compiler.ir.build import call, choice, compare
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.arrays import STATE, WORDS
from gdl.compiler.lower.code_values import WORD, Mask, Number, UnsupportedConstruct, literal, mask_constant
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.elements import Elements
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame
from gdl.compiler.lower.state_layout import VariablePlace, bounds
from gdl.errors import Span, clean
from gdl.model import core

MOST_CHOSEN = 4  # planes that are all written, each with a choice, where the value is known in play


class Assigning:
    """Statements that change the state."""

    def __init__(self, context: Context, expressions: ExpressionLowering, elements: Elements):
        self.context = context
        self.layout, self.out = context.layout, context.out
        self.expressions = expressions
        self.elements = elements

    def assign(self, s: core.Assign, frame: Frame) -> None:
        place = self.layout.places[s.variable]
        value = self.expressions.value(s.value, frame)
        indices = [self.expressions.number(index, frame) for index in s.indices]
        for index in indices:
            if index.is_none:
                self.context.trap_if(literal(1), f"{clean(place.variable.name)} is written off its board", s.span)
                return
        at, inside = self.elements.place_of(place, indices, s.span)
        self.context.trap_if(on.negation(inside), f"{clean(place.variable.name)} is written off its board", s.span)
        if place.is_set:
            self._assign_set(place, at, on.as_mask(value), s.span)
        else:
            self._assign_number(place, at, on.as_number(value), s.span)
        self.context.forget()

    def _assign_number(self, place: VariablePlace, at: Number, value: Number, span: Span) -> None:
        low, high, none = bounds(place.variable.type)
        if value.scale != 1:
            raise UnsupportedConstruct(f"{place.variable.name}: an assigned fraction")
        if not value.is_none and on.outside(value, low, high, none).constant != 0:
            value = self.out.bound(value)
            message = f"{clean(place.variable.name)} is assigned a value that it does not hold"
            self.context.trap_if(on.outside(value, low, high, none), message, span)
            value = value.within(low, high) if value.wide else value
        elif value.is_none and not none:
            self.context.trap_if(literal(1), f"{clean(place.variable.name)} is assigned none", span)
        if place.plane is not None:
            at, value = self.out.bound(at, "at"), self.out.bound(value, "new")
            self._write_planes(place, at, value)
        if place.offset is not None:
            self.out.store("s", on.add(at, literal(place.offset)).code, value.code)

    def _write_planes(self, place: VariablePlace, at: Number, value: Number) -> None:
        """Take an element out of the plane of its old value, and put it into that of its new one."""
        assert place.plane is not None
        out = self.out
        bit = at.code if place.words == 1 else at.code & (WORD - 1)
        one = out.let("one", call("bit", bit), wide=True)
        beyond = None if place.words == 1 else at.code >> WORD.bit_length() - 1
        if place.offset is not None:
            old = ir.Local(out.let("old", STATE[on.add(at, literal(place.offset)).code]))
            with out.when(compare(old, "!=", place.background)):
                out.update(self._plane_word(place, old, beyond), "^", one)
        else:
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
        """The word of a value's plane that has an element: the first, or so many beyond."""
        assert place.plane is not None
        first = place.plane - place.values[0] * place.words
        if value.constant is not None:
            return _word_of(ir.Const(first + value.constant * place.words), beyond)
        at = value * place.words if place.words > 1 else value
        if first:
            at = ir.Binary("+" if first > 0 else "-", at, ir.Const(abs(first)))
        return _word_of(at, beyond)

    def _assign_set(self, place: VariablePlace, at: Number, value: Mask, span: Span) -> None:
        count = place.each // 2
        if value.size > place.members:
            value = self.out.bound_mask(value)
            outside = sets.difference(value, mask_constant((1 << place.members) - 1))
            message = f"{clean(place.variable.name)} is assigned a set that it does not hold"
            self.context.trap_if(on.negation(sets.is_empty(outside)), message, span)
        if count > 1:
            value = self.out.bound_mask(value)  # no word is read after the first is written
        start = on.multiply(at, literal(count))
        for k, word in enumerate(sets.pad_words(value, count)):
            self.out.store("w", on.add(start, literal(place.long + k)).code, word.code)


def _word_of(at: ir.Expr, beyond: ir.Expr | None) -> ir.Load:
    """A word of the state, or one so many beyond."""
    return WORDS[at if beyond is None else at + beyond]
