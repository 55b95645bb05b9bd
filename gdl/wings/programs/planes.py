"""Observations: what a player sees of a position, as planes of numbers from 0 to 1.

Of a game by rules they follow from its declared state, in the order of the file:

- one plane for each player, all ones where it is their turn (by itself where players choose at once: each who may);
- for each variable of few values (and none) a plane for each value, ones where it is held; of a set, ones where a
  member is in it; of a variable of more values one plane with the share that its value has of the whole range, and one
  for none;
- for each variable that is not open to all, a plane with ones where it is hidden from the player. There all other
  planes of the variable are zero.

Where variables are declared over a board, planes are as large as the largest board with rows and columns, and a value
that does not belong to a square fills a plane of its own. Without a board each value stands by itself.

In a tree, a graph or a game written in Python nothing is declared: there each information set of the player is a
number by itself, 1 for the one that the player is in.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple, Protocol

from gdl.errors import LimitReached, Refusal, clean
from gdl.game import Game
from gdl.interpreter.bodies import EVERYONE
from gdl.interpreter.closures import FIRST_CELL
from gdl.interpreter.explicit_game import MatrixGame
from gdl.interpreter.memory import HIDDEN
from gdl.interpreter.rules_game import RulesGame
from gdl.model.board import Board
from gdl.model.domains import Optional, SetType, Type, board_of, elements, members, ordinal_base, size, text_of
from gdl.model.games import RulesModel, Variable
from gdl.states.explore import Walk, choosers

MOST_VALUE_PLANES = 16  # values of a variable that have a plane each
VIEWS_RECALLED = 8  # of a player: the last ones in the planes of a memory
MOST_LISTED = 20_000  # states of a game without rules whose information sets are listed
MOST_NUMBERS = 1 << 24  # of an observation


class Planes(Protocol):
    """A way to show the states of a game in numbers."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The planes, then the rows and columns of the board if there is one."""

    @property
    def legend(self) -> tuple[str, ...]:
        """The meaning of each plane."""

    def observe(self, state: Any, player: int) -> memoryview[float]:
        """A player's view of a state of the game, as planes."""


def planes_of(game: Game[Any]) -> Planes:
    """The observations of a game. Raises Refusal where they would be vast, or where there are too many states to list
    information sets."""
    return RulePlanes(game) if isinstance(game, RulesGame) else ListedPlanes(game)


class Spot(NamedTuple):
    """The place of an element of the state in an observation: the first of its planes, and its cell in them (None: it
    fills whole planes)."""

    plane: int
    cell: int | None


class VariablePlanes(NamedTuple):
    """The type of a variable, and the spots where it is shown."""

    type: Type
    spots: tuple[Spot, ...]  # of its elements
    hidden: tuple[Spot, ...]  # of the planes that say what is hidden; () if nothing ever is
    on_squares: bool  # whether it holds sets of squares, each of which is a plane
    parts: dict[Any, tuple[tuple[int, float], ...]]  # `shown_parts` of the values met so far


@dataclass(frozen=True)
class Grid:
    """The cells of a plane: its rows and columns, and the cell of each square of the board."""

    shape: tuple[int, ...]
    board: Board | None

    @property
    def cells(self) -> int:
        """The number of cells of one plane."""
        return self.shape[0] * self.shape[1] if self.shape else 1

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The cell of each square: rows from the highest, as a board is drawn."""
        if self.board is None:
            return (0,)
        if len(self.board.sizes) != 2 or len(self.shape) != 2:
            return tuple(range(len(self.board.squares)))
        rows, columns = self.shape
        lowest = [min(axis) for axis in zip(*self.board.coordinates, strict=True)]
        return tuple(
            (rows - 1 - (row - lowest[1])) * columns + (column - lowest[0]) for column, row in self.board.coordinates
        )


class RulePlanes:
    """Planes of the declared state of a game by rules."""

    def __init__(self, game: RulesGame):
        self.game = game
        self.grid = _grid(game.model)
        names = list(game.players)
        legend = [f"turn: {name}" for name in names]
        self.shown = [_lay_out_variable(variable, self.grid, legend) for variable in game.model.variables]
        self.legend = tuple(legend)
        self.shape: tuple[int, ...] = (len(legend), *self.grid.shape)
        if len(legend) * self.grid.cells > MOST_NUMBERS:
            raise Refusal(f"an observation of {clean(game.name)} would have {len(legend) * self.grid.cells:,} numbers")

    def observe(self, state: Any, player: int) -> memoryview[float]:
        return self.of_cells(state.turn, self.game.visible_cells(state, player)[FIRST_CELL:])

    def of_cells(self, turn: int, cells: Sequence[Any]) -> memoryview[float]:
        """The planes of the file's variables with the values `cells`, for the turn of player `turn` or of EVERYONE;
        hidden values are marked."""
        size = self.grid.cells
        made = memoryview(bytearray(4 * size * len(self.legend))).cast("f")
        for player in range(len(self.game.players)):
            if turn in (player, EVERYONE):
                _fill(made, Spot(player, None), size, 1.0)
        at = 0
        for shown in self.shown:
            for spot, value in zip(shown.spots, cells[at:], strict=False):
                self._show(made, shown, spot, value, size)
            if shown.hidden:
                for spot, value in zip(shown.hidden, cells[at:], strict=False):
                    _fill(made, spot, size, float(value is HIDDEN))
            at += len(shown.spots)
        return made.cast("B").cast("f", self.shape)

    def _show(self, made: memoryview[float], shown: VariablePlanes, spot: Spot, value: Any, size: int) -> None:
        if value is HIDDEN:
            return
        if shown.on_squares:
            for member in elements(value):
                _fill(made, Spot(spot.plane, self.grid.places[member]), size, 1.0)
            return
        parts = shown.parts.get(value)
        if parts is None:
            parts = shown.parts[value] = tuple(shown_parts(shown.type, value))
        for plane, share in parts:
            _fill(made, Spot(spot.plane + plane, spot.cell), size, share)


class RecalledPlanes:
    """Planes of what a player sees in a game by rules with hidden information, now and at earlier moments: the last
    first, as far as the rules let them be remembered."""

    def __init__(self, game: RulesGame):
        self._planes = RulePlanes(game)
        first, *cells = self._planes.shape
        self.shape: tuple[int, ...] = (VIEWS_RECALLED * first, *cells)
        self.legend = tuple(f"{k} views ago, {what}" for k in range(VIEWS_RECALLED) for what in self._planes.legend)

    def observe(self, state: Any, player: int) -> memoryview[float]:
        first, entries = state.memories[player]
        views = [first, *(view for _, _, view in entries if view is not None)][-VIEWS_RECALLED:]
        seen = b"".join(self._planes.of_cells(view[0], view[1:]).cast("B") for view in reversed(views))
        return memoryview(seen.ljust(4 * prod(self.shape), b"\0")).cast("f", self.shape)


def _fill(made: memoryview[float], spot: Spot, size: int, share: float) -> None:
    at = spot.plane * size
    if spot.cell is not None:
        made[at + spot.cell] = share
    elif share:
        for cell in range(at, at + size):
            made[cell] = share


def shown_parts(type: Type, value: Any) -> Iterator[tuple[int, float]]:
    """The planes that show a value, counted from the first plane of its variable, each with the number in it."""
    if isinstance(type, SetType):
        base = ordinal_base(type.item)
        yield from ((member - base, 1.0) for member in elements(value) if member >= base)
    elif size(type) <= MOST_VALUE_PLANES:
        yield members(type).index(value), 1.0
    elif value is None:
        yield 1, 1.0
    else:
        values = members(type.item if isinstance(type, Optional) else type)
        yield 0, values.index(value) / (len(values) - 1)


def _kinds(type: Type) -> list[str]:
    """The meaning of each plane of one element, as an ending of the element's name."""
    if isinstance(type, SetType):
        return [f" has {text_of(type.item, value)}" for value in members(type.item)]
    if size(type) <= MOST_VALUE_PLANES:
        return [f" = {text_of(type, value)}" for value in members(type)]
    inner = type.item if isinstance(type, Optional) else type
    values = members(inner)
    share = f" from {text_of(inner, values[0])} to {text_of(inner, values[-1])}"
    return [share, " = none"] if isinstance(type, Optional) else [share]


def _lay_out_variable(variable: Variable, grid: Grid, legend: list[str]) -> VariablePlanes:
    """Give a variable its planes; their meanings are appended to `legend`."""
    on_board = bool(variable.indices) and grid.board is not None and board_of(variable.indices[-1]) is grid.board
    outer = variable.indices[:-1] if on_board else variable.indices
    inner = variable.type.item if isinstance(variable.type, SetType) else None
    on_squares = inner is not None and not on_board and grid.board is not None and board_of(inner) is grid.board
    kinds = [" holds the square"] if on_squares else _kinds(variable.type)

    def spots(kinds: Sequence[str]) -> Iterator[Spot]:
        for place in product(*(members(index) for index in outer)):
            inside = ", ".join(text_of(index, value) for index, value in zip(outer, place, strict=True))
            name, first = f"{variable.name}[{inside}]" if inside else variable.name, len(legend)
            legend.extend(name + kind for kind in kinds)
            yield from [Spot(first, cell) for cell in grid.places] if on_board else [Spot(first, None)]

    shown = tuple(spots(kinds))
    hidden = tuple(spots([" is hidden"])) if variable.visibility.kind != "all" else ()
    return VariablePlanes(variable.type, shown, hidden, on_squares, {})


def _grid(model: RulesModel) -> Grid:
    """The grid of the largest board over which a variable is declared, by rows and columns if the board has them."""
    boards = [board for variable in model.variables if (board := _board_of(variable)) is not None]
    if not boards:
        return Grid((), None)
    largest = max(boards, key=lambda board: len(board.squares))
    if len(largest.sizes) != 2 or len(largest.coordinates) != len(largest.squares):
        return Grid((1, len(largest.squares)), largest)
    columns, rows = (max(axis) - min(axis) + 1 for axis in zip(*largest.coordinates, strict=True))
    return Grid((rows, columns), largest)


def _board_of(variable: Variable) -> Board | None:
    if variable.indices:
        return board_of(variable.indices[-1])
    return board_of(variable.type.item) if isinstance(variable.type, SetType) else None


class ListedPlanes:
    """An observation by the player's information set: 1 in its place among all that are listed, 0 in the others."""

    def __init__(self, game: Game[Any]):
        self.game = game
        self._sets: list[dict[Hashable, int]] = [{} for _ in game.players]
        legend: list[str] = []
        for player, known, text in _information_sets(game):
            sets = self._sets[player]
            if known not in sets:
                sets[known] = len(legend)
                legend.append(f"{game.players[player]} at {text}")
        self.legend = tuple(legend)
        self.shape: tuple[int, ...] = (max(1, len(legend)),)

    def observe(self, state: Any, player: int) -> memoryview[float]:
        made = memoryview(bytearray(4 * self.shape[0])).cast("f")
        at = self._sets[player].get(self.game.information_set(state, player))
        if at is not None:
            made[at] = 1.0
        return made


def _information_sets(game: Game[Any]) -> Iterator[tuple[int, Hashable, str]]:
    """For each information set at which a player decides: the player, its key and its name."""
    if isinstance(game, MatrixGame):
        yield from ((player, (), "start") for player in range(len(game.players)))
        return
    walk = Walk(game, MOST_LISTED)
    try:
        for expansion in walk:
            state = walk.states[expansion.number]
            for player in choosers(expansion.node):
                yield player, game.information_set(state, player), game.describe(state, player)
    except LimitReached:
        what = f"{clean(game.name)} has more than {MOST_LISTED:,} states, too many to list what players know"
        raise Refusal(f"{what}, and its state is not declared: observations are made of games by rules") from None
