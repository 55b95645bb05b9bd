"""Turncoats in plain Python, by the rules of turncoats.game."""

from __future__ import annotations

State = tuple[list[list[int]], int]  # rows of discs (0 none, 1 Black, 2 White), and the mover

SIZE = 6
WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def start() -> State:
    """Return the first state."""
    board = [[0] * SIZE for _ in range(SIZE)]
    board[2][2] = board[3][3] = 1
    board[2][3] = board[3][2] = 2
    return board, 1


def find_turned(board: list[list[int]], x: int, y: int, player: int) -> list[tuple[int, int]]:
    """Return the discs that turn if the player puts one on an empty square."""
    turned = []
    for dx, dy in WAYS:
        line = []
        i, j = x + dx, y + dy
        while 0 <= i < SIZE and 0 <= j < SIZE and board[j][i] == 3 - player:
            line.append((i, j))
            i, j = i + dx, j + dy
        if line and 0 <= i < SIZE and 0 <= j < SIZE and board[j][i] == player:
            turned += line
    return turned


def find_places(board: list[list[int]], player: int) -> list[str]:
    """Return the squares where the player can put a disc."""
    return [
        f"{'abcdef'[x]}{y + 1}"
        for y in range(SIZE)
        for x in range(SIZE)
        if board[y][x] == 0 and find_turned(board, x, y, player)
    ]


def moves(state: State) -> list[str]:
    """Return the names of the legal moves; none where play is over."""
    board, mover = state
    places = find_places(board, mover)
    if places:
        return places
    return ["pass"] if find_places(board, 3 - mover) else []


def play(state: State, name: str) -> State:
    """Return the state after the move."""
    board, mover = state
    if name == "pass":
        return board, 3 - mover
    x, y = "abcdef".index(name[0]), int(name[1]) - 1
    after = [row[:] for row in board]
    for i, j in find_turned(board, x, y, mover):
        after[j][i] = mover
    after[y][x] = mover
    return after, 3 - mover


def result(state: State) -> tuple[int, int]:
    """Return the utilities of Black and White at the end."""
    black = sum(row.count(1) for row in state[0])
    white = sum(row.count(2) for row in state[0])
    return (1, -1) if black > white else (-1, 1) if black < white else (0, 0)
