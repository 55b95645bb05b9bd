"""Quantifiers whose fitting values are a set: it is empty or not, has so many members, a first one, or is what is
asked for."""

from __future__ import annotations

from functools import reduce

from gdl.compiler.ir.build import call, compare
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import FALSE, NOTHING, TRUE, WORD, Mask, Number, Sequence, literal, truth
from gdl.compiler.lower.loops import Domain, Loops, NumberSpan, conditions_of
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.recognise.fields import last_bit
from gdl.model import core


class SetQuantifiers(Part):
    """Quantifiers by the sets of values that fit. Methods give None where values are to be looked at one by one."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops

    def exists(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Number | None:
        found = self.loops.sets_that_fit(conditions_of(e), e.slot, domain, frame)
        return None if found is None else reduce(on.either, (on.negation(sets.is_empty(m)) for m in found), FALSE)

    def forall(self, e: core.Quantifier, frame: Frame, domain: Domain) -> Number | None:
        fails = conditions_of(e.copy_with(body=core.Not(e.body)))
        found = self.loops.sets_that_fit(fails, e.slot, domain, frame)
        return None if found is None else reduce(on.both, map(sets.is_empty, found), TRUE)

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


def _least_member(domain: Mask) -> Number:
    """The least member of a set, or none if it is empty. The set's words are repeated in the code."""
    result: Number = NOTHING
    for k, word in reversed(list(enumerate(domain.words))):
        inside = Number(call("ctz", word.code), 0, min(WORD, domain.size - WORD * k) - 1)
        result = on.choice(truth(compare(word.code, "!=", 0)), on.add(literal(WORD * k), inside), result)
    return result
