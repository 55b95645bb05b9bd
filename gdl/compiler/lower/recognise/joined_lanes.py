"""Conditions made of others, on all lanes at once: joined, turned round, chosen between, with names, called."""

from __future__ import annotations

from gdl.compiler.lower import planes, sets
from gdl.compiler.lower.code_values import Mask
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.recognise.lanes import Lanes
from gdl.model import core


class JoinedLanes(Part):
    """The lanes in which a condition holds that is made of other conditions."""

    def __init__(self, lanes: Lanes):
        super().__init__(lanes.expressions)
        self.lanes = lanes

    def every_part(self, e: core.All | core.Some, frame: Frame, size: int) -> Mask | None:
        return self.lanes.join(isinstance(e, core.All), ((part, frame) for part in e.parts), size)

    def negation(self, e: core.Not, frame: Frame, size: int) -> Mask | None:
        inner = self.lanes.where(e.operand, frame, size)
        return None if inner is None else planes.complement(inner, size)

    def conditional(self, e: core.If, frame: Frame, size: int) -> Mask | None:
        condition = self.lanes.where(e.condition, frame, size)
        if condition is None:
            return None
        if condition.bits is not None and condition.bits in (0, planes.full(size).bits):
            return self.lanes.where(e.then if condition.bits else e.otherwise, frame, size)
        then, otherwise = self.lanes.where(e.then, frame, size), self.lanes.where(e.otherwise, frame, size)
        if then is None or otherwise is None:
            return None
        # It is used twice, and on CPython a set that is computed twice costs twice.
        condition = self.out.share_mask(condition)
        return sets.union(sets.intersection(condition, then), sets.difference(otherwise, condition))

    def scope(self, e: core.Scope, frame: Frame, size: int) -> Mask | None:
        """The lanes of a condition with further names, each a LaneVector or one value."""
        inner = dict(frame)
        for slot, value in e.lets:
            found = self.lanes.value_or_vector(value, inner)
            if found is None:
                return None
            inner[slot] = found
        return self.lanes.where(e.result, inner, size)

    def call(self, e: core.CallDefinition, frame: Frame, size: int) -> Mask | None:
        called = self.lanes.body_of(e, frame)
        return None if called is None else self.lanes.where(*called, size)
