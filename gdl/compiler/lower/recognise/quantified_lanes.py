"""Quantifiers on all lanes at once: over a few values, or over rows that differ from lane to lane."""

from __future__ import annotations

from collections.abc import Sequence as Series
from itertools import pairwise
from typing import Any, TypeGuard

from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import ABSENT, LaneVector, Mask, Number, Value, mask_constant
from gdl.compiler.lower.loops import whole_condition
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.recognise.lanes import MOST_LANES, Lanes
from gdl.compiler.lower.writer import Writer
from gdl.model import core
from gdl.model.domains import elements, ordinal_base

MOST_WRITTEN_OUT = 16  # the most values of an inner quantifier, for each of which a condition on all lanes is written


class QuantifiedLanes(Part):
    """The lanes in which a quantifier holds, or its value compares so with another."""

    def __init__(self, lanes: Lanes):
        super().__init__(lanes.expressions)
        self.lanes = lanes

    def of_each(self, e: core.Quantifier, frame: Frame, size: int) -> Mask | None:
        """The lanes in which an `exists` or `forall` over a few values holds."""
        items = self._items_of_all(e, frame)
        if items is None or len(items) > MOST_WRITTEN_OUT:
            return None
        every = e.kind == "forall"
        body = whole_condition(e, every)
        return self.lanes.join(every, ((body, {**frame, e.slot: item}) for item in items), size, "some")

    def _items_of_all(self, e: core.Quantifier, frame: Frame) -> tuple[Value, ...] | None:
        """The values of a domain that is the same in all lanes; None where there are too many, or for another."""
        if self.lanes.differing(self.dependence.facts_of(e.domain), frame):
            return None
        return self.lanes.loops.items(self.lanes.loops.domain(e.domain, frame), 1)

    def near_lanes(self, e: core.Quantifier, frame: Frame, size: int) -> Mask | None:
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
        if not self.lanes.differing(self.dependence.facts_of(e.domain), frame):
            return None
        if self._differs_besides(e.slot, condition, frame):
            return None
        vector = self.lanes.value_or_vector(e.domain.set if isinstance(e.domain, core.Members) else e.domain, frame)
        if not isinstance(vector, LaneVector):
            return None
        rows = _rows(vector)
        values = {value for row in rows for value in row}
        if not all(isinstance(value, int) and 0 <= value < MOST_LANES for value in values):
            return None
        reach = max([size, *(value + 1 for value in values)])
        holds = self.lanes.where(condition, {**frame, e.slot: LaneVector(tuple(range(reach)))}, reach)
        return None if holds is None else (holds, vector, rows)

    def _differs_besides(self, slot: int, condition: core.Expression, frame: Frame) -> bool:
        """True if a name in a condition other than `slot` differs from lane to lane."""
        return any(name != slot for name in self.lanes.differing(self.dependence.facts_of(condition), frame))

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
        items = self._items_of_all(e, frame)
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
        if ordinal_base(place.variable.indices[0]):  # then a value is not the number of its lane
            return None
        vector = self.lanes.value_or_vector(first.domain, frame)
        if not isinstance(vector, LaneVector) or first.where is not None or value.none or size != place.count:
            return None
        if self._differs_besides(first.slot, first.body, frame):
            return None
        rows = _rows(vector)
        if any(row and (row[0] not in range(size) or row[1:] != rows[row[0]]) for row in rows):
            return None
        fits = self.lanes.where(first.body, {**frame, first.slot: LaneVector(tuple(range(size)))}, size)
        if fits is None:
            return None
        fits = self.out.share_mask(fits, "fits")
        following = [row[0] if row else None for row in rows]
        found = sets.intersection(fits, self.lanes.elements.plane(place, value))
        return carry_back(self.out, found, fits, following, max(map(len, rows)))


def _rows(vector: LaneVector) -> list[tuple[Any, ...]]:
    """The values of each lane's domain, which is a set, a list or a range; none where a lane has no domain."""
    return [
        () if row in (None, ABSENT) else tuple(row) if isinstance(row, range) else elements(row)
        for row in vector.entries
    ]


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


def along_lines(
    out: Writer, holds: Mask, vector: LaneVector, rows: list[tuple[int, ...]], every: bool, size: int
) -> Mask | None:
    """The lanes whose row holds in every square (`every`) or in some, by doubling: each step joins twice as many
    squares. None unless all rows have one form, at even distances."""
    # A row's form is the distances of its squares from the square that it belongs to.
    forms = {tuple(v - lane for v in row) for lane, row in enumerate(rows) if vector.entries[lane] is not ABSENT}
    if len(forms) != 1:
        return None
    distances = sorted(forms.pop())
    steps = {b - a for a, b in pairwise(distances)}
    if len(steps) > 1 or not distances:
        return None
    join, have, step = (sets.intersection if every else sets.union), 1, (steps or {0}).pop()
    result = out.share_mask(holds, "line")
    while have < len(distances):
        # Doubling: after one step pairs are joined, then fours. A run of n squares takes about log2 n shifts.
        more = min(have, len(distances) - have)
        moved = sets.shift_lanes(result, more * step, holds.size)
        result = out.share_mask(join(result, moved), "line")
        have += more
    there = sum(1 << lane for lane, row in enumerate(vector.entries) if row is not ABSENT)
    return sets.intersection(sets.shift_lanes(result, distances[0], size), mask_constant(there, size))


def at_distances(out: Writer, holds: Mask, rows: list[tuple[int, ...]], every: bool, size: int) -> Mask | None:
    """The lanes for which all (`every`) or some of the lanes in their row hold, by one shift for each distance; None if
    there are too many distances. `size`: the number of lanes."""
    distances = sorted({value - lane for lane, row in enumerate(rows) for value in row})
    if len(distances) > sets.MOST_SHIFTS:
        return None
    # All neighbours hold where none fails: the union of shifts of what fails, turned round.
    wanted = out.share_mask(sets.complement(holds, holds.size) if every else holds, "near")
    result = mask_constant(0, size)
    for distance in distances:
        result = sets.union(result, _at_distance(wanted, rows, distance))
    return sets.complement(result, size) if every else result


def _at_distance(holds: Mask, rows: list[tuple[int, ...]], distance: int) -> Mask:
    """The lanes for which the lane at a distance is in their row and holds."""
    found = sets.preimage(holds, [at if (at := lane + distance) in row else None for lane, row in enumerate(rows)])
    assert found is not None
    return found


def count_compared(
    out: Writer, holds: Mask, rows: list[tuple[int, ...]], relation: str, bound: int, size: int
) -> Mask | None:
    """The lanes in whose row the number of lanes that hold compares so with `bound`. All numbers are added up at once:
    a set for each binary digit has the lanes in whose number that digit is 1. None if there are too many distances."""
    distances = sorted({value - lane for lane, row in enumerate(rows) for value in row})
    if len(distances) > sets.MOST_SHIFTS:
        return None
    # What is counted is often compared with several numbers.
    key = ("digits", tuple(word.code for word in holds.words), tuple(rows))
    digits = out.share(key, lambda: _binary_digits(out, holds, rows, distances))
    return _digits_compared(digits, relation, bound, len(distances), size)


def _binary_digits(out: Writer, holds: Mask, rows: list[tuple[int, ...]], distances: list[int]) -> list[Mask]:
    """For each binary digit, the lowest first, the lanes in whose number of lanes that hold it is 1."""
    digits: list[Mask] = []
    for most, distance in enumerate(distances, start=1):
        carry = out.share_mask(_at_distance(holds, rows, distance), "counted")
        for k, digit in enumerate(digits):
            both = out.share_mask(sets.intersection(digit, carry), "carry")
            digits[k] = out.share_mask(sets.difference(sets.union(digit, carry), both), "digit")
            carry = both
        if most.bit_length() > len(digits):
            digits.append(carry)
    return digits


def _digits_compared(digits: list[Mask], relation: str, bound: int, most: int, size: int) -> Mask:
    """The lanes whose numbers, of at most `most`, compare so with `bound`; `digits` are the lanes with a 1 at each
    binary digit, the lowest first."""
    if relation in ("!=", ">=", ">"):
        opposite = {"!=": "=", ">=": "<", ">": "<="}[relation]
        return sets.complement(_digits_compared(digits, opposite, bound, most, size), size)
    limit = bound + (relation == "<=")
    below, equal = mask_constant(0, size), sets.full_mask(size)
    if not 0 <= limit <= most:
        return equal if relation != "=" and limit > most else below
    for k, digit in reversed(list(enumerate(digits))):
        if limit >> k & 1:
            below, equal = sets.union(below, sets.difference(equal, digit)), sets.intersection(equal, digit)
        else:
            equal = sets.difference(equal, digit)
    return equal if relation == "=" else below


def carry_back(out: Writer, found: Mask, fits: Mask, following: Series[int | None], longest: int) -> Mask | None:
    """Carry squares back along their rows: from each square of `found` to the squares before it that lead there over
    squares outside `fits`. `following`: the next square of each, None at the end; `longest`: squares of the longest
    row."""
    result = sets.preimage(out.share_mask(found, "found"), following)
    if result is None:
        return None
    for _ in range(longest - 1):
        result = out.share_mask(result, "carried")
        # A square that fits ends its row: nothing is carried past it.
        further = sets.preimage(out.share_mask(sets.difference(result, fits), "past"), following)
        assert further is not None
        result = sets.union(result, further)
    return result
