"""Men of whom the state says where they stand, as `worker[Player]: Square` does: on which boards, and by what signs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from gdl.interpreter.square_symbols import look_of
from gdl.model.board import Board
from gdl.model.domains import Named, Optional, SetType, Type, board_of, members, text_of
from gdl.model.games import RulesModel, Variable

MOST_PIECES = 64  # on one board


class BoardPiece(NamedTuple):
    """One of them: the cell of the state that says where; whose it is, if that is said."""

    cell: int
    sign: str
    name: str
    owner: int | None


class BoardPieces(NamedTuple):
    """The pieces of one board. They are drawn over a variable's symbols for its squares, or on a board of their own."""

    board: Board
    variables: tuple[int, ...]
    men: tuple[BoardPiece, ...]
    over: int | None

    def signs_by_square(self, cells: Sequence[Any]) -> list[str]:
        """The signs on each square, joined where several share it."""
        signs: list[list[str]] = [[] for _ in self.board.squares]
        for man in self.men:
            if isinstance(square := cells[man.cell], int):
                signs[square].append(man.sign)
        return ["+".join(each) for each in signs]


def pieces_by_board(model: RulesModel) -> list[BoardPieces]:
    """The men of each board, in the order of the variables."""
    found: dict[Board, list[int]] = {}
    for number, variable in enumerate(model.variables):
        board = _standing_on(variable)
        if board is not None and (variable.indices or not _says_of_squares(model, board)):
            found.setdefault(board, []).append(number)
    groups = []
    for board, numbers in found.items():
        those = _pieces_of(model, numbers)
        if len(those) <= MOST_PIECES:
            groups.append(BoardPieces(board, tuple(numbers), those, _drawn_over(model, board)))
    return groups


def _standing_on(variable: Variable) -> Board | None:
    """The board on whose squares the elements of a variable stand; none where it says something of the squares."""
    if any(board_of(index) for index in variable.indices):
        return None
    return board_of(inner_type(variable.type))


def inner_type(type: Type) -> Type:
    """The type without `?`."""
    return type.item if isinstance(type, Optional) else type


def _says_of_squares(model: RulesModel, board: Board) -> list[int]:
    """The arrays over a board, or else the sets of its squares."""
    arrays = [n for n, v in enumerate(model.variables) if any(board_of(index) is board for index in v.indices)]
    sets = (n for n, v in enumerate(model.variables) if isinstance(v.type, SetType) and not v.indices)
    return arrays or [n for n in sets if _holds_squares(model.variables[n].type, board)]


def _holds_squares(type: Type, board: Board) -> bool:
    return isinstance(type, SetType) and board_of(type.item) is board


def _pieces_of(model: RulesModel, numbers: Sequence[int]) -> tuple[BoardPiece, ...]:
    """The pieces that stand for the elements of these variables. The sign of a piece is the beginning of its index, as
    long as is needed to distinguish the pieces; with several variables the beginning of the variable's name comes
    first."""
    variables = [model.variables[number] for number in numbers]
    begins = _beginnings([variable.name for variable in variables])
    found = []
    for variable, first in zip(variables, begins, strict=True):
        head = first if len(variables) > 1 or not variable.indices else ""
        signs = [_signs(index) for index in variable.indices]
        for k, place in enumerate(product(*map(members, variable.indices))):
            told = (sign[value] for sign, value in zip(signs, place, strict=True))
            name = [variable.name, *(text_of(t, v) for t, v in zip(variable.indices, place, strict=True))]
            owners = (v for t, v in zip(variable.indices, place, strict=True) if _are_players(model, t))
            found.append(BoardPiece(variable.place + k, head + "".join(told), " ".join(name), next(owners, None)))
    return tuple(found)


def _are_players(model: RulesModel, type: Type) -> bool:
    return isinstance(type, Named) and type.members == model.players


def _signs(type: Type) -> dict[Any, str]:
    """The beginnings of all values of an index; numbers are written out."""
    values = members(type)
    names = [text_of(type, value) for value in values]
    return dict(zip(values, names if names[0].isdigit() else _beginnings(names), strict=True))


def _beginnings(names: Sequence[str]) -> list[str]:
    """The names, cut to as many letters as tell them apart."""
    longest = max(map(len, names))
    length = next(n for n in range(1, longest + 1) if len({name[:n] for name in names}) == len(names))
    return [name[:length] for name in names]


def _drawn_over(model: RulesModel, board: Board) -> int | None:
    """The only variable that holds something for each square of the board, with those drawn together with it; None if
    there are several or none."""
    said = _says_of_squares(model, board)
    if not said or any(len(model.variables[number].indices) > 1 for number in said):
        return None
    shown = look_of(model, said[0]).variables if model.variables[said[0]].indices else said[:1]
    return said[0] if set(said) == set(shown) else None
