"""Archers in plain Python, by the rules of archers.game."""

from __future__ import annotations

State = tuple[dict[str, str], int]  # the pieces by squares: W, B, or x for an arrow; and the mover

SQUARES = [c + r for r in "1234" for c in "abcd"]
WAYS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def find_rays(square: str) -> list[list[str]]:
    """Return the straight lines of squares that go out from this one."""
    rays = []
    for x, y in WAYS:
        line = [chr(ord(square[0]) + x * n) + chr(ord(square[1]) + y * n) for n in (1, 2, 3)]
        rays.append([s for s in line if s in SQUARES])
    return rays


RAYS = {s: find_rays(s) for s in SQUARES}


def start() -> State:
    """Return the first state."""
    return {"b1": "W", "d2": "W", "a3": "B", "c4": "B"}, 0


def find_targets(board: dict[str, str], square: str) -> list[str]:
    """Return the squares that a queen on this square could reach, in the order of the board."""
    found = []
    for line in RAYS[square]:
        for s in line:
            if s in board:
                break
            found.append(s)
    return sorted(found, key=SQUARES.index)


def moves(state: State) -> list[str]:
    """Return the names of the legal moves; none where play is over."""
    board, mover = state
    found = []
    for a in SQUARES:
        if board.get(a) == "WB"[mover]:
            rest = {s: piece for s, piece in board.items() if s != a}
            for b in find_targets(board, a):
                found += [f"{a}-{b}/{c}" for c in find_targets(rest, b)]
    return found


def play(state: State, name: str) -> State:
    """Return the state after the move."""
    board, mover = dict(state[0]), state[1]
    board[name[3:5]] = board.pop(name[:2])
    board[name[6:]] = "x"
    return board, 1 - mover


def result(state: State) -> tuple[int, int]:
    """Return the utilities of White and Black at the end: the mover has lost."""
    return (-1, 1) if state[1] == 0 else (1, -1)
