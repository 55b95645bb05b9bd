"""Moves of chess as people write them: `Nf3`, `exd5`, `O-O`, `e8=Q+` (standard algebraic notation).

The rules of the game say which moves are legal, written `e2e4`, `e7e8q`; the pieces on the squares are read off the
position's text (Forsyth and Edwards).

Source: as of gdl/formats/pgn.py, section 8.2.3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.game import Action

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
