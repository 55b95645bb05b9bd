"""Conditions on all squares at once: a predicate becomes the set of the values for which it holds.

A lane is one value of a name: lane i of a field of squares is square i. What a lane holds before play (the square one
step on, its row, a line that begins there) is a vector, one entry a lane. What the state holds is read as planes; a
function of the squares moves a plane by shifts and masks, so that a whole board is looked at in a few operations.
What cannot be put so gives None, and is looked at value by value.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as Series
from functools import lru_cache
from math import prod
from typing import Any

from gdl.analysis.dependence import Dependence, DependenceFacts
from gdl.compiler.ir import nodes as ir
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import planes, sets
from gdl.compiler.lower.arrays import STATE
from gdl.compiler.lower.code_values import (
    ABSENT,
    NOTHING,
    TRUE,
    WORD,
    LaneVector,
    Mask,
    Number,
    Value,
    WordCode,
    literal,
    mask_constant,
)
from gdl.compiler.lower.constant_tables import Argument, argument_of, arguments_of
from gdl.compiler.lower.elements import Elements
from gdl.compiler.lower.line_sets import along_lines, at_distances, carry_back, count_compared
from gdl.compiler.lower.loops import Loops
from gdl.compiler.lower.lower_expressions import ExpressionLowering, Frame, Part
from gdl.compiler.lower.state_layout import VariablePlace, bounds
from gdl.model import core
from gdl.model.domains import elements, ordinal_base

MOST_WRITTEN_OUT = 16  # the most values of an inner quantifier, for each of which a condition on all lanes is written
MOST_LANES = 1024
LANES_WORTHWHILE = 4  # so few numbers in a row are not worth comparing together
MOST_TABLED = 256  # the most sets in a table
Bits = tuple[int | None, ...]  # a function from lanes to lanes
Steps = tuple[tuple[int, int], ...]  # for each index its least value and its number of values


class Vectoriser(Part):
    """Turns conditions into the sets of lanes in which they hold. Methods give None where lanes are to be looked at one
    by one."""

    def __init__(self, expressions: ExpressionLowering, elements: Elements, loops: Loops):
        super().__init__(expressions)
        self.elements = elements
        self.loops = loops

    def where(self, e: core.Expression, frame: Frame, size: int) -> Mask | None:
        """The set of lanes, of `size` in all, in which a condition holds; `frame` has a LaneVector for each name that
        differs from lane to lane. None where lanes are to be looked at one by one."""
        facts = self.dependence.of(e)
        if not self._differing(facts, frame):
            return self._everywhere(e, frame, size)
        if not facts.state and not is_in_named_set(e, frame, self.dependence):
            return self._tabled_lanes(e, facts, frame, size)
        match e:
            case core.All() | core.Some():
                return self._joined_lanes(e, frame, size)
            case core.Not():
                inner = self.where(e.operand, frame, size)
                return None if inner is None else planes.complement(inner, size)
            case core.If():
                return self._lanes_if(e, frame, size)
            case core.Comparison():
                return self._comparison_lanes(e, frame, size)
            case core.Element():
                return self._element_lanes(e, TRUE, frame, size)
            case core.Contains() if e.bits:
                return self._membership_lanes(e, frame, size)
            case core.Quantifier() if e.kind in ("exists", "forall"):
                return self._quantifier_lanes(e, frame, size)
            case core.CallDefinition():
                called = self._called_lanes(e, frame)
                return None if called is None else self.where(*called, size)
            case core.Scope():
                inner_frame = self._with_lets(e.lets, frame)
                return None if inner_frame is None else self.where(e.result, inner_frame, size)
        return None

    @staticmethod
    def _differing(facts: DependenceFacts, frame: Frame) -> list[int]:
        """The names in an expression that differ from lane to lane."""
        return sorted(slot for slot in facts.slots if isinstance(frame.get(slot), LaneVector))

    def _everywhere(self, e: core.Expression, frame: Frame, size: int) -> Mask | None:
        """All lanes or none, by a condition that is the same in every lane; None if evaluating it may be a fault."""
        test = self.without_faults(e, frame)
        if not isinstance(test, Number):
            return None
        return sets.select_set(self.out.bound(test), planes.full(size), mask_constant(0, size))

    def without_faults(self, e: core.Expression, frame: Frame) -> Value | None:
        """The value of an expression, if evaluating it can be no fault even where it might not be needed; else None."""
        with self.out.capture_lines() as lines:
            value = self.expressions.value(e, frame)
        # The rules might never ask for this value (behind an `and`, in the branch not taken). A fault of it would then
        # be ours.
        if lines.may_trap:
            return None
        self.out.append(lines)
        return value

    # -- what is known before play --------------------------------------------------------------------------

    def _tabled_lanes(self, e: core.Expression, facts: DependenceFacts, frame: Frame, size: int) -> Mask | None:
        """The lanes of a condition that does not read the state: a constant set, or one from a table by what is the
        same in all lanes."""
        differing = self._differing(facts, frame)
        same = sorted(facts.slots - set(differing))
        arguments = self._arguments(same, facts, frame, MOST_TABLED)
        # One value for each name that is the same in all lanes, or none: a vector is known before play, so it cannot
        # depend on what is only known in play.
        if arguments is None:
            return None
        compute = self.fixed.function(e, [*same, *differing], facts.mover)
        vectors = self._entries(differing, frame)

        def entry(*values: Any) -> int:
            first, last = values[: len(same)], values[len(same) :]
            # A lane without a value (a step off the board) holds nothing, and its condition is never asked.
            holds = [ABSENT not in local and compute(*first, *local, *last) for local in zip(*vectors, strict=True)]
            return sum(1 << lane for lane, held in enumerate(holds) if held)

        made = self.fixed.table(entry, arguments, MOST_TABLED, ("lanes", id(e), size, *vectors), "lanes")
        return None if made is None else sets.resize_set(on.as_mask(made), size)

    @staticmethod
    def _entries(slots: Series[int], frame: Frame) -> list[tuple[Any, ...]]:
        return [vector.entries for slot in slots if isinstance(vector := frame[slot], LaneVector)]

    def _arguments(self, slots: Series[int], facts: DependenceFacts, frame: Frame, most: int) -> list[Argument] | None:
        """The arguments by which a table is indexed: the values of these slots and, if asked for, the mover. None if
        there are more than `most` combinations."""
        found = arguments_of([*(frame[slot] for slot in slots), *([self.context.mover] if facts.mover else ())])
        return found if found is not None and prod(len(argument.choices) for argument in found) <= most else None

    def _vector(self, e: core.Expression, frame: Frame) -> LaneVector | None:
        """The value of an expression in each lane; None unless all that is the same in all lanes is known before
        play."""
        facts = self.dependence.of(e)
        differing = self._differing(facts, frame)
        same = sorted(facts.slots - set(differing))
        arguments = None if facts.state else self._arguments(same, facts, frame, 1)
        if arguments is None:
            return None
        values = [argument.choices[0] for argument in arguments]
        first, last = values[: len(same)], values[len(same) :]
        vectors = self._entries(differing, frame)

        def entries() -> tuple[Any, ...]:
            compute = self.fixed.function(e, [*same, *differing], facts.mover)
            return tuple(
                ABSENT if ABSENT in local else compute(*first, *local, *last) for local in zip(*vectors, strict=True)
            )

        return LaneVector(self.fixed.once(("vector", id(e), *values, *vectors), entries))

    def value_or_vector(self, e: core.Expression, frame: Frame) -> Value | None:
        """The value of an expression: a LaneVector if it differs from lane to lane, else one value. None if it cannot
        be computed so."""
        if not self._differing(self.dependence.of(e), frame):
            value = self.without_faults(e, frame)
            return None if value is None else self.context.bound(value, "same")
        return frame[e.slot] if isinstance(e, core.Local) else self._vector(e, frame)

    # -- joining --------------------------------------------------------------------------------------------

    def _joined_lanes(self, e: core.All | core.Some, frame: Frame, size: int) -> Mask | None:
        return self._join(isinstance(e, core.All), ((part, frame) for part in e.parts), size)

    def _join(
        self, every: bool, cases: Iterable[tuple[core.Expression, Frame]], size: int, name: str = ""
    ) -> Mask | None:
        """The lanes in which all conditions (`every`) or at least one of them hold, each with its frame. `name`: a name
        for the variables that hold their sets."""
        result = planes.full(size) if every else mask_constant(0, size)
        for condition, frame in cases:
            found = self.where(condition, frame, size)
            if found is None:
                return None
            found = self.out.share_mask(found, name) if name else found
            result = (sets.intersection if every else sets.union)(result, found)
            # Constant: the other conditions would not be asked by the interpreter either.
            if result.bits is not None and result.bits == (0 if every else planes.full(size).bits):
                break
        return result

    def _lanes_if(self, e: core.If, frame: Frame, size: int) -> Mask | None:
        condition = self.where(e.condition, frame, size)
        if condition is None:
            return None
        if condition.bits is not None and condition.bits in (0, planes.full(size).bits):
            return self.where(e.then if condition.bits else e.otherwise, frame, size)
        then, otherwise = self.where(e.then, frame, size), self.where(e.otherwise, frame, size)
        if then is None or otherwise is None:
            return None
        # It is used twice, and on CPython a set that is computed twice costs twice.
        condition = self.out.share_mask(condition)
        return sets.union(sets.intersection(condition, then), sets.difference(otherwise, condition))

    def _with_lets(self, lets: Series[tuple[int, core.Expression]], frame: Frame) -> Frame | None:
        """The frame with further names, each a LaneVector or one value; None if one cannot be computed so."""
        inner = dict(frame)
        for slot, value in lets:
            found = self.value_or_vector(value, inner)
            if found is None:
                return None
            inner[slot] = found
        return inner

    def _called_lanes(self, e: core.CallDefinition, frame: Frame) -> tuple[core.Expression, Frame] | None:
        """The expression that a definition stands for, and the frame with its arguments; None if it calls itself or an
        argument cannot be computed."""
        definition = self.model.definitions[e.definition]
        # Its value at one lane may need its value at others: there is no order in which all lanes could be computed at
        # once.
        if definition.recursive or definition.result is None:
            return None
        inner: Frame = {}
        for slot, argument in enumerate(e.arguments):
            found = self.value_or_vector(argument, frame)
            if found is None:
                return None
            inner[slot] = found
        return definition.result, inner

    # -- reading the state ----------------------------------------------------------------------------------

    def _comparison_lanes(self, e: core.Comparison, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a comparison holds: of an array element, a vector or a count with a value that is the same
        in all lanes."""
        left, right = e.left, e.right
        if self._differing(self.dependence.of(right), frame):
            if self._differing(self.dependence.of(left), frame) or e.relation not in ("=", "!="):
                return None
            left, right = right, left
        if isinstance(left, core.CallDefinition):
            called = self._called_lanes(left, frame)
            if called is None:
                return None
            left, inner = called
        else:
            inner = frame
        same = self.without_faults(right, frame)
        if not isinstance(same, Number) or same.scale != 1:
            return None
        if isinstance(left, core.Quantifier) and left.kind == "count":
            return self._count_lanes(left, e.relation, same, inner, size)
        # Numbers that are not held as planes lie in a row, one for each lane.
        if isinstance(left, core.Element) and self.layout.places[left.variable].plane is None:
            return self._numbers_compared(left, e.relation, same, inner, size)
        if e.relation not in ("=", "!="):
            return None
        if isinstance(left, core.Element):
            found = self._element_lanes(left, same, inner, size)
        else:
            found = self._equal_to(left, same, inner, size)
        return found if found is None or e.relation == "=" else planes.complement(found, size)

    def _count_lanes(self, e: core.Quantifier, relation: str, bound: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a comparison of a count with a constant holds: over a row that differs from lane to lane,
        or over a few values, where it only asks if there is one, or if all are."""
        if bound.constant is None:
            return None
        if self._differing(self.dependence.of(e.domain), frame):
            found = self._held_in_rows(e, whole_condition(e, False), frame, size)
            # A list may hold a value twice, which counts twice; a set of lanes has it once.
            if found is None or any(len(set(row)) < len(row) for row in found[2]):
                return None
            return count_compared(self.out, found[0], found[2], relation, bound.constant, size)
        items = self.loops.items(self.loops.domain(e.domain, frame), 1)
        if items is None or e.where is not None:
            return None
        kind = _as_truth(relation, bound.constant, len(items))
        if kind is None:
            return None
        quantifier, body = kind
        return self._quantifier_lanes(
            e.copy_with(kind=quantifier, body=e.body if body else core.Not(e.body)), frame, size
        )

    def _element_lanes(self, e: core.Element, value: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes whose array element has the given value, for arrays that have planes."""
        place = self.layout.places[e.variable]
        if place.plane is None:
            return None
        only = e.indices[0]
        if len(e.indices) == 1 and isinstance(only, core.Quantifier) and only.kind == "first":
            return self._first_held(place, only, value, frame, size)
        function = self._function_of(place, e, frame, size)
        if function is None:
            return None
        value = self.out.bound(value, "value")
        found = planes.preimage(self.elements.plane(place, value), function)
        if found is None or not value.none:
            return found
        # Off the board the element is none. So these lanes hold exactly if the value asked for is none.
        missing = mask_constant(sum(1 << lane for lane, at in enumerate(function) if at is None), size)
        return sets.union(found, sets.select_set(on.equal(value, NOTHING), missing, mask_constant(0, size)))

    def _numbers_compared(self, e: core.Element, relation: str, bound: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a comparison of an array element with a constant holds, for arrays without planes: a whole
        row of numbers is compared at once."""
        place, limit = self.layout.places[e.variable], bound.constant
        low, high, none = bounds(place.variable.type)
        least, extent = ordinal_base(place.variable.indices[-1]), place.variable.extents[-1]
        row = self.value_or_vector(e.indices[-1], frame)
        if (
            not isinstance(row, LaneVector)
            or limit is None
            or none
            or place.is_set
            or not LANES_WORTHWHILE < extent <= WORD
        ):
            return None
        greater = _as_greater(relation, limit, low, high)
        if None in row.entries:
            return None
        function = [None if at is ABSENT else at - least for at in row.entries]
        found = [self.without_faults(index, frame) for index in e.indices[:-1]]
        before = [index for index in found if isinstance(index, Number)]
        outside = any(at is not None and not 0 <= at < extent for at in function)
        if greater is None or outside or len(before) < len(found):
            return None
        with self.out.capture_lines() as lines:
            at, inside = self.elements.place_of(place, [*before, literal(least)], e.span)
        if not inside.constant or lines.may_trap:
            return None
        self.out.append(lines)
        first = on.add(at, literal(place.offset or 0)).code
        code = ir.Call("above", (first, ir.Const(extent), ir.Const(greater[0])), ir.I64, arrays=(STATE,))
        those = planes.preimage(
            self.out.share_mask(Mask((WordCode(code, within=(1 << extent) - 1),), extent)), function
        )
        return those if those is None or greater[1] else planes.complement(those, size)

    def _function_of(self, place: VariablePlace, e: core.Element, frame: Frame, size: int) -> Bits | None:
        """For each lane the number of the array element that it reads, None where there is none; None altogether if
        that is not known before play, or may be a fault."""
        vectors: list[tuple[Any, ...]] = []
        for index in e.indices:
            found = self.value_or_vector(index, frame)
            if isinstance(found, LaneVector):
                vectors.append(found.entries)
            elif isinstance(found, Number) and (found.constant is not None or found.is_none):
                vectors.append((found.constant,) * size)
            else:
                return None
        types = place.variable.indices
        steps = tuple((ordinal_base(t), extent) for t, extent in zip(types, place.variable.extents, strict=True))
        return _elements_of(steps, tuple(vectors))

    def _equal_to(self, e: core.Expression, value: Number, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a vector has the given value: one set from a table of them."""
        vector, argument = self.value_or_vector(e, frame), argument_of(self.out.bound(value))
        if not isinstance(vector, LaneVector) or argument is None:
            return None

        def entry(wanted: Any) -> int:
            return sum(1 << lane for lane, held in enumerate(vector.entries) if held == wanted)

        made = self.fixed.table(entry, [argument], MOST_TABLED, ("equal", size, vector.entries), "equal")
        return None if made is None else sets.resize_set(on.as_mask(made), size)

    def _membership_lanes(self, e: core.Contains, frame: Frame, size: int) -> Mask | None:
        if self._differing(self.dependence.of(e.container), frame):
            return None
        vector, container = self.value_or_vector(e.item, frame), self.without_faults(e.container, frame)
        if not isinstance(vector, LaneVector) or container is None:
            return None
        mask = self.out.share_mask(on.as_mask(container))
        inside = [v if isinstance(v, int) and 0 <= v < mask.size else None for v in vector.entries]
        return planes.preimage(mask, inside)

    # -- quantifiers inside ---------------------------------------------------------------------------------

    def _quantifier_lanes(self, e: core.Quantifier, frame: Frame, size: int) -> Mask | None:
        """The lanes in which an `exists` or `forall` holds: over a few values, or over a domain that differs from lane
        to lane."""
        every = e.kind == "forall"
        if self._differing(self.dependence.of(e.domain), frame):
            return self._near(e, every, frame, size)
        items = self.loops.items(self.loops.domain(e.domain, frame), 1)
        if items is None or len(items) > MOST_WRITTEN_OUT:
            return None
        body = whole_condition(e, every)
        return self._join(every, ((body, {**frame, e.slot: item}) for item in items), size, "some")

    def _near(self, e: core.Quantifier, every: bool, frame: Frame, size: int) -> Mask | None:
        """The lanes in which a quantifier holds whose domain differs from lane to lane."""
        found = self._held_in_rows(e, whole_condition(e, every), frame, size)
        if found is None:
            return None
        joined = along_lines(self.out, *found, every, size)
        return joined if joined is not None else at_distances(self.out, found[0], found[2], every, size)

    def _held_in_rows(
        self, e: core.Quantifier, condition: core.Expression, frame: Frame, size: int
    ) -> tuple[Mask, LaneVector, list[tuple[int, ...]]] | None:
        """Of a quantifier whose domain differs from lane to lane, while its condition on a value is the same in all:
        the values for which that holds, the domains, and the values of each."""
        if any(isinstance(frame.get(slot), LaneVector) for slot in self.dependence.of(condition).slots - {e.slot}):
            return None
        vector = self.value_or_vector(e.domain.set if isinstance(e.domain, core.Members) else e.domain, frame)
        if not isinstance(vector, LaneVector):
            return None
        rows = [() if row in (None, ABSENT) else elements(row) for row in vector.entries]
        values = {value for row in rows for value in row}
        if not all(isinstance(value, int) and 0 <= value < MOST_LANES for value in values):
            return None
        reach = max([size, *(value + 1 for value in values)])
        holds = self.where(condition, {**frame, e.slot: LaneVector(tuple(range(reach)))}, reach)
        return None if holds is None else (holds, vector, rows)

    def _first_held(
        self, place: VariablePlace, first: core.Quantifier, value: Number, frame: Frame, size: int
    ) -> Mask | None:
        """The lanes for which the first fitting square of a row has the given value. Squares that have it are carried
        back along the rows."""
        vector = self.value_or_vector(first.domain, frame)
        if not isinstance(vector, LaneVector) or first.where is not None or value.none or size != place.count:
            return None
        if any(isinstance(frame.get(slot), LaneVector) for slot in self.dependence.of(first.body).slots - {first.slot}):
            return None
        rows = [tuple(row) for row in vector.entries]
        if any(row and row[1:] != rows[row[0]] for row in rows):
            return None
        fits = self.where(first.body, {**frame, first.slot: LaneVector(tuple(range(size)))}, size)
        if fits is None:
            return None
        fits = self.out.share_mask(fits, "fits")
        following = [row[0] if row else None for row in rows]
        found = sets.intersection(fits, self.elements.plane(place, value))
        return carry_back(self.out, found, fits, following, max(map(len, rows)))


_OUTSIDE = -2


def is_in_named_set(e: core.Expression, frame: Frame, dependence: Dependence) -> bool:
    """True if the condition is membership in a set that depends on a name holding a set."""
    read = dependence.of(e.container).slots if isinstance(e, core.Contains) else frozenset[int]()
    return any(isinstance(frame.get(slot), Mask) for slot in read)


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


def whole_condition(e: core.Quantifier, every: bool) -> core.Expression:
    """The condition on each value of a quantifier, joined with `where`: for a forall (`every`) that `where` fails or
    the body holds, for an exists that both hold."""
    if e.where is None:
        return e.body
    return core.Some((core.Not(e.where), e.body)) if every else core.All((e.where, e.body))


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
