"""Regions as kernel code: what is reached from a set by steps to neighbours."""

from __future__ import annotations

from collections.abc import Callable

from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import Mask, Number, Value, WordCode, literal, split, words_for
from gdl.compiler.lower.loops import Loops
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.recognise.quantified_lanes import at_distances
from gdl.model import core

Enter = Callable[[Number, Mask, Mask, Mask], None]


class Regions(Part):
    """Lowering of regions."""

    def __init__(self, loops: Loops):
        super().__init__(loops.expressions)
        self.loops = loops

    def region(self, e: core.Reach, frame: Frame) -> Mask | None:
        """The region reached from a set by steps to neighbours."""
        return self.expressions.first_set("region", e, frame, self.expressions.mask(e.start, frame))

    def one_by_one(self, e: core.Reach, frame: Frame, start: Mask) -> Mask:
        """The region, whose squares are entered one by one, each if the condition holds."""
        parts = () if e.where is None else e.where.parts if isinstance(e.where, core.All) else (e.where,)

        def enter(here: Number, fresh: Mask, made: Mask, work: Mask) -> None:
            ends = frame if e.source is None else {**frame, e.source: here}
            # The first condition alone is asked of all at once: a fault of those that follow stays one.
            fitting, first = self.loops.narrow(self.out.bound_mask(fresh, "fresh"), e.slot, parts[:1], ends)

            def enter_one(value: Value, _: Frame) -> None:
                single = self.out.bound_mask(sets.single_member(on.as_number(value)))
                self.context.put(made, single)
                self.context.put(work, single)

            self.loops.each_where(fitting, e.slot, [*first, *parts[1:]], ends, enter_one)

        return self.spread(e, start, enter)

    def begin(self, e: core.Reach, start: Mask) -> tuple[Mask, Mask]:
        """The region and the set of its members whose neighbours are still to be looked at, at first both `start`."""
        made = self.context.new_set(len(e.neighbours), "reach")
        self.context.store(made, start)
        work = self.context.new_set(len(e.neighbours), "work")
        self.context.store(work, made)
        return made, work

    def spread(self, e: core.Reach, start: Mask, enter: Enter) -> Mask:
        """Write a loop over the members of a region. `enter` is given each of them, its neighbours that are no members
        yet, the region, and the set of members still to be looked at; it writes which neighbours are added to both."""
        count = len(e.neighbours)
        words, (made, work) = words_for(count), self.begin(e, start)
        near = [sum(1 << other for other in others) for others in e.neighbours]
        table = self.module.table([word for bits in near for word in split(bits, words)], "near")
        with self.out.repeating(on.negation(sets.is_empty(work)).code):
            here = self.loops.take_least(work)
            at = on.multiply(here, literal(words))
            codes = [WordCode(self.module.entry(table, on.add(at, literal(k)).code)) for k in range(words)]
            enter(here, sets.difference(Mask(tuple(codes), count), made), made, work)
        return made

    # -- by many squares at a time, where those that fit are known before the region is -----------------------

    def at_once(self, e: core.Reach, frame: Frame, start: Mask) -> Mask | None:
        """The region, grown by all neighbours at once, if a few shifts find them."""
        around: list[list[int]] = [[] for _ in e.neighbours]
        for place, others in enumerate(e.neighbours):
            for other in others:
                # Turned round: `at_distances` wants for each square those from which it is reached.
                around[other].append(place)
        with self.out.capture_lines() as lines:
            allowed = self._allowed_squares(e, frame)
            if allowed is None:
                return None
            made, work = self.begin(e, start)  # `work` holds the members added last
            with self.out.repeating(on.negation(sets.is_empty(work)).code):
                near = at_distances(self.out, work, [tuple(places) for places in around], False, made.size)
                if near is None:
                    return None
                fresh = self.out.bound_mask(sets.intersection(sets.difference(near, made), allowed), "fresh")
                self.context.put(made, fresh)
                self.context.store(work, fresh)
        self.out.append(lines)
        return made

    def by_squares(self, e: core.Reach, frame: Frame, start: Mask) -> Mask | None:
        """The region, grown by the neighbours of one square after the other."""
        allowed = self._allowed_squares(e, frame)
        if allowed is None:
            return None

        def enter(here: Number, fresh: Mask, made: Mask, work: Mask) -> None:
            fresh = self.out.bound_mask(sets.intersection(fresh, allowed), "fresh")
            self.context.put(made, fresh)
            self.context.put(work, fresh)

        return self.spread(e, start, enter)

    def _allowed_squares(self, e: core.Reach, frame: Frame) -> Mask | None:
        """The squares that fit the condition; None if they are not known before the region is."""
        # With a source the condition speaks of both ends of an edge, and cannot be asked of squares alone.
        if e.source is not None:
            return None
        found: Mask | None = sets.full_mask(len(e.neighbours))
        if e.where is not None and found is not None:
            found = self.loops.values_that_fit([e.where], e.slot, found, frame)
        return None if found is None else self.out.bound_mask(found, "allowed")
