"""The geometry of boards: squares, coordinates, directions, steps, lines and rays. Vocabulary, not magic: every word
here is a table that a reader can look up, computed once.

A grid's squares are named as chess names them, letter for the column and number for the row: a1, b1, … a2; a third
axis follows after an underscore, b2_3. Rings and tracks number their squares from 1. Row 1 is the lowest line of a
drawn board.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import inf, lcm, prod

from gdl.errors import limits

AXES = ("Column", "Row", "Layer")
_COMPASS = {
    "north": (0, 1), "northeast": (1, 1), "east": (1, 0), "southeast": (1, -1), "south": (0, -1),
    "southwest": (-1, -1), "west": (-1, 0), "northwest": (-1, 1),
}  # fmt: skip
_HEX = {"north": (0, 1), "northeast": (1, 0), "east": (1, -1), "south": (0, -1), "southwest": (-1, 0), "west": (-1, 1)}

HEXAGONS = frozenset(["hex", "hexagon", "hextorus"])  # shapes whose cells are hexagons
KEPT = 4  # boards: a file that is being written declares the same ones at every edit
WRAPPED = frozenset(["torus", "ring", "hextorus"])  # shapes whose edges are joined

Coordinates = tuple[int, ...]


class ShapeError(ValueError):
    """Raised for a board that cannot exist; the message says why."""


@dataclass(frozen=True)
class Board:
    """A set of squares and how they are joined. Squares and directions are given as indices into their names."""

    shape: str
    sizes: tuple[int, ...]
    squares: tuple[str, ...]
    coordinates: tuple[Coordinates, ...]
    directions: tuple[str, ...]
    steps: tuple[tuple[int | None, ...], ...]  # steps[square][direction], None off the board
    adjacent: tuple[tuple[int, ...], ...]  # the neighbours of each square, in order of the squares
    mirror: str | None = None  # flipped (rows) or rotated (half a turn) for one player

    @cached_property
    def square_at(self) -> dict[Coordinates, int]:
        """The square at given coordinates."""
        return {coordinates: index for index, coordinates in enumerate(self.coordinates)}

    @cached_property
    def orthogonals(self) -> tuple[int, ...]:
        """Directions along one axis."""
        if self.shape in (*HEXAGONS, "ring", "track"):
            return tuple(range(len(self.directions)))
        return tuple(d for d, v in enumerate(self.vectors) if sum(map(abs, v)) == 1)

    @cached_property
    def diagonals(self) -> tuple[int, ...]:
        """Directions along several axes at once."""
        return tuple(d for d in range(len(self.directions)) if d not in self.orthogonals)

    @cached_property
    def vectors(self) -> tuple[Coordinates, ...]:
        """The change of the coordinates by a step in each direction."""
        return tuple(_ways(self.shape, len(self.sizes)).values())

    @cached_property
    def opposites(self) -> tuple[int, ...]:
        """The opposite of each direction."""
        place = {vector: d for d, vector in enumerate(self.vectors)}
        return tuple(place[tuple(-by for by in vector)] for vector in self.vectors)

    def ray(self, square: int, direction: int, most: float = inf) -> tuple[int, ...]:
        """The squares met from a square on (without it) in one direction, up to the edge, or round to where the ray
        began; the first `most` of them."""
        found: list[int] = []
        at = self.steps[square][direction]
        while at is not None and at != square and len(found) < most:
            found.append(at)
            at = self.steps[at][direction]
        return tuple(found)

    def walk(self, square: int, direction: int, count: int) -> int | None:
        """The square that is `count` steps away, going round where edges are joined; None off the board."""
        at: int | None = square
        for _ in range(count % self.round if self.round else count):
            if at is None:
                break
            at = self.steps[at][direction]
        return at

    @cached_property
    def round(self) -> int:
        """A number of steps that leads from any square back to it, in any direction; 0 on a board that has edges."""
        return lcm(*self.sizes) if self.shape in WRAPPED else 0

    def lines(self, run: int) -> tuple[tuple[int, ...], ...]:
        """All straight lines of `run` squares, each once."""
        if run == 1:
            return tuple((square,) for square in range(len(self.squares)))
        found: dict[frozenset[int], tuple[int, ...]] = {}
        for square, steps in enumerate(self.steps):
            for direction in range(len(steps)):
                line = (square, *self.ray(square, direction, run - 1))
                if len(line) == run:
                    found.setdefault(frozenset(line), line)
        return tuple(found.values())

    def offset(self, square: int, vector: Coordinates) -> int | None:
        """The square that is the vector's columns and rows away; None off the board."""
        target = tuple(a + b for a, b in zip(self.coordinates[square], vector, strict=True))
        if self.shape in WRAPPED:
            target = tuple((c - 1) % n + 1 for c, n in zip(target, self.sizes, strict=True))
        return self.square_at.get(target)

    def mirror_square(self, square: int) -> int:
        """The square that stands where this one does in the mirrored view of the board."""
        if self.mirror is None or not self.sizes:
            return square
        if self.mirror == "rotated" and self.shape == "ring":
            half = self.sizes[0] // 2
            return (square + half) % (2 * half)
        flipped = list(self.coordinates[square])
        for axis, size in enumerate(self.sizes):
            if self.mirror == "rotated" or axis == len(self.sizes) - 1:
                flipped[axis] = size + 1 - flipped[axis]
        return self.square_at[tuple(flipped)]


# The shapes of boards, and how many sizes each has: () for any number.
SHAPES: Mapping[str, tuple[int, ...]] = {
    "grid": (), "torus": (), "hex": (1, 2), "hextorus": (1, 2), "hexagon": (1,), "ring": (1,), "track": (1,),
}  # fmt: skip


def board_of_shape(shape: str, *sizes: int) -> Board:
    """A board: a grid, a box of squares with any number of axes, whose neighbours touch by a side; a torus, a grid
    whose opposite edges are joined; hex, a rhombus of hexagons, as Hex is played on; a hextorus, one whose opposite
    edges are joined; a hexagon of hexagons with so many cells on each side; a track of squares 1 to n in a row, or a
    ring of them. Raises ShapeError for one that cannot exist."""
    if shape in ("hex", "hextorus"):
        sizes = sizes[0], sizes[-1]
    elif shape == "hexagon":
        sizes = (2 * sizes[0] - 1,) * 2
    return _board_with_coordinates(shape, sizes)


def graph(edges: tuple[tuple[str, str], ...]) -> Board:
    """Points joined by edges, each given once; points stand in the order of their first mention."""
    names = tuple(dict.fromkeys(name for edge in edges for name in edge))
    index = {name: i for i, name in enumerate(names)}
    joined: list[set[int]] = [set() for _ in names]
    for a, b in edges:
        joined[index[a]].add(index[b])
        joined[index[b]].add(index[a])
    adjacent = tuple(tuple(sorted(points)) for points in joined)
    return Board("graph", (), names, ((),) * len(names), (), ((),) * len(names), adjacent)


@lru_cache(KEPT)
def _board_with_coordinates(shape: str, sizes: tuple[int, ...]) -> Board:
    if not sizes or min(sizes) < 1:
        raise ShapeError("a board has at least one square along each axis")
    total = prod(sizes)
    if total > limits.SQUARES:
        raise ShapeError(f"a board has at most {limits.SQUARES:,} squares")
    if total * 3 ** len(sizes) > limits.TABLE:
        raise ShapeError(f"a board has at most {limits.TABLE:,} steps, over all squares and directions")
    boxes = itertools.product(*(range(1, size + 1) for size in reversed(sizes)))
    coordinates = tuple(tuple(reversed(box)) for box in boxes)
    if shape == "hexagon":
        side = (sizes[0] + 1) // 2
        coordinates = tuple(c for c in coordinates if abs(c[0] + c[1] - 2 * side) < side)
    ways = _ways(shape, len(sizes))
    bare = Board(shape, sizes, tuple(square_name(c) for c in coordinates), coordinates, tuple(ways), (), ())
    steps = tuple(tuple(bare.offset(square, way) for way in ways.values()) for square in range(len(coordinates)))
    near = tuple(tuple(sorted({s for d in bare.orthogonals if (s := row[d]) is not None})) for row in steps)
    return replace(bare, steps=steps, adjacent=near)


def _ways(shape: str, dimensions: int) -> Mapping[str, Coordinates]:
    """The directions of a board of this shape with so many axes: how far a step in each goes along every axis."""
    if shape in HEXAGONS:
        return _HEX
    if dimensions == 1:
        return {"forward": (1,), "backward": (-1,)}
    if dimensions == 2:
        return _COMPASS
    vectors = [v for v in itertools.product((1, 0, -1), repeat=dimensions) if any(v)]
    return {"".join("+0-"[1 - x] for x in v): v for v in vectors}


def square_name(coordinates: Coordinates) -> str:
    """b3 for column 2 and row 3; 5 on a ring or track; b3_2 on three axes."""
    if len(coordinates) == 1:
        return str(coordinates[0])
    column, row, *others = coordinates
    return column_letters(column) + str(row) + "".join(f"_{c}" for c in others)


def column_letters(column: int) -> str:
    """a to z, then aa, ab, …"""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters
