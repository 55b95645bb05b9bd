"""Quantifiers on all lanes at once: over a few values, or over rows that differ from lane to lane."""

from __future__ import annotations

from typing import TypeGuard

from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import ABSENT, LaneVector, Mask, Number
from gdl.compiler.lower.loops import whole_condition
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.recognise.lanes import MOST_LANES, Lanes
from gdl.compiler.lower.recognise.line_sets import at_distances, carry_back, count_compared
from gdl.model import core
from gdl.model.domains import elements

MOST_WRITTEN_OUT = 16  # the most values of an inner quantifier, for each of which a condition on all lanes is written


class QuantifiedLanes(Part):
    """The lanes in which a quantifier holds, or its value compares so with another."""

    def __init__(self, lanes: Lanes):
        super().__init__(lanes.expressions)
        self.lanes = lanes

    def of_each(self, e: core.Quantifier, frame: Frame, size: int) -> Mask | None:
        """The lanes in which an `exists` or `forall` over a few values holds."""
        if self.lanes.differing(self.dependence.of(e.domain), frame):
            return None
        items = self.lanes.loops.items(self.lanes.loops.domain(e.domain, frame), 1)
        if items is None or len(items) > MOST_WRITTEN_OUT:
            return None
        every = e.kind == "forall"
        body = whole_condition(e, every)
        return self.lanes.join(every, ((body, {**frame, e.slot: item}) for item in items), size, "some")

    def near(self, e: core.Quantifier, frame: Frame, size: int) -> Mask | None:
        """The lanes in which an `exists` or `forall` holds whose domain differs from lane to lane."""
        every = e.kind == "forall"
        found = self._held_in_rows(e, whole_condition(e, every), frame, size)
        if found is None:
            return None
        joined = self.expressions.first_set("rows", self.out, *found, every, size)
        return joined if joined is not None else at_distances(self.out, found[0], found[2], every, size)

    def _held_in_rows(
        self, e: core.Quantifier, condition: core.Expression, frame: Frame, size: int
    ) -> tuple[Mask, LaneVector, list[tuple[int, ...]]] | None:
        """Of a quantifier whose domain differs from lane to lane, while its condition on a value is the same in all:
        the values for which that holds, the domains, and the values of each; None of others."""
        if not self.lanes.differing(self.dependence.of(e.domain), frame):
            return None
        if any(isinstance(frame.get(slot), LaneVector) for slot in self.dependence.of(condition).slots - {e.slot}):
            return None
        vector = self.lanes.value_or_vector(e.domain.set if isinstance(e.domain, core.Members) else e.domain, frame)
        if not isinstance(vector, LaneVector):
            return None
        rows = [() if row in (None, ABSENT) else elements(row) for row in vector.entries]
        values = {value for row in rows for value in row}
        if not all(isinstance(value, int) and 0 <= value < MOST_LANES for value in values):
            return None
        reach = max([size, *(value + 1 for value in values)])
        holds = self.lanes.where(condition, {**frame, e.slot: LaneVector(tuple(range(reach)))}, reach)
        return None if holds is None else (holds, vector, rows)

    def count_along_rows(
        self, e: core.Expression, relation: str, bound: Number, frame: Frame, size: int
    ) -> Mask | None:
        """The lanes in which a count over a row that differs from lane to lane compares so with a constant."""
        if not _is_count(e) or bound.constant is None:
            return None
        found = self._held_in_rows(e, whole_condition(e, False), frame, size)
        # A list may hold a value twice, which counts twice; a set of lanes has it once.
        if found is None or any(len(set(row)) < len(row) for row in found[2]):
            return None
        return count_compared(self.out, found[0], found[2], relation, bound.constant, size)

    def count_as_truth(self, e: core.Expression, relation: str, bound: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a count over a few values compares so with a constant, where that only asks if there is
        one, or if all are."""
        if not _is_count(e) or bound.constant is None or e.where is not None:
            return None
        if self.lanes.differing(self.dependence.of(e.domain), frame):
            return None
        items = self.lanes.loops.items(self.lanes.loops.domain(e.domain, frame), 1)
        known = None if items is None else _as_truth(relation, bound.constant, len(items))
        if known is None:
            return None
        kind, body = known
        asked = e.copy_with(kind=kind, body=e.body if body else core.Not(e.body))
        return self.expressions.first_set(("lanes", kind), asked, frame, size)

    def first_held(self, e: core.Element, value: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes for which the first fitting square of a row has the given value. Squares that have it are carried
        back along the rows."""
        place, first = self.layout.places[e.variable], e.indices[0]
        if place.plane is None or not isinstance(first, core.Quantifier) or first.kind != "first" or len(e.indices) > 1:
            return None
        vector = self.lanes.value_or_vector(first.domain, frame)
        if not isinstance(vector, LaneVector) or first.where is not None or value.none or size != place.count:
            return None
        if any(isinstance(frame.get(slot), LaneVector) for slot in self.dependence.of(first.body).slots - {first.slot}):
            return None
        rows = [tuple(row) for row in vector.entries]
        if any(row and row[1:] != rows[row[0]] for row in rows):
            return None
        fits = self.lanes.where(first.body, {**frame, first.slot: LaneVector(tuple(range(size)))}, size)
        if fits is None:
            return None
        fits = self.out.share_mask(fits, "fits")
        following = [row[0] if row else None for row in rows]
        found = sets.intersection(fits, self.lanes.elements.plane(place, value))
        return carry_back(self.out, found, fits, following, max(map(len, rows)))


def _is_count(e: core.Expression) -> TypeGuard[core.Quantifier]:
    return isinstance(e, core.Quantifier) and e.kind == "count"


def _as_truth(relation: str, bound: int, most: int) -> tuple[str, bool] | None:
    """A count (of at most `most`) compared with a bound, as a quantifier: its kind, and True if it asks for the body,
    False if for the body's opposite. None if the comparison says more than that."""
    if (relation, bound) in (("=", 0), ("<", 1), ("<=", 0)):
        return "forall", False
    if (relation, bound) in (("!=", 0), (">", 0), (">=", 1)):
        return "exists", True
    if (relation, bound) in (("=", most), (">=", most), (">", most - 1)):
        return "forall", True
    if (relation, bound) in (("!=", most), ("<", most), ("<=", most - 1)):
        return "exists", False
    return None
