"""The boards of a game as plain data: where each square is drawn, what cells of a state it shows, by what signs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import product
from math import hypot
from typing import Any, NamedTuple

from gdl.interpreter.board_pieces import BoardPieces, is_legend, look_of, pieces_by_board, symbol_of
from gdl.interpreter.drawing import edge_types, numbers_columns
from gdl.interpreter.things import table_indices
from gdl.model import core, walk
from gdl.model.appearance import COLOURS, SIGNS
from gdl.model.board import WRAPPED, Board
from gdl.model.board_layout import Place, labels, layout, nested_layout
from gdl.model.domains import (
    Named,
    Part,
    Range,
    SetType,
    Type,
    board_of,
    field_values,
    members,
    size,
    text_of,
    without_none,
)
from gdl.model.games import Appearance, Look, RulesModel, Variable
from gdl.model.symbols import symbols_of_man

MOST_SQUARES = 2_000  # squares that are drawn,
BOW = 0.3  # how far edges that join the same points are bent apart
TRACK, LANE = range(12, 41), 11  # points of a track that is drawn; how far apart its two rows lie
MEN = json.loads(files("gdl.render").joinpath("svg/pieces.json").read_text(encoding="utf-8"))
LOOKS = {"wedges": {"gold", "silver"}, "rings": {"cannon", "advisor"}}  # of boards with men of these names
ENDLESS = 200  # squares of a torus that stands for a plane without end: of more only those around the men are drawn
CROWNED = {"king", "queen", "dame", "crowned", "crown"}  # truths by which a draughtsman is more
CHEQUERED = 20  # squares, of which a board must have more
CROSSING = "Point"  # the name of the type of squares on whose grid stones lie where lines cross


def boards_data(model: RulesModel, number: Callable[[Type], int]) -> list[dict[str, Any]]:
    """All boards of a game to be drawn, as plain data, in the order of the variables that they show. `number` gives
    each type of squares the number by which the data refer to it."""
    found: list[tuple[int, dict[str, Any]]] = []  # each with the first variable that it shows
    drawn: set[int] = set()
    for index, variable in enumerate(model.variables):
        if index in drawn or not table_indices(variable) or board_of(table_indices(variable)[-1]) is None:
            continue
        look = _look_of_men(model, index)
        sets = [k for k in look.variables if isinstance(without_none(model.variables[k].type), SetType)]
        if len(variable.initial) <= MOST_SQUARES * max(1, variable.places) and not sets:
            crossed = {n: v for n, v in enumerate(model.variables) if _is_crossed(model, index, n)}
            found += [(index, each) for each in _pictures(model, variable, look, list(crossed.values()), number)]
            drawn |= {*look.variables, *crossed}
    found += _tracks(model)
    found += _edge_pictures(model, [[square["name"] for square in board["squares"]] for _, board in found], number)
    if not found:
        found = [(n, each) for n, variable in enumerate(model.variables) for each in _set_picture(variable, number)]
    for group in pieces_by_board(model):
        _add_men(found, model, group, number)
    boards = [board for _, board in sorted(found, key=lambda each: each[0])]
    for board in boards:
        board |= look_of_board(board)
        _add_appearance(board, model.appearance, number)
    return boards


def _add_appearance(board: dict[str, Any], look: Appearance, number: Callable[[Type], int]) -> None:
    """Add the signs of men, the marks of squares, and what squares are called, where that is not their name."""
    glyphs = {name.lower(): [symbol_of_sign(sign)] for name, sign in look.signs.items()}
    board["glyphs"] = board["glyphs"] | glyphs
    for man in board.get("men", ()):
        man["glyph"] = glyphs.get(man["called"].lower(), [""])[0]
    marked = {(str(number(mark.type)), square): mark.sign for mark in look.marks for square in mark.squares}
    for square in board["squares"]:
        sign = next((symbol_of_sign(marked[place]) for place in square["is"].items() if place in marked), None)
        called = look.points.get(square["name"])
        square |= ({"mark": sign} if sign else {}) | ({"called": called} if called else {})
    for dot in board.get("dots", ()):
        dot["name"] = look.points.get(dot["name"], dot["name"])


def symbol_of_sign(sign: str) -> str:
    """The name of the symbol that is drawn for a sign of texts; a name, or another sign, itself."""
    return next((name for name, each in SIGNS.items() if each == sign), sign)


def man_symbol(glyphs: Mapping[str, Sequence[str]], name: str, owner: int | None = None) -> str:
    """The symbol of a kind of men, or the letters chosen for it; "" where it has none."""
    found = glyphs.get(said := name.lower()) or glyphs.get(said.split(" ")[0], [""])  # of one who has something more
    return found[min(owner or 0, len(found) - 1)]


class ColouredPlayer(NamedTuple):
    """A player in pictures: the name, and the colour of the player's men."""

    name: str
    colour: str


def sides(players: Sequence[str], said: Mapping[str, str]) -> list[ColouredPlayer]:
    """The players with their colours: the one that is `said`, or that the player is named after, else the next unused
    colour of the palette."""
    palette, named = MEN["palette"], [COLOURS.get(said.get(player, player).lower()) for player in players]
    return [ColouredPlayer(player, named[at] or palette[at % len(palette)]) for at, player in enumerate(players)]


def look_of_board(board: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a board's data that follow from its variables: the glyphs of men, the style of the board, and which
    squares are dark."""
    names = {name for variable in board["variables"] for name in variable["names"]}
    look = next((each for each, needed in LOOKS.items() if needed <= names), "")
    if any(row[-1] == "|" for row in board["said"]):
        look = "lines"
    chequered = len(board["squares"]) > CHEQUERED and len(board["variables"]) > 1 and not look
    found = ((name.lower(), symbols_of_man(look, name.lower())) for name in names)
    flags = {variable["called"].lower() for variable in board["variables"] if not variable["names"]} & CROWNED
    return {
        "look": look, "glyphs": {name: each for name, each in found if each} | {flag: ["crowned"] for flag in flags},
        "plain": "man" if len(board["variables"]) > 1 else "stone",
        "kind": "crossings" if look == "rings" else board["kind"],
        "squares": [square | {"dark": square.get("dark", False) and chequered} for square in board["squares"]],
        "pit": board.get("pit", False),
    }  # fmt: skip


def variables_on_boards(model: RulesModel, boards: Sequence[Mapping[str, Any]]) -> tuple[list[int], list[int]]:
    """Two lists of indices of variables: of those whose cells the squares of the boards show, and of those that hold
    the squares of men."""
    shown = {cell for board in boards for square in board["squares"] for cell in square["cells"]}
    placed = {man["cell"] for board in boards for man in board.get("men", ())}
    numbered = list(enumerate(model.variables))
    return [n for n, v in numbered if v.place in shown], [n for n, v in numbered if v.place in placed]


def _is_crossed(model: RulesModel, own: int, others: int) -> bool:
    """True if the rules ask of a square what a player has there in the array `own`, which nobody else sees, together
    with what the opponent has there in the array `others`: as of ships, and shots at them."""
    first, second = model.variables[own], model.variables[others]
    if own == others or first.indices != second.indices or len(model.players) != 2 or first.visibility.kind != "owner":
        return False
    rules = (*map(walk.of_rule, model.actions), *map(walk.of_callable, (*model.definitions, *model.procedures)))
    asked = ([form for form in forms if isinstance(form, core.Element)] for forms in rules)
    pairs = ((a, b) for some in asked for a, b in product(some, some) if (a.variable, b.variable) == (own, others))
    places = ((a.indices, b.indices) for a, b in pairs if a.indices[1:] == b.indices[1:])
    return any(_is_other(a[0], b[0]) or _is_other(b[0], a[0]) for a, b in places)


def _is_other(one: core.Expression, player: core.Expression) -> bool:
    return isinstance(one, core.Lookup) and one.word == "other" and one.arguments == (player,)


def _look_of_men(model: RulesModel, index: int) -> Look:
    """The look by which a variable is drawn: the one that its legend declares. Without a legend, all arrays over the
    same squares are drawn together as one man if exactly one of them holds the man's owner."""
    look, own = look_of(model, index), model.variables[index]
    same = [k for k, each in enumerate(model.variables) if each.indices == own.indices]
    sides = [k for k in same if _sign_of(model, model.variables[k])["players"]]
    alone = len(look.variables) == 1 < len(same) and not any(is_legend(each, same, sides) for each in model.looks)
    return Look(tuple(same), {}) if alone and len(sides) == len(own.indices) == 1 and not own.places else look


def _add_men(found: list[Any], model: RulesModel, group: BoardPieces, number: Callable[[Type], int]) -> None:
    """Add the men of a group of variables that hold squares to the board on which they stand, or, if no array is drawn
    there, to a new bare board."""
    board = next((each for index, each in found if index == group.over), None)
    names = [model.variables[index].name for index in group.variables]
    if board is None and len(group.board.squares) > MOST_SQUARES:
        return
    if board is None:
        kind = without_none(model.variables[group.variables[0]].type)
        board = _bare_board(kind, group.board, number, [], numbers_columns(model))
        found.append((group.variables[0], board))
    board["title"] = "/".join(filter(None, [board["title"], ", ".join(names)]))
    board["men"] = [man._asdict() for man in group.men]


def _bare_board(
    type: Type, board: Board, number: Callable[[Type], int], cells: list[int], numbered: bool
) -> dict[str, Any]:
    """The data of a board that shows neither signs nor men; every square refers to the same `cells`. `numbered`:
    columns bear numbers instead of letters."""
    places, kind, edges = layout(board)
    squares = [_square(place, [(type, board, at)], number, cells) for at, place in enumerate(places)]
    return {"title": "", "kind": kind, "edges": edges, "labels": _labels(board, numbered), "variables": [], "said": [],
            "squares": squares}  # fmt: skip


def _pictures(
    model: RulesModel, variable: Variable, look: Look, crossed: Sequence[Variable], number: Callable[[Type], int]
) -> Iterator[dict[str, Any]]:
    """The boards that show an array: one for each value of the indices before the index over squares; or, if the only
    other index runs over a board too (a board of boards), a single nested one. A player's board also shows what the
    opponent has there in the arrays `crossed`."""
    *others, last = table_indices(variable)
    board, stacked = board_of(last), max(1, variable.places)
    assert board is not None
    variables = [model.variables[k] for k in look.variables for _ in range(stacked)]
    signs: dict[str, Any] = {
        "variables": [_sign_of(model, each) for each in [*variables, *crossed]],
        "stacked": stacked if variable.places else 0,
        "endless": board.shape in WRAPPED and board.shape != "ring" and len(board.squares) > ENDLESS,
        "crossed": bool(crossed),
        "said": [[*map(_plain, values), sign] for values, sign in look.symbols.items()],
    }
    # Squares that hold counts, of which there are some at the start, are pits with seeds.
    signs["pit"] = len(variables) == 1 and not signs["variables"][0]["signs"] and any(variable.initial)

    def square(place: Place, types: Any, at: int) -> dict[str, Any]:
        cells = [v.place + at * stacked + n % stacked for n, v in enumerate(variables)]
        cells += [v.place + (at + count) % (2 * count) for v in crossed]  # the opponent's half
        return _square(place, types, number, cells)

    count = len(board.squares)
    outer = board_of(others[0]) if len(others) == 1 else None
    if outer is not None:
        places, kind, edges = nested_layout(outer, board)
        yield {"title": variable.name, "kind": kind, "edges": edges, "labels": [], **signs, "squares": [
            square(place, [(others[0], outer, at // count), (last, board, at % count)], at)
            for at, place in enumerate(places)
        ]}  # fmt: skip
        return
    places, kind, edges = layout(board)
    half = len(places) // 2
    empty = [at for at, seeds in enumerate(variable.initial) if not seeds]
    if board.shape == "ring" and isinstance(variable.type, Range) and empty == [half - 1, 2 * half - 1]:
        # The stores, which are empty, lie at the ends.
        places = [(at + 1, 1) if at < half else (2 * half - at - 1, 0) for at in range(2 * half)]
        places[half - 1], places[-1] = (half, 0.5), (0, 0.5)
    stones = all(each["players"] for each in signs["variables"])
    if stones and board.shape == "grid" and str(last) == CROSSING:
        kind = "crossings"
    numbered = numbers_columns(model)
    for k, values in enumerate(product(*map(members, others))):
        title = " ".join([variable.name, *(text_of(t, v, by_field=True) for t, v in zip(others, values, strict=True))])
        title += "".join(f", {v.name} {model.players[1 - k]}" for v in crossed)
        yield {"title": title, "kind": kind, "edges": edges, "labels": _labels(board, numbered), **signs, "squares": [
            square(place, [(last, board, at)], k * count + at) for at, place in enumerate(places)
        ]}  # fmt: skip


def _tracks(model: RulesModel) -> Iterator[tuple[int, dict[str, Any]]]:
    """Backgammon-like boards, each with the index of its variable: an array that counts two players' men on numbered
    points, drawn as two rows folded in the middle. If both players have men on a point at the start, the second
    player's points are counted from the other end."""
    for n, v in enumerate(model.variables):
        whose, points = v.indices if len(v.indices) == 2 and len(model.players) == 2 else (None, None)
        named = isinstance(whose, Named) and whose.members == model.players and v.visibility.kind == "all"
        if not (named and isinstance(points, Range) and isinstance(v.type, Range) and size(points) in TRACK):
            continue
        count, half = size(points), size(points) // 2
        back = any(map(min, v.initial[:count], v.initial[count:]))
        yield n, {"title": v.name, "kind": "lanes", "edges": [], "labels": [], "variables": [], "said": [], "squares": [
            {"x": count - half - 1 - at if at < half else at - half, "y": LANE if at < half else 0, "name": str(point),
             "is": {"point": point}, "cells": [v.place + at, v.place + count + (count - 1 - at if back else at)]}
            for at, point in enumerate(members(points))
        ]}  # fmt: skip


def _edge_pictures(
    model: RulesModel, drawn: Sequence[Sequence[str]], number: Callable[[Type], int]
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Graphs on whose points nothing stands and whose edges are in a set of the state or have values there, each with
    the index of its first variable. Edges lie among the squares, with the path of their `line` around their middle;
    `dots` are the points. `drawn` are the squares' names of other boards."""
    for type in edge_types(model):
        arrays = [n for n, v in enumerate(model.variables) if v.indices == (type,)]
        sets = [n for n, v in enumerate(model.variables) if v.type == SetType(type) and not v.indices]
        if type.graph is None or list(type.graph.squares) in drawn or not (arrays or sets):
            continue
        places = [(round(x, 3), round(y, 3)) for x, y in layout(type.graph)[0]]
        shown = [model.variables[n] for n in arrays or sets[:1]]
        met: Counter[frozenset[int]] = Counter()
        squares = []
        for edge, (a, b) in enumerate(type.joins):
            middle, line = curve(places[a], places[b], BOW, met[frozenset((a, b))])
            met[frozenset((a, b))] += 1
            squares.append({
                "x": middle[0], "y": middle[1], "name": type.members[edge], "is": {str(number(type)): edge},
                "cells": [v.place + (edge if arrays else 0) for v in shown], "column": None, "line": line,
            })  # fmt: skip
        yield (arrays or sets)[0], {
            "title": ", ".join(v.name for v in shown), "kind": "edges", "edges": [], "labels": [], "said": [],
            "variables": [_sign_of(model, v) for v in shown if arrays], "set": not arrays, "squares": squares,
            "dots": [{"x": x, "y": y, "name": name} for (x, y), name in zip(places, type.graph.squares, strict=True)],
        }  # fmt: skip


def curve(start: Place, end: Place, bow: float, turn: int) -> tuple[Place, str]:
    """The middle of an edge, and its path around it. It is the edge number `turn` that joins two points: the first is
    straight, others are bent by `bow` to either side; an edge of a point with itself is a circle above it."""
    (x1, y1), (x2, y2) = start, end
    if start == end:
        radius = 0.65 * bow + 0.2 * bow * turn
        return (x1, y1 - 2 * radius), f"M0 {2 * radius:.3f}a{radius:.3f} {radius:.3f} 0 1 1 .001 0Z"
    bent = bow * ((turn + 1) // 2) * (1 if turn % 2 else -1) / hypot(x2 - x1, y2 - y1) * (1 if start < end else -1)
    half = (x2 - x1) / 2, (y2 - y1) / 2
    x, y = -bent * (y2 - y1), bent * (x2 - x1)  # from the straight edge's middle to that of the curve
    path = f"M{-half[0] - x:.3f} {-half[1] - y:.3f}Q{x:.3f} {y:.3f} {half[0] - x:.3f} {half[1] - y:.3f}"
    return (round((x1 + x2) / 2 + x, 3), round((y1 + y2) / 2 + y, 3)), path


def _set_picture(variable: Variable, number: Callable[[Type], int]) -> Iterator[dict[str, Any]]:
    """A board for a variable that holds one set of squares; used only where no array draws a board."""
    inner = variable.type.item if isinstance(variable.type, SetType) else None
    board = board_of(inner) if inner is not None else None
    if inner is None or board is None or variable.indices or len(board.squares) > MOST_SQUARES:
        return
    yield _bare_board(inner, board, number, [variable.place], False) | {"title": variable.name, "set": True}


def _square(place: Place, squares: Any, number: Callable[[Type], int], cells: list[int]) -> dict[str, Any]:
    """The data of a square: its place on the page, its value in each type of squares (by the type's number), its name,
    its column (None if there are no columns), and the cells of a state that it shows. A square of a board of boards
    that have its squares has the value of the one that it lies in (`within`)."""
    board, at = squares[-1][1:]
    within = {"within": squares[0][2]} if [each[0] for each in squares[1:]] == [squares[0][0]] else {}
    names = [each.squares[value] for _, each, value in squares]
    columns = board.coordinates[at][:1] if len(board.sizes) > 1 or board.shape == "grid" else ()
    return within | {
        "x": round(place[0], 3), "y": round(place[1], 3), "name": " ".join(names), "cells": cells,
        "is": {str(number(type)): value for type, _, value in squares}, "column": columns[0] if columns else None,
        "dark": len(board.sizes) == 2 and board.shape == "grid" and sum(board.coordinates[at]) % 2 == 0,
    }  # fmt: skip


def _sign_of(model: RulesModel, variable: Variable) -> dict[str, Any]:
    """The signs, the names and the owners of a variable's values (the signs are empty for numbers), and whether its
    values are the players. Of a record with a player among its fields, who owns it, sign and name say the other fields
    alone. Who is called after a player, as a swede is of the Swedes', is theirs and has no other name."""
    type, inner = variable.type, without_none(variable.type)
    whole = inner.whole if isinstance(inner, Part) else inner
    members_of = list(whole.members) if isinstance(whole, Named) else []
    symbol = symbol_of(type)
    signs = [] if isinstance(inner, Range) and not members_of else [[_plain(v), symbol(v)] for v in members(type)]
    fields = inner.parts if isinstance(inner, Named) else ()
    whose = [k for k, (_, each) in enumerate(fields) if isinstance(each, Named) and each.members == model.players]
    if isinstance(inner, Named) and len(whose) == 1 < len(fields):
        rows = [field_values(inner, value) for value in range(len(members_of))]
        rest = [(k, each) for k, (_, each) in enumerate(fields) if k not in whose]
        names = [" ".join(text_of(each, row[k]) for k, each in rest) for row in rows]
        short = len({name[:1] for name in names}) == len(set(names))
        signs = [[value, name[:1] if short else name] for value, name in enumerate(names)]
        owners = [row[whose[0]] for row in rows]
    else:
        owners = [_named_after(name, model.players) for name in members_of]
        names = ["" if owner is not None else name for name, owner in zip(members_of, owners, strict=True)]
    players = tuple(members_of) == model.players
    return {"signs": signs, "players": players, "names": names, "owners": owners, "called": variable.name}


def _named_after(name: str, players: Sequence[str]) -> int | None:
    """The player who is called like this, or whose name begins so."""
    long = (p for p, each in enumerate(players) if len(name) > 2 and each.lower().startswith(name.lower()))
    return players.index(name) if name in players else next(long, None)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int) else str(value)


def _labels(board: Board, numbered: bool) -> list[dict[str, Any]]:
    return [{"x": x, "y": y, "text": text} for x, y, text in labels(board, numbered)]
