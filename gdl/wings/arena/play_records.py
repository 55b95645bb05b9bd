"""Records of plays, in gdl's own format and in those of others: chess in Portable Game Notation (`gdl analyse game.pgn`
reads it, `gdl play chess --save game.pgn` writes it), go and hex in Smart Game Format.

A text's format is recognised by how it begins, that of a file to be written by the ending of its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from gdl.errors import DamagedData, GameError, Span, WrongRequest, clean, count_text, listing
from gdl.game import Action, Decision, Game, Node, Terminal
from gdl.interpreter.position import text_of
from gdl.interpreter.rules_game import RulesGame
from gdl.numbers import to_text
from gdl.playing.loading import Asked, Remark, ignore, load, loads, shipped
from gdl.playing.loading import read as read_file
from gdl.states.sequential import Sequential
from gdl.wings.arena import pgn, records, sgf
from gdl.wings.arena.records import PlayRecord
from gdl.wings.arena.sgf import Property

Move = TypeVar("Move")


def is_other(text: str) -> bool:
    """True if a text is a record in another format than gdl's own."""
    return pgn.is_pgn(text) or sgf.is_sgf(text)


def read(text: str, name: str, which: int | None = None, remark: Remark = ignore) -> PlayRecord:
    """Read the record of a play of chess, go or hex; of a file with many games the one with number `which`, from 1,
    else the first."""
    if pgn.is_pgn(text):
        return read_chess(text, name, which, remark)
    return read_stones(text, name, which, remark)


def text_for(file: str, record: PlayRecord, program: str = "gdl") -> str:
    """The text of a record in the format that the ending of its file's name asks for. The `program` that writes it is
    named where the format has room."""
    if file.lower().endswith(pgn.ENDING):
        return write_chess(record)
    if file.lower().endswith(sgf.ENDING):
        return write_stones(record, program)
    return records.write(record)


def is_collection(file: str) -> bool:
    """True if a file of that name can hold many records one after the other."""
    return file.lower().endswith((pgn.ENDING, sgf.ENDING))


def of_play(asked: Asked, played: Sequence[Action], who: Mapping[str, str]) -> PlayRecord:
    """The record of a play, from the game's first position on: the actions after which `asked` begins come before those
    `played`. The game is named without a path."""
    by = asked.by
    actions = (*getattr(asked.game, "played", ()), *played)
    whole = Sequential(asked.loaded.game)
    state = whole.initial()
    for action in actions:
        state = whole.successor(state, action)
    name, end = Path(by.file).name, result(whole, whole.node(state))
    return PlayRecord(name, by.settings, by.variant, by.position, who, end, actions)


def result(game: Game[Any], node: Node) -> str:
    """The result as a record writes it: each player's utility, or the sign of an unfinished play."""
    if not isinstance(node, Terminal):
        return records.OPEN
    return ", ".join(f"{player} {to_text(u)}" for player, u in zip(game.players, node.utilities, strict=True))


def _follow(game: Any, moves: Sequence[Move], choose: Callable[[Any, Decision, Move], Action]) -> tuple[Action, ...]:
    """The actions that the moves of a record are, as `choose` finds them at a state; up to where the game is over."""
    state, actions = game.initial(), list[Action]()
    for move in moves:
        node = game.node(state)
        if isinstance(node, Terminal):
            break
        assert isinstance(node, Decision)
        actions.append(choose(state, node, move))
        state = game.successor(state, actions[-1])
    return tuple(actions)


# ---- Chess ------------------------------------------------------------------------------------------------------

CHESS = "chess"
CHECK = "not safe(king_of(mover))"  # in the words of its file
# What files call the games that come with gdl, in small letters.
VARIANTS = {"standard": CHESS, "chess": CHESS, "from position": CHESS, "": CHESS}
VARIANTS |= {"crazyhouse": "crazyhouse", "atomic": "atomic"}


def read_chess(text: str, name: str, which: int | None = None, remark: Remark = ignore) -> PlayRecord:
    """Read a game of a file in Portable Game Notation: number `which`, from 1; None: the first, with a remark if more
    follow.

    Raises GameError, with the place, where the file is damaged or a move is not legal.
    """

    found = pgn.read(text, name, which or 1)
    variant = found.tags.get("Variant", "")
    rules = VARIANTS.get(variant.lower())
    if rules is None:
        help = "gdl reads games of chess with its usual rules, of Crazyhouse and of Atomic"
        pgn.wrong(f"this is a game of {clean(variant)}", found.places["Variant"], help)
    position = found.tags.get("FEN")
    try:
        game: Any = load(shipped()[rules], position=position)
    except GameError as wrong:
        if position is None:
            raise
        line, column = found.places["FEN"].line, found.places["FEN"].column
        raise DamagedData(
            f"{clean(name)}:{line}:{column}, FEN tag {clean(position or '')}: {wrong.problems[0].message}"
        ) from None

    def choose(state: Any, node: Decision, written: tuple[str, Span]) -> Action:
        move, span = written
        legal = matching_moves(move, text_of(game.model, state), node.actions)
        if len(legal) != 1:
            why = f"may mean {listing(legal, 'or')}" if legal else "is not legal here"
            help = f"{game.players[node.player]} can play {listing(node.actions, 'or', most=40)}"
            pgn.wrong(f"'{clean(move)}' {why}", span, help)
        return legal[0]

    actions = _follow(game, found.moves, choose)
    if left := found.moves[len(actions) :]:
        before, many = clean(left[0][0]), count_text(len(left), "move")
        remark(f"{clean(name)}: by the rules the game is over before {before}; {many} left out")
    if found.more and which is None:
        remark(records.MORE_FOLLOW.format(clean(name)))
    who = {player: found.tags[player] for player in game.players if player in found.tags}
    return PlayRecord(rules, position=position, who=who, result=found.result, actions=actions)


def write_chess(record: PlayRecord) -> str:
    """Write a record of chess in Portable Game Notation. Raises WrongRequest for another game."""

    if record.game != CHESS or record.settings or record.variant:
        raise WrongRequest("a .pgn file is for chess alone", help="name a file that ends with .play")
    game: Any = load(shipped()[CHESS], position=record.position)
    state, moves, checks = game.initial(), list[str](), rules_of_check()
    first = text_of(game.model, state)
    for ply, action in enumerate(record.actions, start=1):
        node, before = game.node(state), text_of(game.model, state)
        assert isinstance(node, Decision)
        state = game.successor(state, action)
        after = game.node(state)
        mates = isinstance(after, Terminal) and any(after.utilities)
        san = move_to_san(action, before, node.actions, checks.ending(state) is not None, mates)
        moves.append(san + _pgn_remark(record.remarks.get(ply, "")))
    last = game.node(state)
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
    tags |= {player: record.who.get(player, "?") for player in game.players}
    given_up = {"White 1, Black -1": "1-0", "White -1, Black 1": "0-1"}.get(record.result, "*")
    result = _chess_result(last.utilities) if isinstance(last, Terminal) else given_up
    tags["Result"] = result
    if record.position is not None:
        tags |= {"SetUp": "1", "FEN": f"{first} 0 1" if len(first.split()) == 4 else first}
    return pgn.write(tags, moves, result, black=first.split()[1] == "b")


def _pgn_remark(text: str) -> str:
    """The annotation of a move in PGN: the mark (`?`, `??` or `?!`) with which the remark begins as a number, its other
    words in braces; "" for no remark."""
    mark, _, words = text.partition(" ")
    sign = {"?": " $2", "??": " $4", "?!": " $6"}.get(mark, "")
    told = (words if sign else text).replace("{", "(").replace("}", ")")
    return f"{sign} {{{' '.join(clean(told).split())}}}" if told else sign


def _chess_result(utilities: Mapping[int, Any] | Any) -> str:
    first, second = utilities
    return "1/2-1/2" if first == second else "1-0" if first > second else "0-1"


# Moves of chess as people write them: `Nf3`, `exd5`, `O-O`, `e8=Q+` (standard algebraic notation).
#
# The rules of the game say which moves are legal, written `e2e4`, `e7e8q`; the pieces on the squares are read off the
# position's text (Forsyth and Edwards).
#
# Source: as of gdl/formats/pgn.py, section 8.2.3.

_MOVE = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[-x:]?([a-h][1-8])(?:=?([QRBNqrbn]))?[+#]*(?:e\.p\.)?[!?]*", re.ASCII)
_DROP = re.compile(r"([PQRBN]?@[a-h][1-8])[+#]*[!?]*", re.ASCII)
_CASTLING = re.compile(r"([O0]-[O0](?:-[O0])?)[+#]*[!?]*")

Board = dict[str, str]  # square -> letter of the piece on it


def board_of(position: str) -> Board:
    """The pieces on the squares of a position's text."""
    found = {}
    for row, line in enumerate(position.split()[0].partition("[")[0].split("/")):
        column = 0
        for sign in line.replace("~", ""):
            if sign.isdigit():
                column += int(sign)
            else:
                found["abcdefgh"[column] + str(8 - row)] = sign
                column += 1
    return found


def matching_moves(text: str, position: str, legal: Sequence[Action]) -> list[Action]:
    """The legal moves that a text may mean in a position; a correct text means just one."""
    if text in legal:
        return [text]
    board = board_of(position)
    if drop := _DROP.fullmatch(text):
        wanted = drop[1] if drop[1][0] != "@" else f"P{drop[1]}"
        return [move for move in legal if move.upper() == wanted.upper()]
    castling = _CASTLING.fullmatch(text)
    if castling is not None:
        column = "g" if len(castling[1]) == 3 else "c"
        return [move for move in legal if _castles(move, board) and move[2] == column]
    found = _MOVE.fullmatch(text)
    if found is None:
        return []
    piece, column, row, to, promoted = found.groups()
    return [
        move
        for move in legal
        if move[2:4] == to
        and board.get(move[:2], "").upper() == (piece or "P")
        and move[0].startswith(column)
        and move[1].startswith(row)
        and move[4:] == (promoted or "").lower()
        and not _castles(move, board)
    ]


def move_to_san(move: Action, position: str, legal: Sequence[Action], check: bool, mate: bool) -> str:
    """A legal move in standard algebraic notation; `check` and `mate` say what it gives."""
    board = board_of(position)
    if _castles(move, board):
        text = "O-O" if move[2] == "g" else "O-O-O"
    else:
        piece = board[move[:2]].upper()
        takes = move[2:4] in board or (piece == "P" and move[0] != move[2])
        if piece == "P":
            text = f"{move[0]}x{move[2:4]}" if takes else move[2:4]
            text += f"={move[4].upper()}" if move[4:] else ""
        else:
            text = f"{piece}{_disambiguate(move, board, legal)}{'x' if takes else ''}{move[2:4]}"
    return f"{text}{'#' if mate else '+' if check else ''}"


def rules_of_check() -> RulesGame:
    """Chess with check as the only end of play."""
    from gdl.checker.asked import ending_where

    return RulesGame(ending_where(loads(*read_file(shipped()[CHESS])).description, CHECK, CHESS, {}, None))


def _castles(move: Action, board: Board) -> bool:
    return board.get(move[:2], "").upper() == "K" and abs(ord(move[0]) - ord(move[2])) == 2


def _disambiguate(move: Action, board: Board, legal: Sequence[Action]) -> str:
    """The part of the departure square that distinguishes this move from others to the same square by pieces of the
    same kind."""
    others = [
        other[:2]
        for other in legal
        if other[2:4] == move[2:4] and other[:2] != move[:2] and board[other[:2]] == board[move[:2]]
    ]
    if not others:
        return ""
    if all(other[0] != move[0] for other in others):
        return move[0]
    return move[1] if all(other[1] != move[1] for other in others) else move[:2]


# ---- Go and hex ------------------------------------------------------------------------------------------------

GAMES = {"1": "go", "11": "hex"}  # by the number that GM has
LARGEST = 26  # columns: one small letter each
NAMES = {"B": "PB", "W": "PW"}  # by colour: the property that names its player
SETUP = {"AB": "X", "AW": "O", "AE": ".", "PL": ""}  # properties that set up a position, and their signs in gdl's
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


def read_stones(text: str, name: str, which: int | None = None, remark: Remark = ignore) -> PlayRecord:
    """Read a game of a file in Smart Game Format: number `which`, from 1; None: the first, with a remark if more
    follow.

    Raises GameError, with the place, where the file is damaged or a move is not legal.
    """
    found, more = sgf.read(text, name, which or 1)
    if more and which is None:
        remark(records.MORE_FOLLOW.format(clean(name)))
    shape = _shape(found)
    moves = [one for one in found if one.name in NAMES]
    position = _position(found, moves, shape)
    game: Any = loads(*read_file(shipped()[shape.game]), settings=shape.settings, position=position).game
    colours = _colours(moves, shape.game)

    def choose(state: Any, node: Decision, move: Property) -> Action:
        if move.name != colours[node.player]:
            help = f"gdl reads games in which {' and '.join(colours)} take turns"
            sgf.wrong(f"it is the turn of {colours[node.player]}", move.span, help)
        return _action(move, shape, node.actions)

    actions = _follow(game, moves, choose)
    if left := len(moves) - len(actions):
        many = count_text(left, "move")
        remark(f"{clean(name)}: by the rules the game is over before the last moves; {many} left out")
    who = {
        game.players[colours.index(colour)]: one.values[0]
        for colour, tag in NAMES.items()
        for one in found
        if one.name == tag and one.values
    }
    result = next((one.values[0] for one in found if one.name == "RE" and one.values), "*")
    return PlayRecord(shape.game, dict(shape.settings), position=position, who=who, result=result, actions=actions)


def _colours(moves: Sequence[Property], game: str) -> tuple[str, str]:
    """The colours of the first and the second player. In hex the one who moves first is the first player."""
    first = moves[0].name if moves and game == "hex" else "B"
    return (first, "W" if first == "B" else "B")


def _shape(found: Sequence[Property]) -> _Shape:
    known = {one.name: one for one in reversed(found)}
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


def _position(found: Sequence[Property], moves: Sequence[Property], shape: _Shape) -> str | None:
    """The first position, in the notation of go, where the file sets stones, or White begins; None for the empty
    board."""
    setting = [one for one in found if one.name in SETUP]
    if shape.game != "go":
        if setting:
            sgf.wrong(f"stones are set by {setting[0].name}", setting[0].span, "gdl reads hex from an empty board")
        return None
    handicap = next((one for one in found if one.name == "HA" and one.values), None)
    given = handicap is not None and handicap.values[0].strip() not in ("", "0", "1")
    mover = moves[0].name if moves else "W" if given else "B"
    board = [["."] * shape.columns for _ in range(shape.rows)]
    for one in setting:
        if moves and one.span.start > moves[0].span.start:
            sgf.wrong(f"a position is set up by {one.name} after a move", one.span, "gdl reads one that precedes play")
        for value in one.values:
            if one.name == "PL":
                mover = value.strip()[:1].upper()
                if mover not in NAMES:
                    sgf.wrong(f"'{clean(value[:20])}' is no player", one.span, "write B or W")
                continue
            first, colon, last = value.strip().partition(":")  # a rectangle is named by two corners
            points = [_point(text, shape) for text in (first, last if colon else first)]
            rows = sorted(shape.rows - int(point[1:]) for point in points if point)
            columns = sorted(LETTERS.index(point[0]) for point in points if point)
            if len(rows) < 2 or rows[1] >= shape.rows or columns[1] >= shape.columns:
                sgf.wrong(f"'{clean(value[:20])}' is no point of this board", one.span, "write points such as dd")
            for row in board[rows[0] : rows[1] + 1]:
                row[columns[0] : columns[1] + 1] = SETUP[one.name] * (columns[1] + 1 - columns[0])
    if handicap is not None and given and all(one.name != "AB" for one in setting):
        told = f"a handicap of {clean(handicap.values[0][:20])} without its stones"
        sgf.wrong(told, handicap.span, "write where they stand: AB[dd][pp]")
    if not setting and mover == "B":
        return None
    return f"{'/'.join(map(''.join, board))} {'O' if mover == 'W' else 'X'} - 0"


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


def write_stones(record: PlayRecord, program: str = "gdl") -> str:
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
        ("RE", _sgf_result(loaded.game, record)),
    ]
    moves = [("BW"[ply % 2], _action_notation(action, rows, is_go)) for ply, action in enumerate(record.actions)]
    return sgf.write(root, moves)


def _sgf_result(game: Any, record: PlayRecord) -> str:
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
