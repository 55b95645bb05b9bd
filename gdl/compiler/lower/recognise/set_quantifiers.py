"""Quantifiers whose fitting values are a set: it is empty or not, has so many members, a first one, or is what is
asked for.

Conditions on each of a few constants are written out where much of them folds. For a known kind of piece the squares
that it covers are a line of code, and what is asked of every kind at once shares what the kinds have in common: a
queen's lines are those of rook and bishop.
"""

from __future__ import annotations

from functools import reduce

from gdl.compiler.ir.build import call, compare
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import (
    FALSE,
    NOTHING,
    TRUE,
    WORD,
    Mask,
    Number,
    Sequence,
    literal,
    mask_constant,
    truth,
)
from gdl.compiler.lower.context import set_within
from gdl.compiler.lower.loops import Domain, Loops, NumberSpan, conditions_of, known_values
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.recognise.fitting_sets import last_bit
from gdl.model import core
from gdl.model.walk import inside

SPECIALISED_VALUES = 8  # the most constants for which a condition is written out
TOGETHER = 64  # the most statements for all constants together
EACH = 4  # the most statements for each part of a union, on average


class SetQuantifiers(Part):
    """Quantifiers by the sets of values that fit. Methods give None where values are to be looked at one by one."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops

    def exists(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Number | None:
        found = self.loops.sets_that_fit(conditions_of(e), e.slot, domain, frame)
        return None if found is None else reduce(on.disjunction, (on.negation(sets.is_empty(m)) for m in found), FALSE)

    def forall(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Number | None:
        fails = conditions_of(e.copy_with(body=core.Not(e.body)))
        found = self.loops.sets_that_fit(fails, e.slot, domain, frame)
        return None if found is None else reduce(on.conjunction, map(sets.is_empty, found), TRUE)

    def count(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Number | None:
        found = self.loops.sets_that_fit(conditions_of(e), e.slot, domain, frame)
        return None if found is None else reduce(on.add, map(sets.size, found), literal(0))

    def those(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Mask | None:
        return self.loops.values_that_fit(conditions_of(e), e.slot, domain, frame)

    def first(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Number | None:
        """The first value of a domain that fits, or none."""
        if not isinstance(domain, Sequence | Mask | NumberSpan):
            return None
        order = domain.shape.order if isinstance(domain, Sequence) else 1
        found = None if order is None else self.loops.values_that_fit(conditions_of(e), e.slot, domain, frame)
        if found is None:
            return None
        found = self.out.share_mask(found, "fits")
        if order == 1:
            return _least_member(found)
        down: Number = NOTHING
        for k, word in enumerate(found.words):
            last = Number(last_bit(word.code), 0, min(WORD, found.size - WORD * k) - 1)
            down = on.choice(truth(compare(word.code, "!=", 0)), on.add(literal(WORD * k), last), down)
        if order == -1:
            return down
        assert isinstance(domain, Sequence)
        least = self.out.bound(_least_member(found), "first")
        return on.choice(self.loops.runs_up(domain), least, self.out.bound(down, "first"))

    # -- a few constants, for each of which much folds --------------------------------------------------------

    def exists_for_constants(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Number | None:
        """The truth of an `exists` inside an `exists` over a few constants: that the union of what fits for each
        constant is not empty. None where a loop is better."""
        items, asked = _constants(domain), e.body
        if items is None or e.where is not None or not isinstance(asked, core.Quantifier) or asked.kind != "exists":
            return None
        if not self._passes_on(asked, e.slot):
            return None
        with self.out.capture_lines() as lines:
            found = self._union_of_fitting(asked, e.slot, items, frame)
        # Not where a trap other than those of tables might be met: all constants are asked at once, also those that a
        # loop would never have come to.
        if found is None or lines.other_traps or lines.total > TOGETHER:
            return None
        self.out.append(lines)
        return on.negation(sets.is_empty(found))

    @staticmethod
    def _passes_on(e: core.Quantifier, slot: int) -> bool:
        """True if a definition is called with this name as an argument, so that its value may differ for each
        constant."""
        calls = [form for form in inside(e) if isinstance(form, core.CallDefinition)]
        return any(core.Local(slot) in call.arguments for call in calls)

    def _union_of_fitting(self, e: core.Quantifier, slot: int, items: list[Number], frame: Frame) -> Mask | None:
        """The union of what fits for each of the constants; None if one has no such set. A fault at one constant counts
        only if nothing fits for the constants before it."""
        result, outside = mask_constant(0), self.context.unless
        for item in items:
            inner = {**frame, slot: item}
            # While the union is a known set, nothing is known to fit, and faults stay as they are.
            unless = on.conjunction(outside, sets.is_empty(result)) if result.bits is None else outside
            with set_within(self.context, unless=unless):
                domain = self.loops.domain(e.domain, inner)
                found = self.loops.sets_that_fit(conditions_of(e), e.slot, domain, inner)
            if found is None:
                return None
            result = reduce(sets.union, found, result)
        return result

    def union_for_constants(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Mask | None:
        """The union of short sets, one for each of a few constants; None where a loop is better."""
        items = _constants(domain)
        if items is not None and e.where is None:
            parts = list[Mask]()
            with self.out.capture_lines() as lines:
                # Given up at the first part too many: the rest would only take time.
                while len(parts) < len(items) and lines.total <= EACH * len(items):
                    parts.append(self.expressions.mask(e.body, {**frame, e.slot: items[len(parts)]}))
            if lines.total <= EACH * len(items):
                self.out.append(lines)
                return reduce(sets.union, parts)
        return None


def _least_member(domain: Mask) -> Number:
    """The least member of a set, or none if it is empty. The set's words are repeated in the code."""
    result: Number = NOTHING
    for k, word in reversed(list(enumerate(domain.words))):
        inside = Number(call("ctz", word.code), 0, min(WORD, domain.size - WORD * k) - 1)
        result = on.choice(truth(compare(word.code, "!=", 0)), on.add(literal(WORD * k), inside), result)
    return result


def _constants(domain: Domain) -> list[Number] | None:
    """The values of a domain, if they are at least two, few and known before play; else None."""
    values = known_values(domain) or ()
    few = 1 < len(values) <= SPECIALISED_VALUES and all(isinstance(value, int) for value in values)
    return [literal(value) for value in values] if few else None
