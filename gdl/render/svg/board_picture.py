"""A position of a game by rules as a picture: its boards with the men on them, as on the page to play on, below them
cards, dice, heaps and counters, and what is left in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from math import cos, sin, sqrt
from textwrap import wrap
from typing import Any, NamedTuple

from gdl.interpreter.board_pieces import EMPTY
from gdl.interpreter.drawing import Drawer
from gdl.interpreter.memory import HIDDEN
from gdl.interpreter.things import MOST_STONES, Thing, ThingRow, kinds, thing_rows
from gdl.model.appearance import SIGNS, present_model
from gdl.model.games import RulesModel
from gdl.model.symbols import read_symbols
from gdl.render.boards_data import MEN, ColouredPlayer, boards_data, man_symbol, sides, variables_on_boards
from gdl.render.svg.elements import Point, document, element, escape_xml, number, on_white, text, text_width
from gdl.render.svg.shapes import INK, SKIPPED

# The men on the squares of a board, by the shapes of pieces.json: discs, men by their signs, seeds, tracks.

SEED = "#a3752c"
SEEDS, GOLDEN = 24, 2.4  # seeds of a pit that are drawn, and the angle from one to the next
WOOD, MARKED = "#6d5a3f", "#8a6420"  # of men of nobody, and of marks
CROSSES = {"X": "cross", "O": "circle"}  # what players with such names draw
BRIGHT = ("#fdfdf8", "#f0e442", "#e6b422", "#b9bec4", "#e7a1c4")  # colours on which letters are dark

Board = Mapping[str, Any]


class Standing(NamedTuple):
    """The man or men on a square: the sign to draw ("" for an empty square), the index of the owner (None if nobody
    owns them), and their name."""

    sign: str
    owner: int | None = None
    name: str = ""


def standing(board: Board, square: Board, cells: Sequence[Any], players: Sequence[ColouredPlayer]) -> Standing:
    """The man on a square in a state, whose values are `cells`, found as the page for playing does; of a stack the one
    on top."""
    if board.get("stacked"):
        return (stack(board, square, cells, players) or [Standing("")])[-1]
    values, variables = [cells[at] for at in square["cells"]], board["variables"]
    if board["kind"] == "lanes":
        return Standing("+".join(map(str, values)))
    if board.get("set"):
        (at,) = square["is"].values()
        return Standing("x" if values[0] != HIDDEN and values[0] >> at & 1 else "")
    pairs = list(zip(variables, values, strict=True))
    told = [(v, value) for v, value in pairs if value is not None and value != HIDDEN]
    owners = (v["owners"][value] for v, value in told if v["owners"])
    owner = next((each for each in owners if each is not None), None)
    found = [(v, next((sign for each, sign in v["signs"] if each == value), str(value))) for v, value in told]
    signs = [(v, sign) for v, sign in found if sign != EMPTY]
    more = "".join(sign for v, sign in signs if len(values) == 1 or not v["players"])
    if HIDDEN in values and not more:
        empty = any(v["players"] and value is None for v, value in pairs)
        return Standing("" if empty else HIDDEN, owner, HIDDEN)
    said = next((row[-1] for row in board["said"] if row[:-1] == values), None)
    held = any(values) or None not in values or board.get("crossed")
    sign = said or (more or (signs[0][1] if signs else "") if held else "")
    names = (v["called"] if value is True else v["names"][value] for v, value in told if value is True or v["names"])
    return Standing("", owner) if sign in ("", EMPTY) else Standing(sign, owner, " ".join(filter(None, names)))


def stack(board: Board, square: Board, cells: Sequence[Any], players: Sequence[ColouredPlayer]) -> list[Standing]:
    """The men of the stack on a square, from below."""
    high = board["stacked"]
    levels = [square["cells"][k::high] for k in range(high)]
    one = {**board, "stacked": 0, "variables": board["variables"][::high]}
    return [standing(one, {**square, "cells": at}, cells, players) for at in levels if cells[at[0]] is not None]


def shape(name: str, at: Point, scale: float, **words: object) -> str:
    """A shape of pieces.json, centred at a point; `scale` is the size of a square in pixels, `words` fill the
    placeholders."""
    inside = MEN["shapes"][name].format_map({word: escape_xml(str(said)) for word, said in words.items()})
    return f'<g transform="translate({at[0]:.1f} {at[1]:.1f}) scale({scale:g})">{inside}</g>'


def letters(sign: str, at: Point, room: float, fill: str = "#222") -> str:
    """A sign as text, as large as fits a square of `room` pixels."""
    size = min(0.5, 0.85 / max(text_width(sign, 1), 0.1))
    return shape("sign", at, room, sign=sign, fill=fill, size=f"{size:.3f}", drop=f"{0.34 * size:.3f}")


def line_on(fill: str) -> str:
    """The colour of lines that are seen on a colour."""
    return INK if fill in BRIGHT else "#f4efe2"


def symbol(name: str, at: Point, size: float, fill: str = WOOD, line: str = "") -> str:
    """A drawing of symbols.svg, centred at a point, `size` pixels wide; its lines are seen on its `fill` unless another
    colour is said."""
    lines, inside = read_symbols()[name]
    move = f"translate({at[0] - size / 2:.1f} {at[1] - size / 2:.1f}) scale({size / 100:g})"
    return f'<g class="{name}" transform="{move}" fill="{fill}" stroke="{line or line_on(fill)}" {lines}>{inside}</g>'


def drawn_sign(sign: str, at: Point, room: float, fill: str = WOOD) -> str:
    """The drawing of a symbol's name, or any other sign as letters."""
    return symbol(sign, at, room, fill) if sign in read_symbols() else letters(sign, at, room, "#222")


def man(found: Standing, board: Board, at: Point, size: float, players: Sequence[ColouredPlayer]) -> Iterator[str]:
    """The shapes of the men on a square of `size` pixels."""
    sign, owner, name = found
    drawing, fill = man_symbol(board["glyphs"], name, owner), WOOD if owner is None else players[owner].colour
    flagged = any(v["called"] == name for v in board["variables"]) and drawing != "crowned"
    if sign == "x" and owner is None:
        yield shape("block", at, size)
    elif board["look"] == "lines" and owner is None:
        yield shape(sign, at, size) if sign in ("-", "|") else ""
    elif sign and owner is None:
        yield drawn_sign(drawing or sign, at, size)
    elif owner is not None and drawing in read_symbols() and not flagged:
        turned = f"rotate(180 {at[0]:.1f} {at[1]:.1f})" if board["look"] == "wedges" and owner == 1 else None
        yield element("g", symbol(drawing, at, size, fill, fill if board["look"] == "rings" else ""), transform=turned)
    elif owner is not None and drawing and not flagged:
        yield shape("glyph", at, size, sign=drawing, fill=fill)
    elif owner is not None and not name and len(own := players[owner].name) == 1:
        yield symbol(CROSSES[own], at, 0.9 * size, INK, INK) if own in CROSSES else letters(own, at, 1.6 * size)
    elif owner is not None:
        plain = not name and (len(board["variables"]) == 1 or sign[0].lower() == players[owner].name[0].lower())
        room = 0.68 if board["kind"] == "points" else 1.0  # of a square
        yield symbol(board["plain"], at, room * size, fill) if plain else disc(sign, fill, at, size, 0.38 * room)


def disc(sign: str, fill: str, at: Point, size: float, radius: float = 0.38) -> str:
    """A disc with a sign on it ("": no sign); `radius` is a part of the square's size."""
    inside = letters(sign, at, 1.8 * radius * size, "#222" if fill in BRIGHT else "#fff") if sign else ""
    return shape("disc", at, size, fill=fill, radius=radius) + inside


def pit(sign: str, at: Point, size: float, high: float) -> str:
    """A pit with its seeds, laid from the middle outwards, and their number (`sign`); `high` is half the pit's height,
    as a part of `size`."""
    count = int(sign) if sign.isdecimal() else 0
    far = [(0.075 * sqrt(k) * cos(GOLDEN * k), 0.075 * sqrt(k) * sin(GOLDEN * k)) for k in range(min(count, SEEDS))]
    seeds = (symbol("seed", (at[0] + x * size, at[1] + y * size), 0.15 * size, SEED, "#5c3d10") for x, y in far)
    return shape("pit", at, size, sign=sign, high=high) + "".join(seeds)


def lane(counts: Sequence[int], square: Board, at: Point, size: float, players: Sequence[ColouredPlayer]) -> str:
    """A point of a track with its number, and on it the men of both players (`counts` of each), laid from the edge of
    the board inwards; many men overlap."""
    inwards, dark = (-1 if square["y"] else 1), (square["x"] + bool(square["y"])) % 2
    edge, tip, foot = -0.5 * inwards, 4.6 * inwards, 5.2 * inwards + 0.1
    fill = "#cfc6b0" if dark else "#f7f5ee"
    men = [players[player].colour for player, count in enumerate(counts) for _ in range(count)]
    apart = min(0.84, 4.1 / max(len(men), 1)) * inwards * size
    discs = (symbol("man", (at[0], at[1] + k * apart), 1.1 * size, each) for k, each in enumerate(men))
    return shape("lane", at, size, edge=edge, tip=tip, foot=foot, fill=fill, sign=square["name"]) + "".join(discs)


SQUARE = 30.0  # distance between the centres of neighbouring squares,
JOINED = 46.0  # and between neighbouring points of a graph
_MARGIN, _GAP, _LINE, _WIDEST = 14.0, 24.0, 15.0, 900.0
_TITLE = 18.0  # height of a caption
_LETTERS = 130  # characters of a line of text, at most
_BROKEN = {"stroke_width": 0.015, "stroke_dasharray": ".04 .09"}  # the line of an edge that has gone


class _Part(NamedTuple):
    """The shapes of a drawn board, and the width and height of the room that it takes."""

    shapes: list[str]
    width: float
    height: float


def svg_position(model: RulesModel, cells: Sequence[Any], title: str) -> str:
    """The picture as an SVG file."""
    model = present_model(model)
    players = sides(model.players, model.appearance.colours)
    boards = boards_data(model, id)
    on_squares, placed = variables_on_boards(model, boards)
    shown = _shown_boards(boards, cells, players)
    captions = [board["title"] if len(shown) > 1 else "" for board in shown]
    parts, width, y = _set_out(captions, [_board(board, players, cells) for board in shown])
    looks = kinds(model, on_squares, placed)
    values = [cells[v.place : v.place + len(v.initial)] for v in model.variables]
    things = [list(thing_rows(model, *each)) for each in zip(model.variables, looks, values, strict=True)]
    glyphs: Mapping[str, Any] = next((board["glyphs"] for board in boards), {})
    shapes, wide, y = _set_out_rows(table_rows(list(chain.from_iterable(things)), players, glyphs), y)
    parts, width = [*parts, *shapes], max(width, wide)
    squared = {k for k in placed if all(isinstance(value, int) for value in values[k])}  # none is empty or hidden
    pictured = [k for k, kind in enumerate(looks) if kind.look != "words" or k in squared]
    left = Drawer(model, pictured).parts(cells)
    written = [*chain.from_iterable([caption, *table] for caption, table in left.tables), *left.lines]
    for line in chain.from_iterable(map(_wrap_line, written)):
        parts.append(text(_MARGIN, y, line, style="white-space:pre", font_family="monospace"))
        width, y = max(width, _MARGIN + 6.7 * len(line)), y + _LINE  # a letter of that font is 0.6 em wide
    return document(parts, width + _MARGIN, y + _MARGIN / 2, title, Drawer(model).text(cells))


def _wrap_line(line: str) -> list[str]:
    """The line, split into several if it is longer than the widest picture."""
    return [line] if len(line) <= _LETTERS else wrap(line, _LETTERS, subsequent_indent="    ")


def _shown_boards(boards: Sequence[Board], cells: Sequence[Any], players: Sequence[ColouredPlayer]) -> list[Board]:
    """The boards without those that are wholly hidden, and without empty ones of the first board's size; if all are
    empty, the first."""
    seen = [board for board in boards if {cells[cell] for s in board["squares"] for cell in s["cells"]} != {HIDDEN}]
    first = boards[0]["squares"] if boards else ()
    used = [
        board for board in seen
        if len(board["squares"]) != len(first) or board.get("men") or board.get("crossed")
        or any(standing(board, square, cells, players).sign for square in board["squares"])
    ]  # fmt: skip
    shown = used or seen[:1]
    return [_around_men(board, cells, players) if board.get("endless") else board for board in shown]


def _around_men(board: Board, cells: Sequence[Any], players: Sequence[ColouredPlayer]) -> Board:
    """The part of a board without end on which men stand, and two squares around it; all of an empty one."""
    taken = [each for each in board["squares"] if standing(board, each, cells, players).sign] or board["squares"]
    (left, right), (top, low) = ((min(each[a] for each in taken) - 2, max(each[a] for each in taken) + 2) for a in "xy")
    near = [each for each in board["squares"] if left <= each["x"] <= right and top <= each["y"] <= low]
    shifted = [each | {"x": each["x"] - max(left, 0), "y": each["y"] - max(top, 0)} for each in near]
    return {**board, "squares": shifted, "labels": []}


def _set_out(captions: Sequence[str], boards: Sequence[_Part]) -> tuple[list[str], float, float]:
    """The boards in rows, each under its caption; then the width of all, and the y at which the text below begins."""
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


def _set_out_rows(rows: Sequence[Sequence[Placed]], y: float) -> tuple[list[str], float, float]:
    """Rows of small shapes below each other, too long ones broken; then the width of all, and the y below them."""
    parts: list[str] = []
    width = 0.0
    for row in rows:
        x = _MARGIN
        for drawn, wide in row:
            if x > _MARGIN and x + wide > _WIDEST:
                x, y = _MARGIN, y + ROW
            parts.append(element("g", drawn, transform=f"translate({number(x)} {number(y + ROW / 2)})"))
            x += wide + GAP
            width = max(width, x)
        y += ROW
    return parts, width, y + (_LINE / 2 if rows else 0)


def _board(board: Board, players: Sequence[ColouredPlayer], cells: Sequence[Any]) -> _Part:
    """A board with what stands on it."""
    kind, squares, beside = board["kind"], board["squares"], board["labels"]
    pitch = JOINED if kind in ("points", "edges") else SQUARE
    room = pitch * 0.6 if pitch == JOINED else pitch / 2
    left = room + (pitch / 2 if beside else 0)
    at = [(left + pitch * square["x"], room + pitch * square["y"]) for square in squares]
    shapes = []
    for start, end in board["edges"] if kind == "points" else ():
        line = "L".join(" ".join(map(number, at[point])) for point in (start, end))
        shapes.append(element("path", d=f"M{line}", stroke=INK, stroke_width=1.6))
    if kind not in ("lanes", "edges") and not board["pit"]:
        shapes += [
            shape("dark" if each.get("dark") else kind, place, pitch) for each, place in zip(squares, at, strict=True)
        ]
    shapes += [_crossings(at)] if kind == "crossings" else []
    for here, place in enumerate(at):
        shapes += _square(board, here, place, pitch, players, cells)
    shapes += [
        letters(each["text"], (left + pitch * each["x"], room + pitch * each["y"]), 18, SKIPPED) for each in beside
    ]
    for dot in board.get("dots", ()):
        x, y = left + pitch * dot["x"], room + pitch * dot["y"]
        shapes += [shape("points", (x, y), pitch), text(x + 4, y + 7, dot["name"], size=9, fill=SKIPPED)]
        at.append((x, y))
    width, height = (max(each[axis] for each in at) + room for axis in (0, 1))
    return _Part([shape for shape in shapes if shape], width, height + (pitch / 2 if beside else 0))


def _square(
    board: Board, here: int, at: Point, pitch: float, players: Sequence[ColouredPlayer], cells: Sequence[Any]
) -> list[str]:
    """The shapes of a square (number `here` of the board, centred at `at`, `pitch` pixels wide) with the men on it."""
    kind, square = board["kind"], board["squares"][here]
    if kind == "lanes":
        return [lane([cells[cell] for cell in square["cells"]], square, at, pitch, players)]
    found = standing(board, square, cells, players)
    if kind == "edges":
        return _edge(square["line"], found, at, players)
    if board["pit"]:
        return [pit(found.sign, at, pitch, 0.92 if square["y"] % 1 else 0.46)]
    men = [each for each in board.get("men", ()) if cells[each["cell"]] == here]
    small = men or (board.get("men") and found.owner is not None)  # beside the men that may come
    aside, room = (at[0] - 0.33 * pitch, at[1] + 0.33 * pitch), pitch * (0.7 if found.sign or kind == "points" else 1)
    shapes = list(man(found, board, aside if small else at, pitch * (0.55 if small else 1), players))
    if board.get("stacked"):
        shapes = _stack_shapes(stack(board, square, cells, players), board, at, pitch, players)
    for k, each in enumerate(men):
        place = (at[0] + room * ((2 * k + 1) / len(men) - 1) / 2, at[1])
        sign = each["glyph"] or man_symbol(board["glyphs"], each["name"].split()[-1], each["owner"]) or each["sign"]
        fill = WOOD if each["owner"] is None else players[each["owner"]].colour
        drawn = sign in read_symbols() or each["owner"] is None
        small = room / len(men)
        shapes.append(drawn_sign(sign, place, small, fill) if drawn else disc(sign, fill, place, small))
    if "mark" in square:
        sign = [] if found.sign or men else [drawn_sign(square["mark"], at, 0.6 * pitch, MARKED)]
        shapes = [shape("mark", at, pitch), *sign, *shapes]
    name = square.get("called", square["name"])
    if kind == "points":
        off = 0.3 * pitch if found.sign or men else 4
        return [*shapes, text(at[0] + off, at[1] + off + 3, name, size=9, fill=SKIPPED)]
    if "called" not in square and (found.sign or men or board["labels"] or "mark" in square or " " in name):
        return shapes
    low = 0.38 * pitch if found.sign or men or "mark" in square else 0.0
    return [*shapes, text(at[0], at[1] + low, name, size=8, text_anchor="middle", fill=SKIPPED)]


def _edge(line: str, found: Standing, at: Point, players: Sequence[ColouredPlayer]) -> list[str]:
    """An edge of a graph in its owner's colour, broken where it has gone, with what is said of it."""
    sign, owner, _ = found
    look = {"stroke_width": 0.035, "stroke_dasharray": None} if sign else _BROKEN
    colour = SKIPPED if not sign else INK if owner is None else players[owner].colour
    move = f"translate({number(at[0])} {number(at[1])}) scale({JOINED:g})"
    said = [on_white(*at, sign, size=9, text_anchor="middle")] if owner is None and sign not in ("", "x") else []
    return [element("path", d=line, transform=move, fill="none", stroke=colour, **look), *said]


def _stack_shapes(
    men: Sequence[Standing], board: Board, at: Point, pitch: float, players: Sequence[ColouredPlayer]
) -> list[str]:
    """A stack of men: each a little above the one below, the top one plain, and how many there are if several."""
    apart, shapes = pitch * min(0.15, 0.4 / max(len(men) - 1, 1)), list[str]()
    for k, each in enumerate(men):
        place = at[0], at[1] + apart * ((len(men) - 1) / 2 - k)
        fill = "#cfc6b0" if each.owner is None else players[each.owner].colour
        shapes += man(each, board, place, pitch, players) if k == len(men) - 1 else [disc("", fill, place, pitch)]
    corner = at[0] + 0.36 * pitch, at[1] + 0.36 * pitch
    return [*shapes, letters(str(len(men)), corner, 20)] if len(men) > 1 else shapes


def _crossings(at: Sequence[Point]) -> str:
    """The grid of lines of a board whose stones stand where lines cross; `at` are the points."""
    (left, right), (top, low) = ((min(axis), max(axis)) for axis in zip(*at, strict=True))
    across = "".join(f"M{number(left)} {number(y)}H{number(right)}" for y in sorted({y for _, y in at}))
    down = "".join(f"M{number(x)} {number(top)}V{number(low)}" for x in sorted({x for x, _ in at}))
    return element("path", d=across + down, stroke=INK, stroke_width=0.8)


# Cards, dice, heaps and counters as rows of small shapes (those of pieces.json), for what lies beside the boards.

ROW, GAP = 34.0, 6.0  # height of a row, and the room between its shapes
CARD, DIE, STONE = 22.0, 24.0, 10.0  # width of a card, side of a die, diameter of a stone of a heap
ABREAST = 8  # stones of a heap in a row
SUITS = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"} | {
    SIGNS[each]: each for each in SIGNS if SIGNS[each] in "♣♦♥♠"
}
FACE = re.compile("(10|[1-9TJQKA])([CDHS♣♦♥♠])?|([CDHS♣♦♥♠])(10|[1-9TJQKA])", re.IGNORECASE)  # of a playing card
RED = "#b3261e"
SIZE = 12.0  # of letters

Placed = tuple[str, float]  # a shape whose left end is at x = 0 and whose middle is at y = 0, and its width


def table_rows(
    rows: Sequence[ThingRow], players: Sequence[ColouredPlayer], glyphs: Mapping[str, Any]
) -> list[list[Placed]]:
    """The shapes of the things, in rows: those of nobody, then those of each player behind the player's name. Men that
    are counted are drawn by their signs among `glyphs`."""
    owners = [None, *range(len(players))]
    owned = {owner: [row for row in rows if row.owner == owner] for owner in owners}
    named: dict[int | None, list[Placed]] = {None: []}
    discs = [(shape("disc", (8, 0), 16, fill=fill, radius=0.45), 16.0) for _, fill in players]
    named |= {p: [each, _words(players[p].name, "bold")] for p, each in enumerate(discs)}
    shapes = {owner: [shape for row in owned[owner] for shape in _shapes(row, glyphs)] for owner in owners}
    return [[*named[owner], *shapes[owner]] for owner in owners if owned[owner]]


def _shapes(row: ThingRow, glyphs: Mapping[str, Any]) -> list[Placed]:
    """The name of a row and its things; a counter and a heap bear the names themselves."""
    name = row.name.replace("_", " ")
    if row.things and row.things[0].look == "counter":
        kinds = row.owner is not None and row.things[0].name.strip("0123456789")  # men and goods say enough
        drawn = [man_symbol(glyphs, each.name) or each.name if kinds else f"{name} {each.name}" for each in row.things]
        return [_counter(each.strip(), thing.value) for each, thing in zip(drawn, row.things, strict=True)]
    if row.things and row.things[0].look == "heap":
        return [_heap(thing.name or name, thing.value) for thing in row.things]
    return [_words(name), *(map(_upright_thing, row.things) if row.things else [_words("–")])]


def _words(written: str, weight: str | None = None, at: float = 0) -> Placed:
    width = text_width(written, SIZE) * (1.1 if weight else 1)
    return text(at, 0, written, size=SIZE, font_weight=weight), width


def _counter(name: str, value: str) -> Placed:
    """A name and a number with a line around them; the name alone if the value is empty."""
    man = name in read_symbols()
    words, width = (symbol(name, (17, 0), 18, "#fdfdf8"), 14.0) if man else _words(name, at=8)
    number, more = _words(value, "bold", width + 14) if value else ("", -6.0)
    width += more + 22
    return shape("counter", (0, 0), 1, width=f"{width:.1f}") + words + number, width


def _upright_thing(thing: Thing) -> Placed:
    """A card, its back, or a die."""
    if thing.look == "back":
        number, width = _words(thing.value, at=CARD + 4) if thing.value else ("", 0.0)
        return shape("back", (CARD / 2, 0), 1) + number, CARD + 4 + width
    if thing.look == "die":
        return symbol(f"die-{thing.name}", (DIE / 2, 0), DIE), DIE
    rank, suit = face_of(thing.name)
    words = rank or thing.name
    width, fill = max(CARD, _words(words, "bold")[1] + 8), RED if suit in ("heart", "diamond") else INK
    below = suit or (f"court-{rank}" if rank else "")
    sign = symbol(below, (width / 2, 5), 13 if suit else 15, fill, "none" if suit else "") if below else ""
    look = {"text_anchor": "middle", "font_weight": "bold", "fill": fill}
    letter = f"letter-{rank.replace('T', '10')}"
    above = symbol(letter, (width / 2, -7), 11, fill, fill) if below else text(width / 2, 0, words, size=SIZE, **look)
    return shape("card", (0, 0), 1, width=f"{width:.1f}") + above + sign, width


def face_of(name: str) -> tuple[str, str]:
    """The rank and the suit ("": none) that the name of a playing card says, as 10D and d10 do; twice "" for others."""
    found = FACE.fullmatch(name)
    rank, suit = ((found[1] or found[4]).upper(), (found[2] or found[3] or "").upper()) if found else ("", "")
    return (rank, SUITS.get(suit, "")) if suit or rank in ("J", "Q", "K") else ("", "")


def _heap(name: str, value: str) -> Placed:
    """Stones in rows of eight behind their name and number."""
    words, left = _words(f"{name}: {value}")
    left += GAP
    count = min(int(value), MOST_STONES) if value.isdecimal() else 0
    high = -(-count // ABREAST)
    places = ((left + STONE * (k % ABREAST + 0.5), STONE * (k // ABREAST - (high - 1) / 2)) for k in range(count))
    return words + "".join(shape("stone", at, 1) for at in places), left + STONE * min(count, ABREAST) + GAP
