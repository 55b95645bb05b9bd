"""Regions of a board: the squares that can be reached from certain squares, through squares where a condition holds."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from gdl.model.domains import TRUTH
from gdl.states.components import reached_from
from gdl.wings.symmetry.symbolic_values import Bits, SymbolicValues, are_constant
from gdl.wings.symmetry.terms import Term, Truth

Neighbours = tuple[tuple[int, ...], ...]


def reach(values: SymbolicValues, start: Sequence[Truth], may: Sequence[Truth], neighbours: Neighbours) -> Any:
    """The set of the squares that can be reached from those where `start` holds through squares where `may` holds. The
    squares are leaves of the term, so that a renaming may turn them into others, and their order does not matter."""
    if are_constant(*start, *may):
        return _flood_fill(start, may, neighbours)
    spots = _spots(values, neighbours, len(neighbours))
    near = [_term(values, "near", spots[q], spots[r]) for q, joined in enumerate(neighbours) for r in joined]
    sites = [_term(values, "site", *site) for site in zip(spots, start, may, strict=True)]
    board = values.make("board", None, [(0, pair.id) for pair in near])
    region = values.make("reach", None, [(0, board.id), *[(1, site.id) for site in sites]])
    return _reached_squares(
        values, "reached", region, spots, start, {q for q, open in enumerate(may) if open is not False}
    )


def reach_along(
    values: SymbolicValues, start: Sequence[Truth], edges: Mapping[tuple[int, int], Truth], count: int
) -> Any:
    """The set of the squares, out of `count`, that can be reached from those where `start` holds along edges, each of
    which has a condition."""
    if are_constant(*start, *edges.values()):
        near = tuple(tuple(r for q, r in edges if q == square) for square in range(count))
        return _flood_fill(start, (True,) * count, near)
    spots = _spots(values, ("edges", count), count)
    joined = [_term(values, "edge", spots[q], spots[r], open) for (q, r), open in edges.items()]
    sites = [_term(values, "begin", *site) for site in zip(spots, start, strict=True)]
    region = values.make("reach along", None, [*[(0, edge.id) for edge in joined], *[(1, site.id) for site in sites]])
    return _reached_squares(values, "reached along", region, spots, start, {r for _, r in edges})


def _spots(values: SymbolicValues, squares: object, count: int) -> list[Term]:
    """A leaf for each square of a board."""
    mark = zlib.crc32(repr(squares).encode())  # the same in every run
    return [values.make("spot", (mark, q), ()) for q in range(count)]


def _term(values: SymbolicValues, operator: str, *parts: Truth) -> Term:
    """A term each of whose parts has a place of its own."""
    return values.make(operator, None, [(place, values.term(part, TRUTH).id) for place, part in enumerate(parts)])


def _reached_squares(
    values: SymbolicValues, word: str, region: Term, spots: Sequence[Term], start: Sequence[Truth], entered: set[int]
) -> Bits:
    """The squares of a region: those where `start` holds, and those among `entered` that it reaches."""
    known = [begun is True or (begun is False and q not in entered) for q, begun in enumerate(start)]
    squares = zip(spots, start, known, strict=True)
    return Bits(tuple([begun if sure else _term(values, word, region, spot) for spot, begun, sure in squares]))


def one_of(values: SymbolicValues, truths: Sequence[Truth]) -> Truth:
    """The condition that at least one of these holds. If they all say that one region reaches a square, it is written
    so that it is the same seen from the other end: the first squares and the squares reached are joined."""
    keys = values.keys
    reached = [keys[truth.id] for truth in truths if isinstance(truth, Term)]
    regions = {key[2][0][1] for key in reached if key[0] == "reached"}
    if len(regions) != 1 or True in truths or any(key[0] != "reached" for key in reached):
        return values.any_of(truths)
    (board,) = (part for place, part in keys[min(regions)][2] if place == 0)
    sites = [[p for _, p in keys[part][2]] for place, part in keys[min(regions)][2] if place == 1]
    near = {(keys[pair][2][0][1], keys[pair][2][1][1]) for _, pair in keys[board][2]}
    begun = [site for site in sites if keys[site[1]][:2] != ("plain", "False")]
    if any(start != may for _, start, may in begun) or any((b, a) not in near for a, b in near):
        return values.any_of(truths)  # a first square need not be one that may be entered, or a step not go back
    ends = [[spot for spot, *_ in begun], [key[2][1][1] for key in reached]]
    parts = [(2, values.make("end", None, [(0, spot) for spot in end]).id) for end in ends]
    parts += [(1, values.make("open", None, ((0, spot), (1, may))).id) for spot, _, may in sites]
    return values.make("joined", None, [(0, board), *parts])


def _flood_fill(start: Sequence[Truth], may: Sequence[Truth], neighbours: Neighbours) -> int:
    begun = (q for q, inside in enumerate(start) if inside)
    return sum(1 << q for q in reached_from(begun, lambda q: (r for r in neighbours[q] if may[r])))
