"""Records of go and hex in Smart Game Format, read and written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from gdl.errors import WrongRequest, clean, count_text, listing
from gdl.formats import records, sgf
from gdl.formats.records import PlayRecord
from gdl.formats.sgf import Property
from gdl.game import Action, Decision, Terminal
from gdl.playing.asked_game import Remark, ignore
from gdl.playing.loading import loads, shipped
from gdl.playing.loading import read as read_file

GAMES = {"1": "go", "11": "hex"}  # by the number that GM has
LARGEST = 26  # columns: one small letter each
NAMES = {"B": "PB", "W": "PW"}  # by colour: the property that names its player
SETUP = ("AB", "AW", "AE", "PL")  # properties that set up a position
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class _Shape:
    """The game, board and komi that the first node states."""

    game: str
    columns: int
    rows: int
    komi: str

    @property
    def settings(self) -> Mapping[str, str]:
        if self.game == "hex":
            return {"n": str(self.columns)}
        return {"columns": str(self.columns), "rows": str(self.rows), "komi": self.komi}


def read(text: str, name: str, which: int | None = None, remark: Remark = ignore) -> PlayRecord:
    """Read a game of a file in Smart Game Format: number `which`, from 1; None: the first, with a remark if more
    follow.

    Raises GameError, with the place, where the file is damaged or a move is not legal.
    """
    found, more = sgf.read(text, name, which or 1)
    if more and which is None:
        remark(records.MORE_FOLLOW.format(clean(name)))
    shape = _shape(found)
    game: Any = loads(*read_file(shipped()[shape.game]), settings=shape.settings).game
    moves = [one for one in found if one.name in NAMES]
    colours = _colours(moves, shape.game)
    state, actions = game.initial(), list[Action]()
    for number, move in enumerate(moves):
        node = game.node(state)
        if isinstance(node, Terminal):
            left = count_text(len(moves) - number, "move")
            remark(f"{clean(name)}: by the rules the game is over before the last moves; {left} left out")
            break
        assert isinstance(node, Decision)
        if move.name != colours[node.player]:
            help = f"gdl reads games in which {' and '.join(colours)} take turns"
            sgf.wrong(f"it is the turn of {colours[node.player]}", move.span, help)
        action = _action(move, shape, node.actions)
        actions.append(action)
        state = game.successor(state, action)
    who = {
        game.players[colours.index(colour)]: one.values[0]
        for colour, tag in NAMES.items()
        for one in found
        if one.name == tag and one.values
    }
    result = next((one.values[0] for one in found if one.name == "RE" and one.values), "*")
    return PlayRecord(shape.game, dict(shape.settings), who=who, result=result, actions=tuple(actions))


def _colours(moves: Sequence[Property], game: str) -> tuple[str, str]:
    """The colours of the first and the second player. In hex the one who moves first is the first player."""
    first = moves[0].name if moves and game == "hex" else "B"
    return (first, "W" if first == "B" else "B")


def _shape(found: Sequence[Property]) -> _Shape:
    known = {one.name: one for one in reversed(found)}
    for name in SETUP:
        if name in known:
            sgf.wrong(f"stones are set by {name}", known[name].span, "gdl reads games from an empty board")
    game = known.get("GM")
    number = game.values[0].strip() if game is not None and game.values else "1"
    if number not in GAMES:
        sgf.wrong(
            f"this is the game of the number {clean(number)}",
            game.span if game else None,
            "gdl reads 1, go, and 11, hex",
        )
    size = known.get("SZ")
    text = size.values[0].strip() if size is not None and size.values else "19" if number == "1" else "11"
    columns, colon, rows = text.partition(":")
    rows = rows if colon else columns
    if not (_is_size(columns) and _is_size(rows)) or (number == "11" and columns != rows):
        sgf.wrong(
            f"no board has the size '{clean(text[:20])}'",
            size.span if size else None,
            f"write a number from 1 to {LARGEST}",
        )
    return _Shape(GAMES[number], int(columns), int(rows), _komi(known.get("KM")))


def _is_size(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 3 and 1 <= int(text) <= LARGEST


def _komi(said: Property | None) -> str:
    """The komi as the value of a parameter, such as "13/2"; "0" if none is stated."""
    text = said.values[0].strip() if said is not None and said.values else ""
    if said is None or not text:
        return "0"
    try:
        value = Fraction(text) if len(text) < 12 and "e" not in text.lower() else None
    except (ValueError, ZeroDivisionError):
        value = None
    if value is None:
        sgf.wrong(f"'{clean(text[:20])}' is no number", said.span, "write a number such as 6.5")
    return str(value)


def _action(move: Property, shape: _Shape, legal: Sequence[Action]) -> Action:
    """The legal action that a move means."""
    text = move.values[0].strip() if move.values else ""
    action = text.lower()
    if shape.game == "go":
        action = "pass" if text in ("", "tt") else _point(text, shape)
    if len(move.values) > 1 or action not in legal:
        sgf.wrong(f"'{clean(text[:20])}' is not legal here", move.span, f"legal are {listing(legal, most=30)}")
    return action


def _point(text: str, shape: _Shape) -> str:
    """An SGF point, counted from the top left, as gdl names it, counted from the bottom left; "" where it is none."""
    if len(text) != 2 or text[0] not in LETTERS or text[1] not in LETTERS:
        return ""
    return f"{text[0]}{shape.rows - LETTERS.index(text[1])}"


def write(record: PlayRecord, program: str = "gdl") -> str:
    """Write a record of go or hex in SGF; it names the `program` that wrote it. Raises WrongRequest for another
    game."""
    help = "name a file that ends with .play"
    if record.game not in GAMES.values() or record.variant or record.position is not None:
        raise WrongRequest("a .sgf file is for go and hex from their first positions alone", help=help)
    loaded = loads(*read_file(shipped()[record.game]), settings=record.settings)
    parameters: Mapping[str, Any] = getattr(loaded.model, "parameters", {})
    is_go = record.game == "go"
    columns, rows = (parameters["columns"], parameters["rows"]) if is_go else (parameters["n"],) * 2
    if max(columns, rows) > LARGEST:
        raise WrongRequest(f"a .sgf file has boards of {LARGEST} columns at most", help=help)
    first, second = loaded.game.players
    root = [("FF", "4"), ("GM", "1" if is_go else "11"), ("CA", "UTF-8"), ("AP", program)]
    root.append(("SZ", str(columns) if columns == rows else f"{columns}:{rows}"))
    root += [("KM", str(float(Fraction(parameters["komi"]))))] if is_go else []
    root += [
        ("PB", record.who.get(first, "?")),
        ("PW", record.who.get(second, "?")),
        ("RE", _result(loaded.game, record)),
    ]
    moves = [("BW"[ply % 2], _action_notation(action, rows, is_go)) for ply, action in enumerate(record.actions)]
    return sgf.write(root, moves)


def _result(game: Any, record: PlayRecord) -> str:
    """Who won, and in go by how much; ? if the play is not over."""
    state = game.initial()
    for action in record.actions:
        state = game.successor(state, action)
    node: Any = game.node(state)
    if not isinstance(node, Terminal):
        return "?"
    lead: Any = node.utilities[0]
    if lead == 0:
        return "0"
    return f"{'B' if lead > 0 else 'W'}+{f'{float(abs(lead)):g}' if record.game == 'go' else ''}"


def _action_notation(action: Action, rows: int, is_go: bool) -> str:
    if not is_go:
        return action
    return "" if action == "pass" else action[0] + LETTERS[rows - int(action[1:])]
