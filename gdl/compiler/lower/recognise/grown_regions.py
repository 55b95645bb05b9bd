"""Regions of the squares that fit, where these are a set that is known before the region is."""

from __future__ import annotations

from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import planes, sets
from gdl.compiler.lower.code_values import Mask, Number
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.reached_regions import Regions
from gdl.compiler.lower.recognise.line_sets import at_distances
from gdl.model import core


class GrownRegions(Part):
    """Regions that grow by many squares at a time. Methods give None where squares are to be entered one by one."""

    def __init__(self, regions: Regions):
        super().__init__(regions.expressions)
        self.regions = regions

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
            made, work = self.regions.begin(e, start)  # `work` holds the members added last
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

        return self.regions.spread(e, start, enter)

    def _allowed_squares(self, e: core.Reach, frame: Frame) -> Mask | None:
        """The squares that fit the condition; None if they are not known before the region is."""
        # With a source the condition speaks of both ends of an edge, and cannot be asked of squares alone.
        if e.source is not None:
            return None
        found: Mask | None = planes.full(len(e.neighbours))
        if e.where is not None and found is not None:
            found = self.regions.loops.values_that_fit([e.where], e.slot, found, frame)
        return None if found is None else self.out.bound_mask(found, "allowed")
