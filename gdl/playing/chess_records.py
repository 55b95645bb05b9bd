"""Chess in Portable Game Notation: `gdl analyse game.pgn` reads it, `gdl play chess --save game.pgn` writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from gdl.errors import WrongRequest, clean, count_text, listing
from gdl.formats import pgn, records
from gdl.formats.records import PlayRecord
from gdl.game import Action, Decision, Terminal
from gdl.interpreter.position import text_of
from gdl.playing.asked_game import Remark, ignore
from gdl.playing.loading import load, shipped

CHESS = "chess"
PLAIN = ("standard", "chess", "")  # what files call chess where they name a variant


def read(text: str, name: str, which: int | None = None, remark: Remark = ignore) -> PlayRecord:
    """Read a game of a file in Portable Game Notation: number `which`, from 1; None: the first, with a remark if more
    follow.

    Raises GameError, with the place, where the file is damaged or a move is not legal.
    """

    found = pgn.read(text, name, which or 1)
    variant = found.tags.get("Variant", "")
    if variant.lower() not in PLAIN:
        pgn.wrong(f"this is a game of {clean(variant)}", None, "gdl reads games of chess with its usual rules")
    position = found.tags.get("FEN")
    game: Any = load(shipped()[CHESS], position=position)
    state, actions = game.initial(), list[str]()
    for number, (move, span) in enumerate(found.moves):
        node = game.node(state)
        if isinstance(node, Terminal):
            left = count_text(len(found.moves) - number, "move")
            remark(f"{clean(name)}: by the rules the game is over before {clean(move)}; {left} left out")
            break
        assert isinstance(node, Decision)
        legal = matching_moves(move, text_of(game.model, state), node.actions)
        if len(legal) != 1:
            why = f"may mean {listing(legal, 'or')}" if legal else "is not legal here"
            help = f"{game.players[node.player]} can play {listing(node.actions, 'or', most=40)}"
            pgn.wrong(f"'{clean(move)}' {why}", span, help)
        actions.append(legal[0])
        state = game.successor(state, legal[0])
    if found.more and which is None:
        remark(records.MORE_FOLLOW.format(clean(name)))
    who = {player: found.tags[player] for player in game.players if player in found.tags}
    return PlayRecord(CHESS, position=position, who=who, result=found.result, actions=tuple(actions))


def write(record: PlayRecord) -> str:
    """Write a record of chess in Portable Game Notation. Raises WrongRequest for another game."""

    if record.game != CHESS or record.settings or record.variant:
        raise WrongRequest("a .pgn file is for chess alone", help="name a file that ends with .play")
    game: Any = load(shipped()[CHESS], position=record.position)
    state, moves = game.initial(), list[str]()
    first = text_of(game.model, state)
    for ply, action in enumerate(record.actions, start=1):
        node, before = game.node(state), text_of(game.model, state)
        assert isinstance(node, Decision)
        state = game.successor(state, action)
        after = game.node(state)
        mates = isinstance(after, Terminal) and any(after.utilities)
        remark = record.remarks.get(ply, "")
        moves.append(move_to_san(action, before, node.actions, text_of(game.model, state), mates) + _remark(remark))
    last = game.node(state)
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
    tags |= {player: record.who.get(player, "?") for player in game.players}
    given_up = {"White 1, Black -1": "1-0", "White -1, Black 1": "0-1"}.get(record.result, "*")
    result = _result(last.utilities) if isinstance(last, Terminal) else given_up
    tags["Result"] = result
    if record.position is not None:
        tags |= {"SetUp": "1", "FEN": f"{first} 0 1" if len(first.split()) == 4 else first}
    return pgn.write(tags, moves, result, black=first.split()[1] == "b")


def _remark(text: str) -> str:
    """The annotation of a move in PGN: the mark (`?`, `??` or `?!`) with which the remark begins as a number, its other
    words in braces; "" for no remark."""
    mark, _, words = text.partition(" ")
    sign = {"?": " $2", "??": " $4", "?!": " $6"}.get(mark, "")
    told = (words if sign else text).replace("{", "(").replace("}", ")")
    return f"{sign} {{{' '.join(clean(told).split())}}}" if told else sign


def _result(utilities: Mapping[int, Any] | Any) -> str:
    first, second = utilities
    return "1/2-1/2" if first == second else "1-0" if first > second else "0-1"


# Moves of chess as people write them: `Nf3`, `exd5`, `O-O`, `e8=Q+` (standard algebraic notation).
#
# The rules of the game say which moves are legal, written `e2e4`, `e7e8q`; the pieces on the squares are read off the
# position's text (Forsyth and Edwards).
#
# Source: as of gdl/formats/pgn.py, section 8.2.3.

_MOVE = re.compile(r"([KQRBN]?)([a-h]?)([1-8]?)[x:]?([a-h][1-8])(?:=?([QRBNqrbn]))?[+#]*(?:e\.p\.)?[!?]*", re.ASCII)
_CASTLING = re.compile(r"([O0]-[O0](?:-[O0])?)[+#]*[!?]*")
_RAYS = {
    "R": ((1, 0), (-1, 0), (0, 1), (0, -1)),
    "B": ((1, 1), (1, -1), (-1, 1), (-1, -1)),
}  # fmt: skip
_HOPS = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a * b) == 2]

Board = dict[str, str]  # square -> letter of the piece on it


def board_of(position: str) -> Board:
    """The pieces on the squares of a position's text."""
    found = {}
    for row, line in enumerate(position.split()[0].split("/")):
        column = 0
        for sign in line:
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
        and board[move[:2]].upper() == (piece or "P")
        and move[0].startswith(column)
        and move[1].startswith(row)
        and move[4:] == (promoted or "").lower()
        and not _castles(move, board)
    ]


def move_to_san(move: Action, position: str, legal: Sequence[Action], after: str, over: bool) -> str:
    """A legal move in standard algebraic notation. `after` is the position behind it; `over` is True if it mates."""
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
            text = f"{piece}{_apart(move, board, legal)}{'x' if takes else ''}{move[2:4]}"
    if over:
        return f"{text}#"
    return f"{text}+" if in_check(after) else text


def _castles(move: Action, board: Board) -> bool:
    return board.get(move[:2], "").upper() == "K" and abs(ord(move[0]) - ord(move[2])) == 2


def _apart(move: Action, board: Board, legal: Sequence[Action]) -> str:
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


def in_check(position: str) -> bool:
    """True if the king of the player to move is attacked."""
    board = board_of(position)
    white = position.split()[1] == "w"
    king = next((square for square, piece in board.items() if piece == ("K" if white else "k")), None)
    if king is None:
        return False
    x, y = "abcdefgh".index(king[0]), int(king[1])

    def at(dx: int, dy: int) -> str:
        """The piece at a distance from the king: the enemy's as a capital letter, one's own as a small one, "" for
        none, `.` off the board."""
        column, row = x + dx, y + dy
        if not (0 <= column < 8 and 1 <= row <= 8):
            return "."
        return _as_enemy_sees(board.get(f"{'abcdefgh'[column]}{row}", ""), white)

    forward = 1 if white else -1
    if any(at(side, forward) == "P" for side in (-1, 1)) or any(at(*hop) == "N" for hop in _HOPS):
        return True
    if any(at(a, b) == "K" for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b):
        return True
    for kind, ways in _RAYS.items():
        for a, b in ways:
            met = next((piece for n in range(1, 8) if (piece := at(n * a, n * b))), "")
            if met in (kind, "Q"):
                return True
    return False


def _as_enemy_sees(piece: str, white: bool) -> str:
    """The letter of a piece: a capital for the opponent of the player to move, small for the player's own; "" for no
    piece."""
    return piece.swapcase() if white else piece
