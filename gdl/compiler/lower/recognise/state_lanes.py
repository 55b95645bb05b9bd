"""Conditions on what the state holds, on all lanes at once: elements of arrays, and members of sets."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import (
    ABSENT,
    NOTHING,
    TRUE,
    WORD,
    LaneVector,
    Mask,
    Number,
    WordCode,
    literal,
    mask_constant,
)
from gdl.compiler.lower.constant_tables import argument_of
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.compiler.lower.recognise.lanes import MOST_TABLED, Lanes
from gdl.compiler.lower.state_layout import VariablePlace
from gdl.model import core
from gdl.model.domains import bounds, ordinal_base

LANES_WORTHWHILE = 4  # so few numbers in a row are not worth comparing together
Bits = tuple[int | None, ...]  # a function from lanes to lanes
Steps = tuple[tuple[int, int], ...]  # for each index its least value and its number of values


class StateLanes(Part):
    """The lanes in which a condition on the state holds."""

    def __init__(self, lanes: Lanes):
        super().__init__(lanes.expressions)
        self.lanes = lanes

    def comparison(self, e: core.Comparison, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a comparison holds: of an array element, a vector or a count with a value that is the same
        in all lanes."""
        left, right = e.left, e.right
        if self.lanes.differing(self.dependence.facts_of(right), frame):
            if self.lanes.differing(self.dependence.facts_of(left), frame) or e.relation not in ("=", "!="):
                return None
            left, right = right, left
        if isinstance(left, core.CallDefinition):
            called = self.lanes.body_of(left, frame)
            if called is None:
                return None
            left, inner = called
        else:
            inner = frame
        same = self.lanes.without_faults(right, frame)
        if not isinstance(same, Number) or same.scale != 1:
            return None
        return self.expressions.first_set("compared", left, e.relation, same, inner, size)

    def element(self, e: core.Element, frame: Frame, size: int) -> Mask | None:
        return self.expressions.first_set("held", e, TRUE, frame, size)

    def compare_elements(
        self, e: core.Expression, relation: str, value: Number, frame: Frame, size: int
    ) -> Mask | None:
        """The lanes in which an array element has the given value, or another."""
        if relation not in ("=", "!=") or not isinstance(e, core.Element):
            return None
        found = self.expressions.first_set("held", e, value, frame, size)
        return found if found is None or relation == "=" else sets.complement(found, size)

    def compare_vector(self, e: core.Expression, relation: str, value: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a vector has the given value, or another: one set from a table of them."""
        if relation not in ("=", "!=") or isinstance(e, core.Element):
            return None
        vector, argument = self.lanes.value_or_vector(e, frame), argument_of(self.out.bound(value))
        if not isinstance(vector, LaneVector) or argument is None:
            return None

        def entry(wanted: Any) -> int:
            return sum(1 << lane for lane, held in enumerate(vector.entries) if held == wanted)

        made = self.fixed.table(entry, [argument], MOST_TABLED, ("equal", size, vector.entries), "equal")
        found = None if made is None else sets.resize_set(on.as_mask(made), size)
        return found if found is None or relation == "=" else sets.complement(found, size)

    def elements_with(self, e: core.Element, value: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes whose array element has the given value, for arrays that have planes."""
        place = self.layout.places[e.variable]
        function = None if place.plane is None else self._function_of(place, e, frame, size)
        if function is None:
            return None
        value = self.out.bound(value, "value")
        found = sets.preimage(self.lanes.elements.plane(place, value), function)
        if found is None or not value.none:
            return found
        # Off the board the element is none. So these lanes hold exactly if the value asked for is none.
        missing = mask_constant(sum(1 << lane for lane, at in enumerate(function) if at is None), size)
        return sets.union(found, sets.select_set(on.equal(value, NOTHING), missing, mask_constant(0, size)))

    def compare_numbers(self, e: core.Expression, relation: str, bound: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a comparison of an array element with a constant holds, for arrays without planes: a whole
        row of numbers is compared at once."""
        if not isinstance(e, core.Element) or self.layout.places[e.variable].plane is not None:
            return None
        place, limit = self.layout.places[e.variable], bound.constant
        low, high, none = bounds(place.variable.type)
        least, extent = ordinal_base(place.variable.indices[-1]), place.variable.extents[-1]
        row = self.lanes.value_or_vector(e.indices[-1], frame)
        if not isinstance(row, LaneVector) or None in row.entries or limit is None or none or place.is_set:
            return None
        if not LANES_WORTHWHILE < extent <= WORD:
            return None
        greater = _as_greater(relation, limit, low, high)
        function = [None if at is ABSENT else at - least for at in row.entries]
        found = [self.lanes.without_faults(index, frame) for index in e.indices[:-1]]
        before = [index for index in found if isinstance(index, Number)]
        outside = any(at is not None and not 0 <= at < extent for at in function)
        if greater is None or outside or len(before) < len(found):
            return None
        with self.out.capture_lines() as lines:
            at, inside = self.lanes.elements.place_of(place, [*before, literal(least)], e.span)
        if not inside.constant or lines.may_trap:
            return None
        self.out.append(lines)
        first = on.add(at, literal(place.offset or 0)).code
        code = ir.Call("above", (first, ir.Const(extent), ir.Const(greater[0])), ir.I64, arrays=(STATE,))
        above = Mask((WordCode(code, within=(1 << extent) - 1),), extent)
        those = sets.preimage(self.out.share_mask(above), function)
        return those if those is None or greater[1] else sets.complement(those, size)

    def _function_of(self, place: VariablePlace, e: core.Element, frame: Frame, size: int) -> Bits | None:
        """For each lane the number of the array element that it reads, None where there is none; None altogether if
        that is not known before play, or may be a fault."""
        vectors: list[tuple[Any, ...]] = []
        for index in e.indices:
            found = self.lanes.value_or_vector(index, frame)
            if isinstance(found, LaneVector):
                vectors.append(found.entries)
            elif isinstance(found, Number) and (found.constant is not None or found.is_none):
                vectors.append((found.constant,) * size)
            else:
                return None
        types = place.variable.indices
        steps = tuple((ordinal_base(t), extent) for t, extent in zip(types, place.variable.extents, strict=True))
        return _elements_of(steps, tuple(vectors))

    def membership(self, e: core.Contains, frame: Frame, size: int) -> Mask | None:
        if not e.bits or self.lanes.differing(self.dependence.facts_of(e.container), frame):
            return None
        vector, container = self.lanes.value_or_vector(e.item, frame), self.lanes.without_faults(e.container, frame)
        if not isinstance(vector, LaneVector) or container is None:
            return None
        mask = self.out.share_mask(on.as_mask(container))
        inside = [v if isinstance(v, int) and 0 <= v < mask.size else None for v in vector.entries]
        return sets.preimage(mask, inside)


_OUTSIDE = -2


def _as_greater(relation: str, limit: int, low: int, high: int) -> tuple[int, bool] | None:
    """A comparison of numbers between `low` and `high` with `limit`, as (k, True) for "greater than k" or (k, False)
    for "not greater than k"; None if it is neither."""
    if relation in ("=", "!="):
        if limit not in (low, high):
            return None
        return limit - (limit != low), (relation == "!=") == (limit == low)
    return limit - (relation in ("<", ">=")), relation in (">", ">=")


@lru_cache(maxsize=1 << 10)
def _elements_of(steps: Steps, vectors: tuple[tuple[Any, ...], ...]) -> Bits | None:
    """For each lane the number of the array element at its indices, None where there is none; None altogether if the
    indices of a lane are out of range, which is a fault."""
    made = [_element_of(steps, indices) for indices in zip(*vectors, strict=True)]
    return None if _OUTSIDE in made else tuple(made)


def _element_of(steps: Steps, indices: tuple[Any, ...]) -> int | None:
    """The number of the array element at these indices, counted from the first; None if an index is none, _OUTSIDE if
    one is out of range. `steps`: for each index its least value and its number of values."""
    if any(index is None or index is ABSENT for index in indices):
        return None
    at = 0
    for index, (base, extent) in zip(indices, steps, strict=True):
        if not base <= index < base + extent:
            return _OUTSIDE
        at = at * extent + index - base
    return at
