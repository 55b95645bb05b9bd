"""Records of plays, in gdl's own format and in those of others: chess in Portable Game Notation (`gdl analyse game.pgn`
reads it, `gdl play chess --save game.pgn` writes it).

A text's format is recognised by how it begins, that of a file to be written by the ending of its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gdl.errors import DamagedData, GameError, Source, Span, WrongRequest, clean, count_text, listing
from gdl.game import Action, Decision, Game, Node, Terminal
from gdl.interpreter.position import text_of
from gdl.interpreter.rules_game import RulesGame
from gdl.model.games import RulesModel
from gdl.numbers import to_text
from gdl.playing.loading import Asked, Remark, ignore, load, loads, shipped
from gdl.playing.loading import read as read_file
from gdl.states.sequential import Sequential
from gdl.wings.arena import pgn, records
from gdl.wings.arena.records import PlayRecord

SMART_GAME = ".sgf"  # of go programs
_SMART_GAME = re.compile(r"[\s\ufeff]*\(\s*;\s*[A-Za-z]*\s*\[")  # as such a file begins


def is_other(text: str) -> bool:
    """True if a text is a record in another format than gdl's own."""
    return pgn.is_pgn(text) or bool(_SMART_GAME.match(text))


def read(text: str, name: str, which: int | None = None, remark: Remark = ignore) -> PlayRecord:
    """Read the record of a play of chess; of a file with many games the one with number `which`, from 1, else the
    first. Raises WrongRequest for a file in Smart Game Format."""
    if pgn.is_pgn(text):
        return read_chess(text, name, which, remark)
    raise _no_smart_games(name)


def text_for(file: str, record: PlayRecord) -> str:
    """The text of a record in the format that the ending of its file's name asks for. Raises WrongRequest where that is
    not written."""
    if file.lower().endswith(pgn.ENDING):
        return write_chess(record)
    if file.lower().endswith(SMART_GAME):
        raise _no_smart_games(file)
    return records.write(record)


def _no_smart_games(file: str) -> WrongRequest:
    help = "keep plays in .play; a page that gdl page writes opens .sgf files of go and hex"
    return WrongRequest(f"{clean(file)}: gdl reads and writes no Smart Game Format", help=help)


def is_collection(file: str) -> bool:
    """True if a file of that name can hold many records one after the other."""
    return file.lower().endswith((pgn.ENDING, SMART_GAME))


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

    state, actions = game.initial(), list[Action]()
    for move, span in found.moves:
        node = game.node(state)
        if isinstance(node, Terminal):
            break
        assert isinstance(node, Decision)
        legal = matching_moves(move, text_of(game.model, state), node.actions)
        if len(legal) != 1:
            why = f"may mean {listing(legal, 'or')}" if legal else "is not legal here"
            help = f"{game.players[node.player]} can play {listing(node.actions, 'or', most=40)}"
            pgn.wrong(f"'{clean(move)}' {why}", span, help)
        actions += legal
        state = game.successor(state, legal[0])
    if left := found.moves[len(actions) :]:
        before, many = clean(left[0][0]), count_text(len(left), "move")
        remark(f"{clean(name)}: by the rules the game is over before {before}; {many} left out")
    if found.more and which is None:
        remark(records.MORE_FOLLOW.format(clean(name)))
    who = {player: found.tags[player] for player in game.players if player in found.tags}
    return PlayRecord(rules, position=position, who=who, result=found.result, actions=tuple(actions))


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
    """Chess with check as the only end of play: all else is as in the file."""
    from gdl import checker
    from gdl.checker.asked import end_where, with_ends
    from gdl.syntax import parser

    description, source = loads(*read_file(shipped()[CHESS])).description, Source(CHESS, CHECK)
    end = end_where(parser.expression(source, 0, len(CHECK))).copy_with(span=Span(source, 0, len(CHECK)))
    sections = (*with_ends(description.sections, lambda _: None), end)
    model, _ = checker.check(description.copy_with(sections=sections), {}, None)
    assert isinstance(model, RulesModel)
    return RulesGame(model)


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
