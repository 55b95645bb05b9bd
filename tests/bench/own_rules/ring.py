"""Ring in plain Python, by the rules of ring.game."""

from __future__ import annotations

State = tuple[list[int | None], int, int]  # whose man is on each of the twelve squares; the mover; the turns played


def start() -> State:
    """Return the first state."""
    return [0, 1, 2, None] * 3, 0, 0


def count_men(board: list[int | None]) -> tuple[int, int, int]:
    """Return how many men each of the three players has."""
    return board.count(0), board.count(1), board.count(2)


def moves(state: State) -> list[str]:
    """Return the names of the legal moves; none where play is over."""
    board, mover, turn = state
    if turn == 60 or sum(n > 0 for n in count_men(board)) == 1:
        return []
    steps, jumps = [], []
    for a in range(12):
        if board[a] != mover:
            continue
        near = sorted([(a + 1) % 12, (a - 1) % 12])
        steps += [f"{a + 1}-{b + 1}" for b in near if board[b] is None]
        for m in near:
            b = (2 * m - a) % 12
            if board[m] is not None and board[m] != mover and board[b] is None:
                jumps.append(f"{a + 1}x{b + 1}")
    return steps + jumps or ["pass"]


def play(state: State, name: str) -> State:
    """Return the state after the move."""
    board, mover, turn = list(state[0]), state[1], state[2]
    if name != "pass":
        jump = "x" in name
        a, b = (int(n) - 1 for n in name.split("x" if jump else "-"))
        board[a], board[b] = None, mover
        if jump:
            over = (a + 1) % 12 if (a + 2) % 12 == b else (a - 1) % 12
            board[over] = None
    men = count_men(board)
    after = (mover + 1) % 3
    while not men[after]:
        after = (after + 1) % 3
    return board, after, turn + 1


def result(state: State) -> tuple[int, ...]:
    """Return the utilities of Red, Green and Blue at the end."""
    men = count_men(state[0])
    if sum(n > 0 for n in men) == 1:
        return tuple(int(n > 0) for n in men)
    return men
