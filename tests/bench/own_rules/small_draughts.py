"""Small draughts in plain Python, by the rules of small_draughts.game."""

from __future__ import annotations

State = tuple[dict[str, str], int, int]  # pieces by squares (w, b, and kings W, B); the mover; the turns played

SQUARES = [c + r for r in "123456" for c in "abcdef"]
UP = [(-1, 1), (1, 1)]
DOWN = [(-1, -1), (1, -1)]
WAYS = {"w": UP, "b": DOWN, "W": UP + DOWN, "B": UP + DOWN}


def offset_by(square: str, x: int, y: int) -> str | None:
    """Return the square so many columns and rows away, or None off the board."""
    name = chr(ord(square[0]) + x) + chr(ord(square[1]) + y)
    return name if "a" <= name[0] <= "f" and "1" <= name[1] <= "6" else None


def start() -> State:
    """Return the first state."""
    board = dict.fromkeys(["a1", "c1", "e1", "b2", "d2", "f2"], "w")
    board.update(dict.fromkeys(["a5", "c5", "e5", "b6", "d6", "f6"], "b"))
    return board, 0, 0


def find_targets(board: dict[str, str], a: str, taking: bool) -> list[str]:
    """Return the squares to which the piece on a can jump, or step, in the order of the board."""
    found = []
    for x, y in WAYS[board[a]]:
        near = offset_by(a, x, y)
        target = offset_by(a, 2 * x, 2 * y) if taking else near
        if near is None or target is None or target in board:
            continue
        if not taking or (near in board and board[near].lower() != board[a].lower()):
            found.append(target)
    return sorted(found, key=SQUARES.index)


def moves(state: State) -> list[str]:
    """Return the names of the legal moves; none where play is over."""
    board, mover, turn = state
    if turn == 80:
        return []
    mine = [a for a in SQUARES if a in board and board[a].lower() == "wb"[mover]]
    jumps = [f"{a}x{b}" for a in mine for b in find_targets(board, a, True)]
    return jumps or [f"{a}-{b}" for a in mine for b in find_targets(board, a, False)]


def play(state: State, name: str) -> State:
    """Return the state after the move."""
    board, mover, turn = dict(state[0]), state[1], state[2]
    a, b = name[:2], name[3:]
    piece = board.pop(a)
    if name[2] == "x":
        del board[chr((ord(a[0]) + ord(b[0])) // 2) + chr((ord(a[1]) + ord(b[1])) // 2)]
    board[b] = piece.upper() if b[1] == "61"[mover] else piece
    return board, 1 - mover, turn + 1


def result(state: State) -> tuple[int, int]:
    """Return the utilities of White and Black at the end."""
    board, mover, turn = state
    if turn == 80 and moves((board, mover, 0)):
        return (0, 0)
    return (-1, 1) if mover == 0 else (1, -1)
