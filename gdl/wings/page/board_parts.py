"""Parts of boards that players know, found in the rules: whose edges are joined in hex, and what its lines are called,
where the ground of hackenbush is, what is bar and tray of backgammon, which squares of dots and boxes are lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import atan2, cos, pi, sin, sqrt
from typing import Any

from gdl.game import Terminal
from gdl.interpreter.rules_game import RulesGame
from gdl.model import core, walk
from gdl.model.board import HEXAGONS, Board
from gdl.model.board_layout import layout
from gdl.model.domains import Named, board_of, without_none
from gdl.model.games import RulesModel, Variable
from gdl.render.boards_data import BOW, curve

Place = tuple[float, float]
_LATTICE = (0.5, 1.5)  # how wide the columns of dots are, and those of boxes
_STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))  # of columns and rows, to the six neighbours


def add_parts(boards: Sequence[dict[str, Any]], game: RulesGame) -> None:
    """Give the boards these parts: `sides` and labels of hexagons, `ground`, squares with an `end`, and those of lines
    between dots, which `reach` that far."""
    for board in boards:
        if board["kind"] == "hexagons":
            board["sides"] = own_edges(game)
            board["labels"] = list(_line_labels(board["squares"]))
        if board["look"] == "lines" and _is_lattice(board["squares"], game.initial().cells):
            board["reach"] = 1
            for square in board["squares"]:
                square |= {"wide": _LATTICE[int(square["x"]) % 2], "high": _LATTICE[int(square["y"]) % 2]}
        if board["kind"] == "edges":
            _hang_together(board, game.model)
        if board["kind"] == "lanes":
            counts = next(each for each in game.model.variables if each.place == board["squares"][0]["cells"][0])
            board["squares"] = list(_lay_lanes(board["squares"], counts.initial))


def _line_labels(squares: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The letters and numbers of lines of hexagons with names as d7, each below the lowest hexagon of its line."""
    named = [(re.fullmatch(r"([a-z]+)(\d+)", square["name"]), square) for square in squares]
    for part, aside in ((1, 0.43), (2, -0.43)):
        lines = {name[part]: square for name, square in sorted(named, key=lambda each: each[1]["y"]) if name}
        for word, lowest in lines.items():
            yield {"x": round(lowest["x"] + aside, 3), "y": round(lowest["y"] + 0.74, 3), "text": word}


def _is_lattice(squares: Sequence[Mapping[str, Any]], cells: Sequence[Any]) -> bool:
    """True if at the start something stands on each second square of each second row, and nowhere else."""
    return all((cells[one["cells"][0]] is None) == bool(one["x"] % 2 or one["y"] % 2) for one in squares)


def own_edges(game: RulesGame) -> list[tuple[float, float, float, float, int]]:
    """The sides of hexagons along the edges of the board that a player wins by joining, each with the player: a line of
    stones from one of them to the other ends play, and a line that crosses it does not."""
    for variable in game.model.variables:
        board, whose = board_of(variable.indices[-1]) if variable.indices else None, without_none(variable.type)
        stones = isinstance(whose, Named) and whose.members == game.model.players and len(variable.indices) == 1
        if board is not None and stones and board.shape in HEXAGONS and len(board.sizes) == 2:
            return [
                (*a, *b, player)
                for player, axis in _edges_to_join(game, variable, board)
                for a, b in _edge_sides(board, axis)
            ]
    return []


def _edges_to_join(game: RulesGame, variable: Variable, board: Board) -> Iterator[tuple[int, int]]:
    for player, axis in product(range(len(game.model.players)), (0, 1)):
        if _line_wins(game, variable, board, player, 1 - axis) and not _line_wins(game, variable, board, player, axis):
            yield player, axis


def _line_wins(game: RulesGame, variable: Variable, board: Board, player: int, axis: int) -> bool:
    """True if a line of a player's stones that lie side by side, all with the same coordinate number `axis`, wins."""
    state, line = game.initial(), min(2, board.sizes[axis])
    stones = (player if place[axis] == line else None for place in board.coordinates)
    after = variable.place + len(board.coordinates)
    node = game.node(state._replace(cells=(*state.cells[: variable.place], *stones, *state.cells[after:])))
    return isinstance(node, Terminal) and node.utilities[player] > 0


def _edge_sides(board: Board, axis: int) -> Iterator[tuple[Place, Place]]:
    for (x, y), at in zip(layout(board)[0], board.coordinates, strict=True):
        for step in _STEPS:
            if step[axis] == {1: -1, board.sizes[axis]: 1}.get(at[axis]):
                angle = atan2((step[0] + step[1]) * sqrt(3), step[0] - step[1])
                first, last = ((x + cos(a) / sqrt(3), y - sin(a) / sqrt(3)) for a in (angle - pi / 6, angle + pi / 6))
                yield (round(first[0], 3), round(first[1], 3)), (round(last[0], 3), round(last[1], 3))


def _hang_together(board: dict[str, Any], model: RulesModel) -> None:
    """Lay a graph out above the ground, the one point from which the rules reach others: each point as high as it is
    far from there, and below it, on the ground, the feet of its edges that stand there."""
    names = [dot["name"] for dot in board["dots"]]
    type = next(
        t for v in model.variables for t in (*v.indices, getattr(v.type, "item", None))
        if isinstance(t, Named) and t.graph is not None and list(t.graph.squares) == names
    )  # fmt: skip
    starts = {
        _point_of_start(form) for rule in model.actions for form in walk.of_rule(rule) if isinstance(form, core.Reach)
    }
    (ground,) = starts if len(starts) == 1 else (None,)
    if ground is None:
        return
    height, above = {ground: 0}, dict[int, list[int]]()
    for point in (queue := [ground]):
        above[point] = [b for join in type.joins for a, b in (join, join[::-1]) if a == point and b not in height]
        above[point] = list(dict.fromkeys(above[point]))
        height |= dict.fromkeys(above[point], height[point] + 1)
        queue += above[point]
    if len(height) < len(names):
        return
    across = dict[int, float]()
    _spread_points(ground, above, across)
    top = max(height.values())
    dots = [(1.2 * across[p], 1.2 * (top - height[p])) for p in range(len(names))]
    met: dict[frozenset[int], int] = {}
    for square, join in zip(board["squares"], type.joins, strict=True):
        (a, b), pair = join, frozenset(join)
        ends = [(dots[q if p == ground else p][0], dots[p][1]) for p, q in ((a, b), (b, a))]
        (square["x"], square["y"]), square["line"] = curve(ends[0], ends[1], BOW, met.setdefault(pair, 0))
        met[pair] += 1
    board["ground"] = round(1.2 * top, 3)
    places = [{"x": round(x, 3), "y": round(y, 3), "name": name} for (x, y), name in zip(dots, names, strict=True)]
    board["dots"] = [place for point, place in enumerate(places) if point != ground]


def _point_of_start(reach: core.Reach) -> int | None:
    items = reach.start.items if isinstance(reach.start, core.SetOf) else ()
    point = items[0] if len(items) == 1 else None
    if isinstance(point, core.Lookup) and isinstance(point.arguments[0], core.Const):
        return int(point.table[point.arguments[0].value - point.bases[0]])
    return int(point.value) if isinstance(point, core.Const) else None


def _spread_points(point: int, above: Mapping[int, Sequence[int]], across: dict[int, float]) -> None:
    """Points side by side: those on which nothing stands one after the other, each other in the middle of what stands
    on it."""
    for each in above[point]:
        _spread_points(each, above, across)
    own = [across[each] for each in above[point]]
    across[point] = sum(own) / len(own) if own else sum(1 for each in across if not above[each])


def _lay_lanes(squares: Sequence[Mapping[str, Any]], start: Sequence[int]) -> Iterator[Mapping[str, Any]]:
    """The points of a track, the first player's home below. The points at the ends, on which nobody stands at the
    start, are for each player either the bar, in the middle, or the tray, at the right."""
    count, low = len(squares), max(square["y"] for square in squares)
    first = start[:count]
    upwards = 2 * sum(at * men for at, men in enumerate(first)) > (count - 1) * sum(first)  # most are near their home
    ends = count % 4 == 2 and not any(start[at] for at in (0, count - 1, count, -1))
    for at, square in enumerate(squares):
        y = low - square["y"] if upwards else square["y"]
        if not ends:
            yield {**square, "y": y}
        elif 0 < at < count - 1:
            yield {**square, "y": y, "x": square["x"] + (square["x"] >= (count - 2) // 4)}
        else:
            for player, cell in enumerate(square["cells"]):
                end = "bar" if (at == 0) == (upwards == (player == 0)) else "off"
                cells = [cell if each == player else None for each in (0, 1)]
                yield {
                    **square,
                    "y": y,
                    "x": (count - 2) // 4 if end == "bar" else count // 2,
                    "end": end,
                    "cells": cells,
                }
