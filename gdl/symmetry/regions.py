"""Regions of a board: the squares that can be reached from certain squares, through squares where a condition holds."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from gdl.model.domains import TRUTH
from gdl.symmetry.symbolic_values import Bits, SymbolicValues, are_constant
from gdl.symmetry.terms import Term, Truth

Neighbours = tuple[tuple[int, ...], ...]


def reach(values: SymbolicValues, start: Sequence[Truth], may: Sequence[Truth], neighbours: Neighbours) -> Any:
    """The set of the squares that can be reached from those where `start` holds through squares where `may` holds. The
    squares are leaves of the term, so that a renaming may turn them into others, and their order does not matter."""
    if are_constant(*start, *may):
        return _flood_fill(start, may, neighbours)
    mark = zlib.crc32(repr(neighbours).encode())  # the same in every run
    spots = [values.make("spot", (mark, q), ()).id for q in range(len(neighbours))]
    near = [
        (0, values.make("near", None, ((0, spots[q]), (1, spots[r]))).id)
        for q, joined in enumerate(neighbours)
        for r in joined
    ]
    sites = []
    for spot, begun, open in zip(spots, start, may, strict=True):
        parts = ((0, spot), (1, values.term(begun, TRUTH).id), (2, values.term(open, TRUTH).id))
        sites.append((1, values.make("site", None, parts).id))
    region = values.make("reach", None, [(0, values.make("board", None, near).id), *sites]).id

    def inside(q: int) -> Truth:
        if start[q] is True or (start[q] is False and may[q] is False):
            return start[q]
        return values.make("reached", None, ((0, region), (1, spots[q])))

    return Bits(tuple([inside(q) for q in range(len(neighbours))]))


def reach_along(
    values: SymbolicValues, start: Sequence[Truth], edges: Mapping[tuple[int, int], Truth], count: int
) -> Any:
    """The set of the squares, out of `count`, that can be reached from those where `start` holds along edges, each of
    which has a condition."""
    if are_constant(*start, *edges.values()):
        near = tuple(tuple(r for q, r in edges if q == square) for square in range(count))
        return _flood_fill(start, (True,) * count, near)
    mark = zlib.crc32(repr(("edges", count)).encode())
    spots = [values.make("spot", (mark, q), ()).id for q in range(count)]
    joined = [
        (0, values.make("edge", None, ((0, spots[q]), (1, spots[r]), (2, values.term(open, TRUTH).id))).id)
        for (q, r), open in edges.items()
    ]
    sites = [
        (1, values.make("begin", None, ((0, spot), (1, values.term(begun, TRUTH).id))).id)
        for spot, begun in zip(spots, start, strict=True)
    ]
    region = values.make("reach along", None, [*joined, *sites]).id
    entered = {r for _, r in edges}

    def inside(q: int) -> Truth:
        if start[q] is True or (start[q] is False and q not in entered):
            return start[q]
        return values.make("reached along", None, ((0, region), (1, spots[q])))

    return Bits(tuple([inside(q) for q in range(count)]))


def one_of(values: SymbolicValues, truths: Sequence[Truth]) -> Truth:
    """The condition that at least one of these holds. If they all say that one region reaches a square, it is written
    so that it is the same seen from the other end: the first squares and the squares reached are joined."""
    keys = values.keys
    reached = [keys[truth.id] for truth in truths if isinstance(truth, Term)]
    regions = {key[2][0][1] for key in reached if key[0] == "reached"}
    if len(regions) != 1 or True in truths or any(key[0] != "reached" for key in reached):
        return values.some(truths)
    (board,) = (part for place, part in keys[min(regions)][2] if place == 0)
    sites = [[p for _, p in keys[part][2]] for place, part in keys[min(regions)][2] if place == 1]
    near = {(keys[pair][2][0][1], keys[pair][2][1][1]) for _, pair in keys[board][2]}
    begun = [site for site in sites if keys[site[1]][:2] != ("plain", "False")]
    if any(start != may for _, start, may in begun) or any((b, a) not in near for a, b in near):
        return values.some(truths)  # a first square need not be one that may be entered, or a step not go back
    ends = [[spot for spot, *_ in begun], [key[2][1][1] for key in reached]]
    parts = [(2, values.make("end", None, [(0, spot) for spot in end]).id) for end in ends]
    parts += [(1, values.make("open", None, ((0, spot), (1, may))).id) for spot, _, may in sites]
    return values.make("joined", None, [(0, board), *parts])


def _flood_fill(start: Sequence[Truth], may: Sequence[Truth], neighbours: Neighbours) -> int:
    found = {q for q, inside in enumerate(start) if inside}
    work = list(found)
    while work:
        for square in neighbours[work.pop()]:
            if square not in found and may[square]:
                found.add(square)
                work.append(square)
    return sum(1 << q for q in found)
