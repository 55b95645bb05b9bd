"""Conditions on all squares at once: a predicate becomes the set of the values for which it holds.

A lane is one value of a name: lane i of a field of squares is square i. What a lane holds before play (the square one
step on, its row, a line that begins there) is a vector, one entry a lane. What the state holds is read as planes; a
function of the squares moves a plane by shifts and masks, so that a whole board is looked at in a few operations.
What cannot be put so gives None, and is looked at value by value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any, NamedTuple

from gdl.analysis.dependence import Dependence, DependenceFacts
from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import sets
from gdl.compiler.lower.code_values import ABSENT, LaneVector, Mask, Number, Value, mask_constant
from gdl.compiler.lower.constant_tables import Argument, TooMuchWork, arguments_of
from gdl.compiler.lower.elements import Elements
from gdl.compiler.lower.loops import Loops
from gdl.compiler.lower.lower_expressions import Frame, Part
from gdl.model import core

MOST_LANES = 1024
MOST_TABLED = 256  # the most sets in a table


class KnownLanes(NamedTuple):
    """An expression whose value in each lane is known before play, but for what is the same in all lanes."""

    arguments: list[Argument]  # the values of that
    vectors: list[tuple[Any, ...]]  # the entries of the names that differ
    values: Callable[..., tuple[Any, ...]]  # from values of the arguments: the value in each lane, ABSENT without one


class Lanes(Part):
    """Conditions as the sets of lanes in which they hold: here those that need no look at the state, and values that
    differ from lane to lane. Methods give None where lanes are to be looked at one by one."""

    def __init__(self, elements: Elements, loops: Loops):
        super().__init__(loops.expressions)
        self.elements, self.loops = elements, loops

    def where(self, e: core.Expression, frame: Frame, size: int) -> Mask | None:
        """The set of lanes, of `size` in all, in which a condition holds; `frame` has a LaneVector for each name that
        differs from lane to lane. None where lanes are to be looked at one by one."""
        facts = self.dependence.facts_of(e)
        if not self.differing(facts, frame):
            return self._same_everywhere(e, frame, size)
        if not facts.state and not is_in_named_set(e, frame, self.dependence):
            return self._look_up(e, frame, size)
        kind = e.kind if isinstance(e, core.Quantifier) else type(e)
        return self.expressions.first_set(("lanes", kind), e, frame, size)

    @staticmethod
    def differing(facts: DependenceFacts, frame: Frame) -> list[int]:
        """The names in an expression that differ from lane to lane."""
        return sorted(slot for slot in facts.slots if isinstance(frame.get(slot), LaneVector))

    def _same_everywhere(self, e: core.Expression, frame: Frame, size: int) -> Mask | None:
        """All lanes or none, by a condition that is the same in every lane; None if evaluating it may be a fault."""
        test = self.without_faults(e, frame)
        if not isinstance(test, Number):
            return None
        return sets.select_set(self.out.bound(test), sets.full_mask(size), mask_constant(0, size))

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

    def _look_up(self, e: core.Expression, frame: Frame, size: int) -> Mask | None:
        """The lanes of a condition that does not read the state: a constant set, or one from a table by what is the
        same in all lanes."""
        known = self.known_before_play(e, frame, MOST_TABLED)
        if known is None:
            return None
        arguments, vectors, values = known

        def entry(*given: Any) -> int:
            # A lane without a value (a step off the board) holds nothing.
            return sum(1 << lane for lane, held in enumerate(values(*given)) if held is not ABSENT and held)

        made = self.fixed.table(entry, arguments, MOST_TABLED, ("lanes", id(e), size, *vectors), "lanes")
        return None if made is None else sets.resize_set(on.as_mask(made), size)

    def known_before_play(self, e: core.Expression, frame: Frame, most: int) -> KnownLanes | None:
        """An expression that does not read the state, in each lane. None if it does, or if what is the same in all
        lanes has more than `most` combinations of values."""
        facts = self.dependence.facts_of(e)
        differing = self.differing(facts, frame)
        same = sorted(facts.slots - set(differing))
        if facts.state or not frame.keys() >= set(same):
            return None
        arguments = arguments_of([*(frame[slot] for slot in same), *([self.context.mover] if facts.mover else ())])
        if arguments is None or prod(len(argument.choices) for argument in arguments) > most:
            return None
        vectors = [vector.entries for slot in differing if isinstance(vector := frame[slot], LaneVector)]
        compute = self.fixed.function(e, [*same, *differing], facts.mover)

        def values(*given: Any) -> tuple[Any, ...]:
            first, last = given[: len(same)], given[len(same) :]
            # The expression is never asked of a lane without a value.
            lanes = zip(*vectors, strict=True)
            return tuple(ABSENT if ABSENT in local else compute(*first, *local, *last) for local in lanes)

        return KnownLanes(arguments, vectors, values)

    def _vector(self, e: core.Expression, frame: Frame) -> LaneVector | None:
        """The value of an expression in each lane; None unless all that is the same in all lanes is known before
        play."""
        known = self.known_before_play(e, frame, 1)
        if known is None:
            return None
        given = [argument.choices[0] for argument in known.arguments]
        key = "vector", id(e), *given, *known.vectors
        try:
            return LaneVector(self.fixed.once_per_key(key, lambda: known.values(*given)))
        except TooMuchWork:
            return None

    def value_or_vector(self, e: core.Expression, frame: Frame) -> Value | None:
        """The value of an expression: a LaneVector if it differs from lane to lane, else one value. None if it cannot
        be computed so."""
        if not self.differing(self.dependence.facts_of(e), frame):
            value = self.without_faults(e, frame)
            return None if value is None else self.context.bound(value, "same")
        return frame[e.slot] if isinstance(e, core.Local) else self._vector(e, frame)

    # -- joining --------------------------------------------------------------------------------------------

    def join(
        self, every: bool, cases: Iterable[tuple[core.Expression, Frame]], size: int, name: str = ""
    ) -> Mask | None:
        """The lanes in which all conditions (`every`) or at least one of them hold, each with its frame. `name`: a name
        for the variables that hold their sets."""
        result = sets.full_mask(size) if every else mask_constant(0, size)
        for condition, frame in cases:
            found = self.where(condition, frame, size)
            if found is None:
                return None
            found = self.out.share_mask(found, name) if name else found
            result = (sets.intersection if every else sets.union)(result, found)
            # Constant: the other conditions would not be asked by the interpreter either.
            if result.bits is not None and result.bits == (0 if every else sets.full_mask(size).bits):
                break
        return result

    def body_of(self, e: core.CallDefinition, frame: Frame) -> tuple[core.Expression, Frame] | None:
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

    # -- conditions made of others ----------------------------------------------------------------------------

    def every_part(self, e: core.All | core.Some, frame: Frame, size: int) -> Mask | None:
        return self.join(isinstance(e, core.All), ((part, frame) for part in e.parts), size)

    def negation(self, e: core.Not, frame: Frame, size: int) -> Mask | None:
        inner = self.where(e.operand, frame, size)
        return None if inner is None else sets.complement(inner, size)

    def conditional(self, e: core.If, frame: Frame, size: int) -> Mask | None:
        condition = self.where(e.condition, frame, size)
        if condition is None:
            return None
        if condition.bits is not None and condition.bits in (0, sets.full_mask(size).bits):
            return self.where(e.then if condition.bits else e.otherwise, frame, size)
        then, otherwise = self.where(e.then, frame, size), self.where(e.otherwise, frame, size)
        if then is None or otherwise is None:
            return None
        # It is used twice, and on CPython a set that is computed twice costs twice.
        condition = self.out.share_mask(condition)
        return sets.union(sets.intersection(condition, then), sets.difference(otherwise, condition))

    def scope(self, e: core.Scope, frame: Frame, size: int) -> Mask | None:
        """The lanes of a condition with further names, each a LaneVector or one value."""
        inner = dict(frame)
        for slot, value in e.lets:
            found = self.value_or_vector(value, inner)
            if found is None:
                return None
            inner[slot] = found
        return self.where(e.result, inner, size)

    def call(self, e: core.CallDefinition, frame: Frame, size: int) -> Mask | None:
        called = self.body_of(e, frame)
        return None if called is None else self.where(*called, size)


def is_in_named_set(e: core.Expression, frame: Frame, dependence: Dependence) -> bool:
    """True if the condition is membership in a set that depends on a name holding a set."""
    read = dependence.facts_of(e.container).slots if isinstance(e, core.Contains) else frozenset[int]()
    return any(isinstance(frame.get(slot), Mask) for slot in read)
