"""A state drawn for people: boards as a book prints them, tables, and other variables a line each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, product, zip_longest
from typing import Any, NamedTuple

from gdl.interpreter.board_pieces import EMPTY, BoardPieces, look_of, pieces_by_board, symbol_of
from gdl.interpreter.memory import HIDDEN
from gdl.interpreter.things import MOST_STONES, Kind, Thing, kinds, named_type, table_indices, thing_rows
from gdl.model.appearance import present_model
from gdl.model.board import AXES, HEXAGONS, Board, Coordinates, column_letters
from gdl.model.domains import Named, Optional, SetType, Type, board_of, members, text_of
from gdl.model.games import Appearance, Look, RulesModel, Variable

# Boards as text: a symbol for each square, where a book prints it. A picture is a list of lines.

WIDEST = 110  # of pictures side by side
MOST_SHOWN_EMPTY = 8  # sequences of an array, among which empty ones are told too
MOST_TOLD = 100  # elements of an array that is no board, one by one
KEPT = 1000  # symbols of squares, for each way to draw a variable
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_ALGEBRAIC = re.compile(r"([a-z])(\d{1,2})")  # d7

Picture = list[str]


def picture(board: Board, symbols: Sequence[str], numbered: bool = False) -> Picture:
    """The board as text with these symbols on its squares. `numbered` writes numbers as well as letters below its
    columns."""
    if board.shape == "graph":
        return _draw_points(board.squares, symbols) or _graph_lines(board, symbols)
    if board.shape == "ring":
        return _ring(board.squares, symbols)
    if board.shape == "track":
        return table([symbols, board.squares])
    at = dict(zip(board.coordinates, symbols, strict=True))
    if board.shape in HEXAGONS:
        return _hexagons(at)
    if len(board.sizes) == 2:
        return _labelled_rows(board.sizes, at, numbered)
    layers = sorted({place[2:] for place in at})
    return place_beside([
        [
            f"layer {', '.join(map(str, layer))}",
            *_labelled_rows(board.sizes, {p[:2]: at[p] for p in at if p[2:] == layer}),
        ]
        for layer in layers
    ])  # fmt: skip


def _labelled_rows(sizes: Coordinates, symbols: Mapping[Coordinates, str], numbered: bool = False) -> Picture:
    """The rows of a board from the highest down, with their numbers at the left and the columns' letters below."""
    wide, high = sizes[:2]
    width = max([len(s) for s in symbols.values()] + [len(str(wide)) if numbered or wide > 26 else 1])
    margin = len(str(high))
    out = []
    for row in range(high, 0, -1):
        shown = [symbols.get((column, row), "").rjust(width) for column in range(1, wide + 1)]
        out.append(f"{row:>{margin}} {' '.join(shown)}".rstrip())
    letters = " ".join(column_letters(column).rjust(width) for column in range(1, wide + 1))
    numbers = " ".join(str(column).rjust(width) for column in range(1, wide + 1))
    return [*out, *(f"{'':>{margin}} {labels}" for labels in ([letters, numbers] if numbered else [letters]))]


def _hexagons(symbols: Mapping[Coordinates, str]) -> Picture:
    """Hexagons as their directions say: east is on the right, north goes up and to the left, northeast up and to the
    right. So columns rise to the left from their letters, and rows to the right from their numbers; where the lower
    edge has no room for both, the numbers stand at the rows' other ends."""
    letters: dict[int, Coordinates] = {}
    first: dict[int, Coordinates] = {}
    last: dict[int, Coordinates] = {}
    for column, row in sorted(symbols, reverse=True):
        letters[column] = (column, row - 1)
        first[row] = (column - 1, row)
        last.setdefault(row, (column + 1, row))
    ends = last if set(first.values()) & set(letters.values()) else first
    shown = dict(symbols)
    shown |= {place: column_letters(column) for column, place in letters.items()}
    shown |= {place: str(row) for row, place in ends.items()}
    width = max(map(len, shown.values()))
    half, left = (width + 2) // 2, min(column - row for column, row in shown)
    lines: dict[int, str] = {}
    for (column, row), text in sorted(shown.items()):  # from left to right in each line
        line = lines.get(column + row, "")
        lines[column + row] = line.ljust((column - row - left) * half) + text.rjust(width)
    return [lines[height] for height in sorted(lines, reverse=True)]


def _graph_lines(board: Board, symbols: Sequence[str]) -> Picture:
    """A line for each point of a graph: its name, the symbol on it, and its neighbours."""
    name, symbol = (max(map(len, texts)) for texts in (board.squares, symbols))
    return [
        f"{point:<{name}} {shown:<{symbol}} - {', '.join(board.squares[other] for other in near)}".rstrip()
        for point, shown, near in zip(board.squares, symbols, board.adjacent, strict=True)
    ]


def _draw_points(names: Sequence[str], symbols: Sequence[str]) -> Picture | None:
    """A picture of points whose names say where they lie, as d7 does; None if some names do not."""
    places = [place for name in names if (place := _ALGEBRAIC.fullmatch(name))]
    if len(places) < len(names):
        return None
    at: dict[Coordinates, str] = {}
    for place, symbol in zip(places, symbols, strict=True):
        at[ord(place[1]) - ord("a") + 1, int(place[2])] = symbol
    return _labelled_rows(tuple(map(max, zip(*at, strict=True))), at)


def _ring(names: Sequence[str], symbols: Sequence[str]) -> Picture:
    """The squares of a ring in two rows: the first half below from left to right, the other half above from right to
    left, as one goes round a table."""
    half = (len(names) + 1) // 2
    return table([names[half:][::-1], symbols[half:][::-1], symbols[:half], names[:half]])


def table(rows: Iterable[Sequence[str]]) -> Picture:
    """The rows as lines of text, with their columns aligned to the right."""
    cells = list(rows)
    widths = [max(map(len, column)) for column in zip_longest(*cells, fillvalue="")]
    return [" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in cells]


def place_beside(pictures: Iterable[Picture]) -> Picture:
    """Pictures side by side, or below each other where the line is too short."""
    bands: list[Picture] = []
    for found in pictures:
        last = bands[-1] if bands else []
        width = max(map(len, last), default=WIDEST)
        if len(last) == len(found) and width + 3 + max(map(len, found)) <= WIDEST:
            bands[-1] = [f"{a:{width}}   {b}".rstrip() for a, b in zip(last, found, strict=True)]
        else:
            bands.append(found)
    return [line for band in bands for line in band]


def nests(board: Board, inner: Board) -> bool:
    """True if every square of a board can be drawn as a small board `inner`."""
    return board.shape == inner.shape == "grid" and len(board.sizes) == len(inner.sizes) == 2


def nested_picture(board: Board, inner: Board, symbols: Sequence[str]) -> Picture:
    """A grid each of whose squares is drawn as a small grid. `symbols` are those of the first square's small grid, then
    of the second's, …"""
    (wide, high), (columns, rows) = board.sizes, inner.sizes
    width = max(map(len, symbols))

    def line(row: int, small: int) -> str:
        """A line of the picture: one row of all the small grids in a row of the large one."""
        firsts = [board.square_at[column, row] * columns * rows for column in range(1, wide + 1)]
        parts = [[symbols[f + inner.square_at[c, small]].rjust(width) for c in range(1, columns + 1)] for f in firsts]
        number = str(row) if small == (rows + 1) // 2 else ""
        return f"{number:>{len(str(high))}} " + " | ".join(map(" ".join, parts))

    across = (width + 1) * columns - 1
    rule = f"{'':{len(str(high))}} " + "-+-".join(["-" * across] * wide)
    bands = [[line(row, small) for small in range(rows, 0, -1)] for row in range(high, 0, -1)]
    letters = "   ".join(column_letters(column).center(across) for column in range(1, wide + 1))
    out = [part for k, band in enumerate(bands) for part in ([rule, *band] if k else band)]
    return [*out, f"{'':{len(str(high))}} {letters}".rstrip()]


MAX_DRAWN_CELLS = 400  # squares or cells of one variable that are drawn


class BoardSheet(NamedTuple):
    """A board with a symbol for each of its squares. If `outer` is given, every square of `outer` holds such a board,
    and the symbols are those of the first square's board, then of the second's, …"""

    caption: str
    board: Board
    symbols: list[str]
    outer: Board | None = None
    men: list[str] | None = None  # signs of pieces, by square; "" where none stands

    def square_texts(self) -> list[str]:
        """For each square its symbol, followed by a stroke and the piece if a piece stands there."""
        both = zip(self.symbols, self.men or [""] * len(self.symbols), strict=True)
        return [f"{symbol}/{man}" if man else symbol for symbol, man in both]

    def picture(self, numbered: bool) -> Picture:
        """The board as text."""
        if self.outer is not None:
            return nested_picture(self.outer, self.board, self.symbols)
        return picture(self.board, self.square_texts(), numbered)


class Drawing(NamedTuple):
    """The parts of a state's drawing: boards, tables with their captions, and lines of text for everything else."""

    sheets: list[BoardSheet]
    tables: list[tuple[str, Picture]]
    lines: list[str]


class Drawer:
    """Draws the states of a game. What all its drawings share is found once: to look for it again would take as long as
    the rest. Variables whose numbers are in `left_out` are not drawn."""

    def __init__(self, model: RulesModel, left_out: Collection[int] = ()):
        self.model = model = present_model(model)
        self._groups = [group for group in pieces_by_board(model) if len(group.board.squares) <= MAX_DRAWN_CELLS]
        over_squares = (k for k, v in enumerate(model.variables) if any(map(board_of, v.indices)))
        placed = {index for group in self._groups for index in group.variables}
        self._kinds = kinds(model, {*over_squares, *left_out}, placed)
        self._looks = [look_of(model, index) for index in range(len(model.variables))]
        self._symbols = [symbols_by_square(model, look) for look in self._looks]
        self._left_out, self._numbered = left_out, numbers_columns(model)

    def text(self, cells: Sequence[Any]) -> str:
        """The drawing of a state as text. Arrays over a board make its picture, several together where a `setup` shows
        them so, with the pieces that stand on its squares; arrays with several indices make tables; all else makes a
        line. A single picture has no caption. A question mark stands for what is hidden; an array that is hidden as a
        whole is left out. Names and signs are those of the game's appearance, and what that hides is left out."""
        sheets, tables, lines = self.parts(cells)
        pictures = [(sheet.caption, sheet.picture(self._numbered)) for sheet in sheets]
        only = len(pictures) == 1 and not tables and not sheets[0].men
        captioned = pictures[0][1] if only else place_beside([caption, *lines] for caption, lines in pictures + tables)
        return "\n".join([*captioned, *lines])

    def parts(self, cells: Sequence[Any]) -> Drawing:
        """The parts of a state's drawing."""
        model, groups = self.model, self._groups
        found = Drawing([], [], [])
        drawn = set(self._left_out)
        for index, variable in enumerate(model.variables):
            if index in drawn or "." in variable.name:  # no name of an author's: what a draw keeps
                continue
            look = self._looks[index]
            values = list(cells[variable.place : variable.place + len(variable.initial)])
            symbols = self._symbols[index](cells)
            if variable.places:
                stacks = [[each for each in row if each != EMPTY] for row in _rows(variable, symbols)]
                found.sheets.extend(sheets := _sheets(variable, list(map(_stack_symbol, stacks))))
                found.lines.extend(_stack_lines(variable, stacks) if sheets else [_sequences(variable, values)])
                continue
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
            rows = list(_thing_lines(model, variable, self._kinds[index], values))
            if rows:
                found.lines.extend(rows)
            elif len(variable.indices) > 1 and len(symbols) <= MAX_DRAWN_CELLS:
                found.tables.append((variable.name, _table(variable, symbols)))
            else:
                found.lines.append(_line(variable, values))
        return found._replace(sheets=[_with_marks(sheet, model.appearance) for sheet in found.sheets])


def _with_marks(sheet: BoardSheet, look: Appearance) -> BoardSheet:
    """The board with the signs of marks on its empty squares, and with the names of its points."""
    board = sheet.board
    for mark in look.marks:
        here = mark.squares if board_of(mark.type) is board else ()
        marked = [
            mark.sign if s == EMPTY and k % len(board.squares) in here else s for k, s in enumerate(sheet.symbols)
        ]
        sheet = sheet._replace(symbols=marked)
    names = tuple(look.points.get(square, square) for square in board.squares)
    return sheet if names == board.squares else sheet._replace(board=replace(board, squares=names))


def _with_men(
    sheets: list[BoardSheet], group: BoardPieces, model: RulesModel, cells: Sequence[Any]
) -> list[BoardSheet]:
    """The sheets with pieces added on the first board; without sheets an empty board with the pieces, unless the places
    of all of them are hidden."""
    if not sheets and all(cells[man.cell] == HIDDEN for man in group.men):
        return []
    names = ", ".join(model.variables[index].name for index in group.variables)
    standing = group.signs_by_square(cells)
    if not sheets:
        return [BoardSheet(names, group.board, [man or EMPTY for man in standing])]
    return [sheets[0]._replace(caption=f"{sheets[0].caption}/{names}", men=standing)]


def edge_types(model: RulesModel) -> list[Named]:
    """The types of edges that are values or indices of variables."""
    types = [type for v in model.variables for type in (v.type, *v.indices)]
    inner = [type.item if isinstance(type, SetType | Optional) else type for type in types]
    return list(dict.fromkeys(type for type in inner if isinstance(type, Named) and type.graph is not None))


def _sheets(variable: Variable, symbols: list[str]) -> list[BoardSheet]:
    """The board of a variable's last index, once for all values of its other indices together; empty where the last
    index is no board or the array is too large."""
    *others, last = table_indices(variable) or (None,)
    board = board_of(last)
    if board is None or len(symbols) > MAX_DRAWN_CELLS:
        return []
    outer = board_of(others[0]) if len(others) == 1 else None
    if outer and nests(outer, board):
        return [BoardSheet(variable.name, board, symbols, outer)]
    found = []
    for k, place in enumerate(product(*map(members, others))):
        shown = symbols[k * len(board.squares) : (k + 1) * len(board.squares)]
        if set(shown) != {HIDDEN}:
            caption = [variable.name, *(_text(t, p) for t, p in zip(others, place, strict=True))]
            found.append(BoardSheet(" ".join(caption), board, shown))
    return found


def numbers_columns(model: RulesModel) -> bool:
    """True if players name columns of a board, which they do by numbers."""
    return any(parameter.axis == AXES[0] for rule in model.actions for parameter in rule.parameters)


def _set_sheet(model: RulesModel, variable: Variable, value: Any) -> list[BoardSheet]:
    """A board on which the squares of a set are marked, as a list; empty if the variable is no set of squares, is
    hidden, or an array shows the board already."""
    inner = variable.type.item if isinstance(variable.type, SetType) else None
    board = board_of(inner) if inner else None
    drawn = any(inner in other.indices for other in model.variables)
    if drawn or value == HIDDEN or not inner or not board or variable.indices:
        return []
    return [
        BoardSheet(variable.name, board, ["x" if value >> square & 1 else "." for square in range(len(board.squares))])
    ]


def symbols_by_square(model: RulesModel, look: Look) -> Callable[[Sequence[Any]], list[str]]:
    """A function from a state's values to the symbol for each square: the one in the legend, else the symbols of all
    values on it, joined."""
    variables = [model.variables[index] for index in look.variables]
    plain = [symbol_of(variable.type) for variable in variables]

    @lru_cache(KEPT)
    def symbol(values: tuple[Any, ...]) -> str:
        said = "".join(own(value) for own, value in zip(plain, values, strict=True))
        empty = not any(values) and None in values
        hidden = HIDDEN in values and not any(value for value in values if value != HIDDEN)
        return look.symbols.get(values) or (EMPTY if empty else HIDDEN if hidden else said)

    arrays = [slice(v.place, v.place + len(v.initial)) for v in variables]
    return lambda cells: [symbol(values) for values in zip(*(cells[place] for place in arrays), strict=True)]


def _thing_lines(model: RulesModel, variable: Variable, kind: Kind, values: list[Any]) -> Iterator[str]:
    """The lines of heaps, dice, and numbers of things that players have by kinds: `left: 1: 2 ●●`, `dice: ⚀ ⚅`, `hand
    White: 2 pawn, gold`. None for other variables."""
    by_kind = kind.own and len(variable.indices) == 2 and not variable.places
    if kind.look not in ("heaps", "dice") and not by_kind:
        return
    if kind.look == "counters" and named_type(variable.indices[1]) in (None, variable.indices[0]):
        return  # numbers by numbers, and by pairs of players, are tables
    for row in thing_rows(model, variable, kind, values):
        name = row.name if row.owner is None else f"{row.name} {model.players[row.owner]}"
        told = [text for thing, same in groupby(row.things) for text in _thing_texts(thing, len(list(same)))]
        listed = (" " if told and told[0][0] in "[⚀⚁⚂⚃⚄⚅" else ", ").join(told) or "-"
        yield f"{name}: {listed}" if variable.indices else f"{name} = {listed}"


def _thing_texts(thing: Thing, count: int) -> list[str]:
    """The words for so many of a thing: `2 pawn`, `⚅ ⚅`, `[4] [4]`, `7 ●●●●●●●`."""
    look, name, value = thing
    if look == "heap":
        stones = f" {'●' * int(value)}" if value.isdecimal() and 0 < int(value) <= MOST_STONES else ""
        return [f"{name}: {value}{stones}" if name else f"{value}{stones}"]
    if look == "counter":
        return [] if value in ("", "0") else [name if value == "1" else f"{value} {name}"]
    if look == "die":
        return ["⚀⚁⚂⚃⚄⚅"[int(name) - 1]] * count
    if look == "back" or name.isdecimal():
        return [f"[{name}]" if name else HIDDEN] * count
    return [name if count == 1 else f"{count} {name}"]


def _table(variable: Variable, symbols: list[str]) -> Picture:
    """An array as a table: the last index varies along the line, the others name the line."""
    *others, last = variable.indices
    heads = [_text(last, value) for value in members(last)]
    rows = [
        [",".join(_text(t, p) for t, p in zip(others, place, strict=True)), *symbols[k * len(heads) :][: len(heads)]]
        for k, place in enumerate(product(*map(members, others)))
    ]
    return table([["", *heads], *rows])


def _line(variable: Variable, values: list[Any]) -> str:
    if not variable.indices:
        return f"{variable.name} = {_text(variable.type, values[0])}"
    parts, usual, rest = [], None, ""
    if len(values) > MOST_TOLD:  # what most hold is told once
        usual, number = Counter(values).most_common(1)[0]
        rest = f"{'all' if number == len(values) else 'the other'} {number:,} {_text(variable.type, usual)}"
    for position, value in zip(product(*map(members, variable.indices)), values, strict=True):
        if rest and value == usual:
            continue
        inside = ",".join(_text(t, p) for t, p in zip(variable.indices, position, strict=True))
        parts.append(f"{inside}: {_text(variable.type, value)}")
    return f"{variable.name}: {', '.join([*parts, rest] if rest else parts)}"


def _stack_symbol(stack: Sequence[str]) -> str:
    """The symbol on top of a stack, with the number of symbols if there are several: Ab³."""
    return f"{stack[-1]}{str(len(stack)).translate(RAISED)}" if stack[1:] else "".join(stack) or EMPTY


def _stack_lines(variable: Variable, stacks: Sequence[Sequence[str]]) -> list[str]:
    """The stacks of several symbols in a line, each from below: `bugs from below: a1 AqBq, b1 Aa`."""
    heads = (" ".join(map(_text, variable.indices, place)) for place in product(*map(members, variable.indices[:-1])))
    told = [f"{head} {''.join(stack)}" for head, stack in zip(heads, stacks, strict=True) if stack[1:]]
    return [f"{variable.name} from below: {', '.join(told)}"] if told else []


def _rows(variable: Variable, cells: Sequence[Any]) -> list[Sequence[Any]]:
    """The cells of each sequence in an array of sequences."""
    return [cells[at : at + variable.places] for at in range(0, len(cells), variable.places)]


def _sequences(variable: Variable, values: list[Any]) -> str:
    """Sequences as text: `deck = [J, Q]`, `hand: Ann: [J], Bob: []`; where there are many, only those that hold
    anything."""
    shown = [
        f"[{', '.join(_text(variable.type, value) for value in row if value is not None)}]"
        for row in _rows(variable, values)
    ]
    if len(variable.indices) == 1:
        return f"{variable.name} = {shown[0]}"
    *indices, _ = variable.indices
    heads = [",".join(map(_text, indices, place)) for place in product(*map(members, indices))]
    few = len(shown) <= MOST_SHOWN_EMPTY
    told = [f"{head}: {text}" for head, text in zip(heads, shown, strict=True) if few or text != "[]"]
    return f"{variable.name}: {', '.join(told) or 'all empty'}"


def _text(type: Type, value: Any) -> str:
    return HIDDEN if value == HIDDEN else text_of(type, value, by_field=True)
