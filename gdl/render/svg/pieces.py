"""The men on the squares of a board as SVG, by the shapes of pieces.json: discs, men by their signs, seeds, tracks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import cos, sin, sqrt
from typing import Any, NamedTuple

from gdl.interpreter.board_pieces import EMPTY
from gdl.interpreter.memory import HIDDEN
from gdl.render.boards_data import MEN, colours
from gdl.render.svg.elements import Point, escape_xml, text_width

SEEDS, GOLDEN = 24, 2.4  # seeds of a pit that are drawn, and the angle from one to the next
BRIGHT = ("#fdfdf8", "#f0e442")  # colours on which letters are dark

Board = Mapping[str, Any]


class Standing(NamedTuple):
    """The man or men on a square: the sign to draw ("" for an empty square), the index of the owner (None if nobody
    owns them), and their name."""

    sign: str
    owner: int | None = None
    name: str = ""


def standing(board: Board, square: Board, cells: Sequence[Any], players: Sequence[str]) -> Standing:
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


def stack(board: Board, square: Board, cells: Sequence[Any], players: Sequence[str]) -> list[Standing]:
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


def man(found: Standing, board: Board, at: Point, size: float, players: Sequence[str]) -> Iterator[str]:
    """The shapes of the men on a square of `size` pixels."""
    sign, owner, name = found
    glyph, fill = board["glyphs"].get(name.lower(), ""), "#222" if owner is None else colours(players)[owner]
    if sign == "x" and owner is None:
        yield shape("block", at, size)
    elif board["look"] == "lines" and owner is None:
        yield shape(sign, at, size) if sign in ("-", "|") else ""
    elif sign and owner is None:
        yield letters(glyph or sign, at, size)
    elif owner is not None and glyph and not any(v["called"] == name for v in board["variables"]):
        own = glyph[owner] if board["look"] == "rings" else glyph
        yield shape(board["look"] or "glyph", at, size, sign=own, fill=fill, turn=180 * owner)
    elif owner is not None and not name and len(players[owner]) == 1:
        yield letters(players[owner], at, 1.6 * size)
    elif owner is not None:
        plain = not name and (len(board["variables"]) == 1 or sign[0].lower() == players[owner][0].lower())
        yield disc("" if plain else sign, fill, at, size, 0.26 if board["kind"] == "points" else 0.38)


def disc(sign: str, fill: str, at: Point, size: float, radius: float = 0.38) -> str:
    """A disc with a sign on it ("": no sign); `radius` is a part of the square's size."""
    inside = letters(sign, at, 1.8 * radius * size, "#222" if fill in BRIGHT else "#fff") if sign else ""
    return shape("disc", at, size, fill=fill, radius=radius) + inside


def pit(sign: str, at: Point, size: float, high: float) -> str:
    """A pit with its seeds, laid from the middle outwards, and their number (`sign`); `high` is half the pit's height,
    as a part of `size`."""
    count = int(sign) if sign.isdecimal() else 0
    far = [(0.075 * sqrt(k) * cos(GOLDEN * k), 0.075 * sqrt(k) * sin(GOLDEN * k)) for k in range(min(count, SEEDS))]
    seeds = (shape("seed", at, size, x=f"{x:.3f}", y=f"{y:.3f}") for x, y in far)
    return shape("pit", at, size, sign=sign, high=high) + "".join(seeds)


def lane(counts: Sequence[int], square: Board, at: Point, size: float, players: Sequence[str]) -> str:
    """A point of a track with its number, and on it the men of both players (`counts` of each), laid from the edge of
    the board inwards; many men overlap."""
    inwards, dark = (-1 if square["y"] else 1), (square["x"] + bool(square["y"])) % 2
    edge, tip, foot = -0.5 * inwards, 4.6 * inwards, 5.2 * inwards + 0.1
    fill = "#cfc6b0" if dark else "#f7f5ee"
    men = [colours(players)[player] for player, count in enumerate(counts) for _ in range(count)]
    apart = min(0.84, 4.1 / max(len(men), 1)) * inwards * size
    discs = (disc("", each, (at[0], at[1] + k * apart), size, 0.42) for k, each in enumerate(men))
    return shape("lane", at, size, edge=edge, tip=tip, foot=foot, fill=fill, sign=square["name"]) + "".join(discs)
