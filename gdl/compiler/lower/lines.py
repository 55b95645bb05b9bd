"""Sets of squares joined along rows: a set is moved square by square, or at once by as many as are joined already."""

from __future__ import annotations

from collections.abc import Sequence as Series
from itertools import pairwise

from gdl.compiler.lower import planes, sets
from gdl.compiler.lower.values import ABSENT, Mask, Vector, mask_constant
from gdl.compiler.lower.writer import Writer


def along_lines(
    out: Writer, holds: Mask, vector: Vector, rows: list[tuple[int, ...]], every: bool, size: int
) -> Mask | None:
    """Rows of one form, at even distances: twice as many squares of them are joined at each step."""
    forms = {tuple(v - lane for v in row) for lane, row in enumerate(rows) if vector.entries[lane] is not ABSENT}
    if len(forms) != 1:
        return None
    distances = sorted(forms.pop())
    steps = {b - a for a, b in pairwise(distances)}
    if len(steps) > 1 or not distances:
        return None
    join, have, step = (sets.intersection if every else sets.union), 1, (steps or {0}).pop()
    result = out.shared(holds, "line")
    while have < len(distances):
        more = min(have, len(distances) - have)
        moved = planes.shifted(result, more * step, holds.size)
        result = out.shared(join(result, moved), "line")
        have += more
    there = sum(1 << lane for lane, row in enumerate(vector.entries) if row is not ABSENT)
    return sets.intersection(planes.shifted(result, distances[0], size), mask_constant(there, size))


def at_distances(out: Writer, holds: Mask, rows: list[tuple[int, ...]], every: bool, size: int) -> Mask | None:
    """A relation as functions, one for each distance."""
    distances = sorted({value - lane for lane, row in enumerate(rows) for value in row})
    if len(distances) > planes.MOST_SHIFTS:
        return None
    wanted = out.shared(planes.complement(holds, holds.size) if every else holds, "near")
    result = mask_constant(0, size)
    for distance in distances:
        function = [lane + distance if lane + distance in row else None for lane, row in enumerate(rows)]
        found = planes.preimage(wanted, function)
        assert found is not None
        result = sets.union(result, found)
    return planes.complement(result, size) if every else result


def carried(out: Writer, found: Mask, fits: Mask, following: Series[int | None], longest: int) -> Mask | None:
    """Back from the squares that are found, past those that do not fit, as far as rows go."""
    result = planes.preimage(out.shared(found, "found"), following)
    for _ in range(longest - 1):
        if result is None:
            return None
        result = out.shared(result, "carried")
        past = out.shared(sets.difference(result, fits), "past")
        further = planes.preimage(past, following)
        result = None if further is None else sets.union(result, further)
    return result
