"""Play at random that leans toward some actions: by what stands on and around the cells of a board that they name.

What is learned are numbers; how they make the weight of an action is told by `gdl/compiler/kernels/leaning.py`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gdl.model.board import Board
from gdl.model.domains import Named, Optional
from gdl.model.games import RulesModel, Variable
from gdl.model.learned import Read, reads_of

MOST_WAYS = 8  # directions in which it is looked,
MOST_CLASSES = 3  # things that can stand on a cell,
MOST_NUMBERS = 1 << 22  # and numbers
BITS = 2  # of one cell around another


@dataclass(frozen=True)
class LocalPatterns:
    """The part of the rules that local patterns are about: the array that is looked at, its board, and which parameters
    of actions name its cells."""

    variable: int
    read: Read
    type: Named
    ways: tuple[int, ...]  # the directions
    named: tuple[tuple[int, ...], ...]  # of each rule: the parameters that are cells
    players: int
    whose: bool  # whether players stand there

    @property
    def board(self) -> Board:
        assert self.type.board is not None
        return self.type.board

    @property
    def most_named(self) -> int:
        """Cells that a head names at most."""
        return max(map(len, self.named))

    @property
    def slots(self) -> int:
        """Cells that all heads name."""
        return sum(map(len, self.named))

    @property
    def each(self) -> int:
        """The number of different surroundings of a cell, the cell itself included."""
        return self.read.size << BITS * len(self.ways)

    @property
    def numbers(self) -> int:
        """How many numbers can be learned."""
        return (3 + self.players) * self.slots * self.each + self.players * len(self.named)

    @property
    def straight(self) -> int:
        """The bits of the directions that are not diagonals."""
        orthogonals = self.board.orthogonals
        return sum(3 << BITS * k for k, way in enumerate(self.ways) if way in orthogonals)

    @cached_property
    def turns(self) -> list[tuple[int, ...]]:
        """How the board can be turned and mirrored: where each direction goes. What two steps make together, their
        images do."""
        sums, straight = self._sums(), [way in self.board.orthogonals for way in self.ways]
        found: list[tuple[int, ...]] = []

        def extend(turn: tuple[int, ...]) -> None:
            if len(turn) == len(self.ways):
                found.append(turn)
                return
            for to in range(len(self.ways)):
                if to not in turn and straight[to] == straight[len(turn)]:
                    longer = (*turn, to)
                    if all(
                        self._image(sums.get((a, b)), longer) in (sums.get((longer[a], longer[b])), None)
                        for a in range(len(longer))
                        for b in range(len(longer))
                    ):
                        extend(longer)

        extend(())
        return [turn for turn in found if all(
            self._image(made, turn) == sums.get((turn[a], turn[b])) for (a, b), made in sums.items()
        )]  # fmt: skip

    @staticmethod
    def _image(made: int | None, turn: Sequence[int]) -> int | None:
        """The image of a direction under a turn, if it is known; -1, no step at all, is its own image."""
        return made if made is None or made < 0 else turn[made] if made < len(turn) else None

    def _sums(self) -> dict[tuple[int, int], int]:
        """Of two directions the one that leads as far, in the middle of the board; -1 where they lead back."""
        board, found = self.board, dict[tuple[int, int], int]()
        middle = max(range(len(board.squares)), key=self._freedom)
        for a, way in enumerate(self.ways):
            there = board.steps[middle][way]
            for b, other in enumerate(self.ways):
                end = None if there is None else board.steps[there][other]
                if end == middle:
                    found[a, b] = -1
                elif end is not None and end in (ends := [board.steps[middle][w] for w in self.ways]):
                    found[a, b] = ends.index(end)
        return found

    def _freedom(self, square: int) -> int:
        """How far from all edges a square is."""
        return min((len(self.board.ray(square, way)) for way in self.ways), default=0)

    def classes_by_player(self) -> Iterator[tuple[int, ...]]:
        """For each player the order of the classes as that player sees them, with the edge of the board: of players
        themselves first, then the others."""
        for player in range(self.players):
            order = list(range(self.read.size))
            if self.whose:
                order = [0, *(1 + (k - player) % self.players for k in range(self.players))]
            yield (*order, *[3] * (4 - len(order)))


def find_local_patterns(model: RulesModel) -> LocalPatterns | None:
    """The local patterns of a game; None where no action names a cell that has few possible contents."""
    for number, (variable, read) in enumerate(zip(model.variables, reads_of(model), strict=True)):
        board = _board(variable)
        if board is None or board.board is None or read.members or not 1 < read.size <= MOST_CLASSES:
            continue
        named = tuple(
            tuple(k for k, parameter in enumerate(rule.parameters) if parameter.type is board) for rule in model.actions
        )
        kind = variable.type
        whose = isinstance(kind, Optional) and isinstance(kind.item, Named) and kind.item.members == model.players
        for ways in (tuple(range(len(board.board.directions))), board.board.orthogonals):
            found = LocalPatterns(number, read, board, ways, named, len(model.players), whose)
            if any(named) and 1 < len(ways) <= MOST_WAYS and found.numbers <= MOST_NUMBERS:
                return found
    return None


def _board(variable: Variable) -> Named | None:
    """The board over which an array is declared."""
    indices = variable.indices
    return indices[0] if len(indices) == 1 and isinstance(indices[0], Named) and indices[0].board else None


@dataclass(frozen=True, eq=False)
class Leanings:
    """Learned weights of local patterns, most of which are 0."""

    around: LocalPatterns
    number: array[float]
    kind = "patterns"

    @property
    def patterns(self) -> int:
        """The number of patterns whose weight is not 0."""
        return sum(map(bool, self.number))
