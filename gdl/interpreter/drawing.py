"""A state drawn for people: boards as a book prints them, tables, and other variables a line each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from gdl.interpreter.looks import EMPTY, look_of, symbol_of
from gdl.interpreter.memory import HIDDEN
from gdl.interpreter.men import BoardPieces, pieces_by_board
from gdl.interpreter.pictures import Picture, beside, nested_picture, nests, picture, table
from gdl.model.board import AXES, Board
from gdl.model.domains import Named, Optional, Part, Range, SetType, Type, board_of, members, text_of
from gdl.model.games import Look, RulesModel, Variable

MAX_DRAWN_CELLS = 400  # squares or cells of one variable that are drawn


class BoardSheet(NamedTuple):
    """A board with what is said of its squares; where it stands in every square of another, on the squares of the
    first, then of the second, …"""

    caption: str
    board: Board
    symbols: list[str]
    outer: Board | None = None
    men: list[str] | None = None  # that also stand there: of each square, "" of one without

    def whole(self) -> list[str]:
        """What is said of each square, and after a stroke who stands there."""
        both = zip(self.symbols, self.men or [""] * len(self.symbols), strict=True)
        return [f"{symbol}/{man}" if man else symbol for symbol, man in both]

    def picture(self, numbered: bool) -> Picture:
        """The board as text."""
        if self.outer is not None:
            return nested_picture(self.outer, self.board, self.symbols)
        return picture(self.board, self.whole(), numbered)


class Drawing(NamedTuple):
    """What is drawn of a state: boards, tables with their captions, and the lines that tell of everything else."""

    sheets: list[BoardSheet]
    tables: list[tuple[str, Picture]]
    lines: list[str]


def draw(model: RulesModel, cells: Sequence[Any]) -> str:
    """Every variable: arrays over a board as its picture, several together where a `setup` shows them so, and on it the
    men whose places are squares of it; arrays with several indices as tables; all else on a line. A picture that stands
    alone needs no caption. A question mark stands for what is hidden; where all is, nothing is drawn."""
    sheets, tables, lines = drawing(model, cells)
    numbered = numbers_columns(model)
    pictures = [(sheet.caption, sheet.picture(numbered)) for sheet in sheets]
    only = len(pictures) == 1 and not tables and not sheets[0].men
    captioned = pictures[0][1] if only else beside([caption, *lines] for caption, lines in pictures + tables)
    return "\n".join([*captioned, *lines])


def drawing(model: RulesModel, cells: Sequence[Any]) -> Drawing:
    """The parts of the drawing."""
    found = Drawing([], [], [])
    groups = [group for group in pieces_by_board(model) if len(group.board.squares) <= MAX_DRAWN_CELLS]
    drawn: set[int] = set()
    for index, variable in enumerate(model.variables):
        if index in drawn:
            continue
        look = look_of(model, index)
        values = list(cells[variable.place : variable.place + len(variable.initial)])
        symbols = _symbols(model, look, cells)
        hidden = set(symbols) == {HIDDEN}
        sheets = [] if hidden else _sheets(variable, symbols) or _set_sheet(model, variable, values[0])
        drawn |= set(look.variables) if sheets else set()
        stand_here = sheets == [] and any(index in group.variables for group in groups)
        shown = hidden or bool(sheets) or (stand_here and all(isinstance(value, int) for value in values))
        for group in groups:
            if index == (group.variables[0] if group.over is None else group.over):
                sheets = _with_men(sheets, group, model, cells)
        found.sheets.extend(sheets)
        if shown:
            continue
        if _is_hand(model, variable):
            found.lines.extend(_hands(variable, values))
        elif len(variable.indices) > 1 and len(symbols) <= MAX_DRAWN_CELLS:
            found.tables.append((variable.name, _table(variable, symbols)))
        else:
            found.lines.append(_line(variable, values))
    return found


def _with_men(
    sheets: list[BoardSheet], group: BoardPieces, model: RulesModel, cells: Sequence[Any]
) -> list[BoardSheet]:
    """Men on the squares of the board that is drawn, else of an empty one, if anything is known of any."""
    if not sheets and all(cells[man.cell] == HIDDEN for man in group.men):
        return []
    names = ", ".join(model.variables[index].name for index in group.variables)
    standing = group.signs_by_square(cells)
    if not sheets:
        return [BoardSheet(names, group.board, [man or EMPTY for man in standing])]
    return [sheets[0]._replace(caption=f"{sheets[0].caption}/{names}", men=standing)]


class Stroke(NamedTuple):
    """An edge of a graph: the points that it joins, whether it is there, and what is written at it."""

    ends: tuple[int, int]
    there: bool = True
    label: str = ""


def strokes(model: RulesModel, cells: Sequence[Any], board: Board) -> list[Stroke]:
    """The edges of a graph: there are those that a set of edges holds, if the state has such sets; where it has
    several their names are written at the edges, and so is what arrays over the edges hold."""
    sets, arrays = [], []
    for variable in model.variables:
        kind = variable.type.item if isinstance(variable.type, SetType) else None
        first = cells[variable.place]
        if isinstance(kind, Named) and kind.graph is board and not variable.indices and first != HIDDEN:
            sets.append((variable.name, first))
        if len(variable.indices) == 1 and isinstance(by := variable.indices[0], Named) and by.graph is board:
            arrays.append(list(map(symbol_of(variable.type), cells[variable.place : variable.place + len(by.members)])))
    edges = next((type.joins for type in edge_types(model) if type.graph is board), None)
    if edges is None:
        return [Stroke((a, b)) for a, near in enumerate(board.adjacent) for b in near if a < b]
    found = []
    for k, ends in enumerate(edges):
        names = [name for name, held in sets if held >> k & 1]
        said = (names if len(sets) > 1 else []) + [array[k] for array in arrays if array[k] != EMPTY]
        found.append(Stroke(ends, bool(names) or not sets, " ".join(said)))
    return found


def edge_types(model: RulesModel) -> list[Named]:
    """The types of edges that variables hold or are read by."""
    types = [type for v in model.variables for type in (v.type, *v.indices)]
    inner = [type.item if isinstance(type, SetType | Optional) else type for type in types]
    return list(dict.fromkeys(type for type in inner if isinstance(type, Named) and type.graph is not None))


def signs(model: RulesModel, cells: Sequence[Any]) -> dict[str, str]:
    """What stands on the squares of the first board that is drawn, by their names; nothing is said of empty ones."""
    for index, variable in enumerate(model.variables):
        board = board_of(variable.indices[-1]) if len(variable.indices) == 1 else None
        if board is not None:
            drawn = zip(board.squares, _symbols(model, look_of(model, index), cells), strict=True)
            return {square: symbol for square, symbol in drawn if symbol not in (EMPTY, HIDDEN)}
    return {}


def _sheets(variable: Variable, symbols: list[str]) -> list[BoardSheet]:
    """The board that is the last index, for each value of the others; none where there is no board."""
    board = board_of(variable.indices[-1]) if variable.indices else None
    if board is None or len(symbols) > MAX_DRAWN_CELLS:
        return []
    others = variable.indices[:-1]
    outer = board_of(others[0]) if len(others) == 1 else None
    if outer and nests(outer, board):
        return [BoardSheet(variable.name, board, symbols, outer)]
    found = []
    for k, place in enumerate(product(*map(members, others))):
        shown = symbols[k * len(board.squares) : (k + 1) * len(board.squares)]
        if set(shown) != {HIDDEN}:
            caption = [variable.name, *(text_of(t, p) for t, p in zip(others, place, strict=True))]
            found.append(BoardSheet(" ".join(caption), board, shown))
    return found


def numbers_columns(model: RulesModel) -> bool:
    """Whether players name columns of a board, which they do by number."""
    return any(parameter.axis == AXES[0] for rule in model.actions for parameter in rule.parameters)


def _set_sheet(model: RulesModel, variable: Variable, value: Any) -> list[BoardSheet]:
    """A set of squares is drawn where nothing else shows the board."""
    inner = variable.type.item if isinstance(variable.type, SetType) else None
    board = board_of(inner) if inner else None
    if (
        value == HIDDEN
        or not inner
        or not board
        or variable.indices
        or any(inner in other.indices for other in model.variables)
    ):
        return []
    return [
        BoardSheet(variable.name, board, ["x" if value >> square & 1 else "." for square in range(len(board.squares))])
    ]


def _symbols(model: RulesModel, look: Look, cells: Sequence[Any]) -> list[str]:
    """The symbol of each square: what the legend says, else the symbols of all its values."""
    variables = [model.variables[index] for index in look.variables]
    plain = [symbol_of(variable.type) for variable in variables]
    arrays = [cells[v.place : v.place + len(v.initial)] for v in variables]
    found = []
    for values in zip(*arrays, strict=True):
        said = [symbol(value) for symbol, value in zip(plain, values, strict=True)]
        empty = not any(values) and None in values
        hidden = HIDDEN in values and not any(value for value in values if value != HIDDEN)
        found.append(look.symbols.get(values) or (EMPTY if empty else HIDDEN if hidden else "".join(said)))
    return found


def _is_hand(model: RulesModel, variable: Variable) -> bool:
    """Whether an array says how many things of each kind each player has."""
    if len(variable.indices) != 2 or not isinstance(variable.type, Range) or variable.type.low != 0:
        return False
    owner, thing = variable.indices
    kind = thing.whole if isinstance(thing, Part) else thing
    if not isinstance(owner, Named) or not isinstance(kind, Named) or kind.board is not None:
        return False
    return owner.members == model.players != kind.members


def _hands(variable: Variable, values: list[Any]) -> list[str]:
    """`hand White: 2 pawn, gold`: a line for each player, without what they have none of."""
    owner, thing = variable.indices
    each = len(members(thing))
    out = []
    for player in members(owner):
        held = zip(members(thing), values[player * each : (player + 1) * each], strict=True)
        shown = [
            f"{'' if count == 1 else f'{count} '}{text_of(thing, kind)}"
            for kind, count in held
            if count not in (0, None)
        ]
        out.append(f"{variable.name} {text_of(owner, player)}: {', '.join(shown) or '-'}")
    return out


def _table(variable: Variable, symbols: list[str]) -> Picture:
    """The last index along the line, the others in front."""
    *others, last = variable.indices
    heads = [text_of(last, value) for value in members(last)]
    rows = [
        [",".join(text_of(t, p) for t, p in zip(others, place, strict=True)), *symbols[k * len(heads) :][: len(heads)]]
        for k, place in enumerate(product(*map(members, others)))
    ]
    return table([["", *heads], *rows])


def _line(variable: Variable, values: list[Any]) -> str:
    if not variable.indices:
        return f"{variable.name} = {_text(variable.type, values[0])}"
    parts = []
    for position, value in zip(product(*map(members, variable.indices)), values, strict=True):
        inside = ",".join(text_of(t, p) for t, p in zip(variable.indices, position, strict=True))
        parts.append(f"{inside}: {_text(variable.type, value)}")
    return f"{variable.name}: {', '.join(parts)}"


def _text(type: Type, value: Any) -> str:
    return HIDDEN if value == HIDDEN else text_of(type, value)
