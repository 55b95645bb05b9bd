"""Walls in plain Python, by the rules of walls.game."""

from __future__ import annotations

from dataclasses import dataclass, replace

SQUARES = [c + r for r in "12345" for c in "abcde"]
WAYS = [(0, -1), (-1, 0), (1, 0), (0, 1)]  # in the order of the squares


@dataclass(frozen=True)
class State:
    """The pawns, the walls in hand, the pairs of squares with a wall between them, the turns played, the mover."""

    pawns: tuple[str, str] = ("c1", "c5")
    hand: tuple[int, int] = (3, 3)
    walls: frozenset[tuple[str, str]] = frozenset()
    turn: int = 0
    mover: int = 0


def offset_by(square: str, x: int, y: int) -> str:
    """Return the name of the square so many columns and rows away, on the board or not."""
    return chr(ord(square[0]) + x) + chr(ord(square[1]) + y)


NEIGHBOURS = {s: [n for n in (offset_by(s, x, y) for x, y in WAYS) if n in SQUARES] for s in SQUARES}


def start() -> State:
    """Return the first state."""
    return State()


def is_open(walls: frozenset[tuple[str, str]], a: str, b: str) -> bool:
    """Return whether no wall stands between two adjacent squares."""
    return (a, b) not in walls and (b, a) not in walls


def has_way(walls: frozenset[tuple[str, str]], square: str, goal: str) -> bool:
    """Return whether a pawn on the square can come to the row, if nobody stands in its way."""
    todo, seen = [square], {square}
    while todo:
        a = todo.pop()
        if a[1] == goal:
            return True
        for b in NEIGHBOURS[a]:
            if b not in seen and is_open(walls, a, b):
                seen.add(b)
                todo.append(b)
    return False


def find_wall(name: str) -> tuple[str, str]:
    """Take the name of a move that puts a wall; return the two squares beside the wall."""
    return name[:2], offset_by(name[:2], 0, 1) if name[2] == "-" else offset_by(name[:2], 1, 0)


def moves(state: State) -> list[str]:
    """Return the names of the legal moves; none where play is over."""
    me, (ann, bob) = state.mover, state.pawns
    if ann[1] == "5" or bob[1] == "1" or state.turn == 60:
        return []
    here, there = state.pawns[me], state.pawns[1 - me]
    found = [b for b in NEIGHBOURS[here] if b != there and is_open(state.walls, here, b)]
    if state.hand[me]:
        for sign in "-|":
            for s in SQUARES:
                wall = find_wall(s + sign)
                if wall[1] in SQUARES and wall not in state.walls:
                    walls = state.walls | {wall}
                    if has_way(walls, ann, "5") and has_way(walls, bob, "1"):
                        found.append(s + sign)
    return found


def play(state: State, name: str) -> State:
    """Return the state after the move."""
    me = state.mover
    pawns, hand, walls = list(state.pawns), list(state.hand), state.walls
    if len(name) == 2:
        pawns[me] = name
    else:
        hand[me] -= 1
        walls = walls | {find_wall(name)}
    one, two = pawns
    mine, yours = hand
    return replace(state, pawns=(one, two), hand=(mine, yours), walls=walls, turn=state.turn + 1, mover=1 - me)


def result(state: State) -> tuple[int, int]:
    """Return the utilities of Ann and Bob at the end."""
    if state.pawns[0][1] == "5":
        return (1, -1)
    if state.pawns[1][1] == "1":
        return (-1, 1)
    if state.turn == 60:
        return (0, 0)
    return (-1, 1) if state.mover == 0 else (1, -1)
