"""Pieces whose squares are values of variables, as in `worker[Player]: Square`: their boards and their signs.

Symbols for the values on the squares of a board: those of a legend, else made from the names of the values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

from gdl.interpreter.memory import HIDDEN
from gdl.model.appearance import PresentedType, sign_in_text
from gdl.model.board import Board
from gdl.model.domains import Named, Optional, Part, SetType, Type, board_of, members, text_of, without_none
from gdl.model.games import Look, RulesModel, Variable

EMPTY = "."
MOST_PIECES = 64  # on one board


class BoardPiece(NamedTuple):
    """A piece whose square a variable holds: `cell` is the index of that value in the state, `sign` its letters in
    pictures, `owner` the player who owns it (None if the index is no player), `called` the variable's name."""

    cell: int
    sign: str
    name: str
    owner: int | None
    called: str


class BoardPieces(NamedTuple):
    """The pieces of one board, held by the variables with these numbers. They are drawn over the symbols of the
    variable `over`; where that is None, on a board of their own."""

    board: Board
    variables: tuple[int, ...]
    men: tuple[BoardPiece, ...]
    over: int | None

    def signs_by_square(self, cells: Sequence[Any]) -> list[str]:
        """For each square the signs of the pieces on it, joined by `+`; empty for a square without a piece."""
        signs: list[list[str]] = [[] for _ in self.board.squares]
        for man in self.men:
            if isinstance(square := cells[man.cell], int):
                signs[square].append(man.sign)
        return ["+".join(each) for each in signs]


def pieces_by_board(model: RulesModel) -> list[BoardPieces]:
    """The pieces of each board, in the order of the variables."""
    found: dict[Board, list[int]] = {}
    for number, variable in enumerate(model.variables):
        board = _standing_on(variable)
        always = variable.type == without_none(variable.type)  # as a hero stands somewhere, unlike a square last passed
        if board is not None and (variable.indices or always or not _says_of_squares(model, board)):
            found.setdefault(board, []).append(number)
    groups = []
    for board, numbers in found.items():
        those = _pieces_of(model, numbers)
        if len(those) <= MOST_PIECES:
            groups.append(BoardPieces(board, tuple(numbers), those, _drawn_over(model, board)))
    return groups


def _standing_on(variable: Variable) -> Board | None:
    """The board whose squares the values of a variable are; None if they are not squares, or if the variable is an
    array over squares."""
    if any(board_of(index) for index in variable.indices):
        return None
    return board_of(without_none(variable.type))


def _says_of_squares(model: RulesModel, board: Board) -> list[int]:
    """The numbers of the variables that are arrays over a board; if there are none, of those that are sets of its
    squares."""
    arrays = [n for n, v in enumerate(model.variables) if any(board_of(index) is board for index in v.indices)]
    alone = ((n, v.type) for n, v in enumerate(model.variables) if not v.indices)
    return arrays or [n for n, type in alone if isinstance(type, SetType) and board_of(type.item) is board]


def _pieces_of(model: RulesModel, numbers: Sequence[int]) -> tuple[BoardPiece, ...]:
    """The pieces that the elements of these variables stand for. The sign of a piece is the beginning of its index, as
    long as is needed to distinguish the pieces; with several variables the beginning of the variable's name comes
    first."""
    variables = [model.variables[number] for number in numbers]
    begins = _beginnings([variable.name for variable in variables])
    found = []
    for variable, first in zip(variables, begins, strict=True):
        said = sign_in_text(model.appearance.signs.get(variable.name, ""))
        head = said or (first if len(variables) > 1 or not variable.indices else "")
        signs = [_signs(index) for index in variable.indices]
        for k, place in enumerate(product(*map(members, variable.indices))):
            told = (sign[value] for sign, value in zip(signs, place, strict=True))
            name = [variable.name, *(text_of(t, v) for t, v in zip(variable.indices, place, strict=True))]
            indices = zip(variable.indices, place, strict=True)
            owners = (v for t, v in indices if isinstance(t, Named) and t.members == model.players)
            sign, owner = head + "".join(told), next(owners, None)
            found.append(BoardPiece(variable.place + k, sign, " ".join(name), owner, variable.name))
    return tuple(found)


def _signs(type: Type) -> dict[Any, str]:
    """For each value of an index, a beginning of its name by which it differs from the others; numbers stay whole."""
    values = members(type)
    names = [text_of(type, value) for value in values]
    return dict(zip(values, names if names[0].isdigit() else _beginnings(names), strict=True))


def _beginnings(names: Sequence[str]) -> list[str]:
    """The names, cut to the least length at which they all differ."""
    longest = max(map(len, names))
    length = next(n for n in range(1, longest + 1) if len({name[:n] for name in names}) == len(names))
    return [name[:length] for name in names]


def _drawn_over(model: RulesModel, board: Board) -> int | None:
    """The number of the first variable that has a value for each square of the board, which all see; None if there is
    no such variable, or if one has several pictures."""
    said = _says_of_squares(model, board)
    if any(len(model.variables[number].indices) > 1 for number in said):
        return None
    firsts = (n for n in said if not model.variables[n].indices or n == min(look_of(model, n).variables))
    return next((n for n in firsts if model.variables[n].visibility.kind == "all"), None)


def look_of(model: RulesModel, index: int) -> Look:
    """The way to draw a variable: the variables drawn in one picture with it, and their symbols."""
    said = next((look for look in reversed(model.looks) if index in look.variables), None)
    return _sides_and_kinds(model, index) or said or Look((index,), {})


def is_legend(look: Look, arrays: Sequence[int], sides: Sequence[int]) -> bool:
    """True if a `setup` says how several of these arrays are drawn, or one that does not tell whose each man is."""
    return bool({*look.variables} & {*arrays} - ({*sides} if len(look.variables) == 1 else set()) and look.symbols)


def _sides_and_kinds(model: RulesModel, index: int) -> Look | None:
    """The way to draw pieces on one board, if one of two arrays over it holds the owner of each piece, the other its
    kind, and no legend explains them: letters of the kinds, capitals for the first player, as in chess. Else None."""
    first = model.variables[index]
    board = board_of(first.indices[0]) if len(first.indices) == 1 else None
    arrays = [k for k, v in enumerate(model.variables) if v.indices == first.indices]
    if board is None or len(model.players) != 2 or len(arrays) != 2 or index != arrays[0]:
        return None
    arrays.sort(key=lambda k: getattr(without_none(model.variables[k].type), "members", ()) != model.players)
    sides, kinds = (_enumeration_of(model.variables[k].type) for k in arrays)
    told = any(is_legend(look, arrays, arrays[:1]) for look in model.looks)
    if told or sides is None or kinds is None or sides.members != model.players or kinds.members == model.players:
        return None
    letters = [name[0].lower() for name in kinds.members]
    if len(set(letters)) < len(letters) or not isinstance(model.variables[arrays[0]].type, Optional):
        return None
    said: dict[tuple[Any, ...], str] = {}
    for kind, (letter, name) in enumerate(zip(letters, kinds.members, strict=True)):
        said |= {(0, kind): letter.upper(), (1, kind): letter, (None, kind): name}
    nothing = None if isinstance(model.variables[arrays[1]].type, Optional) else 0
    return Look(tuple(arrays), said | {(None, nothing): EMPTY})


def _enumeration_of(type: Type) -> Named | None:
    inner = without_none(type)
    return inner if isinstance(inner, Named) and inner.board is None else None


def symbol_of(type: Type) -> Callable[[Any], str]:
    """A function to a short symbol for each value of a type: a dot for none and false, a cross for true, the first
    letter of a name if all members differ in it, for a record the symbols of its fields."""
    inner = without_none(type)
    names = inner.whole.members if isinstance(inner, Part) else inner.members if isinstance(inner, Named) else ()
    record = isinstance(inner, Named) and bool(inner.parts)
    drawn = whole.signs if isinstance(whole := inner.whole if isinstance(inner, Part) else inner, PresentedType) else {}
    letters = ["".join(word[0] for word in re.findall(r"[\w-]+", name)[1:]) if record else name[0] for name in names]
    short = bool(names) and len(set(letters)) == len(names)

    def symbol(value: Any) -> str:
        if value is None or value is False:
            return EMPTY
        if value == HIDDEN:
            return HIDDEN
        if value in drawn:
            return drawn[value]
        return "x" if value is True else letters[value] if short else text_of(type, value, by_field=True)

    return symbol
