"""A position of a game by rules as a picture: its boards (squares, hexagons, points that are joined) with what stands
on them, and below them what is written: tables, hands and all other variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import cos, hypot, pi, sin
from textwrap import wrap
from typing import Any, NamedTuple

from gdl.interpreter.drawing import BoardSheet, Drawing, Stroke, drawing, edge_types, numbers_columns, strokes
from gdl.interpreter.square_symbols import EMPTY
from gdl.model.board import Board
from gdl.model.board_layout import Place, labels, layout, nested_layout
from gdl.model.games import RulesModel
from gdl.render.svg.elements import Point, document, element, number, on_white, points, text
from gdl.render.svg.measure import text_width
from gdl.render.svg.shapes import INK, SKIPPED

SQUARE = 30.0  # from the middle of a square to that of the next;
JOINED = 46.0  # of the points of a graph
_DOT, _RING = 3.0, 11.0  # radius of a point on which nothing stands, and of one on which something does
_MARGIN, _GAP, _LINE, _WIDEST = 14.0, 24.0, 15.0, 900.0
_TITLE = 18.0  # height of a caption
_LETTERS = 130  # of a line of text
_BOW = 14.0  # how far edges that join the same points are bent apart
_DARK = "#efe9dd"


class _Part(NamedTuple):
    """A board that is drawn, and the room that it takes."""

    shapes: list[str]
    width: float
    height: float


def svg_position(model: RulesModel, cells: Sequence[Any], title: str) -> str:
    """The picture as an SVG file."""
    drawn = drawing(model, cells)
    sheets = [*drawn.sheets, *_bare(drawn, model)]
    boards = [_board(sheet, model, cells) for sheet in sheets]
    captions = [sheet.caption if len(sheets) > 1 else "" for sheet in sheets]
    parts, width, y = _set_out(captions, boards)
    written = [*chain.from_iterable([caption, *table] for caption, table in drawn.tables), *drawn.lines]
    for line in chain.from_iterable(map(_wrap_line, written)):
        parts.append(text(_MARGIN, y, line, style="white-space:pre", font_family="monospace"))
        width, y = max(width, _MARGIN + 6.7 * len(line)), y + _LINE  # a letter of that font is 0.6 em wide
    told = [line for sheet in drawn.sheets for line in (sheet.caption, *sheet.picture(numbers_columns(model)))]
    return document(parts, width + _MARGIN, y + _MARGIN / 2, title, "\n".join([*told, *written]))


def _wrap_line(line: str) -> list[str]:
    """The line, or several where it is longer than the picture may be wide."""
    return [line] if len(line) <= _LETTERS else wrap(line, _LETTERS, subsequent_indent="    ")


def _bare(drawn: Drawing, model: RulesModel) -> list[BoardSheet]:
    """The graphs on whose points nothing stands, so that only their edges are drawn."""
    shown = [sheet.board for sheet in drawn.sheets]
    graphs = [type.graph for type in edge_types(model) if type.graph is not None and type.graph not in shown]
    return [BoardSheet("", graph, [EMPTY] * len(graph.squares)) for graph in graphs]


def _set_out(captions: Sequence[str], boards: Sequence[_Part]) -> tuple[list[str], float, float]:
    """The boards in rows; how wide they are, and where the next line begins."""
    parts: list[str] = []
    x, y, high, width = _MARGIN, _MARGIN, 0.0, 60.0
    for caption, board in zip(captions, boards, strict=True):
        if x > _MARGIN and x + board.width > _WIDEST:
            x, y, high = _MARGIN, y + high + _GAP, 0.0
        above = _TITLE if caption else 0.0
        if caption:
            parts.append(text(x, y, caption, font_style="italic"))
        parts.append(element("g", *board.shapes, transform=f"translate({number(x)} {number(y + above)})"))
        x += max(board.width, text_width(caption, 11)) + _GAP
        high, width = max(high, board.height + above), max(width, x - _GAP)
    return parts, width, y + high + (_GAP / 2 if boards else 0)


def _board(sheet: BoardSheet, model: RulesModel, cells: Sequence[Any]) -> _Part:
    """A board with what stands on it."""
    board = sheet.board
    places, kind, _ = layout(board) if sheet.outer is None else nested_layout(sheet.outer, board)
    pitch = JOINED if kind == "points" else SQUARE
    beside = [] if sheet.outer else labels(board, numbers_columns(model))
    room = pitch * 0.6 if kind == "points" else pitch / 2
    left = room + (pitch / 2 if beside else 0)
    at = [(left + pitch * x, room + pitch * y) for x, y in places]
    if kind == "points":
        shapes = [*_edges(at, strokes(model, cells, board)), *_points(at, sheet)]
    else:
        shapes = [_cell(place, kind, _is_dark(board, k)) for k, place in enumerate(at)]
        names = board.squares * (len(at) // len(board.squares))
        men = sheet.men or [""] * len(at)
        for place, symbol, man, name in zip(at, sheet.symbols, men, names, strict=True):
            if man:
                x, y = place[0] - 0.33 * pitch, place[1] + 0.33 * pitch
                shapes += [_sign((x, y), symbol, 0.55 * pitch), _sign(place, man, pitch)]
                continue
            shapes.append(_sign(place, symbol, pitch))
            if symbol in ("", EMPTY) and not beside and sheet.outer is None:
                shapes.append(text(*place, name, size=8, text_anchor="middle", fill=SKIPPED))
    shapes += [
        text(left + pitch * x, room + pitch * y, said, size=9, text_anchor="middle", fill=SKIPPED)
        for x, y, said in beside
    ]
    width, height = (max(each[axis] for each in at) + room for axis in (0, 1))
    return _Part([shape for shape in shapes if shape], width, height + (pitch / 2 if beside else 0))


def _is_dark(board: Board, square: int) -> bool:
    """True if a square is dark, as a1 is in chess."""
    at = square % len(board.squares)
    return board.shape == "grid" and len(board.sizes) == 2 and sum(board.coordinates[at]) % 2 == 0


def _cell(at: Point, kind: str, dark: bool) -> str:
    look: dict[str, Any] = {"fill": _DARK if dark else "#fff", "stroke": SKIPPED, "stroke_width": 0.7}
    x, y = at
    if kind == "hexagons":
        radius = SQUARE / 3**0.5
        corners = [(x + radius * sin(pi * k / 3), y + radius * cos(pi * k / 3)) for k in range(6)]
        return element("polygon", points=points(corners), **look)
    return element("rect", x=x - SQUARE / 2, y=y - SQUARE / 2, width=SQUARE, height=SQUARE, **look)


def _sign(at: Point, symbol: str, room: float) -> str:
    """The symbol on a square, as large as there is room; nothing for an empty one."""
    if symbol in ("", EMPTY):
        return ""
    size = min(room / 2, 0.85 * room / max(text_width(symbol, 1), 0.1))
    return text(*at, symbol, size=round(size, 1), text_anchor="middle", font_weight="bold", fill=INK)


def _points(at: Sequence[Place], sheet: BoardSheet) -> list[str]:
    """Points with their names, and around what stands on them a ring."""
    shapes = []
    for (x, y), symbol, name in zip(at, sheet.whole(), sheet.board.squares, strict=True):
        symbol = symbol.removeprefix(f"{EMPTY}/")
        empty = symbol in ("", EMPTY)
        radius, fill = (_DOT, INK) if empty else (_RING, "#fff")
        shapes.append(element("circle", cx=x, cy=y, r=radius, fill=fill, stroke=INK, stroke_width=1.2))
        shapes.append(_sign((x, y), symbol, 2 * _RING))
        shapes.append(text(x + radius + 1, y + radius + 4, name, size=9, fill=SKIPPED))
    return shapes


def _edges(at: Sequence[Place], found: Sequence[Stroke]) -> list[str]:
    """Lines between points, bent apart if several join the same two; edges that are gone are dashed."""
    shapes: list[str] = []
    met: Counter[frozenset[int]] = Counter()
    for ends, there, label in found:
        (x1, y1), (x2, y2) = at[ends[0]], at[ends[1]]
        turn = met[frozenset(ends)]
        met[frozenset(ends)] += 1
        bow = _BOW * ((turn + 1) // 2) * (1 if turn % 2 else -1)
        long = hypot(x2 - x1, y2 - y1) or 1.0
        side = 1 if ends[0] < ends[1] else -1
        middle = ((x1 + x2) / 2 - side * bow * (y2 - y1) / long, (y1 + y2) / 2 + side * bow * (x2 - x1) / long)
        look: dict[str, Any] = {
            "fill": "none",
            "stroke": INK if there else SKIPPED,
            "stroke_width": 1.6 if there else 0.7,
        }
        if ends[0] == ends[1]:
            shapes.append(element("circle", cx=x1, cy=y1 - 9 - 3 * turn, r=9 + 3.0 * turn, **look))
            middle = (x1, y1 - 18 - 6 * turn)
        else:
            bend = (2 * middle[0] - (x1 + x2) / 2, 2 * middle[1] - (y1 + y2) / 2)
            path = f"M{number(x1)} {number(y1)}Q{number(bend[0])} {number(bend[1])} {number(x2)} {number(y2)}"
            shapes.append(element("path", d=path, stroke_dasharray=None if there else "2 4", **look))
        if label:
            shapes.append(on_white(*middle, label, size=9, text_anchor="middle"))
    return shapes
