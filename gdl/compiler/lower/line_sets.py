"""Sets of squares joined along rows: a set is moved by one square after the other, or by doubled steps."""

from __future__ import annotations

from collections.abc import Sequence as Series
from itertools import pairwise

from gdl.compiler.lower import arithmetic as on
from gdl.compiler.lower import planes, sets
from gdl.compiler.lower.code_values import ABSENT, LaneVector, Mask, mask_constant
from gdl.compiler.lower.context import Context
from gdl.compiler.lower.writer import Writer

MOST_CARRIED = 64  # words of sets that are carried along rows, written out (othello 18x18: 102 for a direction)


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
        moved = planes.shift_lanes(result, more * step, holds.size)
        result = out.share_mask(join(result, moved), "line")
        have += more
    there = sum(1 << lane for lane, row in enumerate(vector.entries) if row is not ABSENT)
    return sets.intersection(planes.shift_lanes(result, distances[0], size), mask_constant(there, size))


def at_distances(out: Writer, holds: Mask, rows: list[tuple[int, ...]], every: bool, size: int) -> Mask | None:
    """The lanes for which all (`every`) or some of the lanes in their row hold, by one shift for each distance; None if
    there are too many distances. `size`: the number of lanes."""
    distances = sorted({value - lane for lane, row in enumerate(rows) for value in row})
    if len(distances) > planes.MOST_SHIFTS:
        return None
    # All neighbours hold where none fails: the union of shifts of what fails, turned round.
    wanted = out.share_mask(planes.complement(holds, holds.size) if every else holds, "near")
    result = mask_constant(0, size)
    for distance in distances:
        function = [lane + distance if lane + distance in row else None for lane, row in enumerate(rows)]
        found = planes.preimage(wanted, function)
        assert found is not None
        result = sets.union(result, found)
    return planes.complement(result, size) if every else result


def carry_back(context: Context, found: Mask, fits: Mask, following: Series[int | None], longest: int) -> Mask | None:
    """Carry squares back along their rows: from each square of `found` to the squares before it that lead there over
    squares outside `fits`. `following`: the next square of each, None at the end; `longest`: squares of the longest
    row."""
    out = context.out
    result = planes.preimage(out.share_mask(found, "found"), following)
    if result is None:
        return None
    # Written out this would be a long stretch of code; a loop ends as soon as nothing moves.
    if (longest - 1) * len(result.words) > MOST_CARRIED:
        return _carried_in_a_loop(context, result, fits, following)
    for _ in range(longest - 1):
        result = out.share_mask(result, "carried")
        # A square that fits ends its row: nothing is carried past it.
        further = planes.preimage(out.share_mask(sets.difference(result, fits), "past"), following)
        assert further is not None
        result = sets.union(result, further)
    return result


def _carried_in_a_loop(context: Context, begun: Mask, fits: Mask, following: Series[int | None]) -> Mask:
    result, work = (context.new_set(begun.size, name) for name in ("carried", "work"))
    context.store(result, begun)
    context.store(work, sets.difference(result, fits))
    with context.out.repeating(on.negation(sets.is_empty(work)).code):
        further = planes.preimage(work, following)
        assert further is not None
        fresh = context.out.bound_mask(sets.difference(further, result), "fresh")
        context.put(result, fresh)
        context.store(work, sets.difference(fresh, fits))
    return result
