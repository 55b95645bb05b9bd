"""The patterns of a game's state, which follow from its boards, and the tables that symmetric ones share.

Linear: every cell of the state by itself. Tuples, for each board over which variables are declared:

1. What stands on a square is the cells of all variables there. A straight run is all squares of a line of the board, or
   each part of it that is as long as a table may be large.
2. A neighbourhood is a square and all that one step leads to; where that is too much, a block of squares next to each
   other along two directions.
3. Every cell that lies on no board is a pattern, and every two of them are, where they are few.
4. What is counted along numbers, as men on points or seeds in pits, lies in a line: so many neighbours in it as a table
   may be large for are a pattern.

A pattern with whose turn it is and whose value it tells is looked for among its images under all symmetries; the first
of these lends it its table. A pattern that symmetries turn into itself is looked up once in each of these ways, if they
are few: so symmetric positions are worth the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, combinations
from math import prod
from operator import mul
from typing import NamedTuple

from gdl.errors import Refusal, clean
from gdl.interpreter.closures import FIRST_CELL
from gdl.model.board import Board
from gdl.model.domains import Range, SetType, board_of, size
from gdl.model.games import RulesModel, Variable
from gdl.wings.learning.learned import Inputs, Read, reads_of, sides_of
from gdl.wings.symmetry.group import Symmetry

LARGEST = 1 << 15  # entries of a table
MOST_ENTRIES = 1 << 21  # of all tables
LONGEST = 6  # squares of a straight run
MOST_CELLS = 1 << 13
WAYS = 8  # in which a pattern that is itself is looked up, at most
ALONE = 12  # cells that lie on no board, of which every two are a pattern

Pattern = tuple[int, ...]  # cells


def inputs_of(model: RulesModel, tuples: bool, outputs: int, symmetries: Sequence[Symmetry]) -> Inputs:
    """The inputs for a learned evaluation of the game: patterns of squares with `tuples`, else single cells. Patterns
    are made smaller until their tables have room. Raises Refusal where the state is empty or too large."""
    reads = reads_of(model)
    cells = sum(read.cells for read in reads)
    if not cells:
        raise Refusal(f"{clean(model.name)} has no state from which anything could be learned")
    if cells > MOST_CELLS:
        raise Refusal(f"the state of {clean(model.name)} has {cells:,} cells, more than {MOST_CELLS:,} to learn from")
    largest, sides = LARGEST, sides_of(model)
    sizes = [read.size for read in reads for _ in range(read.cells)]
    while True:
        found = find_patterns(model, reads, largest) if tuples else ((cell,) for cell in range(cells))
        patterns: dict[frozenset[int], Pattern] = {}
        for pattern in found:
            patterns.setdefault(frozenset(pattern), pattern)
        entries = outputs * sides * sum(prod(sizes[cell] for cell in pattern) for pattern in patterns.values())
        if entries > MOST_ENTRIES * (len(symmetries) + 1) and largest > 1:  # however many share a table
            largest //= 2
            continue
        made = _Sharing(model, reads, list(patterns.values()), outputs, sides, symmetries).inputs()
        if made.entries <= MOST_ENTRIES or largest < 2:
            return made
        largest //= 2


# ---- Patterns -------------------------------------------------------------------------------------------------------


def find_patterns(model: RulesModel, reads: Sequence[Read], largest: int) -> Iterator[Pattern]:
    """The patterns of which each has a table of at most `largest` entries, or one cell."""
    sizes = [read.size for read in reads for _ in range(read.cells)]
    boards, alone = _squares(model, reads)

    def fits(cells: Pattern) -> bool:
        return prod(sizes[cell] for cell in cells) <= largest

    for board, held in boards:
        longest = _longest_pattern(_greatest_combinations(sizes, held), largest)
        yield from filter(fits, (_cells_of(line, held) for line in straight_lines(board, longest)))
        areas = [_cells_of(area, held) for area in neighbour_areas(board)]
        yield from filter(fits, areas)
        if not all(map(fits, areas)):
            yield from filter(fits, (_cells_of(block, held) for block in square_blocks(board)))
        if longest < 2:
            yield from ((cell,) for square in held for cell in square)
    yield from ((cell,) for cell in alone)
    for line in _range_patterns(model, reads):
        longest = max(1, _longest_pattern(max(sizes[cell] for cell in line), largest))
        yield from (line[k : k + longest] for k in range(max(1, len(line) - longest + 1)))
    yield from filter(fits, combinations(alone, 2) if len(alone) <= ALONE else ())


def _cells_of(squares: Sequence[int], held: Sequence[Sequence[int]]) -> Pattern:
    """The cells on these squares; `held` has those of each square."""
    return tuple([cell for square in squares for cell in held[square]])


def _longest_pattern(contents: int, largest: int) -> int:
    """The most squares, of which each can have so many contents, that together have at most `largest`; 0 if none."""
    return max((k for k in range(1, LONGEST + 1) if contents**k <= largest), default=0)


def _squares(model: RulesModel, reads: Sequence[Read]) -> tuple[list[tuple[Board, list[list[int]]]], list[int]]:
    """For each board the cells on each of its squares, and the cells that lie on no board."""
    boards: list[tuple[Board, list[list[int]]]] = []
    alone: list[int] = []
    firsts = accumulate((read.cells for read in reads), initial=0)
    for variable, read, first in zip(model.variables, reads, firsts, strict=False):
        board = _board_of(variable)
        if board is None:
            alone += range(first, first + read.cells)
            continue
        held = next((held for known, held in boards if known is board), None)
        if held is None:
            held = [[] for _ in board.squares]
            boards.append((board, held))
        each = max(1, read.members) if _is_named(variable) else 1  # cells of one square, side by side
        for cell in range(read.cells):
            held[cell // each % len(board.squares)].append(first + cell)
    return boards, alone


def _range_patterns(model: RulesModel, reads: Sequence[Read]) -> Iterator[Pattern]:
    """A pattern for each row of an array whose last index is a range of numbers: its elements, in the order of that
    index."""
    firsts = accumulate((read.cells for read in reads), initial=0)
    for variable, read, first in zip(model.variables, reads, firsts, strict=False):
        if variable.indices and isinstance(variable.indices[-1], Range) and read.cells and not read.members:
            length = size(variable.indices[-1])
            yield from (tuple(range(at, at + length)) for at in range(first, first + read.cells, length))


def _is_named(variable: Variable) -> bool:
    """True if the last index of a variable is a board."""
    return bool(variable.indices) and board_of(variable.indices[-1]) is not None


def _board_of(variable: Variable) -> Board | None:
    """The board over which a variable is declared, or whose squares its sets hold."""
    if _is_named(variable):
        return board_of(variable.indices[-1])
    return board_of(variable.type.item) if isinstance(variable.type, SetType) else None


def _greatest_combinations(sizes: Sequence[int], held: Sequence[Sequence[int]]) -> int:
    """The greatest number of combinations of values that the cells of a square can have."""
    return max((prod(sizes[cell] for cell in square) for square in held), default=1)


def straight_lines(board: Board, longest: int) -> Iterator[tuple[int, ...]]:
    """The straight lines of the board, each once; of a line that is longer than `longest`, every part of that
    length."""
    seen: set[frozenset[int]] = set()
    for square, steps in enumerate(board.steps):
        for direction in range(len(steps)):
            run = (square, *board.ray(square, direction))[:longest]
            before = board.steps[square][board.opposites[direction]]
            whole = len(run) == longest or before is None or before in run
            if len(run) > 1 and whole and frozenset(run) not in seen:
                seen.add(frozenset(run))
                yield run


def neighbour_areas(board: Board) -> Iterator[tuple[int, ...]]:
    """The neighbourhood of each square: the square itself and its neighbours, by steps or edges."""
    for square, steps in enumerate(board.steps):
        near = {to for to in steps if to is not None} | set(board.adjacent[square])
        yield (square, *sorted(near - {square}))


def square_blocks(board: Board) -> Iterator[tuple[int, ...]]:
    """Squares next to each other along two directions that have no line in common."""
    for square, steps in enumerate(board.steps):
        for d in board.orthogonals:
            for e in board.orthogonals:
                if d < e and e != board.opposites[d]:
                    there, beside = steps[d], steps[e]
                    if there is None or beside is None:
                        continue
                    corner = board.steps[there][e]
                    block = (square, there, beside) if corner is None else (square, there, beside, corner)
                    if len(set(block)) == len(block):
                        yield block


# ---- Tables that are shared -----------------------------------------------------------------------------------------


class _Sharing:
    """Finds for every slot (a pattern, a turn, and the player evaluated) its first image under the symmetries, whose
    table it shares."""

    def __init__(
        self, model: RulesModel, reads: Sequence[Read], patterns: Sequence[Pattern], outputs: int, sides: int,
        symmetries: Sequence[Symmetry],
    ):  # fmt: skip
        self.model, self.reads, self.outputs, self.sides = model, reads, outputs, sides
        self.sizes = [read.size for read in reads for _ in range(read.cells)]
        self.number = {frozenset(pattern): number for number, pattern in enumerate(patterns)}
        self.distinct = list(patterns)
        self.images = [Image.image_of(reads, symmetry) for symmetry in symmetries]
        self.none = Image.none(len(model.players), self.sizes)
        self.patterns = [(number, way) for number in range(len(patterns)) for way in self._ways(number)]
        self.step = array("i")
        self.steps: dict[tuple[int, ...], int] = {}

    def _ways(self, number: int) -> list[Image]:
        """The symmetries that turn a pattern into itself and keep all players in their parts, the identity first; at
        most WAYS of them."""
        pattern = self.distinct[number]
        found = {self.none.on(pattern): self.none}
        for image in self.images:
            keeps = image.players == self.none.players
            if keeps and self.number.get(frozenset(image.cell[cell] for cell in pattern)) == number:
                found.setdefault(image.on(pattern), image)
        return list(found.values())[:WAYS]

    def inputs(self) -> Inputs:
        base, sign, where = array("i"), array("i"), array("i")
        tables: dict[tuple[int, int, int], int] = {}
        entries = 0
        for output in range(self.outputs):
            for side in range(self.sides):
                for number, way in self.patterns:
                    lender, image = self._lender(output, side, number)
                    if lender not in tables:
                        tables[lender] = entries
                        entries += prod(self.sizes[cell] for cell in self.distinct[number])
                    base.append(tables[lender])
                    sign.append(image.sign(self.outputs))
                    where.extend(self._row_numbers(self.distinct[number], self.distinct[lender[2]], way, image))
        start = array("i", accumulate((len(self.distinct[number]) for number, _ in self.patterns), initial=0))
        member = array("i", [cell for number, _ in self.patterns for cell in self.distinct[number]])
        return Inputs(
            len(self.model.players), self.sides, self.outputs, tuple(self.reads), start, member, base, sign, where,
            self.step, entries,
        )  # fmt: skip

    def _lender(self, output: int, side: int, number: int) -> tuple[tuple[int, int, int], Image]:
        """The first slot among the images of a slot, and the symmetry that leads to it."""
        best, by = (output, side, number), self.none
        for image in self.images:
            turned = self.number.get(frozenset(image.cell[cell] for cell in self.distinct[number]))
            if turned is not None:
                slot = (image.players[output] if self.outputs > 1 else output, image.side(side), turned)
                if slot < best:
                    best, by = slot, image
        return best, by

    def _row_numbers(self, pattern: Pattern, lender: Pattern, way: Image, image: Image) -> list[int]:
        """For each cell of a pattern, the number of the row of steps that says by how much each class of the cell moves
        the place in the lender's table. `way` is applied first, then `image`."""
        inner = [self.sizes[cell] for cell in reversed(lender)]
        strides = dict(zip(reversed(lender), accumulate(inner, mul, initial=1), strict=False))
        found = []
        for cell in pattern:
            between = way.cell[cell]
            stride = strides[image.cell[between]]
            row = tuple(stride * image.classes[between][name] for name in way.classes[cell])
            if row not in self.steps:
                self.steps[row] = len(self.step)
                self.step.extend(row)
            found.append(self.steps[row])
        return found


class Image(NamedTuple):
    """A symmetry as patterns need it: the images of players, of cells, and of the classes of values in each cell."""

    players: tuple[int, ...]
    cell: Sequence[int]
    classes: Sequence[Sequence[int]]

    @staticmethod
    def none(players: int, sizes: Sequence[int]) -> Image:
        """The image under the identity."""
        return Image(tuple(range(players)), range(len(sizes)), [tuple(range(size)) for size in sizes])

    @staticmethod
    def image_of(reads: Sequence[Read], symmetry: Symmetry) -> Image:
        """The image under a symmetry."""
        firsts = accumulate((read.cells for read in reads), initial=0)
        homes = {
            read.place + i: (first, i) for read, first in zip(reads, firsts, strict=False) for i in range(read.count)
        }
        cells: list[int] = []
        classes: list[tuple[int, ...]] = []
        for read in reads:
            for i in range(read.count):
                first, j = homes[symmetry.cells[read.place + i - FIRST_CELL]]
                _, names = symmetry.names[read.place + i - FIRST_CELL]
                if read.members:
                    cells += [first + j * read.members + names.get(m, m) for m in range(read.members)]
                    classes += [(0, 1)] * read.members
                else:
                    cells.append(first + j)
                    classes.append(_rename_classes(read, names))
        return Image(symmetry.players, cells, classes)

    def on(self, pattern: Pattern) -> tuple[tuple[int, Sequence[int]], ...]:
        """For each cell of a pattern its image, with the images of its classes."""
        return tuple((self.cell[cell], self.classes[cell]) for cell in pattern)

    def side(self, side: int) -> int:
        """The number of the turn that becomes of a turn."""
        count = len(self.players)
        return side - side % count + self.players[side % count]

    def sign(self, outputs: int) -> int:
        """-1 if the image exchanges the players and only the first of two is evaluated, so that values change their
        sign; else 1."""
        return -1 if outputs == 1 and self.players == (1, 0) else 1


def _rename_classes(read: Read, names: Mapping[int, int]) -> tuple[int, ...]:
    """For each class of values, the class of their new names."""
    found = list(range(read.size))
    for old, new in names.items():
        if 0 <= old - read.first < len(read.classes):
            found[read.classes[old - read.first]] = read.classes[new - read.first]
    return tuple(found)
