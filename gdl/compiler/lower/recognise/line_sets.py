"""Sets of squares joined along rows: a set is moved by one square after the other, or by doubled steps."""

from __future__ import annotations

from collections.abc import Sequence as Series
from itertools import pairwise

from gdl.compiler.lower import planes, sets
from gdl.compiler.lower.code_values import ABSENT, LaneVector, Mask, mask_constant
from gdl.compiler.lower.writer import Writer


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
        result = sets.union(result, _at_distance(wanted, rows, distance))
    return planes.complement(result, size) if every else result


def _at_distance(holds: Mask, rows: list[tuple[int, ...]], distance: int) -> Mask:
    """The lanes for which the lane at a distance is in their row and holds."""
    found = planes.preimage(holds, [at if (at := lane + distance) in row else None for lane, row in enumerate(rows)])
    assert found is not None
    return found


def count_compared(
    out: Writer, holds: Mask, rows: list[tuple[int, ...]], relation: str, bound: int, size: int
) -> Mask | None:
    """The lanes in whose row the number of lanes that hold compares so with `bound`. All numbers are added up at once:
    a set for each binary digit has the lanes in whose number that digit is 1. None if there are too many distances."""
    distances = sorted({value - lane for lane, row in enumerate(rows) for value in row})
    if len(distances) > planes.MOST_SHIFTS:
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
        return planes.complement(_digits_compared(digits, opposite, bound, most, size), size)
    limit = bound + (relation == "<=")
    below, equal = mask_constant(0, size), planes.full(size)
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
    result = planes.preimage(out.share_mask(found, "found"), following)
    if result is None:
        return None
    for _ in range(longest - 1):
        result = out.share_mask(result, "carried")
        # A square that fits ends its row: nothing is carried past it.
        further = planes.preimage(out.share_mask(sets.difference(result, fits), "past"), following)
        assert further is not None
        result = sets.union(result, further)
    return result
