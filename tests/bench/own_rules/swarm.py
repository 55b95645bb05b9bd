"""Swarm in plain Python, by the rules of swarm.game."""

from __future__ import annotations

from dataclasses import dataclass, replace

CELLS = ["abcde"[x - 1] + str(y) for y in range(1, 6) for x in range(1, 6) if 4 <= x + y <= 8]
DIRECTIONS = [(0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)]


def step_to(cell: str, way: tuple[int, int]) -> str | None:
    """Take a cell and a direction; return the next cell, or None off the board."""
    x, y = ord(cell[0]) + way[0], int(cell[1]) + way[1]
    name = f"{chr(x)}{y}"
    return name if name in NAMES else None


NAMES = set(CELLS)
NEIGHBOURS = {c: [n for n in (step_to(c, d) for d in DIRECTIONS) if n] for c in CELLS}


@dataclass(frozen=True)
class State:
    """Who and what stands on the cells, what is in hand, the turns played, and the mover (0 White, 1 Black)."""

    board: dict[str, tuple[int, str]]
    queens: tuple[int, int] = (1, 1)
    hoppers: tuple[int, int] = (3, 3)
    turn: int = 0
    mover: int = 0


def start() -> State:
    """Return the first state."""
    return State({})


def is_one_swarm(cells: set[str]) -> bool:
    """Take the cells with pieces; return whether they hang together."""
    if not cells:
        return True
    found = {next(iter(cells))}
    todo = list(found)
    while todo:
        for n in NEIGHBOURS[todo.pop()]:
            if n in cells and n not in found:
                found.add(n)
                todo.append(n)
    return len(found) == len(cells)


def may_place(state: State, cell: str) -> bool:
    """Return whether the mover may put a piece on the cell."""
    board = state.board
    if cell in board:
        return False
    if any(owner == state.mover for owner, _ in board.values()):
        return any(n in board and board[n][0] == state.mover for n in NEIGHBOURS[cell])
    return not board or any(n in board for n in NEIGHBOURS[cell])


def may_shift(board: dict[str, tuple[int, str]], a: str, b: str) -> bool:
    """Return whether all hangs together while the piece on a is in the air, and when it is on b."""
    rest = set(board) - {a}
    return is_one_swarm(rest) and is_one_swarm(rest | {b})


def hop_targets(board: dict[str, tuple[int, str]], a: str) -> set[str]:
    """Return the cells to which a hopper on a can jump."""
    found = set()
    for way in DIRECTIONS:
        cell = step_to(a, way)
        if cell is None or cell not in board:
            continue
        while cell is not None and cell in board:
            cell = step_to(cell, way)
        if cell is not None:
            found.add(cell)
    return found


def is_surrounded(state: State, player: int) -> bool:
    """Return whether the player's queen has no empty cell beside it."""
    board = state.board
    return any(piece == (player, "Q") and all(n in board for n in NEIGHBOURS[c]) for c, piece in board.items())


def moves(state: State) -> list[str]:
    """Return the names of the legal moves; none where play is over."""
    if state.turn == 60 or is_surrounded(state, 0) or is_surrounded(state, 1):
        return []
    me, board = state.mover, state.board
    places = [c for c in CELLS if may_place(state, c)]
    found = []
    if state.queens[me]:
        found += ["Q" + c for c in places]
    if state.hoppers[me]:
        found += ["H" + c for c in places]
    for a in CELLS:
        if board.get(a) == (me, "Q"):
            near = NEIGHBOURS[a]
            found += [f"{a}-{b}" for b in CELLS if b in near and b not in board and may_shift(board, a, b)]
    if not state.queens[me]:
        for a in CELLS:
            if board.get(a) == (me, "H"):
                targets = hop_targets(board, a)
                found += [f"{a}^{b}" for b in CELLS if b in targets and may_shift(board, a, b)]
    return found


def take_one(hand: tuple[int, int], player: int) -> tuple[int, int]:
    """Return the hand without one piece of the player."""
    return (hand[0] - 1, hand[1]) if player == 0 else (hand[0], hand[1] - 1)


def play(state: State, name: str) -> State:
    """Return the state after the move."""
    me, board = state.mover, dict(state.board)
    queens, hoppers = state.queens, state.hoppers
    if name[0] in "QH":
        board[name[1:]] = (me, name[0])
        if name[0] == "Q":
            queens = take_one(queens, me)
        else:
            hoppers = take_one(hoppers, me)
    else:
        board[name[3:]] = board.pop(name[:2])
    return replace(state, board=board, queens=queens, hoppers=hoppers, turn=state.turn + 1, mover=1 - me)


def result(state: State) -> tuple[int, int]:
    """Return the utilities of White and Black at the end."""
    white, black = is_surrounded(state, 0), is_surrounded(state, 1)
    if white or black:
        return (0, 0) if white and black else (-1, 1) if white else (1, -1)
    if state.turn == 60:
        return (0, 0)
    return (-1, 1) if state.mover == 0 else (1, -1)
